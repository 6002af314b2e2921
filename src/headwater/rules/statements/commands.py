"""What a command writes, and where: one rule per command, found by the name of Spark's class.

A rule reads what the command says about its target. The query is looked at afterwards, in `statements`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from headwater.rules.operators import relations
from headwater.rules.plan.tree import CatalogOf, Dataset, Described, Expr, NotAsExpected, Plan, Type, Unread
from headwater.rules.plan.types import parts
from headwater.rules.statements import row_level
from headwater.rules.statements.schema_changes import after_changes, read_changes

DYNAMIC = "overwritesPartitions"
"""A field of a command that says what its session is set to: an overwrite keeps partitions that get no rows."""
STAGING = "staging"
"""The same of a session whose writes are to be audited before a table has them, where the table allows it."""


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
        schema: the target's columns as they are: what is written under one of their names is spelled as they are, and
            those that a query does not bring by name are still there. For commands that bring no data, those that it
            has then.
        previous: the target under the name that it had before, where it is renamed.
        renamed: the target's columns under the names that they had before, where some of them are renamed.
        view: whether only the query is kept, under a name.
        reads: what a command reads that it has no query for.
        files: what becomes part of the target as it is, without a query that would say what is in it.
        if_absent: whether nothing is written where the target is there already.
        asked: what Spark calls the statement, where the command only says how it is carried out.
    """

    dataset: Dataset
    change: Change
    query: Plan | row_level.RowChange | None = None
    columns: Sequence[str] = ()
    schema: tuple[Expr, ...] = ()
    previous: Dataset | None = None
    renamed: tuple[Expr, ...] = ()
    view: bool = False
    reads: Sequence[Dataset] = ()
    files: Dataset | None = None
    if_absent: bool = False
    asked: str | None = None


# --- files and tables of the first data source API -------------------------------------------------------------------


def _insert_into_files(command: Plan) -> Write:
    """df.write.parquet(…), INSERT into a data source table."""
    path = command.args.get("outputPath")
    described = _described(command, "catalogTable")
    table = described.dataset
    dataset = replace(
        table,
        location=path if isinstance(path, str) else table.location,
        format=_string(command, "fileFormat") or table.format,
    )
    some = not _is_empty_map(command, "staticPartitions") or (
        bool(command.exprs("partitionColumns"))
        and _is_narrowed(_described(command, "options").options, dynamic=_is_dynamic(command))
    )
    change = _by_mode(command, some=some)
    if_absent = command.args.get("mode") == "Ignore"
    columns = command.strings("outputColumnNames")
    return Write(dataset, change, command.plan("query"), columns, _columns(described), if_absent=if_absent)


def _create_table_as_select(command: Plan) -> Write:
    """CREATE TABLE … AS SELECT, DataFrameWriter.saveAsTable: the table may be there already when it appends."""
    name = "table" if "table" in command.args else "tableDesc"
    table = _table(command, name)
    change = _by_mode(command)
    if change is Change.APPEND and command.args.get("mode") != "Append":
        change = Change.CREATE
    if_absent = command.args.get("mode") == "Ignore"
    # What is appended goes by name, in whatever case.
    schema = _columns(_described(command, name)) if change is Change.APPEND else ()
    columns = command.strings("outputColumnNames")
    return Write(table, change, command.plan("query"), columns, schema, if_absent=if_absent)


def _create_delta_table(command: Plan) -> Write | None:
    """Delta's own CREATE TABLE: with a query, as a copy of another table, or with neither."""
    query = command.args.get("query")
    if query is None:
        replaces = "Replace" in str(command.args.get("operation"))
        return Write(
            _table(command, "table"),
            Change.OVERWRITE if replaces else Change.CREATE,
            schema=_columns(_described(command, "table")),
            if_absent=command.args.get("mode") == "Ignore",
        )
    if isinstance(query, Plan) and query.kind == "CloneTableCommand":
        write = _create_table_as_select(replace_query(command, relations.copied(query, "sourceTable")))
        path = query.args.get("targetPath")
        if write.dataset.location is None and isinstance(path, str):
            return replace(write, dataset=replace(write.dataset, location=path))
        return write
    return _create_table_as_select(command)


def _restore(command: Plan) -> Write:
    """Delta's RESTORE: what the table had at an earlier version.

    It replaces all of the table. Whoever wrote that version is in force again all the same, so it is not called an
    overwrite, after which nobody but the last writer counts.
    """
    source = _described(command, "sourceTable").dataset
    if source == Dataset():
        raise NotAsExpected(command.kind, "sourceTable")
    query = relations.copied(command, "sourceTable")
    return Write(replace(source, version=None), Change.OVERWRITE_PARTITIONS, query)


