"""What version facets call versions; of one moment the last event counts. And the shapes of streaming runs."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from headwater.lake.frames import Work, union
from headwater.lake.lake import Change, Lake
from headwater.lake.tables import TABLES
from headwater.pipeline.derive.affected_runs import Touched
from headwater.pipeline.derive.events import Facts
from headwater.pipeline.derive.run_rows import RunRows
from headwater.pipeline.derive.shapes import Said
from headwater.store.db.codes import Flag

_KEY = ["run", "role", "dataset", "us"]


def name_versions(work: Work, facts: Facts, said: Said, touched: Touched) -> tuple[dict[str, Change], DataFrame | None]:
    """Changes of the names, and the names of the runs that were touched, if there are any."""
    new = None
    changes: dict[str, Change] = {}
    if facts.versions:
        found = facts.rows.select("run", "us", "stamp", sf.posexplode("versions").alias("place", "said"))
        found = found.select("run", "us", "stamp", "place", "said.*").join(
            said.datasets.withColumnRenamed("id", "dataset"), ["namespace", "name"]
        )
        # Of what one event says of a dataset twice, the first counts.
        last = sf.max(sf.struct("stamp", -sf.col("place"), "version")).alias("last")
        new = work.keep("named", found.groupBy(*_KEY).agg(last).select(*_KEY, "last.stamp", "last.version"))
        changes["named"] = Change(new)
    if work.lake.is_empty("named"):
        return changes, new
    runs = touched.rows.select(sf.col("id").alias("run"))
    stored = work.lake.read("named").join(runs, "run", "left_semi").select(*TABLES["named"].names)
    if new is None:
        return changes, stored
    both = new.join(stored.select(*_KEY, sf.struct("stamp", "version").alias("before")), _KEY, "left")
    later = work.keep("named-later", both.where("before IS NULL OR before.stamp < stamp"))
    changes["named"] = Change(later.drop("before"), later.where("before IS NOT NULL").select(*_KEY))
    every = union([stored, new]).groupBy(*_KEY).agg(sf.max(sf.struct("stamp", "version")).alias("last"))
    return changes, every.select(*_KEY, "last.*")


def stream_shapes(lake: Lake, facts: Facts, runs: RunRows) -> dict[str, Change]:
    """Note the shapes of streaming runs; of a run that only now turns out to be one, those of all its events."""
    streams = runs.rows.where(f"own AND streaming = {Flag.YES}").select(
        sf.col("id").alias("run"), "known", "old_streaming"
    )
    if not facts.streaming and (lake.is_empty("stream_shape") or streams.isEmpty()):
        return {}
    found = facts.rows.select("run", "shape").join(streams.select("run"), "run", "left_semi")
    if not lake.is_empty("event"):
        turned = streams.where(f"known AND old_streaming = {Flag.NO}").select("run")
        if not turned.isEmpty():
            found = found.union(lake.read("event").select("run", "shape").join(turned, "run", "left_semi"))
    found = found.distinct()
    if not lake.is_empty("stream_shape"):
        found = found.join(lake.read("stream_shape"), ["run", "shape"], "left_anti")
    return {"stream_shape": Change(found)}
