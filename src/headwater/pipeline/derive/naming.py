"""What a run of the pipeline meets for the first time: names, shapes, mappings and fields get keys and rows.

A body says what others of the same shape say, but for the texts of its mappings: so of each shape one body is read,
that of the earliest event, and none where the shape is known and no earlier text was found.
"""

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from headwater.lake.frames import Work, exploded, mapped
from headwater.pipeline.derive.keys import number
from headwater.pipeline.derive.name_rows import Met, Named, NameRows
from headwater.pipeline.validate.bodies import NAMED, READ, name_jobs, read_bodies
from headwater.pipeline.validate.validated import Validated


def name_all(work: Work, validated: Validated) -> Named:
    """Read what has to be, and give out keys."""
    bodies = _bodies(work, validated)
    read = _read(work, validated, bodies)
    events = validated.events
    parents = events.where("parent_job_name IS NOT NULL").select(
        sf.col("parent_job_namespace").alias("namespace"), sf.col("parent_job_name").alias("name")
    )
    parents = work.keep("parent-jobs", mapped(parents.distinct(), name_jobs, NAMED))
    met = {
        "run": events.select("run").union(events.select("parent")),
        "job": parents.select("key"),
        "body": bodies.select("hash"),
        "shape": bodies.select("meaning"),
    }
    says_more = work.has_rows("read")
    if says_more:
        met |= {
            "job": read.select("job.key").union(met["job"]),
            "dataset": exploded(read, "datasets").select("key"),
            "schema": exploded(read, "schemas").select("hash"),
            "mapping": exploded(read, "mappings").select("hash"),
            "step": exploded(read, "steps").select("hash"),
        }
    keys = number(work, met)
    rows = NameRows(work, validated, keys, Met(read, bodies, parents))
    return rows.named() if says_more else rows.known()


def _bodies(work: Work, validated: Validated) -> DataFrame:
    """The bodies of the events: hash, what they mean, kind, and the stamp of the earliest event."""
    said = validated.events.groupBy("body_hash").agg(sf.min("stamp").alias("stamp"), sf.max("kind").alias("kind"))
    distinct = validated.bodies.groupBy("hash").agg(sf.first("meaning").alias("meaning"))
    found = distinct.join(said, sf.col("hash") == sf.col("body_hash")).select("hash", "meaning", "kind", "stamp")
    return work.keep("bodies", found)


def _read(work: Work, validated: Validated, bodies: DataFrame) -> DataFrame:
    """Read the bodies that say something new."""
    first = bodies.groupBy("meaning").agg(sf.min(sf.struct("stamp", "hash", "kind")).alias("first"))
    first = first.select("meaning", "first.*")
    if not work.lake.is_empty("shape"):
        stamps = (
            work.lake.read("mention")
            .where("mapping IS NOT NULL")
            .select("shape", "mapping")
            .join(
                work.lake.read("mapping").select(sf.col("id").alias("mapping"), sf.col("stamp").alias("told")),
                "mapping",
            )
            .groupBy("shape")
            .agg(sf.max("told").alias("told"))
        )
        known = work.lake.read("shape").select(sf.col("id").alias("shape"), sf.col("hash").alias("meaning"))
        known = known.join(stamps, "shape", "left")
        first = first.join(known, "meaning", "left").where("shape IS NULL OR stamp < told")
    wanted = first.select("hash", "kind", "stamp")
    contents = validated.bodies.select("hash", "content").join(wanted, "hash").dropDuplicates(["hash"])
    return work.keep("read", mapped(contents.select("content", "kind", "stamp"), read_bodies, READ))
