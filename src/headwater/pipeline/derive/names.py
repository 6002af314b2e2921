"""Keys and rows for the names, shapes, mappings and fields that a run of the pipeline meets for the first time.

Bodies of the same shape differ only in the texts of their mappings: so of each shape one body is read, that of the
earliest event, and none where the shape is known and has no earlier text.
"""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from headwater.lake.frames import Work, exploded, union
from headwater.lake.lake import Change, Lake
from headwater.pipeline.derive.field_rows import FieldRows, number_fields
from headwater.pipeline.derive.keys import Keys, assign_keys
from headwater.pipeline.validate.bodies import NAMED, READ, name_jobs, read_bodies
from headwater.pipeline.validate.validate import Validated
from headwater.store.db.codes import FIELD_BITS, NoteKind

_AT_ONCE = 3


@dataclass(frozen=True)
class Named:
    """The names that events use, by key.

    Attributes:
        keys: of names, runs and everything else that has a hash.
        bodies: body_hash, body, shape, job and streaming of the bodies of the events.
        fields: the new fields, and how many each dataset has.
        changes: of the tables of names, shapes and mappings.
        new_rows: new rows by table: shape, mention, symlink, made_of, dataset, schema; and job, also where no shape is
            new.
        parent_jobs: namespace, name and job of the parent runs that events name.
    """

    keys: Keys
    bodies: DataFrame
    fields: FieldRows
    changes: Mapping[str, Change]
    new_rows: Mapping[str, DataFrame]
    parent_jobs: DataFrame


