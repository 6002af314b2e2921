"""Which command writes what, and the whole answer for it: one rule per command, found by the name of Spark's class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from headwater.paths import join_path
from headwater.rules import text
from headwater.rules.analysis import Analysis, reads_several
from headwater.rules.model import Relation, Sources, settle
from headwater.rules.tree import UNREAD, Dataset, Expr, NotAsExpected, Plan, Unread
from headwater.rules.types import DataType


class Change(Enum):
    """What a write does to what was there before."""

    APPEND = "APPEND"
    CREATE = "CREATE"
    OVERWRITE = "OVERWRITE"
    OVERWRITE_PARTITIONS = "OVERWRITE_PARTITIONS"
    TRUNCATE = "TRUNCATE"
    DROP = "DROP"
    ALTER = "ALTER"
    RENAME = "RENAME"


@dataclass(frozen=True)
class Field:
    """A column of a dataset's schema."""

    name: str
    type: DataType | None


@dataclass(frozen=True)
class Written:
    """A dataset that a statement writes, and where each of its columns comes from.

    Attributes:
        fields: per column, the source fields and the ways they reach it.
        rows: the source fields that decided which rows were written.
        previous: the dataset under the name that it had before, where it was renamed.
    """

    dataset: Dataset
    schema: tuple[Field, ...]
    change: Change
    fields: Mapping[str, Sources]
    rows: Sources
    previous: Dataset | None = None


@dataclass(frozen=True)
class Stream:
    """The streaming query that a statement is one micro-batch of.

    Attributes:
        query_id: the id that the query keeps over its restarts.
        batch_id: the number of the micro-batch.
    """

    query_id: str
    batch_id: int | None = None


@dataclass(frozen=True)
class Statement:
    """The lineage of one command.

    Attributes:
        command: the name of Spark's class.
        opaque: how often what was not understood; where this is not empty, the answer may claim too much.
        view: whether what it "writes" is the definition of a view.
        stream: set where it is one micro-batch of a streaming query.
    """

    command: str
    reads: Mapping[Dataset, tuple[Field, ...]]
    writes: tuple[Written, ...]
    opaque: Mapping[str, int] = field(default_factory=dict)
    view: bool = False
    stream: Stream | None = None


@dataclass(frozen=True)
class _Write:
    """What a command says about its writing, before the query is looked at."""

    dataset: Dataset
    query: Plan
    change: Change
    columns: Sequence[str] = ()


def statement(plan: Plan, unread: str | None = None) -> Statement | None:
    """The lineage of a command, or None if it writes no data.

    Args:
        plan: the command.
        unread: which budget ran out before all of the plan was read, if one did.

    >>> print(statement(Plan("ShowTablesCommand")))
    None
    """
    commands = plan.plans if plan.kind == "Union" else (plan,)
    analysis = Analysis(qualify=reads_several(plan))
    writes = []
    for command in commands:
        rule = RULES.get(command.kind)
        if rule is None:
            if _looks_like_a_write(command):
                analysis.opaque[command.kind] += 1
            continue
        try:
            writes.append(_written(rule(command), analysis))
        except NotAsExpected as unexpected:
            analysis.opaque[unexpected.kind] += 1
    stream = _stream(plan)
    if not writes and not analysis.opaque and stream is None:
        return None
    if unread:
        analysis.opaque[f"unread for lack of {unread}"] += 1
    reads = {dataset: schema_of(attributes) for dataset, attributes in analysis.reads.items()}
    return Statement(commands[0].kind, reads, tuple(writes), Counter(analysis.opaque), stream=stream)


def _stream(command: Plan) -> Stream | None:
    query, batch = command.args.get("queryId"), command.args.get("batchId")
    if not command.kind.startswith("WriteToMicroBatchDataSource") or not isinstance(query, str):
        return None
    return Stream(query, batch if isinstance(batch, int) else None)


def _looks_like_a_write(command: Plan) -> bool:
    return "query" in command.args and command.kind not in {"CreateViewCommand", "CacheTableAsSelect"}


