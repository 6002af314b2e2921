"""Keys for what is new: they go on after the greatest one given out, in an order that depends on hashes alone."""

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
"""Tables whose rows have a key of their own, and the hash by which each row is known in all stores."""
# New hashes are counted in so many parts at once; each part has every so many-th number.
_PARTS = 16


class Numbered:
    """Keys by kind and hash, of all that a run of the pipeline meets; `new` counts those that it gave out."""

    def __init__(self, keys: DataFrame, new: Mapping[str, int]) -> None:
        self._keys = keys
        self.new = new

    def of(self, kind: str, hashed: str, key: str, *, new: bool | None = None) -> DataFrame:
        """Hash and key of one kind under names of one's own; only new ones or only known ones, if need be."""
        found = self._keys.where(sf.col("kind") == kind)
        found = found if new is None else found.where(sf.col("new") == sf.lit(new))
        return found.select(sf.col("hash").alias(hashed), sf.col("id").alias(key))


def number(work: Work, met: Mapping[str, DataFrame]) -> Numbered:
    """Find or give out keys.

    Args:
        work: the lake, which has keys already, and where new ones are written down.
        met: by kind, a frame with one column: the hashes that are met; repeated and null ones do no harm.
    """
    seen = union(rows.toDF("hash").select(sf.lit(kind).alias("kind"), "hash") for kind, rows in met.items())
    seen = seen.where("hash IS NOT NULL").distinct()
    known = [kind for kind in met if not work.lake.is_empty(kind)]
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
    given = sf.coalesce("last", sf.lit(0)) + place * _PARTS + sf.col("part") + 1
    keys = seen.select("kind", "hash", sf.coalesce("id", given).alias("id"), sf.col("id").isNull().alias("new"))
    keys = work.keep("keys-" + "-".join(met), keys, "kind")
    counts = {row[0]: row[1] for row in keys.where("new").groupBy("kind").count().collect()}
    return Numbered(keys, {kind: counts.get(kind, 0) for kind in met})
