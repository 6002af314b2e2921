"""Frames of a few rows, in this process.

A frame in files costs a job that writes them, a list of them, and a job for each join that needs it as a whole, which
for a few rows is nearly all that it costs. What is in this process, Spark's planner reads without a job.
"""

from typing import Any
from weakref import WeakKeyDictionary

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

FEW_ROWS = 50_000
"""How many rows a frame may have in this process."""
# A plan that adapts runs each of its stages as a job of its own, and plans the rest anew after each. What comes from
# this process is one task.
_SETTINGS = {"spark.sql.adaptive.enabled": "false", "spark.sql.leafNodeDefaultParallelism": "1"}
# To compile plans and expressions takes longer than to interpret them, unless there are many rows to look through.
_INTERPRETED = {"spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN"}
_PARTITIONS = "spark.sql.shuffle.partitions"
_LONG_BYTES = 4_000_000


def settings_for_few(spark: SparkSession, history: DataFrame | None) -> dict[str, str]:
    """Settings for many short queries over a few rows, and a table that says how long the history is."""
    cores = spark.sparkContext.defaultParallelism
    own = {
        _PARTITIONS: str(min(cores, int(spark.conf.get(_PARTITIONS) or cores))),
        "spark.sql.files.minPartitionNum": str(cores),
    }
    is_long = history is not None and _bytes_of(history) > _LONG_BYTES
    return {**_SETTINGS, **own, **({} if is_long else _INTERPRETED)}


def _bytes_of(files: DataFrame) -> int:
    return int(str(files._jdf.queryExecution().optimizedPlan().stats().sizeInBytes()))  # noqa: SLF001  by the list of files


class Few:
    """Brings frames here, where they have few rows; where it is off, none."""

    def __init__(self, spark: SparkSession, *, on: bool = True) -> None:
        # Only Spark 4 brings frames here as they are.
        self.on = on and hasattr(DataFrame, "toArrow")
        self._spark = spark
        self._counts: WeakKeyDictionary[DataFrame, int] = WeakKeyDictionary()

    def table(self, rows: DataFrame) -> Any:  # noqa: ANN401  PyArrow has no types
        """The rows as an Arrow table; None where they are not few."""
        if not self.on:
            return None
        table = rows.limit(FEW_ROWS + 1).toArrow()
        return table if table.num_rows <= FEW_ROWS else None

    def frame(self, table: Any, schema: StructType) -> DataFrame:  # noqa: ANN401  as above
        """A frame of an Arrow table."""
        # PySpark takes no column of lists without a part, which an empty table may be.
        frame = self._spark.createDataFrame(table if table.num_rows else table.schema.empty_table(), schema)
        self._counts[frame] = table.num_rows
        return frame

    def here(self, rows: DataFrame) -> DataFrame:
        """The same rows; here where they are few, so that a join need not look for them again."""
        if rows in self._counts:
            return rows
        table = self.table(rows)
        return rows if table is None else self.frame(table, rows.schema)

    def count(self, rows: DataFrame) -> int | None:
        """How many rows a frame has that is here; None for another."""
        return self._counts.get(rows)
