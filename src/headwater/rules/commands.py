"""What a command writes, and where: one rule per command, found by the name of Spark's class.

A rule reads what the command says about its target. The query is looked at afterwards, in `statements`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from headwater.rules import relations, row_level
from headwater.rules.tree import Dataset, Described, Expr, NotAsExpected, Plan, Unread


class Change(Enum):
    """What a command does to what was there before."""

    APPEND = "APPEND"
    CREATE = "CREATE"
    OVERWRITE = "OVERWRITE"
    OVERWRITE_PARTITIONS = "OVERWRITE_PARTITIONS"
    TRUNCATE = "TRUNCATE"
    DROP = "DROP"
    ALTER = "ALTER"
    RENAME = "RENAME"


@dataclass(frozen=True)
class Write:
    """What a command says about its writing.

    Attributes:
        query: where the data comes from, or how its rows change; None for commands that bring none, such as DROP.
        columns: the names that the query's columns have in the target, by position; empty if they keep theirs.
        schema: the target's columns, for commands that bring no data.
        previous: the target under the name that it had before, where it is renamed.
        view: whether only the query is kept, under a name.
        files: what becomes part of the target as it is, without a query that would say what is in it.
        if_absent: whether nothing is written where the target is there already.
    """

    dataset: Dataset
    change: Change
    query: Plan | row_level.RowChange | None = None
    columns: Sequence[str] = ()
    schema: tuple[Expr, ...] = ()
    previous: Dataset | None = None
    view: bool = False
    files: Dataset | None = None
    if_absent: bool = False


# --- files and tables of the first data source API -------------------------------------------------------------------


def _insert_into_files(command: Plan) -> Write:
    """df.write.parquet(…), INSERT into a data source table."""
    path = command.args.get("outputPath")
    table = _described(command, "catalogTable").dataset
    dataset = replace(
        table,
        location=path if isinstance(path, str) else table.location,
        format=_string(command, "fileFormat") or table.format,
    )
    partitioned = bool(command.exprs("partitionColumns")) or not _is_empty_map(command, "staticPartitions")
    change = _by_mode(command, partitioned=partitioned)
    if_absent = command.args.get("mode") == "Ignore"
    return Write(dataset, change, command.plan("query"), command.strings("outputColumnNames"), if_absent=if_absent)


def _create_table_as_select(command: Plan) -> Write:
    """CREATE TABLE … AS SELECT, DataFrameWriter.saveAsTable: the table may be there already when it appends."""
    table = _table(command, "table" if "table" in command.args else "tableDesc")
    change = _by_mode(command, partitioned=False)
    if change is Change.APPEND and command.args.get("mode") != "Append":
        change = Change.CREATE
    if_absent = command.args.get("mode") == "Ignore"
    return Write(table, change, command.plan("query"), command.strings("outputColumnNames"), if_absent=if_absent)


def _create_delta_table(command: Plan) -> Write | None:
    """Delta's own CREATE TABLE, with or without a query."""
    return _create_table_as_select(command) if command.args.get("query") is not None else None


def _insert_into_hive(command: Plan) -> Write:
    overwrite = Change.OVERWRITE if _is_empty_map(command, "partition") else Change.OVERWRITE_PARTITIONS
    change = overwrite if command.args.get("overwrite") is True else Change.APPEND
    return Write(_table(command, "table"), change, command.plan("query"), command.strings("outputColumnNames"))


def _insert_into_relation(command: Plan) -> Write:
    """INSERT into a table of a source that is not made of files."""
    relation = command.plan("logicalRelation")
    change = Change.OVERWRITE if command.args.get("overwrite") is True else Change.APPEND
    return Write(_dataset(relation), change, command.plan("query"), _names(relation.output))


def _insert_into_directory(command: Plan) -> Write:
    """INSERT OVERWRITE DIRECTORY."""
    storage = _described(command, "storage").dataset
    dataset = replace(storage, format=_string(command, "provider") or "hive")
    return Write(dataset, Change.OVERWRITE, command.plan("query"), command.strings("outputColumnNames"))


