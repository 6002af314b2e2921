"""Rows of Spark in this process: a batch at a time, never a table."""

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from headwater.lake.session.settings import while_set
from headwater.store.db.session import Row

_ROWS = 10_000
# Tasks run one after the other, so they are to be few. But what one reads comes to this process as a whole, and so does
# what the next one reads: so they are not to be large. That there are many small files does not matter.
_SETTINGS = {
    "spark.sql.files.maxPartitionBytes": str(8 * 1024 * 1024),
    "spark.sql.files.openCostInBytes": str(128 * 1024),
}


def rows(frames: Mapping[str, DataFrame], tasks: int | None = None) -> Iterator[tuple[str, list[Row]]]:
    """The rows of frames, each with the frame's name, as executors read them: one frame after another.

    Spark gives rows to this process one by one, which is slow; so each row that it gives holds a whole batch. And it
    plans all frames at once. Where they are small, `tasks` has them read in so many at most, since a task costs more
    than it reads.
    """
    if not frames:
        return
    packed = [
        frame.mapInArrow(_packed, "batch binary").select(sf.lit(name).alias("name"), "batch")
        for name, frame in frames.items()
    ]
    every = reduce(DataFrame.unionAll, packed)
    with while_set(every.sparkSession, _SETTINGS):
        found = (every.coalesce(tasks) if tasks else every).toLocalIterator(prefetchPartitions=True)
    for row in found:
        with pa.ipc.open_stream(row.batch) as stream:
            for batch in stream:
                yield row["name"], list(zip(*(column.to_pylist() for column in batch.columns), strict=True))


def _packed(given: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for whole in given:
        for start in range(0, whole.num_rows, _ROWS):
            batch = whole.slice(start, _ROWS)
            sink = pa.BufferOutputStream()
            with pa.ipc.new_stream(sink, batch.schema) as stream:
                stream.write_batch(batch)
            yield pa.record_batch([pa.array([sink.getvalue().to_pybytes()], pa.binary())], ["batch"])
