"""The part of a lake that a question needs, as a store of its own in a file."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from headwater.lake.conditions import among
from headwater.lake.few import Few
from headwater.lake.lake import Lake
from headwater.lake.query.filling import copy_tables
from headwater.lake.query.reach import with_keys
from headwater.lake.session.settings import while_set
from headwater.lake.spark_sql import dataset_of_field
from headwater.lake.tables import BUCKET, BUCKETS, STORE_TABLES, TABLES
from headwater.store import Store
from headwater.store.db.codes import NO_JOB, NOTHING, NoteKind, Role
from headwater.store.db.session import Session
from headwater.store.entities.fields import add_old_names
from headwater.store.entities.key_cache import Cache
from headwater.store.entities.keys import Keys
from headwater.store.timeline.renames import Renames, skip_numbers_in_use

_OWNERSHIP = "ownership"
# The column with the dataset of a row, or with one of its fields.
_OF_DATASET = {
    "dataset": "id",
    "field": "dataset",
    "mapping": "dataset",
    "slot": "dataset",
    "version": "dataset",
    "named": "dataset",
}
_OF_FIELD = {"kin": "field", "edge": "out_field"}


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The part of a lake that a question needs.

    Attributes:
        datasets: those whose history is needed.
        jobs: jobs that the question names.
        owners: whether owners are needed.
        texts: whether the texts of edges are needed, from raw events.
        runs: runs that the question names, completed or not.
        past: whether it is about a time before now, with other schemas; or events lie ahead of the clock.
        latest: the last moment that does not lie ahead of the clock, where events do.
    """

    datasets: frozenset[int]
    jobs: frozenset[int] = frozenset()
    owners: bool = False
    texts: bool = False
    runs: frozenset[UUID] = frozenset()
    past: bool = False
    latest: int | None = None

    def covers(self, other: "Excerpt") -> bool:
        """Whether this excerpt contains another."""
        return (
            self.datasets >= other.datasets
            and self.jobs >= other.jobs
            and self.owners >= other.owners
            and self.texts >= other.texts
            and self.runs >= other.runs
            and self.past >= other.past
        )


def write_excerpt(lake: Lake, excerpt: Excerpt, store: Store) -> None:
    """Copy the rows of an excerpt into an empty store."""
    with while_set(lake.spark, lake.settings_for_few()):
        _fill(lake, _frames(lake, excerpt, Few(lake.spark)), store)


def _frames(lake: Lake, excerpt: Excerpt, few: Few) -> dict[str, DataFrame]:
    frames = {table: _of_datasets(lake, table, excerpt.datasets) for table in (*_OF_DATASET, *_OF_FIELD)}
    # Others are found by them.
    for table in ("slot", "version"):
        frames[table] = few.here(frames[table])
    frames["step"] = lake.read("step")
    frames["alias"] = _either(lake.read("alias"), ("dataset", "physical"), excerpt.datasets)
    inputs = lake.read("input")
    reading = with_keys(inputs, sf.col("dataset"), excerpt.datasets).select("inputs").distinct()
    # What else the jobs write from the same inputs says which of these they name.
    siblings = _siblings(lake, frames["slot"]) - excerpt.datasets
    if siblings:
        for table in ("slot", "edge"):
            frames[table] = frames[table].unionByName(_of_datasets(lake, table, siblings))
    for table in ("slot", "version"):
        # Jobs that only read belong to no dataset: take those that read one of these.
        only_read = frames[table].where(f"dataset = {NOTHING}").join(reading, "inputs", "left_semi")
        frames[table] = few.here(frames[table].where(f"dataset <> {NOTHING}").unionByName(only_read))
    writes = [frames[table].select("job", "inputs") for table in ("slot", "version")]
    written = writes[0].union(writes[1]).distinct()
    frames["input"] = inputs.join(written.select("inputs").distinct(), "inputs", "left_semi")
    runs = _runs(lake, frames["version"], excerpt.runs, few)
    frames["run"] = runs
    jobs = few.here(written.selectExpr("job AS id").union(runs.select("job")).distinct())
    every = lake.read("job")
    frames["job"] = every.join(jobs, "id", "left_semi").union(with_keys(every, sf.col("id"), excerpt.jobs)).distinct()
    if excerpt.owners:
        frames["note"] = _ownership(lake, excerpt.datasets, jobs)
    if excerpt.texts or excerpt.runs or excerpt.past:
        frames["mention"] = with_keys(lake.read("mention"), sf.col("dataset"), excerpt.datasets)
    events = _events(lake, excerpt, frames)
    if events is not None:
        frames["event"] = events
        bodies = events.selectExpr("body AS id").distinct()
        frames["body"] = lake.read("body").join(bodies, "id", "left_semi")
    if excerpt.past:
        frames["event"] = _with_times(lake, events, frames["mention"])
        schemas = frames["mention"].selectExpr("schema AS id").distinct()
        frames["schema"] = lake.read("schema").join(schemas, "id", "left_semi")
        # Who changed a schema: the runs of these events, and the jobs of their shapes.
        shapes = frames["mention"].selectExpr("shape AS id").distinct()
        frames["shape"] = lake.read("shape").join(shapes, "id", "left_semi")
        frames["job"] = _with(frames["job"], every, frames["shape"].select("job"))
        frames["run"] = _with(frames["run"], lake.read("run"), frames["event"].select("run"))
    return frames


def write_whole(lake: Lake, store: Store) -> None:
    """Copy all rows and search terms, for any question about a small lake."""
    _fill(lake, {table: lake.read(table) for table in STORE_TABLES}, store, findable=True)


