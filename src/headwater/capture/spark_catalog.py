"""Statements completed by Spark's own catalog, which knows the locations of tables and their partitions.

The plans of ALTER, TRUNCATE, DROP, LOAD DATA and the like only name a table. The catalog knows where the table is, and
its columns afterwards: it is queried when the statement is over. A dropped table is gone by then, so the catalog is
watched while the statement runs.
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


class CatalogTable(NamedTuple):
    """A table in Spark's own catalog.

    Attributes:
        managed: whether its location follows from its name, and changes with it.
    """

    dataset: Dataset
    schema: tuple[Field, ...] = ()
    managed: bool = True


class DroppedTables(NamedTuple):
    """The tables that a statement dropped; `known` is False if there were too many to list."""

    tables: tuple[Dataset, ...]
    known: bool = True


FindTable: TypeAlias = "Callable[[tuple[str, ...]], CatalogTable | None]"
FindPlace: TypeAlias = "Callable[[tuple[str, ...]], str | None]"


def is_known_at_end(statement: Statement) -> bool:
    """Whether the outputs of a statement are known only at its end: the catalog has them, or it may write nothing.

    >>> is_known_at_end(Statement("DropTable", {}, (Written(Dataset(table=("db", "t")), (), Change.DROP, None, {}),)))
    True
    """
    return any(_is_unplaced(written) or written.if_absent for written in statement.writes)


def completed_by_catalog(statement: Statement, dropped: DroppedTables | None, find: FindTable) -> Statement:
    """A successful statement, its datasets completed by what `find` looks up in the catalog.

    `dropped` are the tables that it dropped, if the catalog was watched.
    """
    if statement.command in NAMESPACE_DROPS:
        return statement if dropped is None else _namespace_dropped(statement, dropped)
    writes = [
        written if not _brings_no_query(written)
        else _dropped(written, dropped) if written.change is Change.DROP
        else _with_catalog_table(written, find)
        for written in statement.writes
    ]  # fmt: skip
    reads = statement.reads
    if all(written.fields is None for written in statement.writes):  # else columns refer to what is read
        reads = {_with_location(written, find): fields for written, fields in reads.items()}
    return replace(statement, reads=reads, writes=tuple(written for written in writes if written is not None))


def placed_by_catalog(statement: Statement, find: FindTable, place: FindPlace) -> Statement:
    """A statement that begins, with the locations of the tables of Spark's own catalog that its query fills.

    A database may have a location of its own, so that the location of a new table does not follow from settings.

    Args:
        statement: the statement.
        find: looks up an existing table.
        place: returns where the catalog puts a new table.
    """
    return replace(statement, writes=tuple(_placed(written, find, place) for written in statement.writes))


def _placed(written: Written, find: FindTable, place: FindPlace) -> Written:
    dataset = written.dataset
    if written.fields is None or dataset.location is not None or not _is_own(dataset):
        return written
    if written.change is Change.APPEND:
        table = find(dataset.table)
        return written if table is None else replace(written, dataset=_with_place(dataset, table.dataset))
    if dataset.table[-1] != dataset.table[-1].lower():
        return written  # the folder's name depends on whether the session ignores case
    return replace(written, dataset=replace(dataset, location=place(dataset.table)))


def with_partitions(statement: Statement, scans: Iterable[Scan], name: Callable[[Dataset], Name | None]) -> Statement:
    """The statement, with the partitions that its scans read outside the table's location.

    A column of the table may come from the same column of such a partition.

    Args:
        statement: the statement of the plan.
        scans: the scans of its executions.
        name: returns a dataset's name.
    """
    for partitions in {scan.partitions for scan in scans if scan.partitions is not None}:
        table_name = _with_database(partitions.table)
        for table in [dataset for dataset in statement.reads if _with_database(dataset.table) == table_name]:
            others = {name(dataset): replace(dataset, format=table.format) for dataset in reversed(partitions.places)}
            others.pop(name(table), None)
            statement = _reading_also(statement, table, list(others.values())[-_MOST_PLACES:])
            if not partitions.known or len(others) > _MOST_PLACES:
                statement = replace(statement, opaque={**statement.opaque, _PARTITIONS: 1})
    return statement


def _with_database(table: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(part.lower() for part in table[-_WITH_DATABASE:])


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

    def written_also(written: Written) -> Written:
        return replace(
            written,
            fields=written.fields and {path: also(sources) for path, sources in written.fields.items()},
            rows=also(written.rows),
            by_views=written.by_views and written_also(written.by_views),
            counted={
                path: datasets.union(others) if table in datasets else datasets
                for path, datasets in written.counted.items()
            },
        )

    reads = {**statement.reads, **dict.fromkeys(others, statement.reads[table])}
    behind = statement.behind_views
    if table in behind:
        behind = {**behind, **dict.fromkeys(others, behind[table])}
    return replace(
        statement,
        reads=reads,
        writes=tuple(map(written_also, statement.writes)),
        views=tuple(map(written_also, statement.views)),
        behind_views=behind,
    )


def _is_unplaced(written: Written) -> bool:
    """Whether a statement without a query names a table, but not its location."""
    return _brings_no_query(written) and written.dataset.location is None


def _brings_no_query(written: Written) -> bool:
    """Whether a table of Spark's own catalog changes without a query."""
    return written.fields is None and _is_own(written.dataset)


def _is_own(dataset: Dataset) -> bool:
    """Whether a dataset is a table of Spark's own catalog."""
    own = dataset.catalog is None or dataset.catalog.name == _SPARKS_OWN
    return own and bool(dataset.table)


def _namespace_dropped(statement: Statement, dropped: DroppedTables) -> Statement:
    """DROP DATABASE … CASCADE: drops all tables and views in it."""
    tables = sorted(dropped.tables, key=lambda table: table.table)
    writes = tuple(Written(table, (), Change.DROP, None, {}) for table in tables)
    return replace(statement, writes=writes, opaque={} if dropped.known else statement.opaque)


def _dropped(written: Written, dropped: DroppedTables | None) -> Written | None:
    """The drop, with the table's location; None if the catalog had no such table: DROP TABLE IF EXISTS."""
    if dropped is None:
        return written
    name = written.dataset.table[-1].lower()
    known = next((table for table in dropped.tables if table.table[-1].lower() == name), None)
    if known is None:
        return None
    # The plan only has a name: the format is the catalog's.
    return replace(written, dataset=replace(_with_place(written.dataset, known), format=known.format))


def _with_catalog_table(written: Written, find: FindTable) -> Written:
    table = find(written.dataset.table)
    if table is None:
        return written
    dataset, previous, change = _with_place(written.dataset, table.dataset), written.previous, written.change
    if previous is not None and dataset.location is not None:
        if table.managed:
            previous = replace(previous, location=f"{dataset.location.rpartition('/')[0]}/{previous.table[-1]}")
        else:  # only the catalog calls it something else: the files stay where they are, and so does the dataset
            previous, change = None, Change.ALTER
    return replace(
        written, dataset=dataset, schema=written.schema or table.schema, previous=previous, change=change
    )  # fmt: skip


def _with_location(dataset: Dataset, find: FindTable) -> Dataset:
    """An input of a statement without a query, with its location; such as the table of CONVERT TO DELTA."""
    table = find(dataset.table) if _is_own(dataset) and dataset.location is None else None
    return dataset if table is None else _with_place(dataset, table.dataset)


def _with_place(dataset: Dataset, known: Dataset) -> Dataset:
    """The dataset as the statement names it, completed by the catalog."""
    return replace(
        dataset,
        location=dataset.location or known.location,
        format=dataset.format or known.format,
        identity=dataset.identity or known.identity,
    )