def _convert_to_delta(command: Plan) -> Write:
    """CONVERT TO DELTA: the files stay where they are, and get a log."""
    parts = command.strings("tableIdentifier")
    if not parts:
        raise NotAsExpected(command.kind, "tableIdentifier")
    by_path = "/" in parts[-1]
    source = Dataset(parts[-1], format=parts[0]) if by_path else Dataset(table=parts, format="parquet")
    path = _string(command, "deltaPath")
    target = replace(source, format="delta") if path is None else Dataset(path, format="delta")
    return Write(target, Change.ALTER if path is None else Change.CREATE, reads=(source,))


def _insert_into_hive(command: Plan) -> Write:
    overwrite = Change.OVERWRITE if _is_empty_map(command, "partition") else Change.OVERWRITE_PARTITIONS
    change = overwrite if command.args.get("overwrite") is True else Change.APPEND
    # A partition column that has its value in the statement is in the table, and not in the query.
    schema = _columns(_described(command, "table"))
    return Write(_table(command, "table"), change, command.plan("query"), command.strings("outputColumnNames"), schema)


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
    dynamic = source.endswith("delta") and _is_dynamic(command)
    change = _by_mode(command, some=_is_narrowed(options, dynamic=dynamic))
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
    if relations.is_maintenance(table):
        return None  # the same rows in other files
    query = command.plan("query")
    by_name = command.args.get("isByName") is True
    columns = () if by_name else _names(table.output)
    if len(columns) != len(query.output or ()):
        columns = ()
    return Write(dataset, _v2_change(command), query, columns, _shown(table.output))


def _v2_change(command: Plan) -> Change:
    if command.kind in {"OverwritePartitionsDynamic", "DeltaDynamicPartitionOverwriteCommand"}:
        return Change.OVERWRITE_PARTITIONS
    if command.kind == "OverwriteByExpression":
        everything = command.expr("deleteExpr").args.get("sql") == "true"
        options = _described(command, "writeOptions").options
        apart = _is_apart(command, command.plan("table")) or "branch" in options
        some = apart or not everything or _is_narrowed(options)
        return Change.OVERWRITE_PARTITIONS if some else Change.OVERWRITE
    return Change.APPEND


def _create_v2_as_select(command: Plan) -> Write:
    """CREATE and REPLACE TABLE … AS SELECT; saveAsTable with "overwrite" is one as well, and may replace a part."""
    dataset = _named(command.plan("name"))
    delta = dataset.catalog is not None and dataset.catalog.framework == "delta"
    some = _is_narrowed(_described(command, "writeOptions").options, dynamic=delta and _is_dynamic(command))
    if command.kind.startswith("Create"):
        change = Change.CREATE
    else:
        change = Change.OVERWRITE_PARTITIONS if some else Change.OVERWRITE
    return Write(dataset, change, command.plan("query"), if_absent=command.args.get("ignoreIfExists") is True)


def _row_level(command: Plan) -> Write:
    """MERGE, UPDATE and DELETE; a DELETE of everything leaves nothing that came from anywhere."""
    change = row_level.changes(command)
    if change is None:
        raise NotAsExpected(command.kind, "query")
    leaf = row_level.target_dataset(command)
    dataset = _dataset(leaf)
    if isinstance(change, row_level.Delete) and change.condition is None:
        return Write(dataset, Change.ALTER if _is_apart(command, leaf) else Change.TRUNCATE, schema=change.output)
    asked = row_level.ASKED[type(change)] if command.kind in row_level.REWRITTEN else None
    return Write(dataset, Change.APPEND, change, asked=asked)


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
    change = Change.OVERWRITE if command.args.get("outputMode") == "Complete" else Change.APPEND
    return Write(dataset, change, command.plan("query"), schema=_shown(leaf.output))


# --- RDDs ------------------------------------------------------------------------------------------------------------


def _save_rdd(command: Plan) -> Write:
    """rdd.saveAsTextFile(…) and its kin: no command of Spark's, but told like one. The folder must not be there yet."""
    path = _string(command, "path")
    if path is None:
        raise NotAsExpected(command.kind, "path")
    return Write(Dataset(path, format=SAVED_RDDS[command.kind]), Change.APPEND, command.plan("query"))


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
    # A view has no files, whatever keeps the other tables of its catalog.
    dataset, if_absent = replace(dataset, format=None), command.args.get("allowExisting") is True
    return Write(dataset, Change.CREATE, query, columns, view=True, if_absent=if_absent)


def _alter_view(command: Plan) -> Write | None:
    """ALTER VIEW … AS; a view without a database is a temporary one."""
    named = command.args.get("child")
    view = _named(named) if isinstance(named, Plan) else _by_parts(command, "name")
    if len(view.table) == 1:
        return None
    return Write(replace(view, format=None), Change.ALTER, command.plan("query"), view=True)


