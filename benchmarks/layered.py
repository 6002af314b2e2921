"""A lake whose columns stand in layers, each made of some columns of the layer below; made by Spark, without events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark.sql import functions as sf

from headwater.lake.lake import Change, Lake
from headwater.store.db.codes import FIELD_BITS, FOREVER

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import Column, DataFrame, SparkSession

COLUMNS = 20
"""Of each dataset, which one job writes."""
_STEPS = ("IDENTITY", "TRANSFORMATION", "AGGREGATION")


@dataclass(frozen=True)
class Layered:
    """The graph: the columns of the first layer are roots."""

    edges: int
    layers: int = 10
    parents: int = 2

    @property
    def width(self) -> int:
        """Columns of a layer: whole datasets."""
        return max(1, round(self.edges / (self.layers - 1) / self.parents / COLUMNS)) * COLUMNS

    def edge_rows(self, spark: SparkSession) -> DataFrame:
        """The rows of the table edge; a column's parents are chosen by chance, and may be the same."""
        above = spark.range(self.width, self.width * self.layers).toDF("at")
        each = above.select("at", sf.explode(sf.sequence(sf.lit(0), sf.lit(self.parents - 1))).alias("ordinal"))
        below = sf.floor(sf.col("at") / self.width) * self.width - self.width
        place = sf.pmod(sf.xxhash64("at", "ordinal"), sf.lit(self.width))
        return each.select(
            _dataset(sf.col("at")).alias("mapping"),
            _field(sf.col("at")).alias("out_field"),
            "ordinal",
            _field(below + place).alias("in_field"),
            (sf.pmod(sf.xxhash64("ordinal", "at"), sf.lit(len(_STEPS))) + 1).alias("step"),
            sf.lit("").alias("description"),
        )


def make_lake(spark: SparkSession, folder: Path, graph: Layered) -> Lake:
    """The graph as a lake, with one commit."""
    lake = Lake.open(spark, str(folder))
    columns = spark.range(graph.width * graph.layers).toDF("at")
    field = columns.select(
        _field(sf.col("at")).alias("id"),
        _dataset(sf.col("at")).alias("dataset"),
        sf.md5(sf.concat(sf.lit("c"), sf.col("at") % COLUMNS)).cast("binary").alias("key"),
        sf.concat(sf.lit("c"), sf.col("at") % COLUMNS).alias("path"),
        sf.lit("bigint").alias("type"),
        sf.lit("").alias("description"),
        (sf.col("at") % COLUMNS).alias("position"),
    )
    dataset = spark.range(1, graph.width * graph.layers // COLUMNS + 1).select(
        "id",
        sf.md5(sf.col("id").cast("string")).cast("binary").alias("key"),
        sf.lit(0).alias("tail"),
        sf.lit("s3://lake").alias("namespace"),
        sf.concat(sf.lit("layered/t"), "id").alias("name"),
        sf.lit(COLUMNS).alias("fields"),
        sf.lit(None).alias("schema"),
    )
    written = dataset.where(sf.col("id") > graph.width // COLUMNS)
    job = written.select("id", "key", "tail", sf.lit("jobs").alias("namespace"), "name")
    digest = sf.col("key")
    mapping = written.select(
        "id",
        digest.alias("hash"),
        sf.col("id").alias("dataset"),
        digest.alias("structure"),
        digest.alias("text"),
        digest.alias("stamp"),
        sf.lit(None).alias("origin"),
    )
    slot = written.select(
        sf.col("id").alias("dataset"),
        sf.lit(FOREVER).alias("until_us"),
        sf.col("id").alias("job"),
        sf.lit(0).alias("from_us"),
        sf.col("id").alias("mapping"),
        sf.lit(None).alias("inputs"),
    )
    step = spark.createDataFrame(
        [(number, bytes([number]), "DIRECT", name, 0) for number, name in enumerate(_STEPS, start=1)],
        "id bigint, hash binary, type string, subtype string, masking smallint",
    )
    frames = {"field": field, "dataset": dataset, "job": job, "mapping": mapping, "slot": slot, "step": step}
    lake.commit({name: Change(frame) for name, frame in (frames | {"edge": graph.edge_rows(spark)}).items()}, {})
    return lake


def _dataset(at: Column) -> Column:
    return (sf.floor(at / COLUMNS) + 1).cast("bigint")


def _field(at: Column) -> Column:
    return sf.shiftleft(_dataset(at), FIELD_BITS) + at % COLUMNS + 1
