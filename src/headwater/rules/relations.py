"""What a leaf of a plan reads: one rule per leaf, found by the name of Spark's class."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from headwater.rules.tree import CatalogOf, Dataset, Described, Plan


@dataclass(frozen=True)
class Read:
    """What a leaf reads.

    Attributes:
        datasets: the datasets; none for data that the job made itself.
        columns: their columns, where nobody can tell which of them is in which of the leaf's own; else the leaf's own.
        known: whether these are all the datasets there are.
        query: a text in SQL that another engine runs where the first dataset is; then the datasets are in the text.
    """

    datasets: tuple[Dataset, ...] = ()
    columns: tuple[str, ...] | None = None
    known: bool = True
    query: str | None = None


# A name in quotes, or up to the next dot.
_PART = re.compile(r'"[^"]*"|`[^`]*`|\[[^\]]*\]|[^.]+')
UNKNOWN = Read(known=False)
LOCAL = Read()


def read(leaf: Plan) -> Read:
    """What a leaf reads."""
    rule = RULES.get(leaf.kind)
    return UNKNOWN if rule is None else rule(leaf)


def _logical_relation(leaf: Plan) -> Read:
    """A file relation or another V1 source; a table's own location is truer than the files that were listed."""
    relation, stream = leaf.described("relation"), leaf.described("stream")
    if stream is not None and stream.datasets:
        return Read(stream.datasets)  # the files of one micro-batch lie in the directory that the stream watches
    if leaf.args.get("isStreaming") is True and relation is not None and relation.kind == "files":
        return Read(tuple({replace(one, location=_folder(one.location)): None for one in relation.datasets}))
    table = leaf.described("catalogTable")
    if table is not None and relation is not None and relation.dataset.version is not None:
        table = replace(table, datasets=(replace(table.dataset, version=relation.dataset.version),))
    return _first(table, relation)


def _folder(location: str | None) -> str | None:
    """Where a file lies: before Spark 4 a stream of files shows only those of the batch."""
    *above, last = (location or "").split("/")
    return "/".join(above) if "." in last else location


def _hive_table(leaf: Plan) -> Read:
    return _first(leaf.described("tableMeta"))


def _first(*described: Described | None) -> Read:
    for one in described:
        if one is not None and one.datasets:
            return _queried(one, one.datasets)
    return UNKNOWN


def _queried(described: Described, datasets: tuple[Dataset, ...]) -> Read:
    """The datasets, or the query that stands in the table's properties; then nothing lies where the table does."""
    if described.query is None or described.kind == "jdbc":
        return Read(datasets, known=described.known, query=described.query)
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
        found = topics(options.options)
        return Read(found) if found else UNKNOWN
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
    return _queried(table, (dataset, *table.datasets[1:]))


def _as_asked(dataset: Dataset, options: Mapping[str, str]) -> Dataset:
    """Iceberg's own options for time travel, of which the table that is read knows nothing.

    >>> _as_asked(Dataset("file:/t", version="2"), {"snapshot-id": "1"}).version
    '1'
    """
    if "as-of-timestamp" in options:
        return replace(dataset, version=None)
    asked = options.get("snapshot-id") or options.get("branch") or options.get("tag")
    return dataset if asked is None else replace(dataset, version=asked)


def in_catalog(dataset: Dataset, catalog: CatalogOf, identifier: tuple[str, ...]) -> Dataset:
    """A dataset that a catalog has under a name. Iceberg writes a branch, or a tag, behind the table's name."""
    *namespace, name = identifier
    version = dataset.version
    if catalog.framework == "iceberg" and len(namespace) > 1 and name.startswith(("branch_", "tag_", "snapshot_id_")):
        *namespace, _ = namespace
        identifier, version = (*namespace, identifier[-2]), version or name.partition("_")[2]
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


def table_parts(name: str) -> tuple[str, ...]:
    """The parts of a table's name as it was written.

    >>> table_parts('sales."Orders.2024"')
    ('sales', '"Orders.2024"')
    """
    return tuple(_PART.findall(name))


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


def _local(_leaf: Plan) -> Read:
    return LOCAL


def _rdd(leaf: Plan) -> Read:
    """Data that has been through an RDD: its files may be known, but not what became of their columns."""
    rdd = leaf.described("rdd")
    if rdd is None:
        return UNKNOWN
    return Read(rdd.datasets, rdd.columns if rdd.datasets else None, rdd.known)


# A source written in Python does with its options what it likes: a `path` among them need not be a place of files.
_PYTHON_SOURCE = "PythonTable"
# What makes rows of its own, or takes them nowhere.
_GENERATED = frozenset({
    "ConsoleTable", "ContinuousMemoryStream", "MemoryStream", "NoopTable", "RateStreamMicroBatchStream",
    "RateStreamTable", "RatePerMicroBatchStream", "RatePerMicroBatchTable", "RateStreamMicroBatchReader", "rate",
    "rate-micro-batch",
})  # fmt: skip
_ICEBERG_METADATA = frozenset({
    "all_data_files", "all_delete_files", "all_entries", "all_files", "all_manifests", "changes", "data_files",
    "delete_files", "entries", "files", "history", "manifests", "metadata_log_entries", "partitions",
    "position_deletes", "refs", "snapshots",
})  # fmt: skip

RULES: dict[str, Callable[[Plan], Read]] = {
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
    "StreamingDataSourceV2Relation": _stream,
    "StreamingExecutionRelation": _stream,
    "StreamingRelation": _stream,
    "StreamingRelationV2": _stream,
}
