"""Fields that are new: their numbers go on where those of their dataset end; and which of them may stand for others."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as sf

from headwater.lake.frames import Batches, Work, folded, rows_of, union
from headwater.lake.lake import Lake
from headwater.store.db.codes import FIELD_BITS
from headwater.store.entities.keys import kin_of

_FIELD = "id bigint, dataset bigint, key binary, path string"
_KIN = pa.schema([("field", pa.int64()), ("other", pa.int64()), ("how", pa.int16())])


@dataclass(frozen=True)
class FieldRows:
    """Fields.

    Attributes:
        new: id, dataset, key and path of those that are new; None where there are none.
        kin: fields of one dataset that may stand for each other, as far as new ones have to do with it.
    """

    new: DataFrame | None
    kin: DataFrame | None

    def all_of(self, lake: Lake) -> DataFrame:
        """Id, dataset and path of all fields."""
        found = [] if self.new is None else [self.new]
        stored = [lake.read("field")] if not found or not lake.is_empty("field") else []
        return union(one.select("id", "dataset", "path") for one in (*found, *stored))


def number_fields(work: Work, met: DataFrame) -> FieldRows:
    """Give numbers to fields that are not known: dataset, key and path of all that are met."""
    known = not work.lake.is_empty("field")
    place = sf.row_number().over(Window.partitionBy("dataset").orderBy("path"))
    if known:
        met = met.join(work.lake.read("field").select("dataset", "key"), ["dataset", "key"], "left_anti")
        counts = work.lake.read("dataset").select(sf.col("id").alias("dataset"), "fields")
        met = met.join(counts, "dataset", "left")
        place = place + sf.coalesce("fields", sf.lit(0))
    numbered = met.withColumn("id", sf.shiftleft(sf.col("dataset"), FIELD_BITS) + place)
    new = work.keep("fields", numbered.select("id", "dataset", "key", "path"))
    if not work.has_rows("fields"):
        return FieldRows(None, None)
    every = new.select("dataset", "id", "path", sf.lit(1).alias("added"))
    if known:
        touched = new.select("dataset").distinct()
        stored = work.lake.read("field").join(touched, "dataset", "left_semi")
        every = union([every, stored.select("dataset", "id", "path", sf.lit(0).alias("added"))])
    return FieldRows(new, folded(every, ["dataset"], [], _kin, _KIN))


def _kin(batches: Batches) -> Batches:
    """The kin of each dataset's fields; a dataset's fields are few enough to be looked at together."""
    rows = rows_of(batches, ("dataset", "id", "path", "added"))
    for _, fields in groupby(rows, itemgetter(0)):
        found = sorted(_of_dataset(fields))
        if found:
            yield pa.RecordBatch.from_arrays(
                [pa.array(values, kind) for values, kind in zip(zip(*found, strict=True), _KIN.types, strict=True)],
                schema=_KIN,
            )


def _of_dataset(fields: Iterator[tuple[Any, ...]]) -> set[tuple[Any, ...]]:
    every: dict[str, int] = {}
    added: dict[str, int] = {}
    for _, key, path, new in fields:
        every[path] = key
        if new:
            added[path] = key
    return kin_of(every, added)
