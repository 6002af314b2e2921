"""What a leaf of a plan reads: one rule per leaf, found by the name of Spark's class."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from headwater.rules.plan.tree import CatalogOf, Dataset, Described, Expr, Plan
from headwater.rules.plan.types import parts

INPUTS_OF_RDD = "inputs of an RDD"
"""Counted as opaque where the inputs of an RDD are not all known."""


@dataclass(frozen=True)
class Read:
    """What a leaf reads.

    Attributes:
        datasets: the datasets; none for data that the job made itself.
        columns: per dataset its columns, where it is unknown which of them is in which of the leaf's; None where they
            are the leaf's own.
        behind: the ids of RDDs that earlier statements explain, likewise.
        known: whether these are all the datasets there are.
        query: a text in SQL that another engine runs where the first dataset is; then the datasets are in the text.
        about: the datasets' columns, where the leaf has none of them: it describes the datasets as a whole.
        beside: those of the leaf's columns that the datasets do not have, such as what a change feed says of a change.
        filter: a text in SQL whose conditions decide which rows are read; empty if nobody knows them.
    """

    datasets: tuple[Dataset, ...] = ()
    columns: Mapping[Dataset, tuple[str, ...]] | None = None
    behind: tuple[int, ...] = ()
    known: bool = True
    query: str | None = None
    about: tuple[str, ...] | None = None
    beside: frozenset[str] = frozenset()
    filter: str | None = None


# A table's name with its namespace; Iceberg writes a branch behind it.
_WITH_NAMESPACE = 2
_REFERENCES = ("branch_", "tag_", "snapshot_id_", "at_timestamp_")
_BETWEEN = re.compile(r"(?:\s|--[^\n]*(?:\n|\Z)|/\*(?:[^*]|\*(?!/))*\*/)*")
# A name in quotes, where a doubled quote is one, or up to what is in no name.
_PART = re.compile(r"""\"(?:[^\"]|\"\")+\"|`(?:[^`]|``)+`|\[(?:[^\]]|\]\])+\]|[^\s.,;()'\"`\[\]]+""")
# PostgreSQL's word for a table without those that inherit from it: a name follows that is not the table's other name.
_ONLY = re.compile(r"(?i)ONLY(?=\s+(?!AS\b)[^\s;])")
FEED = "DeltaCDFRelation"
"""The source of a leaf that reads a Delta table's changes."""
UNKNOWN = Read(known=False)
LOCAL = Read()


def read(leaf: Plan) -> Read:
    """What a leaf reads."""
    rule = RULES.get(leaf.kind)
    return UNKNOWN if rule is None else rule(leaf)


def view_of(node: Plan) -> Dataset | None:
    """The view of a catalog that a node is, under the name that CREATE VIEW gives it; None for other nodes."""
    desc = (node.described("desc") or node.described("identifier")) if node.is_view else None
    if desc is None or not desc.dataset.table:
        return None
    return Dataset(table=desc.dataset.table, catalog=desc.dataset.catalog)


def _logical_relation(leaf: Plan) -> Read:
    relation = leaf.described("relation")
    read = _relation_or_table(leaf)
    return replace(read, beside=_DELTA_FEED) if relation is not None and relation.source == FEED else read


def _relation_or_table(leaf: Plan) -> Read:
    """A file relation or another V1 source; a table's own location is better than the listed files."""
    relation, stream = leaf.described("relation"), leaf.described("stream")
    if stream is not None and stream.datasets:
        return Read(stream.datasets)  # the files of one micro-batch lie in the directory that the stream watches
    if leaf.args.get("isStreaming") is True and relation is not None and relation.kind == "files":
        return Read(
            tuple({replace(dataset, location=_folder(dataset.location)): None for dataset in relation.datasets})
        )
    table = leaf.described("catalogTable")
    if table is not None and relation is not None and relation.dataset.version is not None:
        table = replace(table, datasets=(replace(table.dataset, version=relation.dataset.version),))
    if table is not None and table.query is None and relation is not None and relation.kind == "jdbc":
        # The catalog gives it a folder, which stays empty.
        named = tuple(replace(dataset, identity=table.dataset.identity) for dataset in relation.datasets)
        return _first(replace(relation, datasets=named))
    return _first(table, relation)


