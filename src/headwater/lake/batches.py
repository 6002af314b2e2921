"""Spark's rows in this process, a batch at a time, never a whole table."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from headwater.lake.few import Few
from headwater.lake.session.settings import while_set
from headwater.lake.workers import in_python
from headwater.store.db.session import Row

_ROWS = 10_000
_AT_ONCE = 4
_NAME = "name of the frame"
# Tasks run one after the other, so few are better. But the output of a task reaches this process as a whole, together
# with that of the next: so they must not be large. Many small files do not matter.
_SETTINGS = {
    "spark.sql.files.maxPartitionBytes": str(8 * 1024 * 1024),
    "spark.sql.files.openCostInBytes": str(128 * 1024),
}


def rows(
    frames: Mapping[str, DataFrame],
    tasks: int | None = None,
    few: Few | None = None,
    wide: Collection[str] = (),
) -> Iterator[tuple[str, list[Row]]]:
    """The rows of frames in batches, each with the frame's name: those that `few` brings, and others one by one.

    Of frames that are `wide`, `few` brings none.
    """
    tables: dict[str, Any] = {}
    if few is not None and few.on:
        narrow = [name for name in frames if name not in wide]
        with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="headwater-rows") as pool:
            tables = dict(zip(narrow, pool.map(lambda name: few.table(frames[name]), narrow), strict=True))
    for name, table in tables.items():
        for batch in table.to_batches(_ROWS) if table is not None else ():
            yield name, _rows_of(batch)
    yield from _streamed({name: frame for name, frame in frames.items() if tables.get(name) is None}, tasks)


def _streamed(frames: Mapping[str, DataFrame], tasks: int | None) -> Iterator[tuple[str, list[Row]]]:
    """The rows of frames of any size.

    Spark hands rows over one by one, which is slow: so each holds a whole batch. One plan covers all frames, and in it
    Python is called once: a process for each frame would take longer than small ones take to read. `tasks` limits the
    tasks for small frames, where a task costs more than it reads.
    """
    if not frames:
        return
    every = reduce(DataFrame.unionAll, _side_by_side(frames))
    packed = in_python(every.coalesce(tasks) if tasks else every, _pack, f"`{_NAME}` string, batch binary")
    with while_set(every.sparkSession, _SETTINGS):
        packed_rows = packed.toLocalIterator(prefetchPartitions=True)
    for row in packed_rows:
        with pa.ipc.open_stream(row.batch) as stream:
            for batch in stream:
                yield row[_NAME], _rows_of(batch)


def _rows_of(batch: pa.RecordBatch) -> list[Row]:
    return list(zip(*(column.to_pylist() for column in batch.columns), strict=True))


def _side_by_side(frames: Mapping[str, DataFrame]) -> Iterator[DataFrame]:
    """The frames with the same columns: one of rows for each frame, empty but for its own, and the frame's name."""
    empty = {name: sf.lit(None).cast(frame.schema).alias(name) for name, frame in frames.items()}
    for name, frame in frames.items():
        rows = sf.struct(*(sf.col(f"`{column}`") for column in frame.columns)).alias(name)
        yield frame.select(sf.lit(name).alias(_NAME), *({**empty, name: rows}.values()))


def _pack(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for whole in batches:
        names = whole.column(0)
        for name in names.unique():
            rows = whole.column(name.as_py()).filter(pc.equal(names, name))
            of_frame = pa.RecordBatch.from_struct_array(rows)
            for start in range(0, of_frame.num_rows, _ROWS):
                batch = of_frame.slice(start, _ROWS)
                sink = pa.BufferOutputStream()
                with pa.ipc.new_stream(sink, batch.schema) as stream:
                    stream.write_batch(batch)
                packed = [pa.array([name.as_py()], pa.string()), pa.array([sink.getvalue().to_pybytes()], pa.binary())]
                yield pa.record_batch(packed, [_NAME, "batch"])