def _load_data(command: Plan) -> Write:
    """LOAD DATA: files become part of a table as they are, and nobody looks into them."""
    path = _string(command, "path")
    if path is None:
        raise NotAsExpected(command.kind, "path")
    if command.args.get("isLocal") is True and not _SCHEME.match(path):
        path = f"file:{path}"
    wildcard = _WILDCARD.search(path)
    if wildcard is not None:
        path = path[: wildcard.start()].rpartition("/")[0]
    whole = Change.OVERWRITE if command.args.get("partition") is None else Change.OVERWRITE_PARTITIONS
    change = whole if command.args.get("isOverwrite") is True else Change.APPEND
    return Write(_by_parts(command, "table"), change, files=Dataset(path))


def _save_into_data_source(command: Plan) -> Write | None:
    """df.write.format(…).save(): the source is known by its short name, the target by the options."""
    source = _string(command, "dataSource") or ""
    options = _described(command, "options").options
    change = _by_mode(command, partitioned=False)
    if "kafka.bootstrap.servers" in options:
        dataset = next(iter(relations.topics(options)), Dataset())
    elif "url" in options and source.endswith("jdbc"):
        dataset = Dataset(options["url"], relations.table_parts(options.get("dbtable", "")), "jdbc")
    elif "bigquery" in source.lower() and "table" in options:
        parts = (options.get("project"), options.get("dataset"), *options["table"].replace(":", ".").split("."))
        dataset = Dataset(None, tuple(part for part in parts if part)[-3:], "bigquery")
    elif "sfurl" in options and "dbtable" in options:
        parts = (options.get("sfdatabase"), options.get("sfschema"), options["dbtable"])
        dataset = Dataset(f"https://{options['sfurl']}", tuple(part for part in parts if part), "snowflake")
    elif "path" in options:
        dataset = Dataset(options["path"], format=source or None)
    else:
        dataset = Dataset()
    if dataset == Dataset():
        raise NotAsExpected(command.kind, "options")
    return Write(dataset, change, command.plan("query"))


# --- the second data source API --------------------------------------------------------------------------------------


def _write_v2(command: Plan) -> Write | None:
    """INSERT and writeTo(…): by position, unless it was asked for by name."""
    table = command.plan("table")
    dataset = _target(table)
    if dataset is None:
        return None
    query = command.plan("query")
    columns = () if command.args.get("isByName") is True else _names(table.output)
    if len(columns) != len(query.output or ()):
        columns = ()
    return Write(dataset, _v2_change(command), query, columns)


def _v2_change(command: Plan) -> Change:
    if command.kind == "OverwritePartitionsDynamic":
        return Change.OVERWRITE_PARTITIONS
    if command.kind == "OverwriteByExpression":
        everything = command.expr("deleteExpr").args.get("sql") == "true"
        return Change.OVERWRITE if everything else Change.OVERWRITE_PARTITIONS
    return Change.APPEND


def _create_v2_as_select(command: Plan) -> Write:
    change = Change.CREATE if command.kind.startswith("Create") else Change.OVERWRITE
    return Write(_named(command.plan("name")), change, command.plan("query"))


def _row_level(command: Plan) -> Write:
    """MERGE, UPDATE and DELETE; a DELETE of everything leaves nothing that came from anywhere."""
    change = row_level.changes(command)
    if change is None:
        raise NotAsExpected(command.kind, "query")
    dataset = _dataset(row_level.target_dataset(command))
    if isinstance(change, row_level.Delete) and change.condition is None:
        return Write(dataset, Change.TRUNCATE, schema=change.output)
    return Write(dataset, Change.APPEND, change)


# --- streams ---------------------------------------------------------------------------------------------------------


def _write_micro_batch(command: Plan) -> Write | None:
    """One micro-batch: into a table, a directory, a topic; what goes to foreachBatch is written by its own commands."""
    relation = command.args.get("relation")
    if isinstance(relation, Plan):
        leaf = relation
    else:
        target = _described(command, "sink" if "sink" in command.args else "table")
        leaf = Plan("DataSourceV2Relation", args={"table": target, "options": command.args.get("writeOptions")})
    if _described(leaf, "table").source in _TAKES_NOTHING:
        return None
    dataset = _described(command, "catalogTable").dataset
    if dataset == Dataset():
        dataset = _dataset(leaf)
    whole = command.args.get("outputMode") == "Complete"
    return Write(dataset, Change.OVERWRITE if whole else Change.APPEND, command.plan("query"))


# --- what changes a table without bringing data ----------------------------------------------------------------------


