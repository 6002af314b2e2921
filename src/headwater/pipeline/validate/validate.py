"""Validate: every landed line becomes an event to derive from or a row of the quarantine, in one pass."""

from dataclasses import dataclass
from functools import partial

from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as sf

from headwater.lake.failures import plain_spark_errors
from headwater.lake.session.settings import while_set
from headwater.lake.workers import in_python
from headwater.pipeline.validate import rows
from headwater.pipeline.validate.lines import check_lines
from headwater.store.ingest.redaction import keeps_secrets

# No file is skipped silently. Rows come in small batches, since each may be large. Rows of four kinds go to four files
# at once, where Spark would otherwise sort all of them by kind first.
_SETTINGS = {
    "spark.sql.files.ignoreCorruptFiles": "false",
    "spark.sql.files.ignoreMissingFiles": "false",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "1000",
    "spark.sql.maxConcurrentOutputFileWriters": "8",
}


@dataclass(frozen=True)
class Validated:
    """The result of validation.

    Attributes:
        events: hash, us, kind, type, run, stamp, body_hash, rest, parent, parent_job_namespace, parent_job_name and
            versions of each good event; the same event may be there more than once.
        bodies: hash, hash of the meaning, and content of the events' bodies; the same body may be there more than once.
        bad: source, offset, line, field, reason and bytes of each bad event.
        read: how many events were read.
        bad_count: how many of them are bad.
        bytes: how long the lines are together.
    """

    events: DataFrame
    bodies: DataFrame
    bad: DataFrame
    read: int
    bad_count: int
    bytes: int


def validate(spark: SparkSession, landed: DataFrame, folder: str) -> Validated:
    """Check all landed lines.

    Args:
        spark: the session that reads the result.
        landed: lines with the columns of `rows.LANDED`.
        folder: where to write the result, replacing what is there.

    Raises:
        PipelineError: the input cannot be read, or the result cannot be written.
    """
    with plain_spark_errors(), while_set(landed.sparkSession, _SETTINGS):
        results = in_python(landed, partial(check_lines, keep_secrets=keeps_secrets()), rows.schema())
        results.write.mode("overwrite").partitionBy("what").parquet(folder)
    every = spark.read.schema(rows.schema()).parquet(folder)
    blocks = _of_kind(every, rows.BLOCK)
    with plain_spark_errors():
        counted = blocks.agg(sf.sum("read"), sf.sum("bad"), sf.sum("offset")).first()
    read, bad, size = (int(value or 0) for value in counted or (0, 0, 0))
    bad_rows = _of_kind(every, rows.BAD)
    placed = _with_places(bad_rows, blocks) if bad else bad_rows.drop("block")
    return Validated(_of_kind(every, rows.EVENT), _of_kind(every, rows.BODY), placed, read, bad, size)


def _of_kind(every: DataFrame, kind: str) -> DataFrame:
    return every.where(sf.col("what") == kind).select(*(name for name, _ in rows.COLUMNS[kind]))


def _with_places(bad: DataFrame, blocks: DataFrame) -> DataFrame:
    """Bad events with their places in whole files: a place in a block plus the sizes of the blocks before it."""
    before = Window.partitionBy("source").orderBy("block").rowsBetween(Window.unboundedPreceding, -1)
    # A file that is named twice is counted twice.
    once = blocks.where("block is not null").dropDuplicates(["source", "block"])
    starts = once.select(
        "source",
        "block",
        sf.sum("offset").over(before).alias("bytes_before"),
        sf.sum("line").over(before).alias("lines"),
    )
    return bad.join(starts, ["source", "block"], "left").select(
        "source",
        (sf.col("offset") + sf.coalesce("bytes_before", sf.lit(0))).alias("offset"),
        (sf.col("line") + sf.coalesce("lines", sf.lit(0))).alias("line"),
        "field",
        "reason",
        "bytes",
    )
