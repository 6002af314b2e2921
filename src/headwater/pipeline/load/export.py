"""A store's history to lake tables: what the pipeline would have made of the same events."""

from collections.abc import Mapping
from dataclasses import dataclass

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as sf

from headwater.lake.errors import LakeError
from headwater.lake.frames import stamp_of
from headwater.lake.lake import Change, Lake
from headwater.lake.tables import STORE_TABLES, TABLES
from headwater.openlineage.model.event import EventType
from headwater.pipeline.load.store_rows import reading_tables
from headwater.store import Store
from headwater.store.db.codes import EventKind

_HASH_BYTES = 8  # of an event's hash, as many as its stamp has


@dataclass(frozen=True, slots=True)
class Exported:
    """What became of an export: the lake's new snapshot, and how many events it has."""

    snapshot: int
    events: int


def export(spark: SparkSession, store: Store, path: str, *, format: str | None = None) -> Exported:  # noqa: A002  as Spark calls it
    """Write all that a store holds to a lake that holds nothing yet.

    Raises:
        LakeError: the lake holds something already, or cannot be written.
        StoreError: the store cannot be read.
    """
    lake = Lake.open(spark, path, format=format)
    if lake.snapshot.number:
        raise LakeError(f"The lake {lake.path} is not empty: export to a new directory.")
    with reading_tables(spark, store, f"{lake.scratch()}/store") as read:
        found = {name: frame for name in STORE_TABLES if (frame := read(name)) is not None}
    found |= derived(found)
    made = lake.commit({name: Change(frame) for name, frame in found.items()}, {"made by": "export"})
    return Exported(made.number, lake.read("event").count())


def derived(store_tables: Mapping[str, DataFrame]) -> dict[str, DataFrame]:
    """What only the lake has, of what the store has."""
    found: dict[str, DataFrame] = {}
    if "body" in store_tables:
        events = store_tables["event"].where("body IS NOT NULL")
        shapes = events.groupBy(sf.col("body").alias("id")).agg(sf.min("shape").alias("shape"))
        found["body"] = store_tables["body"].join(shapes, "id", "left")
    if "shape" in store_tables:
        jobs = store_tables["shape"].where(sf.col("kind") == int(EventKind.JOB)).select(sf.col("id").alias("shape"))
        told = store_tables["event"].join(jobs, "shape", "left_semi")
        stamp = stamp_of(sf.col("us"), sf.col("type"), sf.col("hash"))
        found["job_event"] = told.select("shape", "us", stamp.alias("stamp"))
    if "version" in store_tables:
        found["tail"] = last_writes(store_tables["version"])
    if "mention" in store_tables:
        seen = schemas_seen(store_tables["mention"], store_tables["event"])
        found["seen_schema"] = seen
    return found


def last_writes(versions: DataFrame) -> DataFrame:
    """The table `tail`: of each slot the last of its writes."""
    names = TABLES["tail"].names
    last = sf.max(sf.struct("stamp", *(name for name in names if name not in ("dataset", "job", "stamp"))))
    return versions.groupBy("dataset", "job").agg(last.alias("last")).select("dataset", "job", "last.*").select(*names)


def schemas_seen(mentions: DataFrame, events: DataFrame) -> DataFrame:
    """The table `seen_schema`: of each dataset and schema the last event that showed it."""
    hash8 = sf.substring("hash", 1, _HASH_BYTES).alias("hash8")
    order = sf.struct("us", _rank(sf.col("type")).alias("rank"), hash8)
    last = events.groupBy("shape").agg(sf.max(order).alias("last"))
    shown = mentions.where("schema IS NOT NULL").join(last, "shape")
    order = sf.struct("last.us", "last.rank", "last.hash8", "role")
    seen = shown.groupBy("dataset", "schema").agg(sf.max(order).alias("last"))
    return seen.select("dataset", "schema", "last.*")


def _rank(kind: Column) -> Column:
    """The rank of an event's type among events of one moment."""
    found = sf.lit(None).cast("smallint")
    for one in EventType:
        found = sf.when(kind == int(one), sf.lit(one.rank).cast("smallint")).otherwise(found)
    return found