def _create_view(command: Plan) -> Write | None:
    """CREATE VIEW that stays; a temporary one is seen through wherever it is read."""
    if isinstance(command.args.get("viewType"), Unread) and "Persisted" not in str(command.args["viewType"]):
        return None
    named = command.args.get("name", command.args.get("child"))
    dataset = _named(named) if isinstance(named, Plan) else _by_parts(command, "name")
    columns = command.strings("userSpecifiedColumns")
    query = command.plan("plan" if "plan" in command.args else "query")
    if len(columns) != len(query.output or ()):
        columns = ()
    return Write(dataset, Change.CREATE, query, columns, view=True)


def _alter_view(command: Plan) -> Write | None:
    """ALTER VIEW … AS; a view without a database is a temporary one."""
    view = _by_parts(command, "name")
    return Write(view, Change.ALTER, command.plan("query"), view=True) if len(view.table) > 1 else None


def _create_table(command: Plan) -> Write:
    if "name" in command.args:
        name = command.plan("name")
        return Write(_named(name), Change.CREATE, schema=name.output or ())
    return Write(_table(command, "table"), Change.CREATE)


def _create_table_like(command: Plan) -> Write:
    """CREATE TABLE … LIKE: the columns of another table, and none of its rows."""
    table, storage = _by_parts(command, "targetTable"), _described(command, "fileFormat").dataset
    return Write(replace(table, location=storage.location, format=_string(command, "provider")), Change.CREATE)


def _drop(command: Plan) -> Write:
    return _without_data(command, Change.DROP, "tableName", "child")


def _drop_namespace(command: Plan) -> None:
    """DROP DATABASE: which tables fall with it is not in the plan, so it is opaque until the catalog has said it."""
    if command.args.get("cascade") is True:
        raise NotAsExpected(command.kind, "tables")


def _truncate(command: Plan) -> Write:
    some = command.args.get("partitionSpec") is not None
    return _without_data(command, Change.ALTER if some else Change.TRUNCATE, "tableName", "table")


def _alter(command: Plan) -> Write:
    return _without_data(command, Change.ALTER, "tableName", "table")


def _without_data(command: Plan, change: Change, parts: str, plan: str) -> Write:
    if isinstance(command.args.get(plan), Plan):
        named = command.plan(plan)
        return Write(_named(named), change, schema=named.output or ())
    return Write(_by_parts(command, parts if parts in command.args else plan), change)


def _rename(command: Plan) -> Write:
    if "oldName" in command.args:
        old, new = _by_parts(command, "oldName"), command.strings("newName")
    else:
        old, new = _named(command.plan("child")), command.strings("newName")
    catalog = old.table[0] if len(old.table) > len(new) else None
    # The new name may leave out the catalog and the database, which stay the same.
    table = (*old.table[: len(old.table) - len(new)], *new) if catalog is not None else new
    moved = Dataset(None, table, old.format, catalog=old.catalog)
    return Write(moved, Change.RENAME, previous=old)


# --- what they share -------------------------------------------------------------------------------------------------


def _described(command: Plan, name: str) -> Described:
    return command.described(name) or Described("")


def _table(command: Plan, name: str) -> Dataset:
    described = command.described(name)
    if described is None or not described.datasets:
        raise NotAsExpected(command.kind, name)
    return described.dataset


def _by_parts(command: Plan, name: str) -> Dataset:
    parts = command.strings(name)
    if not parts:
        raise NotAsExpected(command.kind, name)
    return Dataset(table=parts)


def _named(plan: Plan) -> Dataset:
    """A table that is there, or the name of one that is to be made."""
    if plan.kind == "ResolvedIdentifier":
        catalog = plan.described("catalog")
        if catalog is None or catalog.catalog is None:
            raise NotAsExpected(plan.kind, "catalog")
        return relations.in_catalog(Dataset(), catalog.catalog, plan.strings("identifier"))
    if plan.kind == "ResolvedPersistentView":
        return Dataset(table=plan.strings("identifier"))
    return _dataset(plan)


def _dataset(plan: Plan) -> Dataset:
    dataset = _target(plan)
    if dataset is None:
        raise NotAsExpected(plan.kind, "table")
    return dataset


