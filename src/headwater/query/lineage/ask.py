"""Upstream and downstream, by name: from what was asked to where a walk starts."""

from dataclasses import dataclass, replace

from headwater.openlineage.model.instants import time_text
from headwater.query.graph.answer import Answer, Direction, Dropped, Moment, TableAnswer
from headwater.query.graph.column_names import current_name
from headwater.query.graph.intervals import span_of
from headwater.query.graph.labels import label_fields, tables
from headwater.query.graph.lifetimes import Turned, absence
from headwater.query.lineage.provenance import provenance
from headwater.query.lineage.tables import follow_tables
from headwater.query.lineage.traversal import Walk, traverse
from headwater.query.lineage.unknown import unknown_of
from headwater.query.lineage.versions import find_version
from headwater.query.question_parts import ALL_COLUMNS
from headwater.query.questions import Follow, Provenance
from headwater.query.search.resolve import NotKnownThen, resolve_column, resolve_dataset, resolve_job
from headwater.store.db.session import Session


def follow(asked: Follow, session: Session) -> Answer | TableAnswer:
    """Where a column, a dataset or a job comes from, or what it reaches."""
    walk = Walk.of(asked, asked.direction, asked.moment, contents=asked.contents)
    if asked.dataset is not None and asked.of_columns:
        if asked.version is not None:
            return walk_from_version(session, asked.dataset, asked.version, asked.column, walk)
        start = start_of(session, asked.dataset, asked.column, walk)
        return _with_unknown(session, start.follow(session), start.walk)
    root = (
        resolve_dataset(session, asked.dataset, walk.moment.until)
        if asked.dataset is not None
        else resolve_job(session, asked.job or "")
    )
    return follow_tables(session, root, walk, collapse=asked.collapse)


def _with_unknown(session: Session, answer: Answer, walk: Walk) -> Answer:
    unknown = unknown_of(session, answer, walk)
    return replace(answer, unknown=unknown.found, partial=answer.partial or unknown.partial)


def follow_version(asked: Provenance, session: Session) -> Answer:
    """Where a version comes from: its run, the versions that it read, and so on."""
    walk = Walk.of(asked, Direction.UPSTREAM, Moment())
    return walk_from_version(session, asked.dataset, asked.version, asked.column, walk)


def walk_from_column(session: Session, dataset: str, column: str | None, walk: Walk) -> Answer:
    """A walk from a column, with what it does not know; from all columns of the dataset, if it is none or `*`."""
    return _with_unknown(session, traverse(session, *_named_start(session, dataset, column, walk), walk), walk)


def _named_start(session: Session, dataset: str, column: str | None, walk: Walk) -> tuple[int, int | None]:
    """The dataset and the column that a walk starts from, by key; no column for all of them."""
    name = resolve_dataset(session, dataset, walk.moment.until)
    if column in {None, ALL_COLUMNS}:
        return name.id, None
    return name.id, resolve_column(session, name, column or "", walk.moment.until)


@dataclass(frozen=True, slots=True)
class Start:
    """What a walk starts from; of a column that was dropped, the walk is at a moment when it was there."""

    dataset: int
    column: int | None
    walk: Walk
    dropped: Dropped | None = None

    def follow(self, session: Session) -> Answer:
        """What the walk finds."""
        return replace(traverse(session, self.dataset, self.column, self.walk), dropped=self.dropped)


def start_of(session: Session, dataset: str, column: str | None, walk: Walk) -> Start:
    """What a walk starts from, by key; no column for all of them.

    Raises:
        NotKnownThen: nobody had heard of the dataset, or of the column, at the moment of the walk.
    """
    start, field = _named_start(session, dataset, column, walk)
    if field is None:
        return Start(start, None, walk)
    return Start(start, field, *when_there(session, field, walk))


def when_there(session: Session, column: int, walk: Walk) -> tuple[Walk, Dropped | None]:
    """A walk from a column at a moment when it is there.

    What a column that was dropped is made from is shown as of just before; what is made from it, from then on.

    Raises:
        NotKnownThen: nobody had heard of it at the moment of the walk.
    """
    span = span_of(session, walk.moment)
    column = current_name(session, column, span.until)
    dropped, came = absence(session, column, span.until)
    if came is not None:
        raise _not_known(session, column, came, walk.moment.until)
    if dropped is None:
        return walk, None
    (job,) = tables(session, "job", {dropped.job}).values() if dropped.job else (None,)
    if dropped.us <= span.since:
        before = dropped.us - 1
        up = walk.direction is Direction.UPSTREAM
        walk = replace(walk, moment=Moment.at(before) if up else Moment(before, walk.moment.until))
    return walk, Dropped(dropped.us, job, dropped.run)


def _not_known(session: Session, column: int, came: Turned, at: int | None) -> NotKnownThen:
    (name,) = label_fields(session, [column]).names.values()
    full = f"{name.table.full}.{name.field}"
    before = [came.before] if came.before else []
    if at is None:
        return NotKnownThen(
            f"{full} is not there yet: it is first seen {time_text(came.us)}, ahead of the clock", before
        )
    return NotKnownThen(f"{full} was not known at {time_text(at)}: it was first seen {time_text(came.us)}", before)


def walk_from_version(session: Session, dataset: str, version: str, column: str | None, walk: Walk) -> Answer:
    """A walk from a column of a version, or from all of them, through the versions that its run read."""
    name = resolve_dataset(session, dataset, walk.moment.until)
    chosen = find_version(session, name, version)
    field = None if column in {None, ALL_COLUMNS} else resolve_column(session, name, column or "", chosen.us)
    return provenance(session, name, chosen, field, walk)
