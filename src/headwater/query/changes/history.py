"""The history of a column: each change of its inputs or its expression, with the run that made it."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import ClassVar

from headwater.common.groups import lists_by_key
from headwater.notebook.rows import Tabular
from headwater.openlineage.model.instants import instant_text
from headwater.query.changes.edge_diff import EdgeChange, edge_changes
from headwater.query.changes.past import Write, edges_into, edges_of, writes_at
from headwater.query.graph.answer import Direction, Edge, FieldName, Moment, TableName, Unknown
from headwater.query.graph.column_names import current_name
from headwater.query.graph.labels import label_fields, tables
from headwater.query.graph.lifetimes import (
    Lifetime,
    Turn,
    Turned,
    lifetime_of,
    names_over_time,
    turns_of_dataset,
)
from headwater.query.lineage.traversal import Walk, traverse
from headwater.query.lineage.unknown import unknown_of
from headwater.query.question_parts import ALL_COLUMNS
from headwater.query.search.resolve import resolve_column, resolve_dataset
from headwater.store.db.codes import ALWAYS, FOREVER
from headwater.store.db.session import Session
from headwater.store.entities.keys import dataset_of
from headwater.store.reads.slots import SlotRow, slots_of_dataset


class Happened(Enum):
    """What happened to what a job writes into a column, or to the column itself."""

    APPEARED = "appeared"
    CHANGED = "changed"
    ENDED = "ended"
    ADDED = "added"
    RENAMED = "renamed"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a column: of what one job writes into it, or of the column itself. `by` is what made it.

    Where the column itself is added, renamed or dropped, `before` and `after` are its names.
    """

    us: int
    happened: Happened
    job: TableName | None
    by: Write | None
    added: tuple[Edge, ...] = ()
    removed: tuple[Edge, ...] = ()
    changed: tuple[EdgeChange, ...] = ()
    before: str | None = None
    after: str | None = None

    def row(self) -> dict[str, object]:
        """As one flat row."""
        return {
            "time": instant_text(self.us),
            "happened": self.happened.value,
            "job_namespace": self.job.namespace if self.job else None,
            "job_name": self.job.name if self.job else None,
            "run": self.by.run if self.by else None,
            "lifecycle": self.by.lifecycle if self.by else None,
            "by_job_name": self.by.job.name if self.by and self.by.job else None,
            "added": _listed(self.added),
            "removed": _listed(self.removed),
            "changed": _listed([change.after for change in self.changed]),
            "before": self.before,
            "after": self.after,
        }


@dataclass(frozen=True, slots=True)
class History(Tabular):
    """All changes of a column, or of all columns of a dataset where `column` has no field; the oldest first.

    `unknown` has what may have been written there at any time, and what is shown and not certain.
    """

    COLUMNS: ClassVar[tuple[str, ...]] = (
        *("time", "happened", "job_namespace", "job_name", "run", "lifecycle", "by_job_name"),
        *("added", "removed", "changed", "before", "after"),
    )

    column: FieldName
    changes: tuple[Change, ...]
    unknown: tuple[Unknown, ...] = ()

    def rows(self) -> list[dict[str, object]]:
        """As flat rows, one a change."""
        return [change.row() for change in self.changes]


_NOBODY = TableName("", "")


@dataclass(frozen=True, slots=True)
class Stretch:
    """What a job kept in force for a column from one moment until another."""

    job: TableName | None
    from_us: int
    until_us: int
    edges: tuple[Edge, ...]


def fold(stretches: Iterable[Stretch]) -> list[Change]:
    """The changes in what jobs keep in force, the oldest first; pure. `by` is left to be found.

    Where a stretch follows another of the same job without a gap, the change is what differs; else the first ends and
    the second appears. What has no edges is as good as absent.
    """
    by_job = lists_by_key((stretch.job, stretch) for stretch in stretches)
    changes = [change for listed in by_job.values() for change in _of_one_job(listed)]
    # At one moment, what ends comes before what begins.
    changes.sort(
        key=lambda item: (item.us, item.happened is not Happened.ENDED, item.job is not None, item.job or _NOBODY)
    )
    return changes


def _of_one_job(stretches: Iterable[Stretch]) -> Iterator[Change]:
    last = Stretch(None, 0, 0, ())
    for stretch in sorted(stretches, key=lambda item: item.from_us):
        us, job = stretch.from_us, stretch.job
        if last.edges and last.until_us == us:
            if diff := edge_changes(last.edges, stretch.edges):
                yield Change(us, Happened.CHANGED, job, None, diff.added, diff.removed, diff.changed)
        else:
            if last.edges:
                yield Change(last.until_us, Happened.ENDED, job, None, removed=last.edges)
            if stretch.edges:
                yield Change(us, Happened.APPEARED, job, None, added=stretch.edges)
        last = stretch
    if last.edges and last.until_us != FOREVER:
        yield Change(last.until_us, Happened.ENDED, last.job, None, removed=last.edges)


