"""The events of a store, read by Spark's executors: each a range of time, by the store's own reading."""

import json
import logging
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any
from urllib.parse import quote

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from headwater.lake.failures import PipelineError
from headwater.pipeline.validate.rows import LANDED
from headwater.store import Session, open_store
from headwater.store.errors import without_password

_EVENTS_OF_A_RANGE = 20_000
_BATCH = 500
_LAST = "SELECT us FROM event WHERE us > :after ORDER BY us LIMIT 1 OFFSET :more"
_FIRST = "SELECT min(us), max(us) FROM event"
_DROPPED = "SELECT 1 FROM event WHERE rest IS NULL LIMIT 1"
_log = logging.getLogger(__name__)


def land_store(spark: SparkSession, url: str) -> DataFrame:
    """The lines of a store's events.

    Raises:
        PipelineError: there is nothing in it.
        StoreError: it cannot be opened.
    """
    name = without_password(url)
    # What is not there is not made.
    with open_store(url) as store, store.read() as session:
        ranges = list(ranges_of(session))
        if session.rows(_DROPPED):
            _log.warning("Some events of %s lost their raw text to `headwater vacuum` and cannot be read again.", name)
    if not ranges:
        raise PipelineError(f"The store {name} contains no events.")
    if path := getattr(store.database, "path", None):
        # A relative path would be another one in a worker's own directory.
        url = f"sqlite:///{quote(str(path))}"
    # Each range by a task of its own.
    spread = spark.sparkContext.parallelize(ranges, len(ranges))
    return spark.createDataFrame(spread, "since bigint, until bigint").mapInArrow(_reading(url, name), LANDED)


def ranges_of(session: Session, size: int = _EVENTS_OF_A_RANGE) -> Iterator[tuple[int, int]]:
    """The times that a store has events of, in ranges of about so many; both ends belong to a range."""
    ((first, last),) = session.rows(_FIRST)
    if first is None:
        return
    since = first
    while since <= last:
        rows = session.rows(_LAST, after=since - 1, more=size - 1)
        until = rows[0][0] if rows else last
        yield since, until
        since = until + 1


def _reading(url: str, name: str) -> Callable[[Iterable[Any]], Iterator[Any]]:
    # The URL goes along in the function, not in the frame: Spark shows what a frame holds.
    def read(batches: Iterable[Any]) -> Iterator[Any]:
        with open_store(url, idle=1) as store:
            for batch in batches:
                for row in batch.to_pylist():
                    events = store.events(row["since"], row["until"])
                    while some := list(islice(events, _BATCH)):
                        yield _lines([json.dumps(event).encode() for event in some], name)

    return read


def _lines(raw: list[bytes], name: str) -> Any:  # noqa: ANN401  PyArrow has no types
    nothing = pa.nulls(len(raw), pa.int64())
    columns = [pa.array(raw, pa.binary()), pa.array([name] * len(raw), pa.string()), nothing, nothing]
    return pa.RecordBatch.from_arrays(columns, ["raw", "source", "block", "at"])
