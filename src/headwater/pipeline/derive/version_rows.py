"""Versions of the affected runs, folded on the executors and compared with the lake's; and the names of versions."""

from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from headwater.lake.conditions import not_before
from headwater.lake.frames import Work, first_day, instant_of, stamp_of, union
from headwater.lake.lake import Change, Lake
from headwater.lake.tables import TABLES
from headwater.pipeline.derive.affected_runs import AffectedRuns
from headwater.pipeline.derive.events import Facts
from headwater.pipeline.derive.keys import assign_keys
from headwater.pipeline.derive.run_fold import FACT, HEADER, NAME, ROW, WRITTEN, write_versions
from headwater.pipeline.derive.shapes import ShapeTables
from headwater.store.db.codes import Flag, Role

# What makes a version, beside its key and what its slot adds.
_SAME = ("us", "read_us", "run", "uuid", "own", "inputs", "lifecycle", "whole", "removal", "renamed", "name")
# Of one moment, the last event names a version.
_NAME_KEY = ["run", "role", "dataset", "us"]


@dataclass(frozen=True)
class VersionRows:
    """Versions.

    Attributes:
        added: new ones; `mapping` is each version's own.
        removed: those of the lake that no longer hold; None where there are none.
        changes: of the tables of inputs.
    """

    added: DataFrame
    removed: DataFrame | None
    changes: dict[str, Change]


def name_versions(
    work: Work, facts: Facts, tables: ShapeTables, affected: AffectedRuns
) -> tuple[dict[str, Change], DataFrame | None]:
    """Changes of the table `named`, and the version names of the affected runs, if any."""
    new = None
    changes: dict[str, Change] = {}
    if facts.versions:
        names = facts.rows.select("run", "us", "stamp", sf.posexplode("versions").alias("place", "item"))
        names = names.select("run", "us", "stamp", "place", "item.*").join(
            tables.datasets.withColumnRenamed("id", "dataset"), ["namespace", "name"]
        )
        # Where one event names a dataset twice, the first counts.
        last = sf.max(sf.struct("stamp", -sf.col("place"), "version")).alias("last")
        new = work.keep("named", names.groupBy(*_NAME_KEY).agg(last).select(*_NAME_KEY, "last.stamp", "last.version"))
        changes["named"] = Change(new)
    if work.lake.is_empty("named"):
        return changes, new
    runs = affected.rows.select(sf.col("id").alias("run"))
    stored = work.lake.read("named").join(runs, "run", "left_semi").select(*TABLES["named"].names)
    if new is None:
        return changes, stored
    both = new.join(stored.select(*_NAME_KEY, sf.struct("stamp", "version").alias("before")), _NAME_KEY, "left")
    later = work.keep("named-later", both.where("before IS NULL OR before.stamp < stamp"))
    changes["named"] = Change(later.drop("before"), later.where("before IS NOT NULL").select(*_NAME_KEY))
    every = union([stored, new]).groupBy(*_NAME_KEY).agg(sf.max(sf.struct("stamp", "version")).alias("last"))
    return changes, every.select(*_NAME_KEY, "last.*")


def derive_versions(
    work: Work, facts: Facts, affected: AffectedRuns, tables: ShapeTables, named: DataFrame | None
) -> VersionRows:
    """Fold runs; `named` has the names that version facets give to what the affected runs wrote."""
    own = facts.rows.select("run", "us", "type", "stamp", "shape", "kind")
    of_runs = own.where("run IS NOT NULL").join(affected.rows.select(sf.col("id").alias("run")), "run", "left_semi")
    run_facts = [of_runs.drop("kind")]
    if affected.known:
        # Used more than once.
        run_facts.append(work.keep("stored-facts", _stored_facts(work.lake, affected)))
    declared = own.where("run IS NULL").withColumn("run", -sf.col("shape"))
    every = union([*run_facts, declared.drop("kind")])
    every = tables.with_shapes(work, every).withColumn("what", sf.lit(FACT))
    headers = affected.rows.withColumnRenamed("id", "run").withColumn("what", sf.lit(HEADER))
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
    # A header has no stamp, and nulls sort first.
    stream = union(rows).select(*ROW)
    written = work.keep("written", work.folded(stream, ["run"], ["stamp", "what"], write_versions, WRITTEN))
    return _with_input_keys(work, affected, written)


def _stored_facts(lake: Lake, affected: AffectedRuns) -> DataFrame:
    """The lake's facts: of a streaming run those from a moment on, and of each shape the last one before."""
    known = affected.rows.where("known").select(sf.col("id").alias("run"), "since")
    partly = affected.partly > 0
    stored = (
        lake.read("event", not_before("day", first_day(affected.began_us)))
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


def _with_input_keys(work: Work, affected: AffectedRuns, written: DataFrame) -> VersionRows:
    """Assign keys to the sets of input datasets, and compare with the lake."""
    sets = written.where("inputs_hash IS NOT NULL").groupBy("inputs_hash").agg(sf.first("reads").alias("reads"))
    keys = assign_keys(work, {"inputs": sets.select("inputs_hash")})
    changes: dict[str, Change] = {}
    if keys.new["inputs"]:
        new = keys.of("inputs", "hash", "id", new=True)
        changes["inputs"] = Change(added=new)
        listed = sets.withColumnRenamed("inputs_hash", "hash").join(new, "hash")
        changes["input"] = Change(
            added=listed.select(sf.col("id").alias("inputs"), sf.explode("reads").alias("dataset"))
        )
    versions = written.drop("reads").join(keys.of("inputs", "inputs_hash", "inputs"), "inputs_hash", "left")
    versions = versions.drop("inputs_hash")
    if not affected.known or work.lake.is_empty("version"):
        return VersionRows(versions, None, changes)
    return _compare(work, affected, versions, changes)


def _compare(work: Work, affected: AffectedRuns, versions: DataFrame, changes: dict[str, Change]) -> VersionRows:
    known = affected.rows.where("known").select(sf.col("id").alias("run"), "since")
    stored = (
        work.lake.read("version", not_before("month", first_day(affected.first_us)[:7]))
        .join(known, "run")
        .where("us >= since")
        .drop("since")
    )
    key = ["dataset", "job", "stamp"]
    before = stored.withColumn("own", sf.when(sf.col("carried") == int(Flag.NO), sf.col("mapping"))).select(
        *key, sf.struct(*_SAME).alias("before")
    )
    after = versions.withColumn("own", sf.col("mapping")).select(*versions.columns, sf.struct(*_SAME).alias("after"))
    joined = work.keep("compared", after.join(before, key, "full").where("NOT (before <=> after)"))
    added = joined.where("after IS NOT NULL").drop("before", "after")
    removed = joined.where("before IS NOT NULL").select(*key, "before.us")
    return VersionRows(added, None if removed.isEmpty() else removed, changes)
