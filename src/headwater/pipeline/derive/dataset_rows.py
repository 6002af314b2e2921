"""Datasets and fields beside their history: how many fields, and the types that schemas give them."""

import json
from itertools import groupby
from operator import itemgetter
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from headwater.lake.frames import Batches, Work, batch_of, rows_of, union
from headwater.lake.lake import Change, Lake
from headwater.lake.tables import TABLES
from headwater.pipeline.derive.events import Facts
from headwater.pipeline.derive.field_rows import FieldRows
from headwater.pipeline.derive.shapes import ShapeTables
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
"""The type of each field by the schemas; and once for each dataset, without a path, its last schema."""


def derive_datasets(
    work: Work, facts: Facts, tables: ShapeTables, fields: FieldRows, new: DataFrame | None
) -> dict[str, Change]:
    """Changes of the tables dataset, field, kin and seen_schema; `new` are the new datasets."""
    changes: dict[str, Change] = {}
    seen = work.keep("seen", schemas_seen(tables.mentions, facts.rows))
    changes["seen_schema"], touched, every = _merge_seen(work, seen)
    typed = _type_fields(work, touched, every, tables)
    if fields.kin is not None:
        changes["kin"] = Change(fields.kin)
    if fields.new is None and typed is None:
        return changes
    changes["field"] = _fields(work.lake, fields, typed)
    changes["dataset"] = _datasets(work.lake, fields, typed, new)
    return changes


def _merge_seen(work: Work, seen: DataFrame) -> tuple[Change, DataFrame, DataFrame]:
    """Merge what was seen now and before; also the datasets whose fields may change, and all schemas seen."""
    key = ["dataset", "schema"]
    if work.lake.is_empty("seen_schema"):
        return Change(seen), seen.select("dataset").distinct(), seen
    place = sf.struct(*_PLACE)
    # What is not seen now stays as it is.
    stored = work.matching(work.lake.read("seen_schema").select(*key, place.alias("before")), seen, "dataset")
    both = seen.select(*key, place.alias("now")).join(stored, key, "full")
    both = work.keep("seen-both", both.select(*key, "before", sf.greatest("now", "before").alias("last"), "now"))
    moved = both.where("NOT (last <=> before)")
    change = Change(moved.select(*key, "last.*"), moved.where("before IS NOT NULL").select(*key))
    # A schema that is the dataset's last one already changes nothing, which is the daily case.
    known = work.lake.read("dataset").select(sf.col("id").alias("dataset"), sf.col("schema").alias("known"))
    touched = both.where("now IS NOT NULL").join(known, "dataset", "left").where("NOT (schema <=> known)")
    return change, touched.select("dataset").distinct(), both.select(*key, "last.*")


def _type_fields(work: Work, touched: DataFrame, every: DataFrame, tables: ShapeTables) -> DataFrame | None:
    contents = tables.schemas.withColumnRenamed("id", "schema")
    rows = work.few.here(every.join(touched, "dataset", "left_semi"))
    rows = rows.join(work.matching(contents, rows, "schema"), "schema")
    typed = work.keep("typed", work.folded(rows, ["dataset"], list(_PLACE), _read_schemas, _TYPED))
    return typed if work.has_rows("typed") else None


def _read_schemas(batches: Batches) -> Batches:
    """The schemas of datasets, first to last, folded to the types of fields; for `mapInArrow`."""
    for dataset, rows in groupby(rows_of(batches, ("dataset", "schema", "content")), itemgetter(0)):
        fields: Fields = {}
        last = None
        for _, schema, content in rows:
            fields = after_schema(fields, json.loads(unpacked(content)))
            last = schema
        field_rows: list[tuple[Any, ...]] = [(dataset, path, *attributes, None) for path, attributes in fields.items()]
        field_rows.append((dataset, None, None, None, None, last))
        yield batch_of(field_rows, _TYPED)


def _fields(lake: Lake, fields: FieldRows, typed: DataFrame | None) -> Change:
    """New fields, and those whose type, description or position changed."""
    names = TABLES["field"].names
    defaults = {"type": sf.lit(""), "description": sf.lit(""), "position": sf.lit(None).cast("bigint")}
    new = None
    if fields.new is not None:
        new = fields.new.select("*", *(default.alias(name) for name, default in defaults.items()))
    if typed is None:
        return Change(new)
    schema_fields = typed.where("path IS NOT NULL").select(
        "dataset", "path", *(sf.col(name).alias(f"new_{name}") for name in defaults)
    )
    parts = []
    removed = None
    if new is not None:
        parts.append(new.join(schema_fields, ["dataset", "path"], "left"))
    if not lake.is_empty("field"):
        stored = lake.read("field").select(*names).join(schema_fields, ["dataset", "path"])
        same = sf.lit(True)  # noqa: FBT003  a literal of Spark
        for name in defaults:
            same = same & sf.col(name).eqNullSafe(sf.col(f"new_{name}"))
        changed = stored.where(~same)
        parts.append(changed)
        removed = changed.select("id", "dataset")
    merged = union(parts)
    known = sf.col("new_type").isNotNull()
    for name in defaults:
        merged = merged.withColumn(name, sf.when(known, sf.col(f"new_{name}")).otherwise(sf.col(name)))
    return Change(merged.select(*names), removed)


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