def _create_table(command: Plan) -> Write:
    change = Change.OVERWRITE if command.kind == "ReplaceTable" else Change.CREATE
    if_absent = command.args.get("ignoreIfExists") is True
    if "name" in command.args:
        name = command.plan("name")
        schema = command.args.get("tableSchema")  # before Spark 4
        columns = _columns(Described("", schema=schema.json)) if isinstance(schema, Type) else ()
        return Write(_named(name), change, schema=name.output or columns, if_absent=if_absent)
    columns = _columns(_described(command, "table"))
    return Write(_table(command, "table"), change, schema=columns, if_absent=if_absent)


def _create_table_like(command: Plan) -> Write:
    """CREATE TABLE … LIKE: the columns of another table, and none of its rows."""
    if_absent = command.args.get("ifNotExists") is True
    if "name" in command.args:  # in a catalog of its own
        source = command.args.get("source")
        schema = (source.output or ()) if isinstance(source, Plan) else ()
        return Write(_named(command.plan("name")), Change.CREATE, schema=schema, if_absent=if_absent)
    table, storage = _by_parts(command, "targetTable"), _described(command, "fileFormat").dataset
    table = replace(table, location=storage.location, format=_string(command, "provider"))
    return Write(table, Change.CREATE, if_absent=if_absent)


def _drop(command: Plan) -> Write:
    return _without_data(command, Change.DROP, "tableName", "child")


def _drop_namespace(command: Plan) -> None:
    """DROP DATABASE: which tables fall with it is not in the plan, so it is opaque until the catalog has said it.

    Iceberg's catalogs refuse to drop a namespace that is not empty, with CASCADE as without it; in the place of Spark's
    own, they leave it to that one.
    """
    namespace = command.args.get("namespace")
    owner = namespace.described("catalog") if isinstance(namespace, Plan) else None
    catalog = CatalogOf("") if owner is None or owner.catalog is None else owner.catalog
    empty = catalog.framework == "iceberg" and catalog.name != "spark_catalog"
    if command.args.get("cascade") is True and not empty:
        raise NotAsExpected(command.kind, "tables")


def _truncate(command: Plan) -> Write:
    plan = "child" if "child" in command.args else "table"
    target = command.args.get(plan)
    apart = isinstance(target, Plan) and _is_apart(command, target)
    some = apart or command.args.get("partitionSpec") is not None
    return _without_data(command, Change.ALTER if some else Change.TRUNCATE, "tableName", plan)


def _alter(command: Plan) -> Write:
    """ALTER TABLE …: the columns are those that the table has afterwards."""
    write = _without_data(command, Change.ALTER, "tableName", "table")
    changes = read_changes(command.args.get("changes"))
    if not changes:
        return write
    before, after = write.schema, after_changes(write.schema, changes)
    return replace(write, schema=after, renamed=before if command.kind == "RenameColumn" else ())


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
    if old.location is not None and old.format == "iceberg":
        # Iceberg's files stay where they are, and by their place the table is called.
        return Write(replace(old, table=table), Change.ALTER)
    moved = Dataset(None, table, old.format, catalog=old.catalog)
    return Write(moved, Change.RENAME, previous=old)


# --- what nobody knows -----------------------------------------------------------------------------------------------


def unknown(command: Plan) -> Write | None:
    """What a command of an engine that we do not know seems to write; None where it names no table.

    It may hold a command that we know. Else its query goes into its table, and nobody else's rows are said to be gone.
    """
    query = command.args.get("query")
    if _WRITES.match(command.kind):  # EXPLAIN holds a command, too
        for inside in command.plans:
            if inside.kind in RULES:
                return RULES[inside.kind](inside)
    elif not isinstance(query, Plan):
        return None
    for name in _TARGETS:
        target = command.args.get(name)
        try:
            if isinstance(target, Plan):
                return Write(_named(target), Change.APPEND, query if isinstance(query, Plan) else None)
            if isinstance(target, Described) and target.datasets:
                return Write(target.dataset, Change.APPEND, query if isinstance(query, Plan) else None)
        except NotAsExpected:
            continue
    return None


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
    catalog = plan.described("catalog")
    own = catalog is not None and catalog.catalog is not None and catalog.catalog.name != "spark_catalog"
    if plan.kind == "ResolvedPersistentView" and not own:
        return Dataset(table=plan.strings("identifier"))
    if plan.kind in {"ResolvedIdentifier", "ResolvedPersistentView", "ResolvedV2View"}:
        if catalog is None or catalog.catalog is None:
            raise NotAsExpected(plan.kind, "catalog")
        return relations.in_catalog(Dataset(), catalog.catalog, plan.strings("identifier"))
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
    return tuple(attribute.name for attribute in _shown(attributes))


def _shown(attributes: Sequence[Expr] | None) -> tuple[Expr, ...]:
    return tuple(attribute for attribute in attributes or () if not attribute.hidden)


