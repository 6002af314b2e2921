"""Events that are new: each once, without those that the lake has, by keys."""

from dataclasses import dataclass

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from headwater.lake.conditions import among
from headwater.lake.frames import Work
from headwater.lake.tables import TABLES
from headwater.pipeline.derive.name_rows import Named
from headwater.pipeline.validate.validated import Validated
from headwater.store.db.codes import EventKind, Flag

_KEPT = (
    "us", "shape", "run", "body", "kind", "type", "hash", "rest", "stamp", "job", "streaming", "parent",
    "parent_job_namespace", "parent_job_name", "versions",
)  # fmt: skip

NEWEST = "newest"
"""Under this a run's note has when the newest event happened."""
_DAY = dict(TABLES["event"].parts)["day"]


@dataclass(frozen=True)
class Facts:
    """New events.

    Attributes:
        rows: the columns of the table `event`; and stamp, job, streaming, parent, parent_job_namespace, parent_job_name
            and versions, as validation gave them.
        read: how many good events there were.
        new: how many of them are new.
        late: how many are older than the newest of the lake.
        of_jobs: how many are of a job without a run.
        versions: how many name versions.
        parents: how many name the run that started theirs.
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
    """Drop what is repeated, and give keys."""
    # A run's events are brought to one place, and so are an event's repetitions: one shuffle for both.
    events = validated.events.withColumn("by", sf.coalesce("run", "hash")).drop("run").repartition("by")
    events = events.dropDuplicates(["by", "us", "hash"])
    events = events.join(named.keys.of("run", "by", "run"), "by", "left")
    events = events.join(named.bodies, "body_hash")
    newest = None
    if not work.lake.is_empty("event"):
        days = [row[0] for row in validated.events.select(sf.expr(_DAY)).distinct().collect()]
        stored = work.lake.read("event", among("day", days)).select("us", "hash")
        events = events.join(stored, ["us", "hash"], "left_anti")
        newest = work.lake.snapshot.note.get(NEWEST)
        if newest is None:
            # Of a lake that was made otherwise, which has no note of it.
            newest = work.lake.read("event").agg(sf.max("us")).collect()[0][0]
    rows = work.keep("facts", events.select(*_KEPT))
    read = validated.read - validated.bad_count
    before = sf.lit(0) if newest is None else _how_many(sf.col("us") < newest)
    counts = rows.agg(
        sf.count(sf.lit(1)),
        before,
        _how_many(sf.col("kind") == int(EventKind.JOB)),
        _how_many(sf.size("versions") > 0),
        _how_many(sf.col("parent").isNotNull()),
        _how_many(sf.col("streaming") == int(Flag.YES)),
        sf.max("us"),
    )
    new, late, of_jobs, versions, parents, streaming, last = counts.collect()[0]
    times = [us for us in (newest, last) if us is not None]
    return Facts(rows, read, new, late, of_jobs, versions, parents, streaming, max(times, default=None))


def _how_many(condition: Column) -> Column:
    return sf.count(sf.when(condition, 1))
