"""Runs: new events are folded by combiners and merged with the lake's rows, as `Run.merge` does."""

from dataclasses import dataclass

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from headwater.lake.frames import Work, hearsay_of, union
from headwater.lake.lake import Change, Lake
from headwater.pipeline.derive.events import Facts
from headwater.pipeline.derive.names import Named
from headwater.store.db.codes import Flag

_TERMINAL = 3


@dataclass(frozen=True)
class RunRows:
    """Runs that new events mention.

    Attributes:
        rows: the state of each, every fact with its stamp; `own` says that there are events of it, `since` is the first
            of them, `known` that the lake has it; `old_job`, `old_parent` and `old_streaming` are the lake's.
        change: of the table.
    """

    rows: DataFrame
    change: Change


def fold_runs(work: Work, facts: Facts, named: Named) -> RunRows:
    """Fold the events of runs."""
    events = facts.rows.where("run IS NOT NULL")
    first = sf.min("us").alias("first_us")
    ended = sf.col("type") >= _TERMINAL
    reported = events.groupBy("run").agg(
        first,
        sf.max(sf.struct("stamp", sf.col("job").alias("value"))).alias("job"),
        sf.max(_stamped("parent")).alias("parent_uuid"),
        sf.max(sf.when(ended, _stamped("type"))).alias("end"),
        sf.max("streaming").alias("streaming"),
        sf.min("us").alias("since"),
    )
    uuids = named.keys.of("run", "uuid", "parent_id")
    reported = reported.withColumn("uuid", sf.col("parent_uuid.value")).join(uuids, "uuid", "left")
    stamped = sf.struct(sf.col("parent_uuid.stamp").alias("stamp"), sf.col("parent_id").alias("value"))
    reported = reported.withColumn("parent", sf.when(sf.col("parent_uuid").isNotNull(), stamped))
    merged = [reported.select("run", "first_us", "job", "parent", "end", "streaming", "since")]
    if facts.parents:
        merged.append(_parent_reports(events, named))
    if not work.lake.is_empty("run"):
        merged.append(_stored(work.lake, named))
    now = union(merged)
    stored = not work.lake.is_empty("run")
    rows = now.groupBy("run").agg(
        sf.min("first_us").alias("first_us"),
        sf.max("job").alias("job"),
        sf.max("parent").alias("parent"),
        sf.max("end").alias("end"),
        sf.max(sf.coalesce("streaming", sf.lit(0))).alias("streaming"),
        sf.min("since").alias("since"),
        *([sf.max("old").alias("old")] if stored else []),
    )
    rows = rows.join(named.keys.of("run", "uuid", "run"), "run")
    rows = rows.select(
        sf.col("run").alias("id"),
        "uuid",
        "first_us",
        sf.col("job.value").alias("job"),
        sf.col("job.stamp").alias("job_stamp"),
        sf.col("parent.value").alias("parent"),
        sf.col("parent.stamp").alias("parent_stamp"),
        sf.col("end.value").cast("smallint").alias("end_type"),
        sf.col("end.stamp").alias("end_stamp"),
        sf.col("streaming").cast("smallint").alias("streaming"),
        sf.col("since").isNotNull().alias("own"),
        "since",
        *_old(stored=stored),
    )
    rows = work.keep("runs", rows)
    return RunRows(rows, _change(work.lake, rows))


def _parent_reports(events: DataFrame, named: Named) -> DataFrame:
    """What events of child runs say about their parents: of a parent's job, the earliest event counts."""
    reports = events.where("parent IS NOT NULL")
    # A hearsay stamp is greatest for the earliest event, which is cheaper to find.
    job = sf.struct("stamp", "parent_job_namespace", "parent_job_name")
    reports = reports.groupBy("parent").agg(sf.min(sf.when(sf.col("parent_job_name").isNotNull(), job)).alias("named"))
    reports = reports.select(sf.col("parent").alias("uuid"), "named.*")
    reports = reports.join(named.keys.of("run", "uuid", "run"), "uuid")
    reports = reports.join(named.parent_jobs, ["parent_job_namespace", "parent_job_name"], "left")
    value = sf.struct(hearsay_of(sf.col("stamp")).alias("stamp"), sf.col("job").alias("value"))
    return reports.select("run", sf.when(sf.col("stamp").isNotNull(), value).alias("job"))


