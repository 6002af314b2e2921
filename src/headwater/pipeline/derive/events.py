"""New events: each once, without those that the lake has, by key."""

from dataclasses import dataclass

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from headwater.lake.conditions import among
from headwater.lake.frames import Work
from headwater.lake.tables import TABLES
from headwater.pipeline.derive.names import Named
from headwater.pipeline.validate.validate import Validated
from headwater.store.db.codes import EventKind, Flag

_COLUMNS = (
    "us", "shape", "run", "body", "kind", "type", "hash", "rest", "stamp", "job", "streaming", "parent",
    "parent_job_namespace", "parent_job_name", "versions",
)  # fmt: skip

NEWEST = "newest"
"""The key in a run's note for when the newest event happened."""
_DAY = dict(TABLES["event"].parts)["day"]


@dataclass(frozen=True)
class Facts:
    """New events.

    Attributes:
        rows: the columns of the table `event`; and stamp, job, streaming, parent, parent_job_namespace, parent_job_name
            and versions, from validation.
        read: how many good events there were.
        new: how many of them are new.
        late: how many are older than the newest of the lake.
        of_jobs: how many are of a job without a run.
        versions: how many name versions.
        parents: how many name a parent run.
        streaming: how many are of streaming runs.
        newest_us: when the newest event of all happened, those of the lake included; None where there is none.
    """

    rows: DataFrame
    read: int
    new: int
    late: int
    of_jobs: int
    versions: int
    parents: int
    streaming: int
    newest_us: int | None


def new_facts(work: Work, validated: Validated, named: Named) -> Facts:
    """Drop duplicates and add keys."""
    # One shuffle brings together a run's events as well as an event's duplicates.
    events = validated.events.withColumn("by", sf.coalesce("run", "hash")).drop("run").repartition("by")
    events = events.dropDuplicates(["by", "us", "hash"])
    events = events.join(named.keys.of("run", "by", "run"), "by", "left")
    events = events.join(named.bodies, "body_hash")
    newest = None
    if not work.lake.is_empty("event"):
        days = [row[0] for row in validated.events.select(sf.expr(_DAY)).distinct().collect()]
        stored = work.lake.read("event", among("day", days)).select("us", "hash")
        stored = work.matching(stored, validated.events, "us", "hash")
        events = events.join(stored, ["us", "hash"], "left_anti")
        newest = work.lake.snapshot.note.get(NEWEST)
        if newest is None:
            # A lake made by an export has no such note.
            newest = work.lake.read("event").agg(sf.max("us")).collect()[0][0]
    rows = work.keep("facts", events.select(*_COLUMNS))
    read = validated.read - validated.bad_count
    before = sf.lit(0) if newest is None else _count_where(sf.col("us") < newest)
    counts = rows.agg(
        sf.count(sf.lit(1)),
        before,
        _count_where(sf.col("kind") == int(EventKind.JOB)),
        _count_where(sf.size("versions") > 0),
        _count_where(sf.col("parent").isNotNull()),
        _count_where(sf.col("streaming") == int(Flag.YES)),
        sf.max("us"),
    )
    new, late, of_jobs, versions, parents, streaming, last = counts.collect()[0]
    times = [us for us in (newest, last) if us is not None]
    return Facts(rows, read, new, late, of_jobs, versions, parents, streaming, max(times, default=None))


def _count_where(condition: Column) -> Column:
    return sf.count(sf.when(condition, 1))
