"""Keys for new rows: they continue after the greatest key in use, in an order that depends on hashes alone."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as sf
from pyspark.sql.pandas.types import from_arrow_schema

from headwater.lake.frames import Work, batch_of, union

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
_KEY = pa.schema([("kind", pa.string()), ("hash", pa.binary()), ("id", pa.int64()), ("new", pa.bool_())])


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
    few = work.few.table(seen)
    if few is not None:
        return _assign_here(work, few, hashes, known)
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


def _assign_here(work: Work, table: Any, kinds: Iterable[str], known: Sequence[str]) -> Keys:  # noqa: ANN401  PyArrow has no types
    """Keys of the hashes in a table: of the lake's, only theirs and the greatest of each kind come to this process."""
    seen: dict[str, set[bytes]] = {kind: set() for kind in kinds}
    for kind, hashed in zip(*(table.column(name).to_pylist() for name in ("kind", "hash")), strict=True):
        seen[kind].add(hashed)
    rows = work.few.frame(table, from_arrow_schema(table.schema))
    found: list[DataFrame] = []
    for kind in known:
        if seen[kind]:
            stored = work.lake.read(kind).select(sf.lit(kind).alias("kind"), sf.col(KINDS[kind]).alias("hash"), "id")
            last = stored.groupBy("kind").agg(sf.lit(None).cast("binary").alias("hash"), sf.max("id").alias("id"))
            found += [work.matching(stored, rows.where(sf.col("kind") == kind), "hash").select(*last.columns), last]
    ids: dict[tuple[str, bytes | None], int] = {}
    for kind, hashed, key in union(found).collect() if found else ():
        ids[kind, None if hashed is None else bytes(hashed)] = key
    keys: list[tuple[str, bytes, int, bool]] = []
    for kind, hashes in seen.items():
        new = sorted(hashed for hashed in hashes if (kind, hashed) not in ids)
        keys += ((kind, hashed, key, True) for key, hashed in enumerate(new, start=ids.get((kind, None), 0) + 1))
    new_keys = Counter(kind for kind, *_ in keys)
    keys += ((kind, hashed, key, False) for (kind, hashed), key in ids.items() if hashed is not None)
    assigned = pa.Table.from_batches([batch_of(keys, _KEY)] if keys else [], _KEY)
    return Keys(work.few.frame(assigned, from_arrow_schema(_KEY)), {kind: new_keys[kind] for kind in seen})
