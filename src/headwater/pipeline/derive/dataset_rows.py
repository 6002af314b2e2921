"""What is known of datasets beside their history: how many fields, and what the schemas say of them."""

import json
from itertools import groupby
from operator import itemgetter
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from headwater.lake.frames import Batches, Work, folded, rows_of, union
from headwater.lake.lake import Change, Lake
from headwater.lake.tables import TABLES
from headwater.pipeline.derive.events import Facts
from headwater.pipeline.derive.field_rows import FieldRows
from headwater.pipeline.derive.shapes import Said
from headwater.pipeline.load.export import schemas_seen
from headwater.store.entities.fields import Fields, after_schema
from headwater.store.model.compression import unpacked

_PLACE = ("us", "rank", "hash8", "role")
_TYPED = pa.schema(
    [
        ("dataset", pa.int64()), ("path", pa.string()), ("type", pa.string()), ("description", pa.string()),
        ("position", pa.int64()), ("schema", pa.int64()),
    ]
)  # fmt: skip
"""Of a field what the schemas say; and once for each dataset, without a path, the last schema."""


def derive_datasets(
    work: Work, facts: Facts, said: Said, fields: FieldRows, new: DataFrame | None
) -> dict[str, Change]:
    """Changes of datasets, fields, their kin, and of when schemas were seen; `new` are the new datasets."""
    changes: dict[str, Change] = {}
    seen = work.keep("seen", schemas_seen(said.mentions, facts.rows))
    changes["seen_schema"], touched, every = _merged(work, seen)
    typed = _typed(work, touched, every, said)
    if fields.kin is not None:
        changes["kin"] = Change(fields.kin)
    if fields.new is None and typed is None:
        return changes
    changes["field"] = _fields(work.lake, fields, typed)
    changes["dataset"] = _datasets(work.lake, fields, typed, new)
    return changes


def _merged(work: Work, seen: DataFrame) -> tuple[Change, DataFrame, DataFrame]:
    """What was seen now and before; the datasets whose fields it may change, and all that those were seen with."""
    key = ["dataset", "schema"]
    if work.lake.is_empty("seen_schema"):
        return Change(seen), seen.select("dataset").distinct(), seen
    place = sf.struct(*_PLACE)
    stored = work.lake.read("seen_schema").select(*key, place.alias("before"))
    both = seen.select(*key, place.alias("now")).join(stored, key, "full")
    both = work.keep("seen-both", both.select(*key, "before", sf.greatest("now", "before").alias("last"), "now"))
    moved = both.where("NOT (last <=> before)")
    change = Change(moved.select(*key, "last.*"), moved.where("before IS NOT NULL").select(*key))
    # A schema that is the dataset's last one already changes nothing by being seen again, which is the daily case.
    known = work.lake.read("dataset").select(sf.col("id").alias("dataset"), sf.col("schema").alias("known"))
    touched = both.where("now IS NOT NULL").join(known, "dataset", "left").where("NOT (schema <=> known)")
    return change, touched.select("dataset").distinct(), both.select(*key, "last.*")


def _typed(work: Work, touched: DataFrame, every: DataFrame, said: Said) -> DataFrame | None:
    contents = said.schemas.withColumnRenamed("id", "schema")
    rows = every.join(touched, "dataset", "left_semi").join(contents, "schema")
    found = work.keep("typed", folded(rows, ["dataset"], list(_PLACE), _read_schemas, _TYPED))
    return found if work.has_rows("typed") else None


def _read_schemas(batches: Batches) -> Batches:
    """The schemas of datasets from the first to the last, to what they say of fields; for `mapInArrow`."""
    for dataset, rows in groupby(rows_of(batches, ("dataset", "schema", "content")), itemgetter(0)):
        fields: Fields = {}
        last = None
        for _, schema, content in rows:
            fields = after_schema(fields, json.loads(unpacked(content)))
            last = schema
        found: list[tuple[Any, ...]] = [(dataset, path, *said, None) for path, said in fields.items()]
        found.append((dataset, None, None, None, None, last))
        columns = zip(*found, strict=True)
        yield pa.RecordBatch.from_arrays(
            [pa.array(values, kind) for values, kind in zip(columns, _TYPED.types, strict=True)], schema=_TYPED
        )


def _fields(lake: Lake, fields: FieldRows, typed: DataFrame | None) -> Change:
    """New fields, and those of which the schemas say something else now."""
    names = TABLES["field"].names
    plain = {"type": sf.lit(""), "description": sf.lit(""), "position": sf.lit(None).cast("bigint")}
    new = None
    if fields.new is not None:
        new = fields.new.select("*", *(made.alias(name) for name, made in plain.items()))
    if typed is None:
        return Change(new)
    told = typed.where("path IS NOT NULL").select(
        "dataset", "path", *(sf.col(name).alias(f"new_{name}") for name in plain)
    )
    parts = []
    removed = None
    if new is not None:
        parts.append(new.join(told, ["dataset", "path"], "left"))
    if not lake.is_empty("field"):
        stored = lake.read("field").select(*names).join(told, ["dataset", "path"])
        same = sf.lit(True)  # noqa: FBT003  a literal of Spark
        for name in plain:
            same = same & sf.col(name).eqNullSafe(sf.col(f"new_{name}"))
        changed = stored.where(~same)
        parts.append(changed)
        removed = changed.select("id", "dataset")
    found = union(parts)
    known = sf.col("new_type").isNotNull()
    for name in plain:
        found = found.withColumn(name, sf.when(known, sf.col(f"new_{name}")).otherwise(sf.col(name)))
    return Change(found.select(*names), removed)


def _datasets(lake: Lake, fields: FieldRows, typed: DataFrame | None, new: DataFrame | None) -> Change:
    names = TABLES["dataset"].names
    none = sf.lit(None).cast("bigint")
    parts = []
    if new is not None:
        plain = (sf.lit(0).cast("bigint").alias("fields"), none.alias("schema"), sf.lit(False).alias("known"))  # noqa: FBT003  a literal of Spark
        parts.append(new.select("id", "key", "tail", "namespace", "name", *plain))
    if not lake.is_empty("dataset"):
        parts.append(lake.read("dataset").withColumn("known", sf.lit(True)))  # noqa: FBT003  the same
    every = union(parts)
    if fields.new is not None:
        counts = fields.new.groupBy(sf.col("dataset").alias("id")).agg(sf.count(sf.lit(1)).alias("more"))
        every = every.join(counts, "id", "left")
    else:
        every = every.withColumn("more", none)
    if typed is not None:
        lasts = typed.where("path IS NULL").select(sf.col("dataset").alias("id"), sf.col("schema").alias("last"))
        every = every.join(lasts, "id", "left")
    else:
        every = every.withColumn("last", none)
    changed = every.where("NOT known OR more > 0 OR (last IS NOT NULL AND NOT (last <=> schema))")
    changed = changed.withColumn("fields", sf.col("fields") + sf.coalesce("more", sf.lit(0)))
    changed = changed.withColumn("schema", sf.coalesce("last", "schema"))
    removed = None if lake.is_empty("dataset") else changed.where("known").select("id")
    return Change(changed.select(*names), removed)