def _by_mode(command: Plan, *, some: bool = False) -> Change:
    """What happens to what was there, by the mode of a writer; `some` where an overwrite replaces only a part."""
    if command.args.get("mode") != "Overwrite":
        return Change.APPEND
    return Change.OVERWRITE_PARTITIONS if some else Change.OVERWRITE


def _is_dynamic(command: Plan) -> bool:
    """Whether the session keeps the partitions that an overwrite brings no rows for."""
    return command.args.get(DYNAMIC) is True


def _is_apart(command: Plan, target: Plan) -> bool:
    """Whether what is done to a table leaves its rows alone: on a branch, or until it is published."""
    table = target.described("table")
    staged = command.args.get(STAGING) is True and table is not None and "staging" in table.options
    return staged or relations.is_branch(target)


def _is_narrowed(options: Mapping[str, str], *, dynamic: bool = False) -> bool:
    """Whether the options of a writer that overwrites make it replace only a part.

    >>> _is_narrowed({"replacewhere": "given"}), _is_narrowed({"partitionoverwritemode": "static"}, dynamic=True)
    (True, False)
    """
    if any(options.get(name) for name in ("replacewhere", "replaceon", "replaceusing")):
        return True
    mode = options.get("partitionoverwritemode") or options.get("overwrite-mode")
    return dynamic if mode is None else mode.lower() == "dynamic"


def _columns(described: Described) -> tuple[Expr, ...]:
    return tuple(Expr("AttributeReference", name=name, type=type_) for name, type_ in parts(described.schema))


def replace_query(command: Plan, query: Plan) -> Plan:
    """A command with another query."""
    return replace(command, args={**command.args, "query": query})


def _is_empty_map(command: Plan, name: str) -> bool:
    value = command.args.get(name)
    if isinstance(value, Described):  # a map with a key that might name a dataset, such as a partition column `topic`
        return False
    return not isinstance(value, Unread) or "Empty" in value.name


def _string(command: Plan, name: str) -> str | None:
    value = command.args.get(name)
    return value if isinstance(value, str) else None


SAVED_RDDS = {
    "saveAsHadoopDataset": None,
    "saveAsHadoopFile": None,
    "saveAsNewAPIHadoopDataset": None,
    "saveAsNewAPIHadoopFile": None,
    "saveAsObjectFile": "sequence",
    "saveAsPickleFile": "pickle",
    "saveAsSequenceFile": "sequence",
    "saveAsTextFile": "text",
}
"""The methods that save an RDD, with the format of the files, where the method says it."""
# Where commands keep what they write to, and how the names begin of those that write.
_TARGETS = ("table", "target", "targetTable", "logicalRelation", "relation", "catalogTable", "child", "name")
_WRITES = re.compile(
    r"(?:Append|Clone|Convert|Copy|Delete|Import|Insert|Load|Merge|Overwrite|Restore|Truncate|Update|Upsert|Write)"
    r"(?!.*(?:Propert|Partition|Branch|Tag|Statistics))"
)
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
    "AlterViewAs": _alter_view,
    "AlterViewAsCommand": _alter_view,
    "AppendData": _write_v2,
    "CreateDataSourceTableAsSelectCommand": _create_table_as_select,
    "CreateDataSourceTableCommand": _create_table,
    "ConvertToDeltaCommand": _convert_to_delta,
    "CreateDeltaTableCommand": _create_delta_table,
    "CreateHiveTableAsSelectCommand": _create_table_as_select,
    "CreateIcebergView": _create_view,
    "CreateTable": _create_table,
    "CreateTableAsSelect": _create_v2_as_select,
    "CreateTableCommand": _create_table,
    "CreateTableLike": _create_table_like,
    "CreateTableLikeCommand": _create_table_like,
    "CreateView": _create_view,
    "CreateViewCommand": _create_view,
    "DeltaDynamicPartitionOverwriteCommand": _write_v2,
    "DropIcebergView": _drop,
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
    "ReplaceTable": _create_table,
    "ReplaceTableAsSelect": _create_v2_as_select,
    "RestoreTableCommand": _restore,
    "SaveAsV1TableCommand": _create_table_as_select,
    "SaveIntoDataSourceCommand": _save_into_data_source,
    "TruncateDeltaTableCommand": _truncate,
    "TruncateTable": _truncate,
    "TruncateTableCommand": _truncate,
    "WriteToMicroBatchDataSource": _write_micro_batch,
    "WriteToMicroBatchDataSourceV1": _write_micro_batch,
    **dict.fromkeys(SAVED_RDDS, _save_rdd),
    **dict.fromkeys(_ALTERS, _alter),
    **dict.fromkeys(NAMESPACE_DROPS, _drop_namespace),
    **dict.fromkeys(row_level.KINDS, _row_level),
}