def history(session: Session, dataset: str, column: str | None = None) -> History:
    """Each change of a column's inputs (direct, conditions, and what decides on its rows) or of its expression.

    Without a column: of all columns of the dataset. A change of a literal alone is none: see `diff`, which compares
    texts.
    """
    resolved = resolve_dataset(session, dataset)
    if column in {None, ALL_COLUMNS}:
        slots = slots_of_dataset(session, resolved.id)
        changes = _changes(session, resolved.id, slots, edges_of(session, _mappings(slots)))
        # Each once; of one moment and one name, in the order of the column's life.
        turns = sorted(dict.fromkeys(turns_of_dataset(session, resolved.id)), key=_place_of_turn)
        name = FieldName(resolved.namespace, resolved.name, None)
        return History(name, _with_turns(session, changes, turns), _unknown(session, resolved.id, None))
    field = current_name(session, resolve_column(session, resolved, column or ""))
    slots = slots_of_dataset(session, dataset_of(field))
    life = lifetime_of(session, field)
    names = [name for _, name in names_over_time(session, field)]
    edges = edges_into(session, field, _mappings(slots), names)
    clipped = [piece for slot in slots for piece in _while_there(slot, life)]
    changes = _changes(session, dataset_of(field), clipped, edges)
    drops = {turned.us for turned in life.turns if turned.turn is Turn.DROPPED}
    kept = [change for change in changes if change.happened is not Happened.ENDED or change.us not in drops]
    name = label_fields(session, [field]).names[field]
    return History(name, _with_turns(session, kept, life.turns), _unknown(session, dataset_of(field), field))


def _unknown(session: Session, dataset: int, column: int | None) -> tuple[Unknown, ...]:
    """What is not known of all that was ever written into a column, or into all columns of a dataset."""
    walk = Walk(Direction.UPSTREAM, Moment(ALWAYS, None), depth=1)
    return unknown_of(session, traverse(session, dataset, column, walk), walk).found


def _while_there(slot: SlotRow, life: Lifetime) -> Iterator[SlotRow]:
    """What is in force of a slot while a column is there."""
    job, from_us, until_us, mapping = slot
    for since, until in life.there:
        if max(from_us, since) < min(until_us, until):
            yield job, max(from_us, since), min(until_us, until), mapping


def _mappings(slots: Iterable[SlotRow]) -> set[int]:
    return {mapping for *_, mapping in slots if mapping is not None}


def _changes(
    session: Session, table: int, slots: Collection[SlotRow], edges: Mapping[int, Sequence[Edge]]
) -> list[Change]:
    """The changes in what the slots of a dataset write, with the writes that made them."""
    jobs = tables(session, "job", {job for job, *_ in slots if job})
    changes = fold(
        Stretch(
            jobs.get(job),
            from_us,
            until_us,
            tuple(replace(edge, job=jobs.get(job)) for edge in edges.get(mapping or 0, ())),
        )
        for job, from_us, until_us, mapping in slots
    )
    return [*_with_writes(session, table, changes, {name: key for key, name in jobs.items()})]


def _with_turns(session: Session, changes: Iterable[Change], turns: Collection[Turned]) -> tuple[Change, ...]:
    """Changes of what is written, and of the columns themselves, in their order; the latter first."""
    jobs = tables(session, "job", {turned.job for turned in turns if turned.job})
    own = [
        Change(
            turned.us,
            Happened(turned.turn.value),
            None,
            Write(jobs.get(turned.job), turned.run, None),
            before=turned.before,
            after=turned.after,
        )
        for turned in turns
    ]
    return tuple(sorted([*own, *changes], key=lambda change: change.us))


def _place_of_turn(turned: Turned) -> tuple[int, str, str]:
    return turned.us, turned.before or "", turned.after or ""


def _with_writes(
    session: Session, dataset: int, changes: Sequence[Change], jobs: Mapping[TableName, int]
) -> Iterator[Change]:
    """The changes with the writes that made them: the job's own, or what ended it."""
    begun = {(_key(change, jobs), change.us) for change in changes if change.happened is not Happened.ENDED}
    own = writes_at(session, dataset, begun)
    ended = {(0, change.us) for change in changes if change.happened is Happened.ENDED}
    whole = writes_at(session, dataset, ended, whole=True)
    for change in changes:
        yield replace(
            change,
            by=whole.get((0, change.us))
            if change.happened is Happened.ENDED
            else own.get((_key(change, jobs), change.us)),
        )


def _key(change: Change, jobs: Mapping[TableName, int]) -> int:
    return jobs[change.job] if change.job else 0


def _listed(edges: Iterable[Edge]) -> str:
    return "; ".join(
        f"{edge.origin.table.full}.{edge.origin.field or '*'}"
        f" ({', '.join(step.description or step.subtype or step.type for step in edge.transformations)})"
        for edge in edges
    )