def _stored(lake: Lake, named: Named) -> DataFrame:
    """The lake's rows of the same runs, with all stamps filled in."""
    known = lake.read("run").join(
        named.keys.of("run", "uuid", "run", new=False).select("run"), sf.col("id") == sf.col("run")
    )
    job_stamp = sf.coalesce("job_stamp", "end_stamp")
    parent_stamp = sf.coalesce("parent_stamp", job_stamp)
    return known.select(
        "run",
        "first_us",
        _stamped("job", job_stamp).alias("job"),
        _stamped("parent", parent_stamp).alias("parent"),
        _stamped("end_type", sf.col("end_stamp")).alias("end"),
        "streaming",
        sf.struct("first_us", "job", "job_stamp", "parent", "parent_stamp", "end_type", "end_stamp", "streaming").alias(
            "old"
        ),
    )


def _stamped(value: str, stamp: Column | None = None) -> Column:
    """A value with its stamp, where there is one."""
    stamp = sf.col("stamp") if stamp is None else stamp
    return sf.when(sf.col(value).isNotNull(), sf.struct(stamp.alias("stamp"), sf.col(value).alias("value")))


def _old(*, stored: bool) -> list[Column]:
    if not stored:
        none = sf.lit(None).cast("bigint")
        return [
            sf.lit(False).alias("known"),  # noqa: FBT003  a literal of Spark
            none.alias("old_job"),
            none.alias("old_parent"),
            sf.lit(0).cast("smallint").alias("old_streaming"),
        ]
    return [
        sf.col("old").isNotNull().alias("known"),
        sf.col("old.job").alias("old_job"),
        sf.col("old.parent").alias("old_parent"),
        sf.coalesce("old.streaming", sf.lit(0)).cast("smallint").alias("old_streaming"),
        sf.col("old"),
    ]


def _table_rows(rows: DataFrame) -> DataFrame:
    """As the table's columns: a stamp that equals the one after it is left out."""
    return (
        rows.withColumn(
            "shown_parent_stamp",
            sf.when(~sf.col("parent_stamp").eqNullSafe(sf.col("job_stamp")), sf.col("parent_stamp")),
        )
        .withColumn("job_stamp", sf.when(~sf.col("job_stamp").eqNullSafe(sf.col("end_stamp")), sf.col("job_stamp")))
        .withColumn("parent_stamp", sf.col("shown_parent_stamp"))
    )


def _change(lake: Lake, rows: DataFrame) -> Change:
    rows_now = _table_rows(rows)
    if lake.is_empty("run"):
        return Change(added=rows_now)
    names = ("first_us", "job", "job_stamp", "parent", "parent_stamp", "end_type", "end_stamp", "streaming")
    changed = rows_now.where(~sf.struct(*names).eqNullSafe(sf.col("old")))
    return Change(changed, changed.where("known").select("id", "old.first_us"))


def stream_shapes(lake: Lake, facts: Facts, runs: RunRows) -> dict[str, Change]:
    """Shapes of streaming runs; of a run that only now turns out to be one, those of all its events."""
    streams = runs.rows.where(f"own AND streaming = {Flag.YES}").select(
        sf.col("id").alias("run"), "known", "old_streaming"
    )
    if not facts.streaming and (lake.is_empty("stream_shape") or streams.isEmpty()):
        return {}
    shapes = facts.rows.select("run", "shape").join(streams.select("run"), "run", "left_semi")
    if not lake.is_empty("event"):
        turned = streams.where(f"known AND old_streaming = {Flag.NO}").select("run")
        if not turned.isEmpty():
            shapes = shapes.union(lake.read("event").select("run", "shape").join(turned, "run", "left_semi"))
    shapes = shapes.distinct()
    if not lake.is_empty("stream_shape"):
        shapes = shapes.join(lake.read("stream_shape"), ["run", "shape"], "left_anti")
    return {"stream_shape": Change(shapes)}
