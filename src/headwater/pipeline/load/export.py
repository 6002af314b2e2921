"""A store's history as lake tables: those that the pipeline would derive from the same events."""

from collections.abc import Mapping
from dataclasses import dataclass

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from headwater.lake.errors import LakeError
from headwater.lake.frames import rank_of, stamp_of
from headwater.lake.lake import Change, Lake
from headwater.lake.tables import STORE_TABLES, TABLES
from headwater.pipeline.load.store_rows import reading_tables
from headwater.store import Store
from headwater.store.db.codes import EventKind

_HASH_BYTES = 8  # of an event's hash, as in its stamp


@dataclass(frozen=True, slots=True)
class Exported:
    """The result of an export: the lake's new snapshot, and how many events it has."""

    snapshot: int
    events: int


def export(spark: SparkSession, store: Store, path: str, *, format: str | None = None) -> Exported:  # noqa: A002  as Spark calls it
    """Write all of a store to an empty lake.

    Raises:
        LakeError: the lake is not empty, or cannot be written.
        StoreError: the store cannot be read.
    """
    lake = Lake.open(spark, path, format=format)
    if lake.snapshot.number:
        raise LakeError(f"The lake {lake.path} is not empty: export to a new directory.")
    with reading_tables(spark, store, f"{lake.scratch()}/store") as read:
        frames = {name: frame for name in STORE_TABLES if (frame := read(name)) is not None}
    frames |= _lake_tables(frames)
    snapshot = lake.commit({name: Change(frame) for name, frame in frames.items()}, {"made by": "export"})
    return Exported(snapshot.number, lake.read("event").count())


def _lake_tables(store_tables: Mapping[str, DataFrame]) -> dict[str, DataFrame]:
    """The tables that only the lake has, computed from the store's."""
    frames: dict[str, DataFrame] = {}
    if "body" in store_tables:
        events = store_tables["event"].where("body IS NOT NULL")
        shapes = events.groupBy(sf.col("body").alias("id")).agg(sf.min("shape").alias("shape"))
        frames["body"] = store_tables["body"].join(shapes, "id", "left")
    if "shape" in store_tables:
        jobs = store_tables["shape"].where(sf.col("kind") == int(EventKind.JOB)).select(sf.col("id").alias("shape"))
        job_events = store_tables["event"].join(jobs, "shape", "left_semi")
        stamp = stamp_of(sf.col("us"), sf.col("type"), sf.col("hash"))
        frames["job_event"] = job_events.select("shape", "us", stamp.alias("stamp"))
    if "version" in store_tables:
        frames["tail"] = last_writes(store_tables["version"])
    if "mention" in store_tables:
        frames["seen_schema"] = schemas_seen(store_tables["mention"], store_tables["event"])
    return frames


def last_writes(versions: DataFrame) -> DataFrame:
    """The table `tail`: of each slot the last of its writes."""
    names = TABLES["tail"].names
    last = sf.max(sf.struct("stamp", *(name for name in names if name not in ("dataset", "job", "stamp"))))
    return versions.groupBy("dataset", "job").agg(last.alias("last")).select("dataset", "job", "last.*").select(*names)


def schemas_seen(mentions: DataFrame, events: DataFrame) -> DataFrame:
    """The table `seen_schema`: of each dataset and schema the last event that showed it."""
    hash8 = sf.substring("hash", 1, _HASH_BYTES).alias("hash8")
    order = sf.struct("us", rank_of(sf.col("type")).cast("smallint").alias("rank"), hash8)
    last = events.groupBy("shape").agg(sf.max(order).alias("last"))
    shown = mentions.where("schema IS NOT NULL").join(last, "shape")
    order = sf.struct("last.us", "last.rank", "last.hash8", "role")
    seen = shown.groupBy("dataset", "schema").agg(sf.max(order).alias("last"))
    return seen.select("dataset", "schema", "last.*")
