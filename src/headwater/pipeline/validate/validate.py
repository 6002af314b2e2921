"""Validate: every line that landed becomes an event to derive from or a row of the quarantine, in one pass."""

from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as sf

from headwater.lake.failures import spark_said_plainly
from headwater.lake.session.settings import while_set
from headwater.pipeline.validate import rows
from headwater.pipeline.validate.lines import checked
from headwater.pipeline.validate.validated import Validated

# No file is passed over in silence. Rows come in small batches, since each may be large. Rows of four kinds go to four
# files at once, where Spark would otherwise sort all of them by kind first.
_SETTINGS = {
    "spark.sql.files.ignoreCorruptFiles": "false",
    "spark.sql.files.ignoreMissingFiles": "false",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "1000",
    "spark.sql.maxConcurrentOutputFileWriters": "8",
}


def validate(spark: SparkSession, landed: DataFrame, folder: str) -> Validated:
    """Check all that landed.

    Args:
        spark: the session that goes on with the result.
        landed: lines, as `rows.LANDED` has them.
        folder: where to write the result; what is there is replaced.

    Raises:
        PipelineError: the input cannot be read, or the result not be written; in one sentence.
    """
    with spark_said_plainly(), while_set(landed.sparkSession, _SETTINGS):
        made = landed.mapInArrow(checked, rows.schema())
        made.write.mode("overwrite").partitionBy("what").parquet(folder)
    every = spark.read.schema(rows.schema()).parquet(folder)
    blocks = _of(every, rows.BLOCK)
    with spark_said_plainly():
        counted = blocks.agg(sf.sum("read"), sf.sum("bad")).first()
    read, bad = (int(value or 0) for value in counted or (0, 0))
    found = _of(every, rows.BAD)
    placed = _placed(found, blocks) if bad else found.drop("block")
    return Validated(_of(every, rows.EVENT), _of(every, rows.BODY), placed, read, bad)


def _of(every: DataFrame, what: str) -> DataFrame:
    return every.where(sf.col("what") == what).select(*(name for name, _ in rows.COLUMNS[what]))


def _placed(bad: DataFrame, blocks: DataFrame) -> DataFrame:
    """Bad events with their places in whole files: what comes before in their blocks, and in the blocks before."""
    before = Window.partitionBy("source").orderBy("block").rowsBetween(Window.unboundedPreceding, -1)
    # A file that was named twice was counted twice.
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
