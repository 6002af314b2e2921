"""Versions of the runs that were touched, folded on the executors and held against those that the lake has."""

from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from headwater.lake.conditions import not_before
from headwater.lake.frames import Work, first_day, folded, instant_of, stamp_of, union
from headwater.lake.lake import Change, Lake
from headwater.pipeline.derive.affected_runs import Touched
from headwater.pipeline.derive.events import Facts
from headwater.pipeline.derive.keys import number
from headwater.pipeline.derive.run_fold import FACT, HEADER, NAME, ROW, WRITTEN, write_versions
from headwater.pipeline.derive.shapes import Said
from headwater.store.db.codes import Flag, Role

# What a version is, beside its key and what is found out with its slot.
_SAME = ("us", "read_us", "run", "uuid", "own", "inputs", "lifecycle", "whole", "removal", "name")


@dataclass(frozen=True)
class VersionRows:
    """Versions.

    Attributes:
        added: new ones; `mapping` is what each says itself.
        gone: those that are no longer so, as the lake has them; None where there are none.
        changes: of the tables of what was read.
    """

    added: DataFrame
    gone: DataFrame | None
    changes: dict[str, Change]


def derive_versions(work: Work, facts: Facts, touched: Touched, said: Said, named: DataFrame | None) -> VersionRows:
    """Fold runs; `named` is what version facets call what they wrote, of all the runs that were touched."""
    own = facts.rows.select("run", "us", "type", "stamp", "shape", "kind")
    of_runs = own.where("run IS NOT NULL").join(touched.rows.select(sf.col("id").alias("run")), "run", "left_semi")
    told = [of_runs.drop("kind")]
    if touched.known:
        # Looked at more than once.
        told.append(work.keep("stored-facts", _stored_facts(work.lake, touched)))
    declared = own.where("run IS NULL").withColumn("run", -sf.col("shape"))
    every = union([*told, declared.drop("kind")])
    every = said.with_shapes(work, every).withColumn("what", sf.lit(FACT))
    headers = touched.rows.withColumnRenamed("id", "run").withColumn("what", sf.lit(HEADER))
    unnamed = {"dataset": "bigint", "name": "string"}
    headers = headers.select("*", *(sf.lit(None).cast(kind).alias(name) for name, kind in unnamed.items()))
    rows = [headers.drop("known"), every]
    if named is not None:
        names = named.where(sf.col("role") == int(Role.WRITTEN)).join(headers.select("run"), "run", "left_semi")
        rows.append(
            names.select(
                "run",
                "dataset",
                "us",
                sf.col("version").alias("name"),
                sf.lit(NAME).alias("what"),
                instant_of(sf.col("us")).alias("stamp"),
            )
        )
    # A header has no stamp, and nothing comes before what is not there.
    stream = union(rows).select(*ROW)
    written = work.keep("written", folded(stream, ["run"], ["stamp", "what"], write_versions, WRITTEN))
    return _resolved(work, touched, written)


def _stored_facts(lake: Lake, touched: Touched) -> DataFrame:
    """Facts that the lake has: of a streaming run those from a moment on, and of each shape the last one before."""
    known = touched.rows.where("known").select(sf.col("id").alias("run"), "since")
    partly = touched.partly > 0
    stored = (
        lake.read("event", not_before("day", first_day(touched.began_us)))
        .where("run IS NOT NULL")
        .select("run", "us", "type", "hash", "shape")
    )
    stored = stored.join(known, "run")
    names = ("run", "us", "type", "stamp", "shape")
    stamped = stored.withColumn("stamp", stamp_of(sf.col("us"), sf.col("type"), sf.col("hash")))
    later = stamped.where("us >= since").select(*names)
    if not partly:
        return later
    last = (
        stamped.where("us < since").groupBy("run", "shape").agg(sf.max(sf.struct("stamp", "us", "type")).alias("last"))
    )
    return union([later, last.select("run", "last.us", "last.type", "last.stamp", "shape")])


def _resolved(work: Work, touched: Touched, written: DataFrame) -> VersionRows:
    """Give keys to the sets of datasets that were read, and find what is not as it was."""
    sets = written.where("inputs_hash IS NOT NULL").groupBy("inputs_hash").agg(sf.first("reads").alias("reads"))
    keys = number(work, {"inputs": sets.select("inputs_hash")})
    changes: dict[str, Change] = {}
    if keys.new["inputs"]:
        new = keys.of("inputs", "hash", "id", new=True)
        changes["inputs"] = Change(added=new)
        listed = sets.withColumnRenamed("inputs_hash", "hash").join(new, "hash")
        changes["input"] = Change(
            added=listed.select(sf.col("id").alias("inputs"), sf.explode("reads").alias("dataset"))
        )
    found = written.drop("reads").join(keys.of("inputs", "inputs_hash", "inputs"), "inputs_hash", "left")
    found = found.drop("inputs_hash")
    if not touched.known or work.lake.is_empty("version"):
        return VersionRows(found, None, changes)
    return _compared(work, touched, found, changes)


def _compared(work: Work, touched: Touched, found: DataFrame, changes: dict[str, Change]) -> VersionRows:
    known = touched.rows.where("known").select(sf.col("id").alias("run"), "since")
    stored = (
        work.lake.read("version", not_before("month", first_day(touched.first_us)[:7]))
        .join(known, "run")
        .where("us >= since")
        .drop("since")
    )
    key = ["dataset", "job", "stamp"]
    before = stored.withColumn("own", sf.when(sf.col("carried") == int(Flag.NO), sf.col("mapping"))).select(
        *key, sf.struct(*_SAME).alias("before")
    )
    after = found.withColumn("own", sf.col("mapping")).select(*found.columns, sf.struct(*_SAME).alias("after"))
    joined = work.keep("compared", after.join(before, key, "full").where("NOT (before <=> after)"))
    added = joined.where("after IS NOT NULL").drop("before", "after")
    gone = joined.where("before IS NOT NULL").select(*key, "before.us")
    return VersionRows(added, None if gone.isEmpty() else gone, changes)
