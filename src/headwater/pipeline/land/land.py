"""Land: sources, as users name them, become one frame of lines with the columns of `rows.LANDED`."""

import functools
from collections.abc import Mapping, Sequence

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from headwater.lake.failures import PipelineError, plain_spark_errors
from headwater.lake.paths import NAMES, absolute, check_names, check_not_empty, find, literally
from headwater.pipeline.land.sources import Source, SourceKind, source_of
from headwater.pipeline.land.stores import land_store

_TEXTUAL = ("string", "binary")
_DEFAULT_COLUMN = "value"
LINES = {"lineSep": "\n", "recursiveFileLookup": "true"}
"""How Spark reads lines: only a line feed ends one, and folder names are no columns."""
BOOTSTRAP = "kafka.bootstrap.servers"


def land(
    spark: SparkSession,
    names: Sequence[str],
    *,
    column: str | None = None,
    options: Mapping[str, str] | None = None,
    spooled: str | None = None,
) -> DataFrame:
    """The lines of all sources.

    Args:
        spark: the session to read with.
        names: the sources, as on the command line.
        column: of tables, the column that holds an event's JSON text.
        options: for Spark's readers of tables and topics.
        spooled: the file that holds standard input.

    Raises:
        PipelineError: a source does not exist, or is empty.
    """
    reader_options = dict(options or {})
    sources = [source_of(name) for name in dict.fromkeys(names)]
    frames: list[DataFrame] = []
    for source in sources:
        if source.kind is SourceKind.STORE:
            frames.append(land_store(spark, source.place))
        elif source.kind is SourceKind.KAFKA:
            frames.append(messages(_load(spark, source, kafka_options(source, reader_options))))
        elif source.kind is SourceKind.INPUT:
            if spooled is None:
                raise PipelineError("Standard input can be read only once: use - only on the command line.")
            frames.append(lines(_reader(spark).text(literally(spooled))).withColumn("source", sf.lit("-")))
        elif source.kind is not SourceKind.FILES:
            frames.append(_table(_load(spark, source, reader_options), source, column))
    patterns = [source.place for source in sources if source.kind is SourceKind.FILES]
    if patterns:
        frames = [*_all_files(spark, patterns), *frames]
    if not frames:
        raise PipelineError("Nothing to read: name a source.")
    return functools.reduce(DataFrame.unionAll, frames)


def _all_files(spark: SparkSession, names: Sequence[str]) -> list[DataFrame]:
    """All files in one frame, and a frame for each directory."""
    matches = [(name, entry) for name in names for entry in find(spark, name)]
    files = list(dict.fromkeys(entry for _, entry in matches if not entry.is_directory))
    check_names(files)
    frames = [lines(_reader(spark).text([literally(entry.path) for entry in files]))] if files else []
    for name, entry in dict.fromkeys(matches):
        if entry.is_directory:
            frame = _reader(spark).option("pathGlobFilter", NAMES).text(literally(entry.path))
            check_not_empty(frame, name)
            frames.append(lines(frame))
    return frames


def _reader(spark: SparkSession):  # type: ignore[no-untyped-def]  # noqa: ANN202  PySpark's own
    return spark.read.options(**LINES)


def lines(text: DataFrame) -> DataFrame:
    """Landed lines from a frame of text: the raw bytes, and where they stand."""
    return text.select(
        sf.col("value").cast("binary").alias("raw"),
        sf.col("_metadata.file_path").alias("source"),
        sf.col("_metadata.file_block_start").alias("block"),
        sf.lit(None).cast("bigint").alias("at"),
    )


def messages(topic: DataFrame) -> DataFrame:
    """Landed lines from a frame of Kafka messages."""
    return topic.select(
        sf.col("value").alias("raw"),
        sf.concat_ws("-", "topic", "partition").alias("source"),
        sf.lit(None).cast("bigint").alias("block"),
        sf.col("offset").alias("at"),
    )


def kafka_options(source: Source, options: Mapping[str, str]) -> dict[str, str]:
    """Spark's options to read a topic, by default from its beginning.

    Raises:
        PipelineError: no Kafka server is given.
    """
    if BOOTSTRAP not in options:
        raise PipelineError(f"No Kafka server given for the topic {source.place}: add --option {BOOTSTRAP}=host:9092.")
    return {"subscribe": source.place, "startingOffsets": "earliest", **options}


def _load(spark: SparkSession, source: Source, options: Mapping[str, str]) -> DataFrame:
    """A table or a topic as Spark reads it."""
    name = f"{source.kind.value}:{source.place}"
    try:
        with plain_spark_errors():
            if source.kind is SourceKind.KAFKA:
                return spark.read.format("kafka").options(**options).load()
            if source.kind is SourceKind.PARQUET:
                paths = [literally(entry.path) for entry in find(spark, source.place)]
                return spark.read.options(**options).parquet(*paths)
            if source.is_path:
                return spark.read.format(source.kind.value).options(**options).load(absolute(source.place))
            return spark.read.options(**options).table(source.place)
    except PipelineError as error:
        if isinstance(error.__cause__, AnalysisException):
            message = str(error.__cause__).splitlines()[0]
            raise PipelineError(f"Cannot read the source {name}: {message}") from error
        raise


def _table(frame: DataFrame, source: Source, column: str | None) -> DataFrame:
    name = f"{source.kind.value}:{source.place}"
    chosen = _column(dict(frame.dtypes), name, column)
    file = sf.col("_metadata.file_path") if source.kind is SourceKind.PARQUET else sf.lit(name)
    return frame.select(
        sf.col(f"`{chosen}`").cast("binary").alias("raw"),
        file.alias("source"),
        sf.lit(None).cast("bigint").alias("block"),
        sf.lit(None).cast("bigint").alias("at"),
    )


def _column(types: Mapping[str, str], table: str, requested: str | None) -> str:
    """The column that holds the events.

    >>> _column({"day": "date", "event": "string"}, "t", None)
    'event'
    """
    textual = [name for name, kind in types.items() if kind in _TEXTUAL]
    chosen = requested or (textual[0] if len(textual) == 1 else _DEFAULT_COLUMN)
    if chosen not in textual:
        known = ", ".join(f"{name} {kind}" for name, kind in types.items())
        problem = f"has no text or binary column {requested}" if requested else "has no obvious event column"
        raise PipelineError(f"{table} {problem}: choose one with --column. Columns: {known}.")
    return chosen