def _folder(location: str | None) -> str | None:
    """The folder of a file: before Spark 4 a stream of files shows only those of the batch."""
    *above, last = (location or "").split("/")
    return "/".join(above) if "." in last else location


def _hive_table(leaf: Plan) -> Read:
    return _first(leaf.described("tableMeta"))


def _first(*described: Described | None) -> Read:
    for description in described:
        if description is not None and description.datasets:
            return _queried(description, description.datasets)
    return UNKNOWN


def _queried(described: Described, datasets: tuple[Dataset, ...]) -> Read:
    """The datasets, or the query in the table's properties; then the table has no files."""
    if described.query is None or described.kind == "jdbc":
        return Read(datasets, known=described.known, query=described.query, filter=described.filter)
    return Read((Dataset(identity=datasets[0].identity),), query=described.query)


def _v2_relation(leaf: Plan) -> Read:
    """A table of the second data source API, by its place, its catalog, or the options that name it."""
    table = leaf.described("table")
    if table is None:
        return UNKNOWN
    if table.source in _GENERATED:
        return LOCAL
    if table.source == _PYTHON_SOURCE:
        return UNKNOWN
    options = leaf.described("options") or leaf.described("extraOptions")
    if options is not None and options.options.get("kafka.bootstrap.servers"):
        datasets = topics(options.options)
        return Read(datasets) if datasets else UNKNOWN
    catalog, identifier = leaf.described("catalog"), leaf.strings("identifier")
    return _known(table, catalog.catalog if catalog is not None else None, identifier, options)


def _known(table: Described, catalog: CatalogOf | None, identifier: tuple[str, ...], options: Described | None) -> Read:
    dataset = table.dataset
    if table.kind in {"table", "jdbc"}:
        return _queried(table, table.datasets)
    if catalog is not None and identifier:
        dataset = in_catalog(dataset, catalog, identifier)
    elif dataset.location is None and options is not None and "path" in options.options:
        dataset = replace(dataset, location=options.options["path"])
    if dataset == Dataset():
        return UNKNOWN
    if dataset.format == "iceberg" and options is not None:
        dataset = _as_asked(dataset, options.options)
    if table.kind == "metadata":
        return Read((dataset,), about=table.columns)
    read = _queried(table, (dataset, *table.datasets[1:]))
    return replace(read, beside=_ICEBERG_FEED) if table.source == "SparkChangelogTable" else read


def _as_asked(dataset: Dataset, options: Mapping[str, str]) -> Dataset:
    """Iceberg's options for time travel, which the table itself does not show.

    >>> _as_asked(Dataset("file:/t", version="2"), {"snapshot-id": "1"}).version
    '1'
    """
    if "as-of-timestamp" in options:
        return replace(dataset, version=None)
    asked = options.get("snapshot-id") or options.get("branch") or options.get("tag")
    return dataset if asked is None else replace(dataset, version=asked)


def in_catalog(dataset: Dataset, catalog: CatalogOf, identifier: tuple[str, ...]) -> Dataset:
    """The dataset under a name in a catalog. Iceberg writes a branch or a tag behind the table's name.

    Delta's catalog accepts a path in place of a name, also for tables that do not exist yet.

    >>> in_catalog(Dataset(), CatalogOf("spark_catalog", framework="delta"), ("delta", "s3://lake/t")).location
    's3://lake/t'
    """
    *namespace, name = identifier
    version = dataset.version
    if catalog.framework == "delta" and [part.lower() for part in namespace] == ["delta"] and "/" in name:
        dataset = replace(dataset, location=dataset.location or name)
    if catalog.framework == "iceberg" and len(namespace) > 1 and name.startswith(_REFERENCES):
        *namespace, _ = namespace
        reference = None if name.startswith("at_") else name.partition("_")[2]
        identifier, version = (*namespace, identifier[-2]), version or reference
    elif catalog.framework == "iceberg" and len(namespace) > 1:
        identifier = identifier[:-1] if name in _ICEBERG_METADATA else identifier
    return replace(
        dataset, table=(catalog.name, *identifier), catalog=catalog, version=version,
        format=dataset.format or catalog.framework or None,
    )  # fmt: skip


