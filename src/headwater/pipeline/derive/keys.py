"""Keys for new rows: they continue after the greatest key in use, in an order that depends on hashes alone."""

from collections.abc import Mapping

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as sf

from headwater.lake.frames import Work, union

KINDS: Mapping[str, str] = {
    "dataset": "key",
    "job": "key",
    "body": "hash",
    "shape": "hash",
    "schema": "hash",
    "mapping": "hash",
    "step": "hash",
    "run": "uuid",
    "inputs": "hash",
}
"""Tables whose rows have a key of their own, and the hash that identifies a row in all stores."""
# New hashes are numbered in this many parts at once; each part takes every 16th number.
_PARTS = 16


class Keys:
    """Keys by kind and hash, for one run of the pipeline; `new` counts those that it assigned."""

    def __init__(self, keys: DataFrame, new: Mapping[str, int]) -> None:
        self._keys = keys
        self.new = new

    def of(self, kind: str, hashed: str, key: str, *, new: bool | None = None) -> DataFrame:
        """Hash and key of one kind, under the names given; `new` selects only new or only known ones."""
        rows = self._keys.where(sf.col("kind") == kind)
        rows = rows if new is None else rows.where(sf.col("new") == sf.lit(new))
        return rows.select(sf.col("hash").alias(hashed), sf.col("id").alias(key))


def assign_keys(work: Work, hashes: Mapping[str, DataFrame]) -> Keys:
    """Look keys up, and assign new ones; `hashes` has a frame of hashes by kind, which may repeat or be null."""
    seen = union(rows.toDF("hash").select(sf.lit(kind).alias("kind"), "hash") for kind, rows in hashes.items())
    seen = seen.where("hash IS NOT NULL").distinct()
    known = [kind for kind in hashes if not work.lake.is_empty(kind)]
    if known:
        stored = union(
            work.lake.read(kind).select(sf.lit(kind).alias("kind"), sf.col(KINDS[kind]).alias("hash"), "id")
            for kind in known
        )
        last = stored.groupBy("kind").agg(sf.max("id").alias("last"))
        seen = seen.join(stored, ["kind", "hash"], "left").join(sf.broadcast(last), "kind", "left")
    else:
        seen = seen.select("*", sf.lit(None).cast("bigint").alias("id"), sf.lit(0).alias("last"))
    seen = seen.withColumn("part", sf.pmod(sf.xxhash64("hash"), sf.lit(_PARTS)))
    place = sf.row_number().over(Window.partitionBy("kind", "part", sf.col("id").isNull()).orderBy("hash")) - 1
    assigned = sf.coalesce("last", sf.lit(0)) + place * _PARTS + sf.col("part") + 1
    keys = seen.select("kind", "hash", sf.coalesce("id", assigned).alias("id"), sf.col("id").isNull().alias("new"))
    keys = work.keep("keys-" + "-".join(hashes), keys, "kind")
    counts = {row[0]: row[1] for row in keys.where("new").groupBy("kind").count().collect()}
    return Keys(keys, {kind: counts.get(kind, 0) for kind in hashes})
