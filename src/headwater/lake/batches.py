"""Spark's rows in this process, a batch at a time, never a whole table."""

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from headwater.lake.session.settings import while_set
from headwater.store.db.session import Row

_ROWS = 10_000
# Tasks run one after the other, so few are better. But the output of a task reaches this process as a whole, together
# with that of the next: so they must not be large. Many small files do not matter.
_SETTINGS = {
    "spark.sql.files.maxPartitionBytes": str(8 * 1024 * 1024),
    "spark.sql.files.openCostInBytes": str(128 * 1024),
}


def rows(frames: Mapping[str, DataFrame], tasks: int | None = None) -> Iterator[tuple[str, list[Row]]]:
    """The rows of frames in batches, each with the frame's name, one frame after another.

    Spark hands rows over one by one, which is slow: so each holds a whole batch. One plan covers all frames. `tasks`
    limits the tasks for small frames, where a task costs more than it reads.
    """
    if not frames:
        return
    packed = [
        frame.mapInArrow(_pack, "batch binary").select(sf.lit(name).alias("name"), "batch")
        for name, frame in frames.items()
    ]
    every = reduce(DataFrame.unionAll, packed)
    with while_set(every.sparkSession, _SETTINGS):
        packed_rows = (every.coalesce(tasks) if tasks else every).toLocalIterator(prefetchPartitions=True)
    for row in packed_rows:
        with pa.ipc.open_stream(row.batch) as stream:
            for batch in stream:
                yield row["name"], list(zip(*(column.to_pylist() for column in batch.columns), strict=True))


def _pack(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for whole in batches:
        for start in range(0, whole.num_rows, _ROWS):
            batch = whole.slice(start, _ROWS)
            sink = pa.BufferOutputStream()
            with pa.ipc.new_stream(sink, batch.schema) as stream:
                stream.write_batch(batch)
            yield pa.record_batch([pa.array([sink.getvalue().to_pybytes()], pa.binary())], ["batch"])