def topics(options: Mapping[str, str]) -> tuple[Dataset, ...]:
    """The topics that Kafka's options name, at the first of its servers.

    >>> [one.table for one in topics({"kafka.bootstrap.servers": "a:9092,b:9092", "assign": '{"clicks": [0, 1]}'})]
    [('clicks',)]
    """
    chosen = options.get("subscribe") or options.get("topic") or options.get("subscribepattern")
    named = chosen or ",".join(re.findall(r'"([^"]+)"\s*:', options.get("assign", "")))
    servers = options.get("kafka.bootstrap.servers", "")
    place = f"kafka://{servers.split(',', maxsplit=1)[0].strip()}"
    names = (topic.strip() for topic in named.split(","))
    return tuple(Dataset(place, (name,), "kafka") for name in names if name) if servers else ()


def table_name(text: str) -> tuple[str, ...] | None:
    """The parts of the table's name behind FROM, as written; None for more than a name and an alias.

    The text is read once from left to right, whatever is in it.

    >>> table_name('sales."Orders.2024" AS o'), table_name('"my table"'), table_name("[dbo].[orders] o;")
    (('sales', '"Orders.2024"'), ('"my table"',), ('[dbo]', '[orders]'))
    >>> table_name("orders o JOIN users u ON o.user = u.id"), table_name("(SELECT 1) q")
    (None, None)
    >>> table_name("ONLY orders o")
    ('orders',)
    """
    parts: list[str] = []
    place = _after_spaces(text, 0)
    only = _ONLY.match(text, place)
    if only is not None:
        place = _after_spaces(text, only.end())
    while (part := _PART.match(text, place)) is not None:
        parts.append(part[0])
        place = _after_spaces(text, part.end())
        if text[place : place + 1] != ".":
            break
        while text[place : place + 1] == ".":  # db..orders: the schema goes without saying
            place = _after_spaces(text, place + 1)
    else:
        return None
    return tuple(parts) if _is_alias(text, place) else None


def _is_alias(text: str, place: int) -> bool:
    """Whether there is nothing left but a name for the table."""
    for _ in ("AS", "o"):
        word = _PART.match(text, place)
        if word is None:
            break
        place = _after_spaces(text, word.end())
        if word[0].upper() != "AS":
            break
    return not text[place:].strip("; \t\r\n")


def _after_spaces(text: str, place: int) -> int:
    space = _BETWEEN.match(text, place)
    return place if space is None else space.end()


def table_parts(name: str) -> tuple[str, ...]:
    """The parts of the name of a table that is written to.

    >>> table_parts('sales."Orders.2024"')
    ('sales', '"Orders.2024"')
    """
    return table_name(name) or (name,)


def _stream(leaf: Plan) -> Read:
    """A source of a streaming query."""
    for name in ("stream", "source", "dataSource"):
        described = leaf.described(name)
        if described is not None and described.datasets:
            return Read(described.datasets)
        if described is not None and described.source in _GENERATED:
            return LOCAL
    catalog, identifier = leaf.described("catalog"), leaf.strings("identifier")
    if leaf.described("table") is None and catalog is not None and catalog.catalog is not None and identifier:
        return Read((in_catalog(Dataset(), catalog.catalog, identifier),))
    return _v2_relation(leaf)


