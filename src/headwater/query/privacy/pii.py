"""Where fields with personal data went, in the clear or masked; and what of it a dataset holds, and from where."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import ClassVar

from headwater.common.codec import plain
from headwater.notebook.rows import Tabular
from headwater.query.graph.answer import Direction, Dropped, FieldName, Moment, TableName, Unknown, place_of_field
from headwater.query.lineage.ask import when_there
from headwater.query.lineage.traversal import Reach, Walk, traverse_from
from headwater.query.lineage.unknown import doubts, unknown_beyond
from headwater.query.privacy.exposure import Exposed, Exposure, exposed
from headwater.query.privacy.holdings import Arrival, TaggedColumn, holdings, names_of
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
    """Where fields went; of one dataset also what it holds, and from where.

    Attributes:
        sources: the fields that the question starts from, and what their values reached.
        unknown: what is made of such data, or may bring it, by jobs that say nothing of columns; and what is uncertain.
        dataset: the dataset asked about, if it was a whole one.
        tagged: the matching tags of its columns, and of itself, whoever set them.
        arrivals: tagged columns of other datasets whose values arrive in it.
        dropped: set where the column asked about is no longer there.
    """

    COLUMNS: ClassVar[tuple[str, ...]] = (
        *("source_namespace", "source_name", "source_field", "tags", "namespace", "name", "field"),
        *("exposure", "path", "masked_at", "masked_by", "masked_how", "masked_kind"),
        *("unmasked_at", "unmasked_by", "unmasked_how"),
    )

    moment: Moment
    sources: tuple[Source, ...]
    unknown: tuple[Unknown, ...]
    partial: bool
    dataset: TableName | None = None
    tagged: tuple[TaggedColumn, ...] = ()
    arrivals: tuple[Arrival, ...] = ()
    dropped: Dropped | None = None

    def __bool__(self) -> bool:
        """Whether there is such data, or may be."""
        return bool(self.sources or self.tagged or self.arrivals or self.unknown)

    def rows(self) -> list[dict[str, object]]:
        """One row for each tagged column of the dataset asked about, then for each field and way, then the unknown."""
        empty = dict.fromkeys(self.COLUMNS)
        own = [{**empty, **_tagged_row(column)} for column in self.tagged]
        starts: list[Source | Arrival] = [*self.arrivals, *self.sources]
        flat = [row for source in starts for row in _rows(source)]
        unknown = [entry for entry in self.unknown if entry.why.may_reach and entry.dataset]
        return [*own, *flat, *({**empty, **plain(entry.dataset), "exposure": "unknown"} for entry in unknown)]


def _tagged_row(column: TaggedColumn) -> dict[str, object]:
    source = column.source
    start = {} if source is None else {"source_namespace": source.namespace, "source_name": source.name}
    field, name = column.field.field, column.field.table
    exposure = "tagged" if column.certain else "possible"
    return {
        **start,
        "source_field": source.field if source else None,
        "tags": column.tag,
        **plain(name),
        "field": field,
        "exposure": exposure,
    }


def _rows(source: Source | Arrival) -> Iterable[dict[str, object]]:
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
    """Where a field went; without one, where all fields with a personal tag went. Of a dataset, also what it holds."""
    moment = asked.moment
    marks = marked_fields(session, moment.until, descriptions=False)
    is_tag = _tag_test(asked.tag)
    tagged = {key: mark for key, mark in marks.items() if any(map(is_tag, mark.tags))}
    walk = Walk.of(asked, Direction.DOWNSTREAM, moment)
    if asked.dataset is None:
        return _answer(session, asked, walk, {key: mark.tags for key, mark in tagged.items()})
    within = resolve_dataset(session, asked.dataset, moment.until)
    if asked.column is not None:
        column = resolve_column(session, within, asked.column, moment.until)
        walk, dropped = when_there(session, column, walk)
        answer = _answer(session, asked, walk, {column: marks[column].tags if column in marks else frozenset()})
        return replace(answer, moment=walk.moment, dropped=dropped)
    names = names_of(session, within, walk)
    own = {key: mark.tags for key, mark in tagged.items() if dataset_of(key) in names}
    answer, held = _answer(session, asked, walk, own), holdings(session, within, walk, tagged, is_tag)
    return replace(
        answer,
        unknown=tuple(dict.fromkeys([*held.unknown, *answer.unknown])),
        partial=answer.partial or held.partial,
        dataset=within.table,
        tagged=held.tagged,
        arrivals=held.arrivals,
    )


def _answer(session: Session, asked: PiiOf, walk: Walk, tags: dict[int, frozenset[str]]) -> Pii:
    """Where fields went, each with its tags."""
    if not tags:
        return Pii(asked.moment, (), (), partial=False)
    reach = traverse_from(session, tags.keys(), walk)
    sources = _sources(reach, tags, asked.depth)
    in_the_clear = {item.field for source in sources for item in source.reached if item.exposure is Exposure.CLEAR}
    near = in_the_clear | {source.field for source in sources}
    beyond = unknown_beyond(session, _holding(sources), walk, near)
    unknown = (*beyond.found, *doubts(reach.nodes, reach.edges, walk.direction))
    return Pii(asked.moment, sources, unknown, reach.partial or beyond.partial)


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
