"""Walks from all columns, spread over Spark's workers: each has the whole graph in memory and a share of the columns.

The packed graph reaches the workers by a shuffle, like the columns: nothing of it passes through the driver.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from headwater.lake.session.settings import while_set
from headwater.lake.workers import in_python
from headwater.pipeline.close.walk import Graph, Ints

if TYPE_CHECKING:
    import pyarrow as pa

Answer: TypeAlias = "Callable[[Graph, Ints, Ints, Ints], Iterator[pa.RecordBatch]]"
"""Answers for a graph: the columns to walk from by number, and the start node and job of each step."""

_STEPS, _FREE, _COLUMN = 0, 1, 2
_PACK = 1 << 14
_PACKS_AT_ONCE = 256  # about 100 MB
_COLUMNS_A_TASK = 40_000
_BATCH = "spark.sql.execution.arrow.maxRecordsPerBatch"
_KEYS_TRIED = 64


def pack_graph(steps: DataFrame, free: DataFrame) -> DataFrame:
    """A graph in few rows: the `kind`, and the bytes of many steps."""
    shape = "kind int, data binary"
    own = in_python(steps.select("start", "end", "label", "job"), _packing(_STEPS), shape)
    return own.union(in_python(free.select("start", "end"), _packing(_FREE), shape))


def walk_columns(graph: DataFrame, columns: DataFrame, answer: Answer, shape: str, place: str) -> DataFrame:
    """Walk from every column and write the answers.

    Args:
        graph: as `pack_graph` makes it, read back from files.
        columns: ids, in a column `id`.
        answer: turns walks into rows, on the workers.
        shape: the rows' columns, as Spark SQL writes them.
        place: the folder to write the rows to.
    """
    spark = graph.sparkSession
    tasks = max(spark.sparkContext.defaultParallelism, -(-columns.count() // _COLUMNS_A_TASK))
    keys = _keys(spark, tasks)
    lots = sf.array(*map(sf.lit, keys))
    to_all = graph.select(sf.explode(lots).alias("task"), "kind", sf.lit(None).cast("bigint").alias("id"), "data")
    own_columns = columns.select(
        sf.element_at(lots, sf.pmod(sf.hash("id"), sf.lit(len(keys))) + 1).alias("task"),
        sf.lit(_COLUMN).alias("kind"),
        "id",
        sf.lit(None).cast("binary").alias("data"),
    )
    work = to_all.union(own_columns).repartition(tasks, "task").sortWithinPartitions("kind", "id")
    with while_set(spark, {_BATCH: str(_PACKS_AT_ONCE)}):
        in_python(work, _walking(answer), shape).write.mode("overwrite").parquet(place)
    return spark.read.parquet(place)


def _keys(spark: SparkSession, tasks: int) -> list[int]:
    """For each task a key that Spark's hash sends to it: two keys for one task would leave another idle."""
    tried = spark.range(tasks * _KEYS_TRIED).select(sf.col("id").cast("int").alias("task"))
    placed = tried.select("task", sf.pmod(sf.hash("task"), sf.lit(tasks)).alias("place"))
    return [row[0] for row in placed.groupBy("place").agg(sf.min("task")).select("min(task)").collect()]


def _packing(kind: int) -> "Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]":
    def pack(batches: "Iterable[pa.RecordBatch]") -> "Iterator[pa.RecordBatch]":
        import pyarrow as pa  # noqa: PLC0415  on the executor

        waiting: list[pa.RecordBatch] = []

        def packs() -> "pa.RecordBatch":
            table = pa.Table.from_batches(waiting).combine_chunks()
            sink = pa.BufferOutputStream()
            with pa.ipc.new_stream(sink, table.schema) as out:
                out.write_table(table)
            waiting.clear()
            data = pa.array([sink.getvalue().to_pybytes()], pa.binary())
            return pa.RecordBatch.from_arrays([pa.array([kind], pa.int32()), data], ["kind", "data"])

        for batch in batches:
            waiting.append(batch)
            if sum(map(len, waiting)) >= _PACK:
                yield packs()
        if waiting:
            yield packs()

    return pack


def _walking(answer: Answer) -> "Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]":
    def walk(batches: "Iterable[pa.RecordBatch]") -> "Iterator[pa.RecordBatch]":
        import pyarrow as pa  # noqa: PLC0415  on the executor

        packs: dict[int, list[pa.Table]] = {_STEPS: [], _FREE: []}
        columns: list[Ints] = []
        for batch in batches:
            _, kinds, ids, data = batch.columns
            for kind, content in zip(kinds.to_pylist(), data, strict=True):
                if kind != _COLUMN:
                    packs[kind].append(pa.ipc.open_stream(content.as_buffer()).read_all())
            columns.append(ids.drop_null().to_numpy(zero_copy_only=False).astype(np.int64))
        if not columns or not sum(map(len, columns)):
            return

        def column(kind: int, name: str) -> Ints:
            parts = [table[name].to_numpy() for table in packs[kind]]
            return np.concatenate([np.empty(0, np.int64), *parts]).astype(np.int64)

        sources = np.concatenate(columns)
        graph = Graph(
            column(_STEPS, "start"),
            column(_STEPS, "end"),
            column(_STEPS, "label").astype(np.uint8),
            (column(_FREE, "start"), column(_FREE, "end")),
            sources,
        )
        yield from answer(graph, np.searchsorted(graph.ids, sources), graph.starts, column(_STEPS, "job"))

    return walk
