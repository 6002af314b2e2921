"""Slots, derived again for the datasets whose writes changed.

Where everything new in a dataset comes after everything in the lake, its slots continue from where they were left; else
all its writes are folded again.
"""

from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from headwater.lake.conditions import Where, among
from headwater.lake.frames import Work, union
from headwater.lake.lake import Change, Lake
from headwater.lake.tables import BUCKET, BUCKETS, TABLES
from headwater.pipeline.derive.events import Facts
from headwater.pipeline.derive.shapes import ShapeTables
from headwater.pipeline.derive.slot_fold import END, HISTORY, SLOT, TAIL, VERSION, VERSION_COLUMNS, WRITE, follow_slots
from headwater.pipeline.derive.version_rows import VersionRows
from headwater.store.db.codes import NOTHING, EventKind, Flag, Role
from headwater.store.db.predicates import still_in_force

_NAMES = tuple(name for name, _ in VERSION_COLUMNS)
_OF = ["dataset", "part"]


@dataclass(frozen=True)
class _Static:
    """Events of jobs without a run: `job`, `us`, `stamp` and the outputs each lists; all of them, and the new ones."""

    every: DataFrame
    new: DataFrame | None


def derive_slots(work: Work, facts: Facts, tables: ShapeTables, versions: VersionRows) -> dict[str, Change]:
    """Changes of versions, slots and tails."""
    static = _static(work.lake, facts, tables)
    added = _with_part(versions.added).withColumn("what", sf.lit(WRITE)).withColumn("fresh", sf.lit(1))
    if work.lake.is_empty("version"):
        rows = [added]
        if static is not None:
            rows.append(_ends(static.every, added))
        history = _fold_slots(work, union(rows))
        return {
            "version": Change(history.where(sf.col("what") == VERSION)),
            "slot": Change(_slot_rows(history)),
            "tail": Change(_tail_rows(history)),
        }
    return _Increment(work, static, versions, work.keep("added", added)).changes()


def note_job_events(facts: Facts) -> dict[str, Change]:
    """Changes of the table of events of jobs without a run."""
    return {"job_event": Change(_job_events(facts))} if facts.of_jobs else {}


def _job_events(facts: Facts) -> DataFrame:
    return facts.rows.where(sf.col("kind") == int(EventKind.JOB)).select("shape", "us", "stamp")


def _with_part(rows: DataFrame) -> DataFrame:
    """Add the fold's group within a dataset: 0, or the job where there is no dataset."""
    return rows.withColumn("part", sf.when(sf.col("dataset") == NOTHING, sf.col("job")).otherwise(sf.lit(0)))


def _fold_slots(work: Work, rows: DataFrame) -> DataFrame:
    columns = (*_NAMES, "part", "what", "fresh", "old_mapping", "from_us", "place")
    missing = {"carried": "smallint", "old_mapping": "bigint", "from_us": "bigint"}
    for name, kind in missing.items():
        if name not in rows.columns:
            rows = rows.withColumn(name, sf.lit(None).cast(kind))
    rows = rows.withColumn("place", sf.when(sf.col("what") != TAIL, sf.col("stamp"))).select(*columns)
    return work.keep("slots", work.folded(rows, _OF, ["place", "what"], follow_slots, HISTORY))


def _slot_rows(history: DataFrame) -> DataFrame:
    slots = history.where(sf.col("what") == SLOT)
    return slots.select("dataset", "until_us", "job", sf.col("us").alias("from_us"), "mapping", "inputs")


def _tail_rows(history: DataFrame) -> DataFrame:
    return history.where(sf.col("what") == TAIL).select(*TABLES["tail"].names)


def _static(lake: Lake, facts: Facts, tables: ShapeTables) -> _Static | None:
    """The events of jobs without runs: when, and which outputs they list."""
    own = _job_events(facts) if facts.of_jobs else None
    stored = None if lake.is_empty("job_event") else lake.read("job_event")
    job_events = [rows for rows in (own, stored) if rows is not None]
    if not job_events:
        return None
    written = tables.mentions.where(sf.col("role") == int(Role.WRITTEN))
    outputs = written.groupBy("shape").agg(sf.collect_set("dataset").alias("listed"))
    jobs = tables.shapes.select(sf.col("id").alias("shape"), "job").join(outputs, "shape", "left")
    # One without outputs is of a job that only reads.
    listed = sf.coalesce("listed", sf.array(sf.lit(NOTHING).cast("bigint")))
    jobs = jobs.withColumn("listed", listed)
    names = ("job", "us", "stamp", "listed")
    return _Static(
        union(job_events).join(jobs, "shape").select(*names),
        None if own is None else own.join(jobs, "shape").select(*names),
    )


def _ends(static: DataFrame, slots: DataFrame) -> DataFrame:
    """The ends of slots whose job no longer lists their dataset."""
    ends = (
        slots.select(*_OF, "job").distinct().join(static, "job").where(~sf.array_contains("listed", sf.col("dataset")))
    )
    return ends.select(*_OF, "job", "us", "stamp", sf.lit(END).alias("what"))