def _fill(lake: Lake, frames: Mapping[str, DataFrame], store: Store, *, findable: bool = False) -> None:
    tasks, few = lake.spark.sparkContext.defaultParallelism, Few(lake.spark)
    store.transact(lambda session: _copy(session, frames, tasks, few, findable=findable))


def _copy(session: Session, frames: Mapping[str, DataFrame], tasks: int, few: Few, *, findable: bool) -> None:
    copy_tables(session, frames, findable=findable, tasks=tasks, few=few)
    # A lake has what was written; what goes on after renames is derived here.
    skip_numbers_in_use(session)
    add_old_names(session, Renames(Keys(session, Cache())).follow_all())


def write_names(lake: Lake, tables: Iterable[str], store: Store) -> None:
    """Copy all names and their search terms, for a question without a name."""
    frames = {table: lake.read(table) for table in (*tables, "note")}
    store.transact(lambda session: copy_tables(session, frames, findable=True))


def _either(frame: DataFrame, columns: tuple[str, str], keys: Collection[int]) -> DataFrame:
    first, second = (with_keys(frame, sf.col(column), keys) for column in columns)
    return first.union(second).distinct()


def _of_datasets(lake: Lake, table: str, datasets: Collection[int]) -> DataFrame:
    """The rows of these datasets; other partitions are skipped."""
    buckets = sorted({dataset % BUCKETS for dataset in datasets})
    parted = BUCKET in TABLES[table].part_names
    rows = lake.read(table, among(BUCKET, buckets) if parted and len(buckets) < BUCKETS else None)
    if table in _OF_FIELD:
        return with_keys(rows, sf.expr(dataset_of_field(_OF_FIELD[table])), datasets)
    return with_keys(rows, sf.col(_OF_DATASET[table]), datasets)


def _siblings(lake: Lake, slots: DataFrame) -> set[int]:
    """The datasets that the jobs of slots write from the same inputs."""
    reading = slots.where(f"job <> {NO_JOB} AND inputs IS NOT NULL").select("job", "inputs").distinct()
    others = lake.read("slot").join(reading, ["job", "inputs"], "left_semi").where(f"dataset <> {NOTHING}")
    return {row.dataset for row in others.select("dataset").distinct().collect()}


def _runs(lake: Lake, versions: DataFrame, named: Collection[UUID], few: Few) -> DataFrame:
    """The runs that wrote versions, their ancestors, and the named ones."""
    every = lake.read("run")
    runs = every.join(versions.selectExpr("run AS id").distinct(), "id", "left_semi")
    if named:
        runs = runs.union(every.where(sf.col("uuid").isin([bytearray(uuid.bytes) for uuid in named]))).distinct()
    while True:
        runs = few.here(runs)
        known = runs.select("id")
        above = runs.selectExpr("parent AS id").where("id IS NOT NULL").distinct().join(known, "id", "left_anti")
        above = few.here(above)
        if above.isEmpty():
            return runs
        runs = runs.union(every.join(above, "id", "left_semi"))


def _ownership(lake: Lake, datasets: Collection[int], jobs: DataFrame) -> DataFrame:
    notes = lake.read("note").where(sf.col("name") == _OWNERSHIP)
    of_datasets = with_keys(notes.where(f"kind = {NoteKind.DATASET}"), sf.col("entity"), datasets)
    of_jobs = notes.where(f"kind = {NoteKind.JOB}").join(jobs.selectExpr("id AS entity"), "entity", "left_semi")
    return of_datasets.unionByName(of_jobs)


def _events(lake: Lake, excerpt: Excerpt, frames: Mapping[str, DataFrame]) -> DataFrame | None:
    """The events needed: the last of each shape that names owners, and those with texts."""
    every = lake.read("event")
    parts: list[DataFrame] = []
    if excerpt.owners:
        shapes = frames["note"].select("shape").distinct()
        of_notes = every.join(shapes, "shape", "left_semi").select("shape", "us", "hash")
        for latest in {None, excerpt.latest}:
            until = of_notes if latest is None else of_notes.where(sf.col("us") <= latest)
            last = until.groupBy("shape").agg(sf.max(sf.struct("us", "hash")).alias("last"))
            parts.append(every.join(last.select("last.us", "last.hash"), ["us", "hash"], "left_semi"))
    if excerpt.texts or excerpt.runs:
        shapes = frames["mention"].where(f"role >= {Role.WRITTEN}").select("shape").distinct()
        mentioning = every.join(shapes, "shape", "left_semi")
        runs = frames["run"].selectExpr("id AS run")
        parts += [mentioning.where("run IS NULL"), mentioning.join(runs, "run", "left_semi").select(*every.columns)]
    if not parts:
        return None
    events = parts[0].select(*every.columns)
    for part in parts[1:]:
        events = events.unionByName(part.select(*every.columns))
    return events.dropDuplicates(["us", "hash"])


def _with(rows: DataFrame, every: DataFrame, keys: DataFrame) -> DataFrame:
    """The rows, and those of the table that have other keys."""
    return rows.union(every.join(keys.toDF("id").distinct(), "id", "left_semi").select(*rows.columns)).distinct()


def _with_times(lake: Lake, whole: DataFrame | None, mentions: DataFrame) -> DataFrame:
    """Events, and the bare times of all others that name the datasets."""
    every = lake.read("event")
    times = every.join(mentions.select("shape").distinct(), "shape", "left_semi")
    for column in ("body", "rest"):
        times = times.withColumn(column, sf.lit(None).cast(every.schema[column].dataType))
    if whole is None:
        return times.select(*every.columns)
    others = times.join(whole.select("us", "hash"), ["us", "hash"], "left_anti")
    return whole.unionByName(others.select(*every.columns))
