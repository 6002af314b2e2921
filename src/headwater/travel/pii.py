"""Where fields with personal data went: which fields have it in the clear, and where it was masked."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from headwater.bad_question import BadQuestion
from headwater.graph.answer import Direction, FieldName, Moment, TableName
from headwater.graph.moments import NOW, moment_of
from headwater.graph.names import resolve_column, resolve_dataset
from headwater.graph.silent import Silent, SilentReaders, silent_readers
from headwater.graph.tabular import Tabular
from headwater.graph.traverse import LIMIT, Question, Reach, traverse_from
from headwater.store.keys import dataset_of
from headwater.store.session import Session
from headwater.travel.exposure import Exposed, Exposure, exposed
from headwater.travel.legs import map_of, place_of_field, stations
from headwater.travel.marked import marked_fields
from headwater.travel.rules import Rules


@dataclass(frozen=True, slots=True)
class Source:
    """A field that was asked about: its tags, and the fields that its values reached, the most exposed first."""

    field: FieldName
    tags: tuple[str, ...]
    reached: tuple[Exposed, ...]

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON."""
        return {
            **self.field.to_dict(),
            "tags": list(self.tags),
            "reached": [one.to_dict() for one in self.reached],
        }


@dataclass(frozen=True, slots=True)
class Pii(Tabular):
    """Where fields went. `unknown` are datasets of whose columns nothing is known, but that are made of such data."""

    COLUMNS: ClassVar[tuple[str, ...]] = (
        *("source_namespace", "source_name", "source_field", "tags", "namespace", "name", "field"),
        *("exposure", "path", "masked_at", "masked_by", "masked_how"),
    )

    moment: Moment
    sources: tuple[Source, ...]
    unknown: tuple[Silent, ...]
    partial: bool

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON, for programs."""
        return {
            **self.moment.to_dict(),
            "partial": self.partial,
            "sources": [source.to_dict() for source in self.sources],
            "unknown": [one.to_dict() for one in self.unknown],
        }

    def rows(self) -> list[dict[str, object]]:
        """One row for each field that is reached and each way in which it is exposed; then the unknown datasets."""
        found = [row for source in self.sources for row in _rows(source)]
        empty = dict.fromkeys(self.COLUMNS)
        return [*found, *({**empty, **one.dataset.to_dict(), "exposure": "unknown"} for one in self.unknown)]


def _rows(source: Source) -> Iterable[dict[str, object]]:
    start = {
        "source_namespace": source.field.namespace,
        "source_name": source.field.name,
        "source_field": source.field.field,
        "tags": " ".join(source.tags),
    }
    for one in source.reached:
        for way in one.ways:
            masked = way.masked_at
            yield {
                **start,
                "namespace": one.field.namespace,
                "name": one.field.name,
                "field": one.field.field,
                "exposure": way.exposure.name.lower(),
                "path": " -> ".join(f"{name.table.full}.{name.field or '*'}" for name in stations(way.path)),
                "masked_at": f"{masked.destination.table.full}.{masked.destination.field or '*'}" if masked else None,
                "masked_by": masked.job.full if masked and masked.job else None,
                "masked_how": masked.how.description if masked else None,
            }


def pii(  # noqa: PLR0913  the parts of a question
    session: Session,
    dataset: str | None = None,
    column: str | None = None,
    *,
    tag: str | None = None,
    as_of: int | None = None,
    since: int | None = None,
    until: int | None = None,
    depth: int | None = None,
    direct: bool = False,
    namespaces: Collection[str] | None = None,
    limit: int = LIMIT,
) -> Pii:
    """Where a field went; without one, where all fields with a personal tag went.

    Args:
        session: a transaction on the store.
        dataset: only fields of this dataset.
        column: this one field of it, whatever its tags.
        tag: fields with this tag, in place of those with a personal one.
        as_of: the moment to look at, in microseconds UTC; None for now.
        since: the start of a window: what was in force at any moment in it counts.
        until: the end of the window; None for now.
        depth: how many edges to follow at most; None for all.
        direct: leave out what a field only decides on.
        namespaces: enter datasets of these namespaces only.
        limit: how many fields to look at, and how many unknown datasets; the nearest come first.

    Raises:
        UnknownName: nothing has that name; carries the nearest.
        AmbiguousName: several have it; carries them.
        BadQuestion: options that contradict each other.
    """
    if column is not None and dataset is None:
        raise BadQuestion("a column is that of a dataset: give one")
    moment = moment_of(as_of, since, until)
    marks = marked_fields(session, NOW if moment.until is None else moment.until, descriptions=False)
    within = None if dataset is None else resolve_dataset(session, dataset, moment.until)
    if within is not None and column is not None:
        keys = {resolve_column(session, within, column, moment.until)}
    else:
        rules = Rules()
        keys = {
            key
            for key, mark in marks.items()
            if (within is None or dataset_of(key) in {within.id, within.alias})
            and any(rules.is_personal(one) if tag is None else one.casefold() == tag.casefold() for one in mark.tags)
        }
    question = Question(
        Direction.DOWNSTREAM,
        moment,
        depth=depth,
        direct=direct,
        namespaces=None if namespaces is None else frozenset(namespaces),
        limit=limit,
    )
    reach = traverse_from(session, keys, question)
    tags = {key: marks[key].tags if key in marks else frozenset() for key in keys}
    sources = _sources(reach, tags, depth)
    silent = silent_readers(session, _holding(sources), question) if sources else SilentReaders()
    return Pii(moment, sources, silent.found, reach.partial or silent.partial)


def _sources(reach: Reach, tags: dict[int, frozenset[str]], depth: int | None) -> tuple[Source, ...]:
    """Each field that was asked about, with what it reaches; pure."""
    legs = map_of(reach.edges, (node.field for node in reach.nodes))
    by_name: dict[FieldName, set[str]] = {}
    for key, name in reach.starts.items():
        by_name.setdefault(name, set()).update(tags[key])
    return tuple(
        Source(name, tuple(sorted(by_name[name])), exposed({name}, legs, depth))
        for name in sorted(by_name, key=place_of_field)
    )


def _holding(sources: Iterable[Source]) -> dict[TableName, int]:
    """The datasets that hold values, masked ones too, and how far they are."""
    found = {source.field.table: 0 for source in sources}
    for source in sources:
        for one in source.reached:
            if one.exposure is not Exposure.INDIRECT:
                away = min(len(way.path) for way in one.ways)
                found[one.field.table] = min(away, found.get(one.field.table, away))
    return found
