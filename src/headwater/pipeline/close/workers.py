"""Walks from all columns, spread over Spark's workers: each has the whole graph in memory, and some of the columns.

The graph goes to the workers as the columns do, by a shuffle, packed: nothing of it passes through the driver.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from headwater.pipeline.close.walk import Graph, Ints

if TYPE_CHECKING:
    import pyarrow as pa

Answer: TypeAlias = "Callable[[Graph, Ints, Ints, Ints], Iterator[pa.RecordBatch]]"
"""What is made of a graph with the node and job of each step, and the numbers of the columns to walk from."""

_STEPS, _FREE, _COLUMN = 0, 1, 2
_PACK = 1 << 14
_PACKS_AT_ONCE = 256  # about 100 MB
_COLUMNS_A_TASK = 40_000
_BATCH = "spark.sql.execution.arrow.maxRecordsPerBatch"
_KEYS_TRIED = 64


def packed(steps: DataFrame, free: DataFrame) -> DataFrame:
    """A graph in few rows: `what`, and the bytes of many steps."""
    shape = "what int, data binary"
    own = steps.select("start", "end", "label", "job").mapInArrow(_packing(_STEPS), shape)
    return own.union(free.select("start", "end").mapInArrow(_packing(_FREE), shape))


def walked(graph: DataFrame, columns: DataFrame, answer: Answer, shape: str, place: str) -> DataFrame:
    """Walk from every column, and write down what is made of it.

    Args:
        graph: as `packed` makes it, read from where it was written.
        columns: ids, in a column `id`.
        answer: makes rows of the walks; it is run by the workers.
        shape: the rows' columns, as Spark SQL writes them.
        place: where the rows are written.
    """
    spark = graph.sparkSession
    tasks = max(spark.sparkContext.defaultParallelism, -(-columns.count() // _COLUMNS_A_TASK))
    keys = _keys(spark, tasks)
    lots = sf.array(*map(sf.lit, keys))
    to_all = graph.select(sf.explode(lots).alias("task"), "what", sf.lit(None).cast("bigint").alias("id"), "data")
    some = columns.select(
        sf.element_at(lots, sf.pmod(sf.hash("id"), sf.lit(len(keys))) + 1).alias("task"),
        sf.lit(_COLUMN).alias("what"),
        "id",
        sf.lit(None).cast("binary").alias("data"),
    )
    work = to_all.union(some).repartition(tasks, "task").sortWithinPartitions("what", "id")
    before = spark.conf.get(_BATCH)
    spark.conf.set(_BATCH, str(_PACKS_AT_ONCE))
    try:
        work.mapInArrow(_walking(answer), shape).write.mode("overwrite").parquet(place)
    finally:
        spark.conf.set(_BATCH, before or "10000")
    return spark.read.parquet(place)


def _keys(spark: SparkSession, tasks: int) -> list[int]:
    """For each task a key that Spark's hash sends to it: two keys of one task would leave another without work."""
    tried = spark.range(tasks * _KEYS_TRIED).select(sf.col("id").cast("int").alias("task"))
    placed = tried.select("task", sf.pmod(sf.hash("task"), sf.lit(tasks)).alias("place"))
    return [row[0] for row in placed.groupBy("place").agg(sf.min("task")).select("min(task)").collect()]


def _packing(what: int) -> "Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]":
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
            return pa.RecordBatch.from_arrays([pa.array([what], pa.int32()), data], ["what", "data"])

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
            _, whats, ids, data = batch.columns
            for what, content in zip(whats.to_pylist(), data, strict=True):
                if what != _COLUMN:
                    packs[what].append(pa.ipc.open_stream(content.as_buffer()).read_all())
            columns.append(ids.drop_null().to_numpy(zero_copy_only=False).astype(np.int64))
        if not columns or not sum(map(len, columns)):
            return

        def column(what: int, name: str) -> Ints:
            parts = [table[name].to_numpy() for table in packs[what]]
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
