"""New fields: their numbers continue those of their dataset; and which of them may stand for others."""

from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

import pyarrow as pa
from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as sf

from headwater.lake.frames import Batches, Work, batch_of, rows_of, union
from headwater.store.db.codes import FIELD_BITS
from headwater.store.entities.keys import kin_of

_KIN = pa.schema([("field", pa.int64()), ("other", pa.int64()), ("how", pa.int16())])


@dataclass(frozen=True)
class FieldRows:
    """Fields.

    Attributes:
        new: id, dataset, key and path of the new fields; None where there are none.
        kin: pairs of fields of one dataset that may stand for each other, at least one of them new.
    """

    new: DataFrame | None
    kin: DataFrame | None

    def all_of(self, work: Work, datasets: DataFrame) -> DataFrame:
        """Id, dataset and path of all fields of datasets, and maybe of others."""
        lake = work.lake
        new = [] if self.new is None else [self.new]
        stored = (
            [work.matching(lake.read("field"), datasets, "dataset")] if not new or not lake.is_empty("field") else []
        )
        return union(rows.select("id", "dataset", "path") for rows in (*new, *stored))


def number_fields(work: Work, met: DataFrame) -> FieldRows:
    """Number the new ones among the fields of events, given by dataset, key and path."""
    known = not work.lake.is_empty("field")
    place = sf.row_number().over(Window.partitionBy("dataset").orderBy("path"))
    if known:
        met = work.few.here(met)
        stored = work.matching(work.lake.read("field").select("dataset", "key"), met, "dataset", "key")
        met = met.join(stored, ["dataset", "key"], "left_anti")
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
    return FieldRows(new, work.folded(every, ["dataset"], [], _fold_kin, _KIN))


def _fold_kin(batches: Batches) -> Batches:
    """The kin of each dataset's fields, which are few enough to compare in memory."""
    rows = rows_of(batches, ("dataset", "id", "path", "added"))
    for _, fields in groupby(rows, itemgetter(0)):
        listed = list(fields)
        every = {path: key for _, key, path, _ in listed}
        pairs = sorted(kin_of(every, {path: key for _, key, path, new in listed if new}))
        if pairs:
            yield batch_of(pairs, _KIN)
