"""Close: for every column of a lake its roots upstream and how much it reaches downstream, at a moment.

The answers are those of `upstream` and `downstream` for each single column; a test holds them to that.
"""

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from headwater.lake.clock import latest_where_ahead
from headwater.lake.failures import plain_spark_errors
from headwater.lake.lake import Change, Lake
from headwater.pipeline.close.answers import REACH, ROOTS, reach, roots
from headwater.pipeline.close.arcs import arcs_as_of, materialize
from headwater.pipeline.close.edges import readable_edges
from headwater.pipeline.close.workers import pack_graph, walk_columns
from headwater.pipeline.stages import Stages
from headwater.query.graph.answer import Kind
from headwater.store.db.clock import Clock
from headwater.store.db.codes import FIELD_BITS, NOW

TOP = 20


@dataclass(frozen=True, slots=True)
class HotSpot:
    """A column that much else depends on."""

    namespace: str
    name: str
    field: str
    columns: int
    datasets: int
    jobs: int


@dataclass(frozen=True, slots=True)
class Closed:
    """The result of a close.

    Attributes:
        as_of: the moment in microseconds UTC; None for now.
        columns: how many columns the lake has.
        edges: steps between them, the rows of datasets included.
        orphans: how many columns nothing reads.
        pairs: rows of closure_root.
        hot_spots: the columns that most others depend on, in descending order.
        seconds: of each stage.
    """

    as_of: int | None
    columns: int
    edges: int
    orphans: int
    pairs: int
    hot_spots: tuple[HotSpot, ...]
    seconds: Mapping[str, float]

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON."""
        return {**asdict(self), "seconds": {name: round(duration, 3) for name, duration in self.seconds.items()}}


def close(lake: Lake, as_of: int | None = None, *, top: int = TOP, stages: Stages | None = None) -> Closed:
    """Write the lake's tables closure_root, closure_column and column_edge anew.

    Args:
        lake: the lake, in its newest state.
        as_of: the moment to look at, in microseconds UTC; None for now.
        top: how many hot spots to report.
        stages: reports and times the stages.

    Raises:
        PipelineError: Spark failed; the lake is unchanged.
        LakeError: the lake cannot be written, or another run wrote it meanwhile.
    """
    stages = stages or Stages()
    with plain_spark_errors():
        # What lies ahead of the clock does not count now.
        latest = latest_where_ahead(lake, Clock.of_environment()) if as_of is None else as_of
        moment = NOW if latest is None else latest
        with stages("edges"):
            arcs = arcs_as_of(lake, moment)
            up = materialize(lake, pack_graph(arcs.up, arcs.free_up), "packed_up")
            down = materialize(lake, pack_graph(arcs.down, arcs.free_down), "packed_down")
        with stages("roots"):
            upstream = walk_columns(up, arcs.columns, roots, ROOTS, f"{lake.scratch()}/close/roots")
        with stages("reach"):
            downstream = walk_columns(down, arcs.columns, reach, REACH, f"{lake.scratch()}/close/reach")
        with stages("commit"):
            edges = arcs.up.count()
            changes = {
                "closure_root": Change(_root_rows(upstream), anew=True),
                "closure_column": Change(_column_rows(lake, upstream, downstream, as_of), anew=True),
                "column_edge": Change(readable_edges(lake, moment), anew=True),
            }
            lake.commit(changes, {**lake.snapshot.note, "closed": {"as of": as_of, "at": int(time.time())}})
            return _summary(lake, as_of, edges, top, stages)


def _root_rows(upstream: DataFrame) -> DataFrame:
    pairs = upstream.select("field", sf.explode(sf.arrays_zip("root", "distance", "kind", "masked")).alias("pair"))
    classes = sf.element_at(sf.array(*(sf.lit(kind.name) for kind in Kind)), sf.col("pair.kind").cast("int") + 1)
    return pairs.select(
        sf.shiftright("field", FIELD_BITS).alias("dataset"),
        "field",
        "pair.root",
        "pair.distance",
        classes.alias("class"),
        "pair.masked",
    )


def _column_rows(lake: Lake, upstream: DataFrame, downstream: DataFrame, as_of: int | None) -> DataFrame:
    counted = downstream.join(upstream.select("field", sf.size("root").alias("roots")), "field")
    fields = lake.read("field").select(sf.col("id").alias("field"), "dataset", "path")
    datasets = lake.read("dataset").select(sf.col("id").alias("dataset"), "namespace", "name")
    return counted.join(fields, "field").join(datasets, "dataset").withColumn("as_of", sf.lit(as_of).cast("bigint"))


def _summary(lake: Lake, as_of: int | None, edges: int, top: int, stages: Stages) -> Closed:
    columns = lake.read("closure_column")
    (counts,) = columns.agg(sf.count("*"), sf.count_if("orphan"), sf.coalesce(sf.sum("roots"), sf.lit(0))).collect()
    places = [sf.desc("reach_columns"), sf.desc("reach_datasets"), *map(sf.col, ("namespace", "name", "path"))]
    shown = ("namespace", "name", "path", "reach_columns", "reach_datasets", "reach_jobs")
    most = columns.where("reach_columns > 0").orderBy(*places).limit(top).select(*shown).collect()
    spots = tuple(HotSpot(*row) for row in most)
    return Closed(as_of, counts[0], edges, counts[1], counts[2], spots, stages.seconds)