def _written(write: _Write, analysis: Analysis) -> Written:
    if write.query.kind == UNREAD:
        return Written(write.dataset, (), write.change, {}, {})
    relation = analysis.relation(write.query)
    names = list(write.columns) or [output.name for output in relation.outputs]
    if len(names) != len(relation.outputs):
        raise NotAsExpected(write.query.kind, "output")
    types = [attribute.type for attribute in write.query.output or ()] or [None] * len(names)
    schema = tuple(Field(name, type_) for name, type_ in zip(names, types, strict=False))
    return Written(write.dataset, schema, write.change, column_sources(names, relation), relation.rows)


def column_sources(names: Sequence[str], relation: Relation) -> dict[str, Sources]:
    """What each leaf of a relation's columns takes from where, under the names that the columns have in the end."""
    found: dict[str, Sources] = {}
    for name, output in zip(names, relation.outputs, strict=True):
        said = text.bare(output.column.text)
        for path, sources in output.column.leaves.items():
            found[join_path((name, *path))] = settle(sources, said)
    return found


def schema_of(attributes: Sequence[Expr]) -> tuple[Field, ...]:
    """The schema that some attributes make."""
    return tuple(Field(attribute.name, attribute.type) for attribute in attributes)


# --- rules -----------------------------------------------------------------------------------------------------------


def _insert_into_files(command: Plan) -> _Write:
    """df.write.parquet(…), INSERT into a data source table."""
    path = command.args.get("outputPath")
    table = next(_tables(command, "catalogTable"), Dataset())
    dataset = Dataset(
        location=path if isinstance(path, str) else table.location,
        table=table.table,
        format=_string(command, "fileFormat") or table.format,
    )
    partitioned = bool(command.exprs("partitionColumns")) or not _is_empty_map(command, "staticPartitions")
    return _Write(
        dataset, command.plan("query"), _change(command, partitioned=partitioned), command.strings("outputColumnNames")
    )


def _create_table_as_select(command: Plan) -> _Write:
    """CREATE TABLE … AS SELECT, DataFrameWriter.saveAsTable: the table may be there already when it appends."""
    field_name = "table" if "table" in command.args else "tableDesc"
    table = next(_tables(command, field_name), None)
    if table is None:
        raise NotAsExpected(command.kind, field_name)
    change = _change(command, partitioned=False)
    if change is Change.APPEND and command.args.get("mode") != "Append":
        change = Change.CREATE
    return _Write(table, command.plan("query"), change, command.strings("outputColumnNames"))


def _insert_into_hive(command: Plan) -> _Write:
    table = next(_tables(command, "table"), None)
    if table is None:
        raise NotAsExpected(command.kind, "table")
    partitioned = not _is_empty_map(command, "partition")
    overwrite = Change.OVERWRITE_PARTITIONS if partitioned else Change.OVERWRITE
    change = overwrite if command.args.get("overwrite") is True else Change.APPEND
    return _Write(table, command.plan("query"), change, command.strings("outputColumnNames"))


def _tables(command: Plan, name: str) -> Iterator[Dataset]:
    described = command.described(name)
    if described is not None:
        yield from described.datasets


def _change(command: Plan, *, partitioned: bool) -> Change:
    if command.args.get("mode") != "Overwrite":
        return Change.APPEND
    # With partitions it depends on a setting whether the rest is kept: do not claim that all of it is gone.
    return Change.OVERWRITE_PARTITIONS if partitioned else Change.OVERWRITE


def _is_empty_map(command: Plan, name: str) -> bool:
    value = command.args.get(name)
    return not isinstance(value, Unread) or "Empty" in value.name


def _string(command: Plan, name: str) -> str | None:
    value = command.args.get(name)
    return value if isinstance(value, str) else None


RULES: dict[str, Callable[[Plan], _Write]] = {
    "CreateDataSourceTableAsSelectCommand": _create_table_as_select,
    "CreateHiveTableAsSelectCommand": _create_table_as_select,
    "InsertIntoHadoopFsRelationCommand": _insert_into_files,
    "InsertIntoHiveTable": _insert_into_hive,
    "SaveAsV1TableCommand": _create_table_as_select,
}
