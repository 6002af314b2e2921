"""Slots: what jobs' writes to datasets keep in force, and what those jobs read."""

from collections.abc import Collection
from typing import NamedTuple

from headwater.store.db.predicates import is_rename
from headwater.store.db.session import Session, ids
from headwater.store.reads.spans import Span

_OF_DATASET = "SELECT slot.job, slot.from_us, slot.until_us, slot.mapping FROM slot WHERE slot.dataset = :dataset"

_WRITERS = """
SELECT given.id, slot.dataset, slot.job, slot.until_us, input.dataset FROM {{given}}
{{join}} slot ON slot.dataset = given.id AND {in_force}
LEFT JOIN input ON input.inputs = slot.inputs
"""
_RENAMED_FROM = """
SELECT given.id, slot.dataset, slot.job, slot.until_us, mapping.origin FROM {{given}}
{{join}} slot ON slot.dataset = given.id AND {in_force}
{{join}} mapping ON mapping.id = slot.mapping AND {is_rename}
"""
_READERS = """
SELECT given.id, slot.dataset, slot.job, slot.until_us, input.dataset FROM {{given}}
{{join}} input ON input.dataset = given.id
{{join}} slot ON slot.inputs = input.inputs AND {in_force}
"""
_RENAMED_TO = """
SELECT given.id, slot.dataset, slot.job, slot.until_us, mapping.origin FROM {{given}}
{{join}} mapping ON mapping.origin = given.id
{{join}} slot ON slot.mapping = mapping.id AND {in_force}
"""
_OF_JOB = """
SELECT given.id, slot.dataset, slot.job, slot.until_us, input.dataset FROM {{given}}
{{join}} slot ON slot.job = given.id AND {in_force}
LEFT JOIN input ON input.inputs = slot.inputs
"""

_READ_BY = """
SELECT slot.dataset, slot.job, input.dataset FROM {{given}}
{{join}} input ON input.dataset = given.id
{{join}} slot ON slot.inputs = input.inputs AND {in_force}
"""
_READ_WITHOUT_COLUMNS = f"{_READ_BY} AND slot.mapping IS NULL AND slot.inputs IS NOT NULL"
# A run may tell of columns that it does not list the dataset of, and what is declared lists none.
_COLUMNS_READ_BY = """
SELECT slot.dataset, slot.job, field.dataset FROM {{given}}
{{join}} field ON field.dataset = given.id
{{join}} edge ON edge.in_field = field.id
{{join}} slot ON slot.mapping = edge.mapping AND {in_force}
"""
_RENAMED_BY = """
SELECT slot.dataset, slot.job, mapping.origin FROM {{given}}
{{join}} mapping ON mapping.origin = given.id
{{join}} slot ON slot.mapping = mapping.id AND {in_force}
"""


class SlotRow(NamedTuple):
    """What a job kept in force for a dataset from one moment until another."""

    job: int
    from_us: int
    until_us: int
    mapping: int | None


class TableUse(NamedTuple):
    """A job writes a dataset, or nothing (0), and reads another where one is known; `id` is what was looked for."""

    id: int
    written: int
    job: int
    until_us: int
    read: int | None


class Reader(NamedTuple):
    """A job reads a dataset, and writes another, or nothing (0)."""

    written: int
    job: int
    read: int


def slots_of_dataset(session: Session, dataset: int) -> list[SlotRow]:
    """All slots that a dataset ever had."""
    return [SlotRow(*row) for row in session.rows(_OF_DATASET, dataset=dataset)]


def uses_of_datasets(
    session: Session, span: Span, datasets: Collection[int], *, up: bool, renames: bool
) -> list[TableUse]:
    """Who writes datasets (up) or reads them, with what is on the far side; `renames` where the store has any."""
    parts = [_WRITERS if up else _READERS]
    if renames:
        parts.append(_RENAMED_FROM if up else _RENAMED_TO)
    statement = "UNION ALL".join(part.format(in_force=span.in_force, is_rename=is_rename("mapping")) for part in parts)
    return [TableUse(*row) for row in session.rows(statement, ids(datasets), **span.values)]


def uses_of_jobs(session: Session, span: Span, jobs: Collection[int]) -> list[TableUse]:
    """What jobs write and read."""
    rows = session.rows(_OF_JOB.format(in_force=span.in_force), ids(jobs), **span.values)
    return [TableUse(*row) for row in rows]


def readers(session: Session, span: Span, datasets: Collection[int], *, renames: bool) -> list[Reader]:
    """All who read datasets, or columns of them; `renames` where the store has any."""
    parts = [_READ_BY, _COLUMNS_READ_BY, *([_RENAMED_BY] if renames else [])]
    statement = "UNION".join(part.format(in_force=span.in_force) for part in parts)
    return [Reader(*row) for row in session.rows(statement, ids(datasets), **span.values)]


def readers_without_columns(session: Session, span: Span, datasets: Collection[int]) -> list[Reader]:
    """Those who read datasets and have no lineage of columns."""
    statement = _READ_WITHOUT_COLUMNS.format(in_force=span.in_force)
    return [Reader(*row) for row in session.rows(statement, ids(datasets), **span.values)]
