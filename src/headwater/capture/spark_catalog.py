"""What Spark's own catalog says of tables beyond what stands in a plan: where they are, and their partitions.

ALTER, TRUNCATE, DROP, LOAD DATA and their kind only have a table's name in their plan. Where the table is, and what its
columns are afterwards, the catalog knows: it is asked when the statement is over. What a DROP takes away is gone by
then, so the catalog was watched while it happened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from headwater.openlineage.build.statistics import Scan
from headwater.openlineage.naming.locations import Name
from headwater.rules.plan.sources import SourceField, Sources, merge
from headwater.rules.plan.tree import Dataset
from headwater.rules.statements.commands import NAMESPACE_DROPS
from headwater.rules.statements.statements import Change, Field, Statement, Written

_SPARKS_OWN = "spark_catalog"
_WITH_DATABASE = 2
_PARTITIONS = "partitions elsewhere"
_MOST_PLACES = 100  # each is a source of every column that comes from the table


class Found(NamedTuple):
    """A table as the catalog has it.

    Attributes:
        managed: whether its place follows from its name, and changes with it.
    """

    dataset: Dataset
    schema: tuple[Field, ...] = ()
    managed: bool = True


class Dropped(NamedTuple):
    """The tables that a statement dropped; `known` is False where there were too many to name."""

    tables: tuple[Dataset, ...]
    known: bool = True


Find: TypeAlias = "Callable[[tuple[str, ...]], Found | None]"


def is_known_late(statement: Statement) -> bool:
    """Whether only the end of a statement tells what it wrote: the catalog is asked then, or it may find all done.

    >>> is_known_late(Statement("DropTable", {}, (Written(Dataset(table=("db", "t")), (), Change.DROP, None, {}),)))
    True
    """
    return any(_is_unplaced(written) or written.if_absent for written in statement.writes)


def as_catalogued(statement: Statement, dropped: Dropped | None, find: Find) -> Statement:
    """A statement that went well, its datasets as the catalog has them.

    Args:
        statement: what the plan says.
        dropped: the tables that it dropped, if the catalog saw any.
        find: asks the catalog for a table by the parts of its name.
    """
    if statement.command in NAMESPACE_DROPS:
        return statement if dropped is None else _namespace_dropped(statement, dropped)
    writes = [
        one if not _brings_no_query(one)
        else _dropped(one, dropped) if one.change is Change.DROP
        else _found(one, find)
        for one in statement.writes
    ]  # fmt: skip
    reads = statement.reads
    if all(one.fields is None for one in statement.writes):  # else columns refer to what is read
        reads = {_read(one, find): fields for one, fields in reads.items()}
    return replace(statement, reads=reads, writes=tuple(one for one in writes if one is not None))


def with_partitions(statement: Statement, scans: Iterable[Scan], name: Callable[[Dataset], Name | None]) -> Statement:
    """A statement that reads what its scans have read: of some tables, partitions that are not where the table is.

    What comes from a column of the table may come from the same column there.

    Args:
        statement: what the plan says.
        scans: where its executions found the partitions.
        name: what a dataset is called.
    """
    for partitions in {scan.partitions for scan in scans if scan.partitions is not None}:
        wanted = [part.lower() for part in partitions.table[-_WITH_DATABASE:]]
        tables = [one for one in statement.reads if [part.lower() for part in one.table[-_WITH_DATABASE:]] == wanted]
        for table in tables:
            others = {name(one): replace(one, format=table.format) for one in reversed(partitions.places)}
            others.pop(name(table), None)
            statement = _reading_also(statement, table, list(others.values())[-_MOST_PLACES:])
            if not partitions.known or len(others) > _MOST_PLACES:
                statement = replace(statement, opaque={**statement.opaque, _PARTITIONS: 1})
    return statement


def _reading_also(statement: Statement, table: Dataset, others: list[Dataset]) -> Statement:
    if not others:
        return statement

    def also(sources: Sources) -> Sources:
        copies = {
            SourceField(other, source.field): marks
            for source, marks in sources.items() if source.dataset == table
            for other in others
        }  # fmt: skip
        return merge([sources, copies])

    writes = (
        replace(
            one,
            fields=one.fields and {path: also(sources) for path, sources in one.fields.items()},
            rows=also(one.rows),
        )
        for one in statement.writes
    )
    reads = {**statement.reads, **dict.fromkeys(others, statement.reads[table])}
    return replace(statement, reads=reads, writes=tuple(writes))


def _is_unplaced(written: Written) -> bool:
    """Whether a statement without a query names a table, and not where it is."""
    return _brings_no_query(written) and written.dataset.location is None


def _brings_no_query(written: Written) -> bool:
    """Whether something happens to a table of Spark's own catalog without a query."""
    return written.fields is None and _is_own(written.dataset)


def _is_own(dataset: Dataset) -> bool:
    """Whether a dataset is a table of Spark's own catalog."""
    own = dataset.catalog is None or dataset.catalog.name == _SPARKS_OWN
    return own and bool(dataset.table)


def _namespace_dropped(statement: Statement, dropped: Dropped) -> Statement:
    """DROP DATABASE … CASCADE: all of its tables and views are gone."""
    tables = sorted(dropped.tables, key=lambda table: table.table)
    writes = tuple(Written(table, (), Change.DROP, None, {}) for table in tables)
    return replace(statement, writes=writes, opaque={} if dropped.known else statement.opaque)


def _dropped(written: Written, dropped: Dropped | None) -> Written | None:
    """What was dropped, with its place; None if the catalog had no such table: DROP TABLE IF EXISTS."""
    if dropped is None:
        return written
    name = written.dataset.table[-1].lower()
    known = next((table for table in dropped.tables if table.table[-1].lower() == name), None)
    if known is None:
        return None
    # The plan has no more than a name: what is kept behind it is the catalog's word.
    return replace(written, dataset=replace(_with_place(written.dataset, known), format=known.format))


def _found(written: Written, find: Find) -> Written:
    found = find(written.dataset.table)
    if found is None:
        return written
    dataset, previous, change = _with_place(written.dataset, found.dataset), written.previous, written.change
    if previous is not None and dataset.location is not None:
        if found.managed:
            previous = replace(previous, location=f"{dataset.location.rpartition('/')[0]}/{previous.table[-1]}")
        else:  # only the catalog calls it something else: the files stay where they are, and so does the dataset
            previous, change = None, Change.ALTER
    return replace(
        written, dataset=dataset, schema=written.schema or found.schema, previous=previous, change=change
    )  # fmt: skip


def _read(dataset: Dataset, find: Find) -> Dataset:
    """What a statement without a query reads, such as the table that CONVERT TO DELTA makes its own."""
    found = find(dataset.table) if _is_own(dataset) and dataset.location is None else None
    return dataset if found is None else _with_place(dataset, found.dataset)


def _with_place(dataset: Dataset, known: Dataset) -> Dataset:
    """The dataset as the statement names it, with what only the catalog knows."""
    return replace(
        dataset,
        location=dataset.location or known.location,
        format=dataset.format or known.format,
        identity=dataset.identity or known.identity,
    )
