"""What shapes say, of the lake and of this run: whole, and in the short form that goes with events to the executors."""

from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from headwater.lake.frames import Work, union
from headwater.lake.lake import Lake
from headwater.pipeline.derive.name_rows import Named


@dataclass(frozen=True)
class Said:
    """All shapes, and what belongs to them."""

    shapes: DataFrame
    mentions: DataFrame
    symlinks: DataFrame
    datasets: DataFrame
    schemas: DataFrame

    @staticmethod
    def of(lake: Lake, named: Named) -> "Said":
        """What the lake has, and what is new."""

        def every(table: str, *columns: str) -> DataFrame:
            new = [named.new_rows[table]] if table in named.new_rows else []
            stored = [lake.read(table)] if not new or not lake.is_empty(table) else []
            return union(one.select(*columns) for one in (*new, *stored))

        return Said(
            every("shape", "id", "kind", "job", "streaming"),
            every(
                "mention", "shape", "role", "dataset", "said", "mapping", "schema", "lifecycle", "partial", "renamed"
            ),
            every("symlink", "shape", "alias", "physical"),
            every("dataset", "id", "namespace", "name"),
            every("schema", "id", "content"),
        )

    def with_shapes(self, work: Work, facts: DataFrame) -> DataFrame:
        """Facts with what their shapes say, as text: it is read once by each Python process, and remembered."""
        names = self.datasets.select(sf.col("id").alias("dataset"), "namespace", "name")
        mention = sf.struct(
            sf.col("role").alias("r"),
            sf.col("dataset").alias("d"),
            sf.col("namespace").alias("n"),
            sf.col("name").alias("e"),
            sf.col("said").alias("s"),
            sf.col("mapping").alias("m"),
            sf.col("lifecycle").alias("l"),
            sf.col("partial").alias("p"),
            sf.col("renamed").alias("f"),
        )
        wanted = facts.select("shape").distinct()
        listed = self.mentions.join(wanted, "shape", "left_semi").join(names, "dataset")
        listed = listed.groupBy("shape").agg(sf.collect_list(mention).alias("mentions"))
        shapes = self.shapes.withColumnRenamed("id", "shape").join(wanted, "shape", "left_semi")
        shapes = shapes.join(listed, "shape", "left")
        mentions = sf.coalesce(sf.to_json("mentions"), sf.lit("[]"))
        parts = sf.concat_ws(",", "kind", "job", "streaming", mentions)
        said = shapes.select("shape", sf.concat(sf.lit("["), parts, sf.lit("]")).alias("said"))
        # Written down, so that Spark knows how small it is.
        return facts.join(work.keep("said", said), "shape")
