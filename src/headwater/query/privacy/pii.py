"""Where fields with personal data went: which fields have it in the clear, and where it was masked."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import ClassVar

from headwater.common.codec import plain
from headwater.notebook.rows import Tabular
from headwater.query.graph.answer import Direction, FieldName, Moment, TableName, place_of_field
from headwater.query.graph.intervals import NOW
from headwater.query.lineage.traversal import Reach, Walk, traverse_from
from headwater.query.lineage.unknown import Silent, SilentReaders, silent_readers
from headwater.query.privacy.exposure import Exposed, Exposure, exposed
from headwater.query.privacy.legs import Leg, map_of, stations
from headwater.query.privacy.marks import marked_fields
from headwater.query.privacy.rules import Rules
from headwater.query.questions import PiiOf
from headwater.query.search.resolve import resolve_column, resolve_dataset
from headwater.store.db.session import Session
from headwater.store.entities.keys import dataset_of


@dataclass(frozen=True, slots=True)
class Source:
    """A field that was asked about: its tags, and the fields that its values reached, the most exposed first."""

    field: FieldName
    tags: tuple[str, ...]
    reached: tuple[Exposed, ...]


@dataclass(frozen=True, slots=True)
class Pii(Tabular):
    """Where fields went. `unknown` are datasets of whose columns nothing is known, but that are made of such data."""

    COLUMNS: ClassVar[tuple[str, ...]] = (
        *("source_namespace", "source_name", "source_field", "tags", "namespace", "name", "field"),
        *("exposure", "path", "masked_at", "masked_by", "masked_how", "masked_kind"),
        *("unmasked_at", "unmasked_by", "unmasked_how"),
    )

    moment: Moment
    sources: tuple[Source, ...]
    unknown: tuple[Silent, ...]
    partial: bool

    def rows(self) -> list[dict[str, object]]:
        """One row for each field that is reached and each way in which it is exposed; then the unknown datasets."""
        flat = [row for source in self.sources for row in _rows(source)]
        empty = dict.fromkeys(self.COLUMNS)
        return [*flat, *({**empty, **plain(item.dataset), "exposure": "unknown"} for item in self.unknown)]


def _rows(source: Source) -> Iterable[dict[str, object]]:
    start = {
        "source_namespace": source.field.namespace,
        "source_name": source.field.name,
        "source_field": source.field.field,
        "tags": " ".join(source.tags),
    }
    for item in source.reached:
        for way in item.ways:
            masked, unmasked = way.masked_at, way.unmasked_at
            yield {
                **start,
                "namespace": item.field.namespace,
                "name": item.field.name,
                "field": item.field.field,
                "exposure": way.exposure.name.lower(),
                "path": " -> ".join(f"{name.table.full}.{name.field or '*'}" for name in stations(way.path)),
                **_place_of("masked", masked),
                "masked_kind": masked.how.effect or "unknown" if masked else None,
                **_place_of("unmasked", unmasked),
            }


def _place_of(word: str, leg: Leg | None) -> dict[str, object]:
    """Where a leg masks or unmasks, which job does it, and how."""
    return {
        f"{word}_at": f"{leg.destination.table.full}.{leg.destination.field or '*'}" if leg else None,
        f"{word}_by": leg.job.full if leg and leg.job else None,
        f"{word}_how": leg.how.description if leg else None,
    }


def pii(asked: PiiOf, session: Session) -> Pii:
    """Where a field went; without one, where all fields with a personal tag went."""
    moment = asked.moment
    marks = marked_fields(session, NOW if moment.until is None else moment.until, descriptions=False)
    within = None if asked.dataset is None else resolve_dataset(session, asked.dataset, moment.until)
    if within is not None and asked.column is not None:
        keys = {resolve_column(session, within, asked.column, moment.until)}
    else:
        is_tag = _tag_test(asked.tag)
        keys = {
            key
            for key, mark in marks.items()
            if (within is None or dataset_of(key) in {within.id, within.alias}) and any(map(is_tag, mark.tags))
        }
    walk = Walk.of(asked, Direction.DOWNSTREAM, moment)
    reach = traverse_from(session, keys, walk)
    tags = {key: marks[key].tags if key in marks else frozenset() for key in keys}
    sources = _sources(reach, tags, asked.depth)
    silent = silent_readers(session, _holding(sources), walk) if sources else SilentReaders()
    return Pii(moment, sources, silent.found, reach.partial or silent.partial)


def _tag_test(tag: str | None) -> Callable[[str], bool]:
    """Whether a tag is the one that was asked for; if none was, whether it is a personal one."""
    if tag is None:
        return Rules().is_personal
    return lambda name: name.casefold() == tag.casefold()


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
    holding = {source.field.table: 0 for source in sources}
    for source in sources:
        for item in source.reached:
            if item.exposure is not Exposure.INDIRECT:
                away = min(len(way.path) for way in item.ways)
                holding[item.field.table] = min(away, holding.get(item.field.table, away))
    return holding
