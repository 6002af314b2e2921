"""Commands that write rows: into files, tables, other sources and streams; MERGE, UPDATE and DELETE; saved RDDs."""

from __future__ import annotations

import re
from dataclasses import replace

from headwater.rules.operators import relations
from headwater.rules.plan.tree import Dataset, Described, NotAsExpected, Plan, Unread
from headwater.rules.statements import row_level
from headwater.rules.statements.writes import (
    Change,
    Write,
    change_by_mode,
    column_names,
    dataset_of,
    described_in,
    is_dynamic,
    is_partial,
    is_staged,
    named_in,
    schema_columns,
    string_in,
    table_in,
    target_of,
    visible,
)

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
# Sinks that keep nothing beyond the session.
_TAKES_NOTHING = frozenset(
    {"ConsoleTable", "ForeachBatchSink", "ForeachSink", "ForeachWriterTable", "MemorySink", "NoopTable"}
)
_SCHEME = re.compile(r"[\w+.-]+:")
_WILDCARD = re.compile(r"[*?\[{]")


# --- files, and tables of the first data source API ------------------------------------------------------------------


def insert_into_files(command: Plan) -> Write:
    """df.write.parquet(…), INSERT into a data source table."""
    path = command.args.get("outputPath")
    described = described_in(command, "catalogTable")
    table = described.dataset
    dataset = replace(
        table,
        location=path if isinstance(path, str) else table.location,
        format=string_in(command, "fileFormat") or table.format,
    )
    partial = not _is_empty_map(command, "staticPartitions") or (
        bool(command.exprs("partitionColumns"))
        and is_partial(described_in(command, "options").options, dynamic=is_dynamic(command))
    )
    change = change_by_mode(command, partial=partial)
    if_absent = command.args.get("mode") == "Ignore"
    columns = command.strings("outputColumnNames")
    return Write(dataset, change, command.plan("query"), columns, schema_columns(described), if_absent=if_absent)


def insert_into_hive(command: Plan) -> Write:
    """INSERT into a Hive table."""
    overwrite = Change.OVERWRITE if _is_empty_map(command, "partition") else Change.OVERWRITE_PARTITIONS
    change = overwrite if command.args.get("overwrite") is True else Change.APPEND
    # A partition column that has its value in the statement is in the table, and not in the query.
    schema = schema_columns(described_in(command, "table"))
    return Write(
        table_in(command, "table"), change, command.plan("query"), command.strings("outputColumnNames"), schema
    )


def insert_into_relation(command: Plan) -> Write:
    """INSERT into a table of a source that is not made of files."""
    relation = command.plan("logicalRelation")
    change = Change.OVERWRITE if command.args.get("overwrite") is True else Change.APPEND
    return Write(dataset_of(relation), change, command.plan("query"), column_names(relation.output))


def insert_into_directory(command: Plan) -> Write:
    """INSERT OVERWRITE DIRECTORY."""
    storage = described_in(command, "storage").dataset
    dataset = replace(storage, format=string_in(command, "provider") or "hive")
    return Write(dataset, Change.OVERWRITE, command.plan("query"), command.strings("outputColumnNames"))


def load_data(command: Plan) -> Write:
    """LOAD DATA: files become part of a table as they are, unread."""
    path = string_in(command, "path")
    if path is None:
        raise NotAsExpected(command.kind, "path")
    if command.args.get("isLocal") is True and not _SCHEME.match(path):
        path = f"file:{path}"
    wildcard = _WILDCARD.search(path)
    if wildcard is not None:
        path = path[: wildcard.start()].rpartition("/")[0]
    whole = Change.OVERWRITE if command.args.get("partition") is None else Change.OVERWRITE_PARTITIONS
    change = whole if command.args.get("isOverwrite") is True else Change.APPEND
    return Write(named_in(command, "table"), change, files=Dataset(path))


def save_into_data_source(command: Plan) -> Write | None:
    """df.write.format(…).save(): the source is known by its short name, the target by the options."""
    source = string_in(command, "dataSource") or ""
    options = described_in(command, "options").options
    dynamic = source.endswith("delta") and is_dynamic(command)
    change = change_by_mode(command, partial=is_partial(options, dynamic=dynamic))
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


def _is_empty_map(command: Plan, name: str) -> bool:
    value = command.args.get(name)
    if isinstance(value, Described):  # a map with a key that might name a dataset, such as a partition column `topic`
        return False
    return not isinstance(value, Unread) or "Empty" in value.name


# --- the second data source API --------------------------------------------------------------------------------------


def write_v2(command: Plan) -> Write | None:
    """INSERT and writeTo(…): by position, unless it was asked for by name."""
    table = command.plan("table")
    dataset = target_of(table)
    if dataset is None:
        return None
    if relations.is_maintenance(table):
        return None  # the same rows in other files
    query = command.plan("query")
    by_name = command.args.get("isByName") is True
    columns = () if by_name else column_names(table.output)
    if len(columns) != len(query.output or ()):
        columns = ()
    return Write(dataset, _v2_change(command), query, columns, visible(table.output))


def _v2_change(command: Plan) -> Change:
    if command.kind in {"OverwritePartitionsDynamic", "DeltaDynamicPartitionOverwriteCommand"}:
        return Change.OVERWRITE_PARTITIONS
    if command.kind == "OverwriteByExpression":
        everything = command.expr("deleteExpr").args.get("sql") == "true"
        options = described_in(command, "writeOptions").options
        staged = is_staged(command, command.plan("table")) or "branch" in options
        partial = staged or not everything or is_partial(options)
        return Change.OVERWRITE_PARTITIONS if partial else Change.OVERWRITE
    return Change.APPEND


def change_rows(command: Plan) -> Write:
    """MERGE, UPDATE and DELETE; a DELETE of everything leaves nothing that came from anywhere."""
    change = row_level.changes(command)
    if change is None:
        raise NotAsExpected(command.kind, "query")
    leaf = row_level.target_dataset(command)
    dataset = dataset_of(leaf)
    if isinstance(change, row_level.Delete) and change.condition is None:
        return Write(dataset, Change.ALTER if is_staged(command, leaf) else Change.TRUNCATE, schema=change.output)
    asked = row_level.ORIGINAL[type(change)] if command.kind in row_level.REWRITTEN else None
    return Write(dataset, Change.APPEND, change, asked=asked)


# --- streams and RDDs ------------------------------------------------------------------------------------------------


def write_micro_batch(command: Plan) -> Write | None:
    """One micro-batch, into a table, a directory or a topic; what foreachBatch gets is written by its own commands."""
    relation = command.args.get("relation")
    if isinstance(relation, Plan):
        leaf = relation
    else:
        target = described_in(command, "sink" if "sink" in command.args else "table")
        leaf = Plan("DataSourceV2Relation", args={"table": target, "options": command.args.get("writeOptions")})
    if described_in(leaf, "table").source in _TAKES_NOTHING:
        return None
    dataset = described_in(command, "catalogTable").dataset
    if dataset == Dataset():
        dataset = dataset_of(leaf)
    change = Change.OVERWRITE if command.args.get("outputMode") == "Complete" else Change.APPEND
    return Write(dataset, change, command.plan("query"), schema=visible(leaf.output))


def save_rdd(command: Plan) -> Write:
    """rdd.saveAsTextFile(…) and its kin: no command of Spark's, but read like one. The folder must not exist yet."""
    path = string_in(command, "path")
    if path is None:
        raise NotAsExpected(command.kind, "path")
    return Write(Dataset(path, format=SAVED_RDDS[command.kind]), Change.APPEND, command.plan("query"))
