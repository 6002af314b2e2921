"""All shapes, the lake's and this run's: as tables, and in the short form that travels with events to the executors."""

from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from headwater.lake.frames import Work, union
from headwater.lake.lake import Lake
from headwater.pipeline.derive.names import Named

SHORT_NAMES = {
    "r": "role", "d": "dataset", "n": "namespace", "e": "name", "s": "said", "m": "mapping", "l": "lifecycle",
    "p": "partial", "f": "renamed",
}  # fmt: skip
"""The columns of a mention as the text of a shape names them: it travels with every event."""
MADE_OF_NAMES = {"d": "dataset", "j": "job", "s": "source", "n": "namespace", "e": "name"}
"""Those of what a shape states that a dataset is made of, with the name of the job."""


@dataclass(frozen=True)
class ShapeTables:
    """Shapes and what belongs to them, stored and new."""

    shapes: DataFrame
    mentions: DataFrame
    symlinks: DataFrame
    made_of: DataFrame
    jobs: DataFrame
    datasets: DataFrame
    schemas: DataFrame

    @staticmethod
    def of(lake: Lake, named: Named) -> "ShapeTables":
        """Join the lake's rows with the new ones."""

        def every(table: str, *columns: str) -> DataFrame:
            new = [named.new_rows[table]] if table in named.new_rows else []
            stored = [lake.read(table)] if not new or not lake.is_empty(table) else []
            return union(rows.select(*columns) for rows in (*new, *stored))

        return ShapeTables(
            every("shape", "id", "kind", "job", "streaming"),
            every(
                "mention", "shape", "role", "dataset", "said", "mapping", "schema", "lifecycle", "partial", "renamed"
            ),
            every("symlink", "shape", "alias", "physical"),
            every("made_of", "shape", "dataset", "job", "source"),
            every("job", "id", "namespace", "name"),
            every("dataset", "id", "namespace", "name"),
            every("schema", "id", "content"),
        )

    def with_shapes(self, work: Work, facts: DataFrame) -> DataFrame:
        """Facts with their shapes as text, which each Python process parses once and caches."""
        names = self.datasets.select(sf.col("id").alias("dataset"), "namespace", "name")
        mention = sf.struct(*(sf.col(name).alias(short) for short, name in SHORT_NAMES.items()))
        needed = work.few.here(facts.select("shape").distinct())
        listed = self.mentions.join(needed, "shape", "left_semi").join(names, "dataset")
        listed = listed.groupBy("shape").agg(sf.collect_list(mention).alias("mentions"))
        shapes = self.shapes.withColumnRenamed("id", "shape").join(needed, "shape", "left_semi")
        shapes = shapes.join(listed, "shape", "left")
        jobs = self.jobs.select(sf.col("id").alias("job"), "namespace", "name")
        made = sf.struct(*(sf.col(name).alias(short) for short, name in MADE_OF_NAMES.items()))
        made_of = self.made_of.join(needed, "shape", "left_semi").join(jobs, "job", "left")
        shapes = shapes.join(made_of.groupBy("shape").agg(sf.collect_list(made).alias("made_of")), "shape", "left")
        lists = (sf.coalesce(sf.to_json(name), sf.lit("[]")) for name in ("mentions", "made_of"))
        parts = sf.concat_ws(",", "kind", "job", "streaming", *lists)
        texts = shapes.select("shape", sf.concat(sf.lit("["), parts, sf.lit("]")).alias("shape_text"))
        # Materialized, so that Spark knows how small it is.
        return facts.join(work.keep("shape-texts", texts), "shape")