class _Increment:
    """Slots of a lake that has some."""

    def __init__(self, work: Work, static: _Static | None, versions: VersionRows, added: DataFrame) -> None:
        self._lake = work.lake
        self._work = work
        self._static = static
        self._removed = None if versions.removed is None else _with_part(versions.removed)
        self._added = added
        self._tails = _with_part(work.lake.read("tail"))

    def changes(self) -> dict[str, Change]:
        """Changes of versions, slots and tails."""
        datasets = self._datasets()
        counts = datasets.groupBy("goes_on").count().collect()
        how_many = {row[0]: row[1] for row in counts}
        if not how_many:
            return {}
        rows = [self._added]
        old_slots = []
        slots = _with_part(self._lake.read("slot", self._buckets(datasets)))
        going_on, whole = datasets.where("goes_on"), datasets.where("NOT goes_on")
        known = self._added.select(*_OF, "job")
        if how_many.get(True):
            still = slots.where(still_in_force("")).join(going_on.select(*_OF), _OF, "left_semi")
            tail_rows = self._tails.join(going_on.select(*_OF), _OF, "left_semi")
            known = known.union(tail_rows.select(*_OF, "job"))
            tail_rows = tail_rows.join(still.select(*_OF, "job", "from_us"), [*_OF, "job"], "left")
            rows.append(tail_rows.withColumn("what", sf.lit(TAIL)))
            old_slots.append(still)
        if how_many.get(False):
            stored = self._stored(whole)
            known = known.union(stored.select(*_OF, "job"))
            rows.append(stored)
            old_slots.append(slots.join(whole.select(*_OF), _OF, "left_semi"))
        if self._static is not None:
            ends = _ends(self._static.every, known).join(datasets.select(*_OF, "goes_on", "after_us"), _OF)
            rows.append(ends.where("NOT goes_on OR after_us IS NULL OR us > after_us").drop("goes_on", "after_us"))
        history = _fold_slots(self._work, union(rows))
        return self._changes(history, datasets, union(old_slots) if old_slots else None)

    def _datasets(self) -> DataFrame:
        """Datasets that changed: whether their slots continue from where they were left, and after when."""
        touched = [self._added.select(*_OF, "us", sf.lit(0).alias("removed"))]
        if self._removed is not None:
            touched.append(self._removed.select(*_OF, "us", sf.lit(1).alias("removed")))
        if self._static is not None and self._static.new is not None:
            # Such an event touches all the slots of its job.
            ends = self._tails.select(*_OF, "job").join(self._static.new.select("job", "us"), "job")
            touched.append(ends.select(*_OF, "us", sf.lit(0).alias("removed")))
        datasets = union(touched).groupBy(*_OF).agg(sf.min("us").alias("first_us"), sf.max("removed").alias("removed"))
        datasets = self._work.few.here(datasets)
        ended = _with_part(self._lake.read("slot").where(f"NOT {still_in_force('')}"))
        last = self._tails.select(*_OF, "us").union(ended.select(*_OF, "until_us"))
        last = self._work.matching(last, datasets, *_OF)
        last = last.groupBy(*_OF).agg(sf.max("us").alias("after_us"))
        datasets = datasets.join(last, _OF, "left")
        goes_on = (sf.col("removed") == 0) & (sf.col("after_us").isNull() | (sf.col("first_us") > sf.col("after_us")))
        datasets = datasets.withColumn("goes_on", goes_on)
        return self._work.keep("slot-datasets", datasets.select(*_OF, "goes_on", "after_us"))

    def _buckets(self, datasets: DataFrame) -> Where:
        buckets = datasets.select(sf.pmod("dataset", sf.lit(BUCKETS))).distinct().collect()
        return among(BUCKET, [row[0] for row in buckets])

    def _stored(self, whole: DataFrame) -> DataFrame:
        """The lake's writes of these datasets, without the removed ones."""
        stored = _with_part(self._lake.read("version", self._buckets(whole))).join(whole.select(*_OF), _OF, "left_semi")
        if self._removed is not None:
            key = ["dataset", "job", "stamp"]
            stored = stored.join(self._removed.select(*key), key, "left_anti")
        own = sf.when(sf.col("carried") == int(Flag.NO), sf.col("mapping"))
        stored = stored.withColumn("old_mapping", sf.col("mapping")).withColumn("mapping", own)
        return stored.withColumn("what", sf.lit(WRITE)).withColumn("fresh", sf.lit(0)).drop("month", "bucket")

    def _changes(self, history: DataFrame, datasets: DataFrame, old_slots: DataFrame | None) -> dict[str, Change]:
        key = ("dataset", "job", "stamp", "us")
        versions = history.where(sf.col("what") == VERSION)
        removed = [versions.where(sf.col("fresh") == 2).select(*key)]  # noqa: PLR2004  the effect is another
        if self._removed is not None:
            removed.append(self._removed.select(*key))
        old_tails = self._tails.join(datasets.select(*_OF), _OF, "left_semi").select(*TABLES["tail"].names)
        changes = {"version": Change(versions.where("fresh > 0"), union(removed))}
        for table, before, after in (
            ("slot", old_slots, _slot_rows(history)),
            ("tail", old_tails, _tail_rows(history)),
        ):
            if before is None:
                changes[table] = Change(after)
            else:
                changes[table] = Change(*self._work.differences(f"{table}-changes", before, after))
        return changes
