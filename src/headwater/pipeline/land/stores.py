"""The events of a store, read by Spark's executors, each a range of time, with the store's own reader."""

import json
import logging
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any
from urllib.parse import quote

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from headwater.common.redaction.text import redact
from headwater.lake.failures import PipelineError
from headwater.lake.workers import in_python
from headwater.pipeline.validate.rows import LANDED
from headwater.store import Session, open_store
from headwater.store.reads.transfer import event_span, lacks_raw_text, time_of_event

_EVENTS_OF_A_RANGE = 20_000
_BATCH = 500
_log = logging.getLogger(__name__)


def land_store(spark: SparkSession, url: str) -> DataFrame:
    """The lines of a store's events.

    Raises:
        PipelineError: the store has no events.
        StoreError: it cannot be opened.
    """
    name = redact(url)
    # Opening creates no store.
    with open_store(url) as store, store.read() as session:
        ranges = list(ranges_of(session))
        if lacks_raw_text(session):
            _log.warning("Some events of %s lost their raw text to `headwater vacuum` and cannot be read again.", name)
    if not ranges:
        raise PipelineError(f"The store {name} contains no events: ingest some first, or name another source.")
    if path := getattr(store.database, "path", None):
        # A worker has another working directory.
        url = f"sqlite:///{quote(str(path))}"
    # A task for each range.
    spread = spark.sparkContext.parallelize(ranges, len(ranges))
    return in_python(spark.createDataFrame(spread, "since bigint, until bigint"), _reading(url, name), LANDED)


def ranges_of(session: Session, size: int = _EVENTS_OF_A_RANGE) -> Iterator[tuple[int, int]]:
    """The time span of a store's events, in inclusive ranges of about this many events."""
    span = event_span(session)
    if span is None:
        return
    since, last = span
    while since <= last:
        until = time_of_event(session, since - 1, size - 1)
        until = last if until is None else until
        yield since, until
        since = until + 1


def _reading(url: str, name: str) -> Callable[[Iterable[Any]], Iterator[Any]]:
    # The URL travels in the function, not in the frame: Spark shows what a frame holds.
    def read(batches: Iterable[Any]) -> Iterator[Any]:
        with open_store(url, idle=1) as store:
            for batch in batches:
                for row in batch.to_pylist():
                    events = store.events(row["since"], row["until"])
                    while chunk := list(islice(events, _BATCH)):
                        yield _lines([json.dumps(event).encode() for event in chunk], name)

    return read


def _lines(raw: list[bytes], name: str) -> Any:  # noqa: ANN401  PyArrow has no types
    nothing = pa.nulls(len(raw), pa.int64())
    columns = [pa.array(raw, pa.binary()), pa.array([name] * len(raw), pa.string()), nothing, nothing]
    return pa.RecordBatch.from_arrays(columns, ["raw", "source", "block", "at"])