@dataclass
class NameRows:
    """Builds the rows of new names, from the bodies that were read, all bodies, and the jobs of parent runs."""

    _work: Work
    _validated: Validated
    _keys: Keys
    _read: DataFrame
    _bodies: DataFrame
    _parents: DataFrame
    _changes: dict[str, Change] = field(default_factory=dict)

    @property
    def _lake(self) -> Lake:
        return self._work.lake

    def named(self) -> Named:
        """Rows of new names, and keys of all."""
        with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="headwater-names") as pool:
            # Independent of each other; each is a few small jobs, which leave the executors idle in between.
            numbered = pool.submit(number_fields, self._work, self._field_names())
            listed = {
                name: pool.submit(rows)
                for name, rows in (
                    ("shape", self._shapes),
                    ("mention", self._mentions),
                    ("symlink", self._symlinks),
                    ("made_of", self._made_of),
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
        """The keys where no shape is new."""
        return self._with_bodies(FieldRows(None, None), {})

    def _with_bodies(self, fields: FieldRows, new_rows: Mapping[str, DataFrame]) -> Named:
        jobs = self._new_jobs()
        bodies = self._body_rows(new_rows.get("shape"))
        new_rows = {**new_rows, **({} if jobs is None else {"job": jobs})}
        return Named(self._keys, bodies, fields, self._changes, new_rows, self._parent_jobs())

    def _add(self, table: str, rows: DataFrame) -> None:
        self._changes[table] = Change(added=rows)

    def _exploded(self, column: str) -> DataFrame:
        """The items of new shapes, with the shape's key."""
        return exploded(self._read, column, said_by="shape").join(
            self._keys.of("shape", "said_by", "shape", new=True), "said_by"
        )

    def _with_keys(self, rows: DataFrame, kinds: Mapping[str, str], how: str = "left") -> DataFrame:
        """The rows, with keys in place of the hashes in these columns."""
        for column, kind in kinds.items():
            rows = rows.withColumnRenamed(column, "of").join(self._keys.of(kind, "of", column), "of", how).drop("of")
        return rows

    def _field_names(self) -> DataFrame:
        """Dataset, key and path of all fields in the events."""
        fields = exploded(self._read, "fields").withColumnRenamed("dataset", "of").distinct()
        return fields.join(self._keys.of("dataset", "of", "dataset"), "of").select("dataset", "key", "path")

    def _names(self) -> DataFrame:
        """The new datasets."""
        datasets = exploded(self._read, "datasets").dropDuplicates(["key"])
        return datasets.join(self._keys.of("dataset", "key", "id", new=True), "key")

    def _new_jobs(self) -> DataFrame | None:
        jobs = None
        if self._keys.new["job"]:
            jobs = self._read.where("job IS NOT NULL").select("job.*").unionByName(self._parents)
            jobs = jobs.unionByName(_jobs_of_entries(self._read))
            jobs = jobs.dropDuplicates(["key"]).join(self._keys.of("job", "key", "id", new=True), "key")
            self._add("job", jobs)
        return jobs

    def _parent_jobs(self) -> DataFrame:
        jobs = self._parents.join(self._keys.of("job", "key", "job"), "key")
        return jobs.select(
            sf.col("namespace").alias("parent_job_namespace"), sf.col("name").alias("parent_job_name"), "job"
        )

    def _shapes(self) -> DataFrame:
        shapes = self._read.select(sf.col("shape").alias("hash"), "kind", "streaming", sf.col("job.key").alias("of"))
        shapes = shapes.join(self._keys.of("shape", "hash", "id", new=True), "hash")
        shapes = shapes.join(self._keys.of("job", "of", "job"), "of", "left").withColumn(
            "job", sf.coalesce("job", sf.lit(0))
        )
        shapes = self._work.keep("shapes", shapes.select("id", "hash", "kind", "job", "streaming"))
        if self._keys.new["shape"]:
            self._add("shape", shapes)
        return shapes

    def _schemas(self) -> DataFrame:
        schemas = exploded(self._read, "schemas").dropDuplicates(["hash"])
        schemas = schemas.join(self._keys.of("schema", "hash", "id", new=True), "hash")
        if self._keys.new["schema"]:
            self._add("schema", schemas)
        return schemas

    def _mentions(self) -> DataFrame:
        kinds = {"dataset": "dataset", "renamed": "dataset", "mapping": "mapping", "schema": "schema"}
        mentions = self._with_keys(self._exploded("mentions"), kinds).drop("said_by")
        mentions = self._work.keep("mentions", mentions)
        if self._keys.new["shape"]:
            self._add("mention", mentions)
        return mentions

    def _symlinks(self) -> DataFrame:
        symlinks = self._with_keys(self._exploded("symlinks"), {"alias": "dataset", "physical": "dataset"}, "inner")
        symlinks = self._work.keep("symlinks", symlinks.drop("said_by"))
        if self._keys.new["shape"]:
            self._add("symlink", symlinks)
        return symlinks

    def _made_of(self) -> DataFrame:
        made = self._exploded("made_of").withColumn("job", sf.col("job.key"))
        made = self._with_keys(made, {"dataset": "dataset", "job": "job", "source": "dataset"}).drop("said_by")
        made = self._work.keep("made-of", made.fillna(0, ["dataset", "job", "source"]))
        if self._keys.new["shape"]:
            self._add("made_of", made)
        return made

    def _notes(self) -> None:
        jobs = self._read.select(sf.col("shape").alias("said_by"), sf.col("job.key").alias("of_job"))
        notes = self._exploded("notes").join(jobs, "said_by")
        notes = notes.join(self._keys.of("dataset", "dataset", "of"), "dataset", "left")
        notes = notes.join(self._keys.of("job", "of_job", "job"), "of_job", "left")
        of_dataset = sf.col("dataset").isNotNull()
        self._add(
            "note",
            notes.select(
                sf.when(of_dataset, int(NoteKind.DATASET)).otherwise(int(NoteKind.JOB)).alias("kind"),
                sf.when(of_dataset, sf.col("of")).otherwise(sf.col("job")).alias("entity"),
                "name",
                "shape",
                "content",
            ),
        )

    def _steps(self) -> None:
        if self._keys.new["step"]:
            steps = exploded(self._read, "steps").dropDuplicates(["hash"])
            self._add("step", steps.join(self._keys.of("step", "hash", "id", new=True), "hash"))

    def _mappings(self, fields: FieldRows) -> None:
        """New mappings, and those for which an earlier event has other texts; with their edges."""
        mappings = exploded(self._read, "mappings", stamp="stamp", said_by="shape")
        first = sf.struct("stamp", "said_by", "dataset", "structure", "text", "origin")
        mappings = mappings.groupBy("hash").agg(sf.min(first).alias("first"))
        mappings = mappings.select("hash", "first.*").join(self._keys.of("mapping", "hash", "id"), "hash")
        mappings = self._with_keys(mappings, {"dataset": "dataset", "origin": "dataset"})
        # Events state no mapping under a new name.
        mappings = mappings.withColumn("root", sf.lit(None).cast("bigint"))
        removed = None
        if self._lake.is_empty("mapping"):
            mappings = self._work.keep("mappings", mappings)
        else:
            known = self._lake.read("mapping").select("id", sf.col("stamp").alias("known"))
            known = self._work.matching(known, self._keys.of("mapping", "hash", "id", new=False), "id")
            mappings = mappings.join(known, "id", "left").where("known IS NULL OR stamp < known")
            mappings = self._work.keep("mappings", mappings)
            earlier = mappings.where("known IS NOT NULL").select("id", "dataset")
            removed = None if earlier.isEmpty() else earlier
        if removed is None and not self._keys.new["mapping"]:
            return
        self._changes["mapping"] = Change(mappings, removed)
        removed_edges = None
        if removed is not None:
            removed_edges = self._lake.read("edge").join(
                removed.select(sf.col("id").alias("mapping")), "mapping", "left_semi"
            )
        self._changes["edge"] = Change(self._edges(mappings, fields), removed_edges)

    def _edges(self, mappings: DataFrame, fields: FieldRows) -> DataFrame:
        by_name = mappings.selectExpr("hash AS of_mapping", "said_by", "id AS mapping", "dataset AS own")
        edges = exploded(self._read, "edges", said_by="shape").withColumnRenamed("mapping", "of_mapping")
        edges = edges.join(by_name, ["of_mapping", "said_by"])
        edges = edges.join(self._keys.of("dataset", "in_dataset", "source"), "in_dataset")
        edges = edges.withColumnRenamed("step", "of_step").join(self._keys.of("step", "of_step", "step"), "of_step")
        every = fields.all_of(self._work, self._keys.of("dataset", "key", "dataset"))
        ins = every.selectExpr("dataset AS source", "path AS in_path", "id AS in_field")
        outs = every.selectExpr("dataset AS own", "path AS out_path", "id AS out_field")
        edges = edges.join(ins, ["source", "in_path"], "left").join(outs, ["own", "out_path"], "left")
        for end, dataset in (("in_field", "source"), ("out_field", "own")):
            edges = edges.withColumn(end, sf.coalesce(end, sf.shiftleft(sf.col(dataset), FIELD_BITS)))
        return edges.select("mapping", "out_field", "ordinal", "in_field", "step", "description")

    def _body_rows(self, shapes: DataFrame | None) -> DataFrame:
        """The events' bodies by key; new ones are written to the lake with their contents."""
        bodies = self._bodies.join(self._keys.of("shape", "meaning", "shape"), "meaning")
        bodies = bodies.join(self._keys.of("body", "hash", "body"), "hash")
        stored = None if self._lake.is_empty("shape") else self._lake.read("shape")
        known = union(
            rows.select(sf.col("id").alias("shape"), "job", "streaming")
            for rows in (shapes, stored)
            if rows is not None
        )
        known = self._work.matching(known, self._keys.of("shape", "hash", "shape"), "shape")
        bodies = bodies.join(known, "shape").selectExpr("hash AS body_hash", "body", "shape", "job", "streaming")
        # Materialized, so that Spark knows how small it is and need not shuffle the events, which are wide.
        bodies = self._work.keep("body-keys", bodies)
        if self._keys.new["body"]:
            new = self._keys.of("body", "hash", "id", new=True)
            shapes = bodies.select(sf.col("body_hash").alias("hash"), "shape")
            contents = self._validated.bodies.select("hash", "content").join(new, "hash").dropDuplicates(["hash"])
            self._add("body", contents.join(shapes, "hash"))
        return bodies


def _jobs_of_entries(read: DataFrame) -> DataFrame:
    """The jobs that events name beside their own, as what feeds a dataset or reads one."""
    return exploded(read, "made_of").where("job IS NOT NULL").select("job.*")


def name_all(work: Work, validated: Validated) -> Named:
    """Read the bodies that say something new, and assign keys."""
    bodies = _bodies(work, validated)
    read = _read(work, validated, bodies)
    events = validated.events
    parents = events.where("parent_job_name IS NOT NULL").select(
        sf.col("parent_job_namespace").alias("namespace"), sf.col("parent_job_name").alias("name")
    )
    parents = work.keep("parent-jobs", work.mapped(parents.distinct(), name_jobs, NAMED))
    hashes = {
        "run": events.select("run").union(events.select("parent")),
        "job": parents.select("key"),
        "body": bodies.select("hash"),
        "shape": bodies.select("meaning"),
    }
    has_new_shapes = work.has_rows("read")
    if has_new_shapes:
        hashes |= {
            "job": read.select("job.key").union(hashes["job"]).union(_jobs_of_entries(read).select("key")),
            "dataset": exploded(read, "datasets").select("key"),
            "schema": exploded(read, "schemas").select("hash"),
            "mapping": exploded(read, "mappings").select("hash"),
            "step": exploded(read, "steps").select("hash"),
        }
    keys = assign_keys(work, hashes)
    rows = NameRows(work, validated, keys, read, bodies, parents)
    return rows.named() if has_new_shapes else rows.known()


def _bodies(work: Work, validated: Validated) -> DataFrame:
    """The bodies of the events: hash, hash of the meaning, kind, and the stamp of the earliest event."""
    stamps = validated.events.groupBy("body_hash").agg(sf.min("stamp").alias("stamp"), sf.max("kind").alias("kind"))
    distinct = validated.bodies.groupBy("hash").agg(sf.first("meaning").alias("meaning"))
    bodies = distinct.join(stamps, sf.col("hash") == sf.col("body_hash")).select("hash", "meaning", "kind", "stamp")
    return work.keep("bodies", bodies)


def _read(work: Work, validated: Validated, bodies: DataFrame) -> DataFrame:
    """Read the bodies that say something new."""
    first = bodies.groupBy("meaning").agg(sf.min(sf.struct("stamp", "hash", "kind")).alias("first"))
    first = first.select("meaning", "first.*")
    if not work.lake.is_empty("shape"):
        known = work.lake.read("shape").select(sf.col("id").alias("shape"), sf.col("hash").alias("meaning"))
        known = work.few.here(work.matching(known, bodies, "meaning"))
        stamps = (
            work.matching(work.lake.read("mention"), known, "shape")
            .where("mapping IS NOT NULL")
            .select("shape", "mapping")
            .join(
                work.lake.read("mapping").select(sf.col("id").alias("mapping"), sf.col("stamp").alias("text_stamp")),
                "mapping",
            )
            .groupBy("shape")
            .agg(sf.max("text_stamp").alias("text_stamp"))
        )
        known = known.join(stamps, "shape", "left")
        first = first.join(known, "meaning", "left").where("shape IS NULL OR stamp < text_stamp")
    selected = first.select("hash", "kind", "stamp")
    contents = validated.bodies.select("hash", "content").join(selected, "hash").dropDuplicates(["hash"])
    return work.keep("read", work.mapped(contents.select("content", "kind", "stamp"), read_bodies, READ))