def _target(plan: Plan) -> Dataset | None:
    """What a relation stands for, as a place to write to; None for what keeps nothing."""
    while plan.kind == "SubqueryAlias":
        plan = plan.plan("child")
    found = relations.read(plan)
    if not found.known:
        raise NotAsExpected(plan.kind, "table")
    # Which version will be written is not known before it is.
    return replace(found.datasets[0], version=None) if found.datasets else None


def _names(attributes: Sequence[Expr] | None) -> tuple[str, ...]:
    return tuple(attribute.name for attribute in attributes or () if not attribute.hidden)


def _by_mode(command: Plan, *, partitioned: bool) -> Change:
    if command.args.get("mode") != "Overwrite":
        return Change.APPEND
    # With partitions it depends on a setting whether the rest is kept: do not claim that all of it is gone.
    return Change.OVERWRITE_PARTITIONS if partitioned else Change.OVERWRITE


def _is_empty_map(command: Plan, name: str) -> bool:
    value = command.args.get(name)
    if isinstance(value, Described):  # a map with a key that might name a dataset, such as a partition column `topic`
        return False
    return not isinstance(value, Unread) or "Empty" in value.name


def _string(command: Plan, name: str) -> str | None:
    value = command.args.get(name)
    return value if isinstance(value, str) else None


# Sinks that keep nothing beyond the session.
_TAKES_NOTHING = frozenset(
    {"ConsoleTable", "ForeachBatchSink", "ForeachSink", "ForeachWriterTable", "MemorySink", "NoopTable"}
)
_SCHEME = re.compile(r"[\w+.-]+:")
_WILDCARD = re.compile(r"[*?\[{]")
_ALTERS = (
    "AddColumns", "AddPartitions", "AlterColumns", "AlterColumn", "AlterTableAddColumnsCommand",
    "AlterTableAddPartitionCommand", "AlterTableChangeColumnCommand", "AlterTableDropPartitionCommand",
    "AlterTableRenamePartitionCommand", "AlterTableSetLocationCommand", "DropColumns", "DropPartitions", "RenameColumn",
    "RenamePartitions", "RepairTable", "RepairTableCommand", "ReplaceColumns", "SetTableLocation", "TruncatePartition",
)  # fmt: skip
NAMESPACE_DROPS = frozenset({"DropDatabaseCommand", "DropNamespace"})

RULES: Mapping[str, Callable[[Plan], Write | None]] = {
    "AlterTableRenameCommand": _rename,
    "AlterViewAsCommand": _alter_view,
    "AppendData": _write_v2,
    "CreateDataSourceTableAsSelectCommand": _create_table_as_select,
    "CreateDataSourceTableCommand": _create_table,
    "CreateDeltaTableCommand": _create_delta_table,
    "CreateHiveTableAsSelectCommand": _create_table_as_select,
    "CreateTable": _create_table,
    "CreateTableAsSelect": _create_v2_as_select,
    "CreateTableCommand": _create_table,
    "CreateTableLikeCommand": _create_table_like,
    "CreateView": _create_view,
    "CreateViewCommand": _create_view,
    "DropTable": _drop,
    "DropTableCommand": _drop,
    "DropView": _drop,
    "InsertIntoDataSourceCommand": _insert_into_relation,
    "InsertIntoDataSourceDirCommand": _insert_into_directory,
    "InsertIntoHadoopFsRelationCommand": _insert_into_files,
    "InsertIntoHiveDirCommand": _insert_into_directory,
    "InsertIntoHiveTable": _insert_into_hive,
    "InsertOnlyMerge": _write_v2,
    "LoadDataCommand": _load_data,
    "OverwriteByExpression": _write_v2,
    "OverwritePartitionsDynamic": _write_v2,
    "RenameTable": _rename,
    "ReplaceTableAsSelect": _create_v2_as_select,
    "SaveAsV1TableCommand": _create_table_as_select,
    "SaveIntoDataSourceCommand": _save_into_data_source,
    "TruncateTable": _truncate,
    "TruncateTableCommand": _truncate,
    "WriteToMicroBatchDataSource": _write_micro_batch,
    "WriteToMicroBatchDataSourceV1": _write_micro_batch,
    **dict.fromkeys(_ALTERS, _alter),
    **dict.fromkeys(NAMESPACE_DROPS, _drop_namespace),
    **dict.fromkeys(row_level.KINDS, _row_level),
}
