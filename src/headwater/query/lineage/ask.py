"""Upstream and downstream, by name: from what was asked to where a walk starts."""

from dataclasses import replace

from headwater.query.graph.answer import Answer, Direction, Moment, TableAnswer
from headwater.query.lineage.provenance import provenance
from headwater.query.lineage.tables import follow_tables
from headwater.query.lineage.traversal import Walk, traverse
from headwater.query.lineage.unknown import unknown_of
from headwater.query.lineage.versions import find_version
from headwater.query.question_parts import ALL_COLUMNS
from headwater.query.questions import Follow, Provenance
from headwater.query.search.resolve import resolve_column, resolve_dataset, resolve_job
from headwater.store.db.session import Session


def follow(asked: Follow, session: Session) -> Answer | TableAnswer:
    """Where a column, a dataset or a job comes from, or what it reaches."""
    walk = Walk.of(asked, asked.direction, asked.moment, contents=asked.contents)
    if asked.dataset is not None and asked.of_columns:
        if asked.version is not None:
            return walk_from_version(session, asked.dataset, asked.version, asked.column, walk)
        return _with_unknown(session, walk_from_column(session, asked.dataset, asked.column, walk), walk)
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
    """A walk from a column; from all columns of the dataset, if it is none or `*`."""
    name = resolve_dataset(session, dataset, walk.moment.until)
    field = None if column in {None, ALL_COLUMNS} else resolve_column(session, name, column or "", walk.moment.until)
    return traverse(session, name.id, field, walk)


def walk_from_version(session: Session, dataset: str, version: str, column: str | None, walk: Walk) -> Answer:
    """A walk from a column of a version, or from all of them, through the versions that its run read."""
    name = resolve_dataset(session, dataset, walk.moment.until)
    chosen = find_version(session, name, version)
    field = None if column in {None, ALL_COLUMNS} else resolve_column(session, name, column or "", chosen.us)
    return provenance(session, name, chosen, field, walk)
