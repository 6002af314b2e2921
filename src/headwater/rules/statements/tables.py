"""Commands that create, change, rename, empty and drop tables and views."""

from __future__ import annotations

from dataclasses import replace

from headwater.rules.operators import relations
from headwater.rules.plan.tree import CatalogOf, Dataset, Described, NotAsExpected, Plan, Type, Unread
from headwater.rules.statements.schema_changes import after_changes, read_changes
from headwater.rules.statements.writes import (
    Change,
    Write,
    change_by_mode,
    described_in,
    is_dynamic,
    is_partial,
    is_staged,
    named_dataset,
    named_in,
    schema_columns,
    string_in,
    table_in,
)

# --- tables with the rows of a query, or of another table ------------------------------------------------------------


def create_table_as_select(command: Plan) -> Write:
    """CREATE TABLE … AS SELECT, DataFrameWriter.saveAsTable: the table may be there already when it appends."""
    name = "table" if "table" in command.args else "tableDesc"
    table = table_in(command, name)
    change = change_by_mode(command)
    if change is Change.APPEND and command.args.get("mode") != "Append":
        change = Change.CREATE
    if_absent = command.args.get("mode") == "Ignore"
    # What is appended goes by name, in whatever case.
    schema = schema_columns(described_in(command, name)) if change is Change.APPEND else ()
    columns = command.strings("outputColumnNames")
    return Write(table, change, command.plan("query"), columns, schema, if_absent=if_absent)


def create_v2_as_select(command: Plan) -> Write:
    """CREATE and REPLACE TABLE … AS SELECT; saveAsTable with "overwrite" is one as well, and may replace a part."""
    dataset = named_dataset(command.plan("name"))
    delta = dataset.catalog is not None and dataset.catalog.framework == "delta"
    partial = is_partial(described_in(command, "writeOptions").options, dynamic=delta and is_dynamic(command))
    if command.kind.startswith("Create"):
        change = Change.CREATE
    else:
        change = Change.OVERWRITE_PARTITIONS if partial else Change.OVERWRITE
    return Write(dataset, change, command.plan("query"), if_absent=command.args.get("ignoreIfExists") is True)


def create_delta_table(command: Plan) -> Write | None:
    """Delta's own CREATE TABLE: with a query, as a copy of another table, or with neither."""
    query = command.args.get("query")
    if query is None:
        replaces = "Replace" in str(command.args.get("operation"))
        return Write(
            table_in(command, "table"),
            Change.OVERWRITE if replaces else Change.CREATE,
            schema=schema_columns(described_in(command, "table")),
            if_absent=command.args.get("mode") == "Ignore",
        )
    if isinstance(query, Plan) and query.kind == "CloneTableCommand":
        copy = replace(command, args={**command.args, "query": relations.copied(query, "sourceTable")})
        write = create_table_as_select(copy)
        path = query.args.get("targetPath")
        if write.dataset.location is None and isinstance(path, str):
            return replace(write, dataset=replace(write.dataset, location=path))
        return write
    return create_table_as_select(command)


def restore(command: Plan) -> Write:
    """Delta's RESTORE: what the table had at an earlier version.

    It replaces all of the table, but whoever wrote that version is in force again. So it is not an overwrite, after
    which only the last writer counts.
    """
    source = described_in(command, "sourceTable").dataset
    if source == Dataset():
        raise NotAsExpected(command.kind, "sourceTable")
    query = relations.copied(command, "sourceTable")
    return Write(replace(source, version=None), Change.OVERWRITE_PARTITIONS, query)


def convert_to_delta(command: Plan) -> Write:
    """CONVERT TO DELTA: the files stay where they are, and get a log."""
    parts = command.strings("tableIdentifier")
    if not parts:
        raise NotAsExpected(command.kind, "tableIdentifier")
    by_path = "/" in parts[-1]
    source = Dataset(parts[-1], format=parts[0]) if by_path else Dataset(table=parts, format="parquet")
    path = string_in(command, "deltaPath")
    target = replace(source, format="delta") if path is None else Dataset(path, format="delta")
    return Write(target, Change.ALTER if path is None else Change.CREATE, reads=(source,))


# --- tables without rows ---------------------------------------------------------------------------------------------


def create_table(command: Plan) -> Write:
    """CREATE TABLE and REPLACE TABLE, without rows."""
    change = Change.OVERWRITE if command.kind == "ReplaceTable" else Change.CREATE
    if_absent = command.args.get("ignoreIfExists") is True
    if "name" in command.args:
        name = command.plan("name")
        schema = command.args.get("tableSchema")  # before Spark 4
        columns = schema_columns(Described("", schema=schema.json)) if isinstance(schema, Type) else ()
        return Write(named_dataset(name), change, schema=name.output or columns, if_absent=if_absent)
    columns = schema_columns(described_in(command, "table"))
    return Write(table_in(command, "table"), change, schema=columns, if_absent=if_absent)


