"""Which runs' versions have to be derived again: those with new events, and those that started them (rule 10)."""

from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from headwater.lake.conditions import not_before
from headwater.lake.frames import Work, first_day, union
from headwater.lake.lake import Lake
from headwater.pipeline.derive.events import Facts
from headwater.pipeline.derive.run_rows import RunRows
from headwater.store.db.codes import Flag, Role
from headwater.store.db.predicates import may_write, writes_count
from headwater.store.timeline.writes import EVER

_COUNTS = writes_count("")
_MAY_WRITE = may_write("")
_COLUMNS = ("id", "uuid", "job", "first_us", "end_type", "end_stamp", "streaming", "since", "known")


@dataclass(frozen=True)
class AffectedRuns:
    """Runs whose versions are derived again.

    Attributes:
        rows: id, uuid, job, first_us, end_type, end_stamp, streaming; `since`, the moment from which a streaming
            run changed; `known`, whether the lake may have versions of it; `below`, what its descendants write, and
            when the first of these began.
        known: how many of them the lake may have versions of.
        partly: how many of these are streaming runs that changed only from some moment on.
        began_us: when the earliest of these began.
        first_us: the earliest moment to derive again.
    """

    rows: DataFrame
    known: int
    partly: int
    began_us: int
    first_us: int


def find_affected_runs(work: Work, facts: Facts, runs: RunRows, mentions: DataFrame) -> AffectedRuns:
    """Find the affected runs; `mentions` are those of all shapes."""
    own = runs.rows.where("own")
    above = None if work.lake.is_empty("run") else _above(work, runs)
    if above is not None:
        parents = _all_runs(work.lake, runs).join(above, "id", "left_semi").join(own.select("id"), "id", "left_anti")
        parents = parents.where(_MAY_WRITE).withColumn("since", sf.lit(EVER)).withColumn("known", sf.lit(True))  # noqa: FBT003  a literal of Spark
        marked = own.join(above.withColumn("above", sf.lit(True)), "id", "left")  # noqa: FBT003  as above
    else:
        parents = None
        marked = own.withColumn("above", sf.lit(None).cast("boolean"))
    # What a child run writes, or a change of job, affects all of a streaming run; one that only now turns out to be
    # streaming is derived as a whole.
    partly = (
        sf.col("known")
        & sf.col("above").isNull()
        & (sf.col("old_streaming") == int(Flag.YES))
        & sf.col("job").eqNullSafe(sf.col("old_job"))
    )
    marked = marked.withColumn("since", sf.when(partly, sf.col("since")).otherwise(sf.lit(EVER)))
    affected = marked.where(f"coalesce({_MAY_WRITE}, false) OR known").select(*_COLUMNS)
    affected = work.keep("touched", affected if parents is None else union([affected, parents.select(*_COLUMNS)]))
    known, partly_known, began_us, first_us = (
        affected.where("known")
        .agg(
            sf.count(sf.lit(1)),
            sf.count_if(sf.col("since") > EVER),
            sf.min("first_us"),
            sf.min(sf.greatest("first_us", "since")),
        )
        .collect()[0]
    )
    nested = facts.parents > 0 or not work.lake.is_empty("run")
    below = _below(work, facts, runs, affected, mentions) if nested else None
    nothing = sf.lit(None).cast("array<struct<dataset: bigint, us: bigint>>")
    rows = affected.withColumn("below", nothing) if below is None else work.few.here(affected.join(below, "id", "left"))
    return AffectedRuns(rows, known, partly_known, began_us or 0, first_us or 0)


def _all_runs(lake: Lake, runs: RunRows) -> DataFrame:
    """All runs as they are now."""
    names = ("id", "uuid", "job", "parent", "first_us", "end_type", "end_stamp", "streaming")
    now = runs.rows.select(*names)
    if lake.is_empty("run"):
        return now
    return union([now, lake.read("run").select(*names).join(now.select("id"), "id", "left_anti")])


def _above(work: Work, runs: RunRows) -> DataFrame | None:
    """The ancestors of the runs with new events, as they were before and as they are now."""
    own = runs.rows.where("own")
    level = own.select(sf.explode(sf.array("parent", "old_parent")).alias("id")).where("id IS NOT NULL").distinct()
    level = work.keep("above-0", level)
    if not work.has_rows("above-0"):
        return None
    parents = _all_runs(work.lake, runs).where("parent IS NOT NULL").select("id", "parent")
    above = level
    depth = 0
    while True:
        depth += 1
        level = level.join(parents, "id").select(sf.col("parent").alias("id")).distinct()
        level = work.keep(f"above-{depth}", level.join(above, "id", "left_anti"))
        if not work.has_rows(f"above-{depth}"):
            return above
        above = above.union(level)


def _below(work: Work, facts: Facts, runs: RunRows, affected: DataFrame, mentions: DataFrame) -> DataFrame | None:
    """What descendants of the affected runs write: the id of the ancestor, and a list of datasets with a time each."""
    every = _all_runs(work.lake, runs).where("parent IS NOT NULL")
    children = every.select(sf.col("id").alias("child"), "parent", sf.expr(_COUNTS).alias("counts"), "first_us")
    level = affected.where(_MAY_WRITE).select(sf.col("id").alias("root"), sf.col("id").alias("parent"))
    pairs: DataFrame | None = None
    depth = 0
    while True:
        level = level.join(children, "parent").select("root", "child", "counts", "first_us").distinct()
        if pairs is not None:
            level = level.join(pairs, ["root", "child"], "left_anti")
        level = work.keep(f"below-{depth}", level)
        if not work.has_rows(f"below-{depth}"):
            break
        pairs = level if pairs is None else pairs.union(level)
        level = level.select("root", sf.col("child").alias("parent"))
        depth += 1
    if pairs is None:
        return None
    pairs = pairs.where("counts AND root <> child")
    run_shapes = facts.rows.where("run IS NOT NULL").select("run", "shape")
    if not work.lake.is_empty("event"):
        first = pairs.agg(sf.min("first_us")).collect()[0][0]
        if first is not None:
            run_shapes = run_shapes.union(
                work.lake.read("event", not_before("day", first_day(first))).select("run", "shape")
            )
    written = mentions.where(sf.col("role") == int(Role.WRITTEN)).select("shape", "dataset")
    run_shapes = (
        run_shapes.join(pairs.select("root", sf.col("child").alias("run"), "first_us"), "run")
        .groupBy("root", "shape")
        .agg(sf.min("first_us").alias("us"))
    )
    datasets = run_shapes.join(written, "shape").groupBy("root", "dataset").agg(sf.min("us").alias("us"))
    below = sf.collect_list(sf.struct("dataset", "us")).alias("below")
    return datasets.groupBy("root").agg(below).withColumnRenamed("root", "id")
