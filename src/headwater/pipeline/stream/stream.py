"""A stream into a lake: a growing directory or a topic, batch by batch, each of them once.

Spark says which input belongs to which batch, and says the same again after a crash. The lake's state remembers the
last batch of each stream, in the same commit as the batch's rows: one that is there already is passed over.
"""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery
from pyspark.sql.streaming.readwriter import DataStreamWriter

from headwater.lake.errors import LakeChanged
from headwater.lake.failures import PipelineError, sentence, spark_said_plainly
from headwater.lake.lake import Lake
from headwater.lake.paths import NAMES, find, to_follow
from headwater.lake.snapshots import STREAMS
from headwater.pipeline.land.land import LINES, kafka_options, lines, messages
from headwater.pipeline.land.sources import SourceKind, source_of
from headwater.pipeline.report import Report
from headwater.pipeline.run import run_once
from headwater.pipeline.stages import Stages
from headwater.pipeline.stream.checkpoint import open_checkpoint

_LOOK_SECONDS = 1
_TRIES = 3
# A file is read however old it is: Spark would pass over those that are a week older than the newest, and say nothing.
_ANY_AGE = "36500d"


@dataclass(frozen=True)
class StreamOptions:
    """How a stream runs.

    Attributes:
        interval: how often to look for input, as Spark writes it; None ends the stream with the input that is there.
        most_files: how many files a batch has at most.
        options: what Spark's reader is told.
        format: how a new lake keeps its tables.
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
    """Take a source into a lake as it grows, until `stopping` is set or, where no interval is given, to its end.

    Args:
        spark: the session.
        source: a directory, a pattern of directories, or `kafka:topic`.
        lake: where the lake is; made where there is none.
        checkpoint: the directory of the stream's memory; the same again goes on where the last one ended.
        options: how to run.
        stopping: set it to stop after the batch that is being worked on.
        done: told the report of each batch.
        begun: told each stage of each batch.

    Raises:
        PipelineError: the source, the checkpoint or a batch is at fault; says what to do.
        LakeError: the lake cannot be written.
    """
    chosen = options or StreamOptions()
    stopping = stopping or threading.Event()
    Lake.open(spark, lake, format=chosen.format)
    kept = open_checkpoint(spark, checkpoint, source)
    work = _Batches(spark, lake, chosen.format, kept.stream, stopping, done, begun)
    with spark_said_plainly():
        writer = _landing(spark, source, chosen).writeStream.foreachBatch(work)
        query = _triggered(writer, chosen).option("checkpointLocation", kept.location).start()
    _wait(query, work, stopping)


def _landing(spark: SparkSession, name: str, chosen: StreamOptions) -> DataFrame:
    """A frame of lines that grows."""
    source = source_of(name)
    if source.kind is SourceKind.KAFKA:
        return messages(spark.readStream.format("kafka").options(**kafka_options(source, chosen.options)).load())
    if source.kind is not SourceKind.FILES:
        raise PipelineError(
            f"Cannot stream {name}: a stream reads a directory or kafka:TOPIC. Use `headwater pipeline run` instead."
        )
    found = find(spark, name)
    if not all(one.is_directory for one in found):
        raise PipelineError(f"Cannot stream {name}, which is a file: name its directory.")
    reader = spark.readStream.options(**LINES).option("pathGlobFilter", NAMES).option("maxFileAge", _ANY_AGE)
    if chosen.most_files is not None:
        reader = reader.option("maxFilesPerTrigger", chosen.most_files)
    return lines(reader.options(**chosen.options).text(to_follow(name, found)))


def _triggered(writer: DataStreamWriter, chosen: StreamOptions) -> DataStreamWriter:
    if chosen.interval is None:
        return writer.trigger(availableNow=True)
    return writer.trigger(processingTime=chosen.interval)


@dataclass
class _Batches:
    """What Spark calls with each batch."""

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
        """One batch; Spark takes it as done when this returns."""
        with self.busy:
            if self.stopping.is_set():
                raise PipelineError("Stopping the stream.")
            try:
                self._take(frame, number)
            except Exception as error:
                # Spark would hand on no more than the text of it.
                self.failed = error
                raise

    def _take(self, frame: DataFrame, number: int) -> None:
        for left in reversed(range(_TRIES)):
            lake = Lake.open(self.spark, self.lake, format=self.format)
            batches = dict(lake.snapshot.note.get(STREAMS, {}))
            last = int(batches.get(self.stream, -1))
            if number <= last:
                return  # it was committed, and the process ended before Spark could note that
            if number > last + 1:
                raise PipelineError(
                    f"The lake {self.lake} lacks batches of this stream after batch {last}: it is another lake, or"
                    " an older copy. Start the stream with a new --checkpoint directory; it reads its input from"
                    " the beginning and skips the events that the lake already has."
                )
            batches[self.stream] = number
            try:
                # The frame belongs to a session of the stream's own; what is derived is better planned in ours.
                report = run_once(self.spark, lake, frame, note={STREAMS: batches}, stages=Stages(self.begun))
            except LakeChanged:
                if not left:
                    raise
            else:
                self.done(report)
                return


def _wait(query: StreamingQuery, work: _Batches, stopping: threading.Event) -> None:
    """Wait for the end: the stream's own, or the one that is asked for."""
    try:
        while not stopping.is_set():
            if query.awaitTermination(_LOOK_SECONDS):
                return
        # The batch that is being worked on is finished first; one that would follow sees that it must not begin.
        with work.busy:
            pass
        query.stop()
    except StreamingQueryException as error:
        if work.failed is not None:
            raise work.failed from None
        if not stopping.is_set():
            raise PipelineError(sentence(str(error))) from error
    except BaseException:
        query.stop()
        raise
