"""Which dataset each alias stands for at a moment (rule 9), over tables of a lake."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from headwater.lake.lake import Lake
from headwater.lake.workers import in_python
from headwater.store.db.predicates import in_force

if TYPE_CHECKING:
    import pyarrow as pa


def names_in_force(lake: Lake, as_of: int) -> DataFrame | None:
    """Datasets with several names at a moment, each with the one (`top`) that all are shown under; None without any."""
    aliases = (
        lake.read("alias").where(in_force("", str(as_of))).where("dataset <> physical").select("dataset", "physical")
    )
    if lake.is_empty("alias") or aliases.isEmpty():
        return None
    keys = lake.read("dataset").select(sf.col("id").alias("physical"), "key")
    pairs = aliases.join(keys, "physical").select("dataset", "physical", "key")
    # There are far fewer aliases than fields: one task resolves them all.
    return in_python(pairs.coalesce(1), _tops_of_batches, "dataset bigint, top bigint")


def tops(physical: Mapping[int, int], keys: Mapping[int, bytes]) -> dict[int, int]:
    """The end of each chain of aliases; of a circle, the first by key.

    >>> sorted(tops({1: 2, 2: 3}, {2: b"b", 3: b"c"}).items())
    [(1, 3), (2, 3), (3, 3)]
    >>> sorted(tops({1: 2, 2: 1, 5: 1}, {1: b"z", 2: b"a"}).items())
    [(1, 2), (2, 2), (5, 2)]
    """
    ends: dict[int, int] = {}
    for start in sorted({*physical, *physical.values()}):
        path = [start]
        places = {start: 0}
        while path[-1] not in ends:
            following = physical.get(path[-1])
            if following is None:
                ends[path[-1]] = path[-1]
            elif following in places:
                circle = path[places[following] :]
                ends |= dict.fromkeys(circle, min(circle, key=lambda dataset: (keys[dataset], dataset)))
            else:
                places[following] = len(path)
                path.append(following)
        ends |= dict.fromkeys(path, ends[path[-1]])
    return ends


def _tops_of_batches(batches: "Iterable[pa.RecordBatch]") -> "Iterator[pa.RecordBatch]":
    import pyarrow as pa  # noqa: PLC0415  on the executor

    physical: dict[int, int] = {}
    keys: dict[int, bytes] = {}
    for batch in batches:
        for dataset, to, key in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            physical[dataset] = to
            keys[to] = key
    ends = tops(physical, keys)
    columns = [pa.array(ends.keys(), pa.int64()), pa.array(ends.values(), pa.int64())]
    yield pa.RecordBatch.from_arrays(columns, ["dataset", "top"])
