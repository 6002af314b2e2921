"""Streams a growing directory or a topic into a lake, batch by batch, each exactly once.

Spark assigns input to batches, and assigns the same again after a crash. The lake's snapshot records the last batch of
each stream in the commit of the batch's rows: a batch that is there already is skipped.
"""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery
from pyspark.sql.streaming.readwriter import DataStreamWriter

from headwater.lake.errors import LakeChanged
from headwater.lake.failures import PipelineError, explain, plain_spark_errors
from headwater.lake.lake import Lake
from headwater.lake.paths import NAMES, find, stream_path
from headwater.lake.snapshots import STREAMS
from headwater.pipeline.land.land import LINES, kafka_options, lines, messages
from headwater.pipeline.land.sources import SourceKind, source_of
from headwater.pipeline.report import Report
from headwater.pipeline.run import run_once
from headwater.pipeline.stages import Stages
from headwater.pipeline.stream.checkpoint import open_checkpoint

_LOOK_SECONDS = 1
_TRIES = 3
# Read files of any age: Spark would silently skip those that are a week older than the newest.
_ANY_AGE = "36500d"


@dataclass(frozen=True)
class StreamOptions:
    """How a stream runs.

    Attributes:
        interval: how often to look for input, in Spark's syntax; None ends the stream with the input that is there.
        most_files: the most files in a batch.
        options: for Spark's reader.
        format: of a new lake's tables.
    """

    interval: str | None = "10 seconds"
    most_files: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    format: str | None = None


def stream(  # noqa: PLR0913  a stream's parts
    spark: SparkSession,
    source: str,
    lake: str,
    checkpoint: str,
    *,
    options: StreamOptions | None = None,
    stopping: threading.Event | None = None,
    done: Callable[[Report], None] = lambda _report: None,
    begun: Callable[[str], None] = lambda _stage: None,
) -> None:
    """Stream a growing source into a lake, until `stopping` is set or, without an interval, to the source's end.

    Args:
        spark: the session.
        source: a directory, a pattern of directories, or `kafka:topic`.
        lake: the path of the lake, created if missing.
        checkpoint: the directory of the stream's state; a stream with the same one resumes where the last ended.
        options: how to run.
        stopping: set it to stop after the current batch.
        done: called with the report of each batch.
        begun: called with the name of each stage.

    Raises:
        PipelineError: the source, the checkpoint or a batch is at fault.
        LakeError: the lake cannot be written.
    """
    chosen = options or StreamOptions()
    stopping = stopping or threading.Event()
    Lake.open(spark, lake, format=chosen.format)
    opened = open_checkpoint(spark, checkpoint, source)
    work = _Batches(spark, lake, chosen.format, opened.stream, stopping, done, begun)
    with plain_spark_errors():
        writer = _landing(spark, source, chosen).writeStream.foreachBatch(work)
        query = _triggered(writer, chosen).option("checkpointLocation", opened.location).start()
    _wait(query, work, stopping)


def _landing(spark: SparkSession, name: str, chosen: StreamOptions) -> DataFrame:
    """A streaming frame of lines."""
    source = source_of(name)
    if source.kind is SourceKind.KAFKA:
        return messages(spark.readStream.format("kafka").options(**kafka_options(source, chosen.options)).load())
    if source.kind is not SourceKind.FILES:
        raise PipelineError(
            f"Cannot stream {name}: a stream reads a directory or kafka:TOPIC. Use `headwater pipeline run` instead."
        )
    entries = find(spark, name)
    if not all(entry.is_directory for entry in entries):
        raise PipelineError(f"Cannot stream {name}, which is a file: name its directory.")
    reader = spark.readStream.options(**LINES).option("pathGlobFilter", NAMES).option("maxFileAge", _ANY_AGE)
    if chosen.most_files is not None:
        reader = reader.option("maxFilesPerTrigger", chosen.most_files)
    return lines(reader.options(**chosen.options).text(stream_path(name, entries)))


def _triggered(writer: DataStreamWriter, chosen: StreamOptions) -> DataStreamWriter:
    if chosen.interval is None:
        return writer.trigger(availableNow=True)
    return writer.trigger(processingTime=chosen.interval)


@dataclass
class _Batches:
    """Spark's callback for each batch."""

    spark: SparkSession
    lake: str
    format: str | None
    stream: str
    stopping: threading.Event
    done: Callable[[Report], None]
    begun: Callable[[str], None]
    busy: threading.Lock = field(default_factory=threading.Lock)
    failed: Exception | None = None

    def __call__(self, frame: DataFrame, number: int) -> None:
        """Write one batch; Spark counts it as done when this returns."""
        with self.busy:
            if self.stopping.is_set():
                raise PipelineError("Stopping the stream.")
            try:
                self._take(frame, number)
            except Exception as error:
                # Spark passes on only its text.
                self.failed = error
                raise

    def _take(self, frame: DataFrame, number: int) -> None:
        for left in reversed(range(_TRIES)):
            lake = Lake.open(self.spark, self.lake, format=self.format)
            batches = dict(lake.snapshot.note.get(STREAMS, {}))
            last = int(batches.get(self.stream, -1))
            if number <= last:
                return  # committed, but the process ended before Spark noted it
            if number > last + 1:
                raise PipelineError(
                    f"The lake {self.lake} lacks batches of this stream after batch {last}: it is another lake, or"
                    " an older copy. Start the stream with a new --checkpoint directory; it reads its input from"
                    " the beginning and skips the events that the lake already has."
                )
            batches[self.stream] = number
            try:
                # The frame belongs to the stream's own session; ours has the settings for deriving.
                report = run_once(self.spark, lake, frame, note={STREAMS: batches}, stages=Stages(self.begun))
            except LakeChanged:
                if not left:
                    raise
            else:
                self.done(report)
                return


def _wait(query: StreamingQuery, work: _Batches, stopping: threading.Event) -> None:
    """Wait until the stream ends or is stopped."""
    try:
        while not stopping.is_set():
            if query.awaitTermination(_LOOK_SECONDS):
                return
        # The current batch finishes first; a following one sees the flag and does not begin.
        with work.busy:
            pass
        query.stop()
    except StreamingQueryException as error:
        if work.failed is not None:
            raise work.failed from None
        if not stopping.is_set():
            raise PipelineError(explain(str(error))) from error
    except BaseException:
        query.stop()
        raise
