"""The rows of what a run of the pipeline meets for the first time: names, what is said, and the words it is said in."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from headwater.lake.frames import Work, exploded, union
from headwater.lake.lake import Change
from headwater.pipeline.derive.field_rows import FieldRows, number_fields
from headwater.pipeline.derive.keys import Numbered
from headwater.pipeline.validate.validated import Validated
from headwater.store.db.codes import FIELD_BITS, NoteKind

_AT_ONCE = 3


@dataclass(frozen=True)
class Named:
    """What was met, by keys.

    Attributes:
        keys: of names, runs and all that is known by a hash.
        bodies: body_hash, body, shape, job and streaming of the bodies of the events.
        fields: fields that are new, and how many of each dataset.
        changes: of the tables of names and of what is said.
        new_rows: by table, rows that are new: shape, mention, symlink, dataset, schema; none where all was said before.
        parent_jobs: namespace, name and job of those that events name for the runs that started theirs.
    """

    keys: Numbered
    bodies: DataFrame
    fields: FieldRows
    changes: Mapping[str, Change]
    new_rows: Mapping[str, DataFrame]
    parent_jobs: DataFrame


@dataclass(frozen=True)
class Met:
    """What is said by the events of a run: what the bodies mean that were read, all bodies, and jobs of parents."""

    read: DataFrame
    bodies: DataFrame
    parents: DataFrame


class NameRows:
    """The rows of what is new."""

    def __init__(self, work: Work, validated: Validated, keys: Numbered, met: Met) -> None:
        self._work = work
        self._lake = work.lake
        self._validated = validated
        self._keys = keys
        self._read = met.read
        self._bodies = met.bodies
        self._parents = met.parents
        self._changes: dict[str, Change] = {}

    def named(self) -> Named:
        """All of it."""
        with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="headwater-names") as pool:
            # None of these needs another; each is a few small jobs, which leave the executors idle between them.
            numbered = pool.submit(number_fields, self._work, self._field_names())
            listed = {
                name: pool.submit(rows)
                for name, rows in (
                    ("shape", self._shapes),
                    ("mention", self._mentions),
                    ("symlink", self._symlinks),
                )
            }
            self._steps()
            self._notes()
            new_rows = {"dataset": self._names(), "schema": self._schemas()}
            new_rows |= {name: rows.result() for name, rows in listed.items()}
            fields = numbered.result()
            mapped = pool.submit(self._mappings, fields)
            named = self._with_bodies(fields, new_rows)
            mapped.result()
        return named

    def known(self) -> Named:
        """What is there where all that is said was said before."""
        return self._with_bodies(FieldRows(None, None), {})

    def _with_bodies(self, fields: FieldRows, new_rows: Mapping[str, DataFrame]) -> Named:
        self._new_jobs()
        bodies = self._body_rows(new_rows.get("shape"))
        return Named(self._keys, bodies, fields, self._changes, new_rows, self._parent_jobs())

    def _add(self, table: str, rows: DataFrame) -> None:
        self._changes[table] = Change(added=rows)

    def _key(self, kind: str, hashed: str, key: str) -> DataFrame:
        return self._keys.of(kind, hashed, key)

    def _exploded(self, column: str) -> DataFrame:
        """What belongs to new shapes, with the shape's key."""
        return exploded(self._read, column, said_by="shape").join(
            self._keys.of("shape", "said_by", "shape", new=True), "said_by"
        )

    def _field_names(self) -> DataFrame:
        """Dataset, key and path of all fields that are met."""
        found = exploded(self._read, "fields").withColumnRenamed("dataset", "of").distinct()
        return found.join(self._key("dataset", "of", "dataset"), "of").select("dataset", "key", "path")

    def _names(self) -> DataFrame:
        """Datasets that are new."""
        found = exploded(self._read, "datasets").dropDuplicates(["key"])
        return found.join(self._keys.of("dataset", "key", "id", new=True), "key")

    def _new_jobs(self) -> None:
        if self._keys.new["job"]:
            found = self._read.where("job IS NOT NULL").select("job.*").unionByName(self._parents)
            found = found.dropDuplicates(["key"]).join(self._keys.of("job", "key", "id", new=True), "key")
            self._add("job", found)

    def _parent_jobs(self) -> DataFrame:
        found = self._parents.join(self._key("job", "key", "job"), "key")
        return found.select(
            sf.col("namespace").alias("parent_job_namespace"), sf.col("name").alias("parent_job_name"), "job"
        )

    def _shapes(self) -> DataFrame:
        found = self._read.select(sf.col("shape").alias("hash"), "kind", "streaming", sf.col("job.key").alias("of"))
        found = found.join(self._keys.of("shape", "hash", "id", new=True), "hash")
        found = found.join(self._key("job", "of", "job"), "of", "left").withColumn("job", sf.coalesce("job", sf.lit(0)))
        found = self._work.keep("shapes", found.select("id", "hash", "kind", "job", "streaming"))
        if self._keys.new["shape"]:
            self._add("shape", found)
        return found

    def _schemas(self) -> DataFrame:
        found = exploded(self._read, "schemas").dropDuplicates(["hash"])
        found = found.join(self._keys.of("schema", "hash", "id", new=True), "hash")
        if self._keys.new["schema"]:
            self._add("schema", found)
        return found

    def _mentions(self) -> DataFrame:
        found = self._exploded("mentions")
        for column, kind in (
            ("dataset", "dataset"),
            ("renamed", "dataset"),
            ("mapping", "mapping"),
            ("schema", "schema"),
        ):
            keys = self._key(kind, "of", "key")
            found = found.withColumnRenamed(column, "of").join(keys, "of", "left").drop("of")
            found = found.withColumnRenamed("key", column)
        found = self._work.keep("mentions", found.drop("said_by"))
        if self._keys.new["shape"]:
            self._add("mention", found)
        return found

    def _symlinks(self) -> DataFrame:
        found = self._exploded("symlinks").drop("said_by")
        for column in ("alias", "physical"):
            found = found.withColumnRenamed(column, "of").join(self._key("dataset", "of", column), "of").drop("of")
        found = self._work.keep("symlinks", found)
        if self._keys.new["shape"]:
            self._add("symlink", found)
        return found

    def _notes(self) -> None:
        jobs = self._read.select(sf.col("shape").alias("said_by"), sf.col("job.key").alias("of_job"))
        found = self._exploded("notes").join(jobs, "said_by")
        found = found.join(self._key("dataset", "dataset", "of"), "dataset", "left")
        found = found.join(self._key("job", "of_job", "job"), "of_job", "left")
        of_dataset = sf.col("dataset").isNotNull()
        self._add(
            "note",
            found.select(
                sf.when(of_dataset, int(NoteKind.DATASET)).otherwise(int(NoteKind.JOB)).alias("kind"),
                sf.when(of_dataset, sf.col("of")).otherwise(sf.col("job")).alias("entity"),
                "name",
                "shape",
                "content",
            ),
        )

    def _steps(self) -> None:
        if self._keys.new["step"]:
            found = exploded(self._read, "steps").dropDuplicates(["hash"])
            self._add("step", found.join(self._keys.of("step", "hash", "id", new=True), "hash"))

    def _mappings(self, fields: FieldRows) -> None:
        """Mappings that are new, or whose texts turn out to have been said earlier; with their edges."""
        told = exploded(self._read, "mappings", stamp="stamp", said_by="shape")
        first = sf.struct("stamp", "said_by", "dataset", "structure", "text", "origin")
        told = told.groupBy("hash").agg(sf.min(first).alias("first"))
        told = told.select("hash", "first.*").join(self._key("mapping", "hash", "id"), "hash")
        for column in ("dataset", "origin"):
            told = (
                told.withColumnRenamed(column, "of").join(self._key("dataset", "of", column), "of", "left").drop("of")
            )
        removed = None
        if self._lake.is_empty("mapping"):
            told = self._work.keep("told", told)
        else:
            known = self._lake.read("mapping").select("id", sf.col("stamp").alias("known"))
            told = told.join(known, "id", "left").where("known IS NULL OR stamp < known")
            told = self._work.keep("told", told)
            earlier = told.where("known IS NOT NULL").select("id", "dataset")
            removed = None if earlier.isEmpty() else earlier
        if removed is None and not self._keys.new["mapping"]:
            return
        self._changes["mapping"] = Change(told, removed)
        gone = None
        if removed is not None:
            gone = self._lake.read("edge").join(removed.select(sf.col("id").alias("mapping")), "mapping", "left_semi")
        self._changes["edge"] = Change(self._edges(told, fields), gone)

    def _edges(self, told: DataFrame, fields: FieldRows) -> DataFrame:
        by_name = told.selectExpr("hash AS of_mapping", "said_by", "id AS mapping", "dataset AS own")
        found = exploded(self._read, "edges", said_by="shape").withColumnRenamed("mapping", "of_mapping")
        found = found.join(by_name, ["of_mapping", "said_by"])
        found = found.join(self._key("dataset", "in_dataset", "source"), "in_dataset")
        found = found.withColumnRenamed("step", "of_step").join(self._key("step", "of_step", "step"), "of_step")
        every = fields.all_of(self._lake)
        ins = every.selectExpr("dataset AS source", "path AS in_path", "id AS in_field")
        outs = every.selectExpr("dataset AS own", "path AS out_path", "id AS out_field")
        found = found.join(ins, ["source", "in_path"]).join(outs, ["own", "out_path"], "left")
        rows = sf.shiftleft(sf.col("own"), FIELD_BITS)
        found = found.withColumn("out_field", sf.coalesce("out_field", rows))
        return found.select("mapping", "out_field", "ordinal", "in_field", "step", "description")

    def _body_rows(self, shapes: DataFrame | None) -> DataFrame:
        """The events' bodies by keys; those that are new are written to the lake, with their contents."""
        found = self._bodies.join(self._keys.of("shape", "meaning", "shape"), "meaning")
        found = found.join(self._keys.of("body", "hash", "body"), "hash")
        stored = None if self._lake.is_empty("shape") else self._lake.read("shape")
        known = union(
            one.select(sf.col("id").alias("shape"), "job", "streaming") for one in (shapes, stored) if one is not None
        )
        found = found.join(known, "shape").selectExpr("hash AS body_hash", "body", "shape", "job", "streaming")
        # Written down, so that Spark knows how small it is: events, which are wide, are then not moved to meet it.
        found = self._work.keep("body-keys", found)
        if self._keys.new["body"]:
            new = self._keys.of("body", "hash", "id", new=True)
            shapes = found.select(sf.col("body_hash").alias("hash"), "shape")
            contents = self._validated.bodies.select("hash", "content").join(new, "hash").dropDuplicates(["hash"])
            self._add("body", contents.join(shapes, "hash"))
        return found