def is_maintenance(leaf: Plan) -> bool:
    """Whether a table is a temporary one, in which Iceberg rewrites the files of another."""
    catalog = leaf.described("catalog")
    return catalog is not None and catalog.catalog is not None and catalog.catalog.name in _REWRITING


def is_branch(leaf: Plan) -> bool:
    """Whether a leaf stands for a branch of an Iceberg table: what is written to it leaves the table's rows alone."""
    identifier, options = leaf.strings("identifier"), leaf.described("options")
    by_option = options is not None and bool(options.options.get("branch"))
    return by_option or (len(identifier) > _WITH_NAMESPACE and identifier[-1].startswith("branch_"))


def copied(command: Plan, name: str) -> Plan:
    """The source of a command that copies, as a leaf with the columns that the field describes.

    Without a description of columns the dataset is read, and what becomes of its columns is unknown.
    """
    described = command.described(name)
    fields = parts(described.schema) if described is not None else ()
    attributes = (Expr("AttributeReference", name=field, id=at, type=type_) for at, (field, type_) in enumerate(fields))
    return Plan(command.kind, args={"source": described}, output=tuple(attributes))


def _copied(leaf: Plan) -> Read:
    source = leaf.described("source")
    if source is None or not source.datasets:
        return UNKNOWN
    if leaf.output:
        return Read(source.datasets)
    return Read(source.datasets, dict.fromkeys(source.datasets, ()), known=False)


def _local(_leaf: Plan) -> Read:
    return LOCAL


def _rdd(leaf: Plan) -> Read:
    """Data from an RDD: its files may be known, but not what became of their columns."""
    rdd = leaf.described("rdd")
    if rdd is None:
        return Read(columns={}, known=False)
    columns: dict[Dataset, tuple[str, ...]] = {}
    for part in rdd.reads:
        for dataset in part.datasets:
            columns[dataset] = tuple(dict.fromkeys((*columns.get(dataset, ()), *part.columns)))
    return Read(tuple(columns), columns, rdd.behind, rdd.known)


# A source written in Python is free in its options: a `path` among them need not be a place of files.
_PYTHON_SOURCE = "PythonTable"
# Sources that generate rows, and sinks that drop them.
_GENERATED = frozenset({
    "ConsoleTable", "ContinuousMemoryStream", "MemoryStream", "NoopTable", "RateStreamMicroBatchStream",
    "RateStreamTable", "RatePerMicroBatchStream", "RatePerMicroBatchTable", "RateStreamMicroBatchReader", "rate",
    "rate-micro-batch",
})  # fmt: skip
# The catalogs of temporary tables that Iceberg's own jobs read and write by id.
_REWRITING = frozenset({"default_cache_iceberg", "default_rewrite_catalog"})
_DELTA_FEED = frozenset({"_change_type", "_commit_version", "_commit_timestamp"})
_ICEBERG_FEED = frozenset({"_change_type", "_change_ordinal", "_commit_snapshot_id"})
_ICEBERG_METADATA = frozenset({
    "all_data_files", "all_delete_files", "all_entries", "all_files", "all_manifests", "changes", "data_files",
    "delete_files", "entries", "files", "history", "manifests", "metadata_log_entries", "partitions",
    "position_deletes", "refs", "snapshots",
})  # fmt: skip

RULES: dict[str, Callable[[Plan], Read]] = {
    "CloneTableCommand": _copied,
    "DataSourceV2Relation": _v2_relation,
    "EmptyRelation": _local,
    "ExternalRDD": _rdd,
    "HiveTableRelation": _hive_table,
    "LocalRelation": _local,
    "LogicalRDD": _rdd,
    "LogicalRelation": _logical_relation,
    "MemoryPlan": _local,
    "OneRowRelation": _local,
    "Range": _local,
    "ResolvedTable": _v2_relation,
    "RestoreTableCommand": _copied,
    "StreamingDataSourceV2Relation": _stream,
    "StreamingExecutionRelation": _stream,
    "StreamingRelation": _stream,
    "StreamingRelationV2": _stream,
}