def create_table_like(command: Plan) -> Write:
    """CREATE TABLE … LIKE: the columns of another table, and none of its rows."""
    if_absent = command.args.get("ifNotExists") is True
    if "name" in command.args:  # in a catalog of its own
        source = command.args.get("source")
        schema = (source.output or ()) if isinstance(source, Plan) else ()
        return Write(named_dataset(command.plan("name")), Change.CREATE, schema=schema, if_absent=if_absent)
    table, storage = named_in(command, "targetTable"), described_in(command, "fileFormat").dataset
    table = replace(table, location=storage.location, format=string_in(command, "provider"))
    return Write(table, Change.CREATE, if_absent=if_absent)


def alter(command: Plan) -> Write:
    """ALTER TABLE …: the columns are those that the table has afterwards."""
    write = _without_data(command, Change.ALTER, "tableName", "table")
    changes = read_changes(command.args.get("changes"))
    if not changes:
        return write
    before, after = write.schema, after_changes(write.schema, changes)
    return replace(write, schema=after, renamed=before if command.kind == "RenameColumn" else ())


def rename(command: Plan) -> Write:
    """ALTER TABLE … RENAME TO."""
    old = named_in(command, "oldName") if "oldName" in command.args else named_dataset(command.plan("child"))
    new = command.strings("newName")
    # The new name may leave out the catalog and the database, which stay the same.
    table = (*old.table[: max(0, len(old.table) - len(new))], *new)
    if old.location is not None and old.format == "iceberg":
        # Iceberg's files stay where they are, and the table is named by their place.
        return Write(replace(old, table=table), Change.ALTER)
    moved = Dataset(None, table, old.format, catalog=old.catalog)
    return Write(moved, Change.RENAME, previous=old)


def truncate(command: Plan) -> Write:
    """TRUNCATE TABLE; of some partitions alone, or on a branch, the table keeps rows."""
    plan = "child" if "child" in command.args else "table"
    target = command.args.get(plan)
    staged = isinstance(target, Plan) and is_staged(command, target)
    partial = staged or command.args.get("partitionSpec") is not None
    return _without_data(command, Change.ALTER if partial else Change.TRUNCATE, "tableName", plan)


def drop(command: Plan) -> Write:
    """DROP TABLE and DROP VIEW."""
    return _without_data(command, Change.DROP, "tableName", "child")


def drop_namespace(command: Plan) -> None:
    """DROP DATABASE: which tables it drops is not in the plan, so it is opaque until the catalog lists them.

    Iceberg's catalogs refuse to drop a namespace that is not empty, even with CASCADE; one in the place of Spark's own
    leaves it to Spark's.
    """
    namespace = command.args.get("namespace")
    owner = namespace.described("catalog") if isinstance(namespace, Plan) else None
    catalog = CatalogOf("") if owner is None or owner.catalog is None else owner.catalog
    empty = catalog.framework == "iceberg" and catalog.name != "spark_catalog"
    if command.args.get("cascade") is True and not empty:
        raise NotAsExpected(command.kind, "tables")


def _without_data(command: Plan, change: Change, parts: str, plan: str) -> Write:
    if isinstance(command.args.get(plan), Plan):
        target = command.plan(plan)
        return Write(named_dataset(target), change, schema=target.output or ())
    return Write(named_in(command, parts if parts in command.args else plan), change)


# --- views -----------------------------------------------------------------------------------------------------------


def create_view(command: Plan) -> Write | None:
    """CREATE VIEW that stays; plans show the query of a temporary one wherever it is read."""
    if isinstance(command.args.get("viewType"), Unread) and "Persisted" not in str(command.args["viewType"]):
        return None
    dataset = _view_dataset(command)
    columns = command.strings("userSpecifiedColumns")
    query = command.plan("plan" if "plan" in command.args else "query")
    if len(columns) != len(query.output or ()):
        columns = ()
    if_absent = command.args.get("allowExisting") is True
    return Write(dataset, Change.CREATE, query, columns, view=True, if_absent=if_absent)


def alter_view(command: Plan) -> Write | None:
    """ALTER VIEW … AS; a view without a database is temporary."""
    dataset = _view_dataset(command)
    return None if len(dataset.table) == 1 else Write(dataset, Change.ALTER, command.plan("query"), view=True)


def _view_dataset(command: Plan) -> Dataset:
    """The view that a command names. It has no files, whatever keeps the other tables of its catalog."""
    name = command.args.get("name", command.args.get("child"))
    return replace(named_dataset(name) if isinstance(name, Plan) else named_in(command, "name"), format=None)
