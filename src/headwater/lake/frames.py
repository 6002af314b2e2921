"""Helpers for frames: materializing them, folding groups, and the store's order of events in Spark."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, timedelta
from functools import reduce
from typing import Any, TypeAlias

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf
from pyspark.sql.pandas.types import from_arrow_schema

from headwater.lake.few import Few
from headwater.lake.lake import Lake
from headwater.lake.workers import in_python

Batches: TypeAlias = Iterator[Any]
"""Arrow's record batches."""
Fold: TypeAlias = Callable[[Any], Any]

_SIGN = -(1 << 63)


class Work:
    """One run's work on a lake; frames that are used more than once are materialized.

    Assigned keys must not change when Spark computes a frame again.

    `few` says that the run's input is small: then small frames are materialized in this process, and what is in Python
    runs here.
    """

    def __init__(self, lake: Lake, *, few: bool = False) -> None:
        self.lake = lake
        self.few = Few(lake.spark, on=few)
        self._place = f"{lake.scratch()}/derive"
        self._kept: dict[str, DataFrame] = {}

    def keep(self, name: str, rows: DataFrame, *by: str) -> DataFrame:
        """The same rows, materialized; files are partitioned by some columns: Spark then knows how few have a value."""
        kept = self._kept[name] = self.few.here(rows)
        if self.few.count(kept) is not None:
            return kept
        path = f"{self._place}/{name}"
        (rows.write.partitionBy(*by) if by else rows.write).parquet(path)
        return self.lake.spark.read.schema(rows.schema).parquet(path)

    def has_rows(self, name: str) -> bool:
        """Whether the frame kept under a name has rows."""
        count = self.few.count(self._kept[name])
        return self.lake.files.has_rows(f"{self._place}/{name}") if count is None else count > 0

    def mapped(self, rows: DataFrame, function: Fold, schema: Any) -> DataFrame:  # noqa: ANN401  PyArrow has no types
        """Apply a function to Arrow batches; its result has this Arrow schema."""
        here = self._worked(rows, function, schema)
        return in_python(rows, function, from_arrow_schema(schema)) if here is None else here

    def folded(self, rows: DataFrame, by: Sequence[str], order: Sequence[str], fold: Fold, schema: Any) -> DataFrame:  # noqa: ANN401  as above
        """Fold groups in order: one Python process sees each group, row by row, never as a whole."""
        here = (
            self._worked(rows.repartition(1).sortWithinPartitions(*by, *order), fold, schema) if self.few.on else None
        )
        if here is not None:
            return here
        return in_python(rows.repartition(*by).sortWithinPartitions(*by, *order), fold, from_arrow_schema(schema))

    def _worked(self, rows: DataFrame, function: Fold, schema: Any) -> DataFrame | None:  # noqa: ANN401  as above
        table = self.few.table(rows)
        if table is None:
            return None
        worked = pa.Table.from_batches(function(iter(table.to_batches())), schema)
        return self.few.frame(worked, from_arrow_schema(schema))

    def matching(self, stored: DataFrame, rows: DataFrame, *on: str) -> DataFrame:
        """The lake's rows that may have something to do with some rows: where these are few, those with their keys.

        Spark would otherwise shuffle all that the lake has.
        """
        return stored.join(rows.select(*on), [*on], "left_semi") if self.few.on else stored

    def differences(self, name: str, before: DataFrame, after: DataFrame) -> tuple[DataFrame, DataFrame]:
        """Added and removed rows; both frames have the same columns and distinct rows."""
        names = after.columns
        counted = union([after.withColumn("side", sf.lit(1)), before.select(*names).withColumn("side", sf.lit(-1))])
        changed = self.keep(name, counted.groupBy(*names).agg(sf.sum("side").alias("side")).where("side <> 0"))
        return changed.where("side > 0").drop("side"), changed.where("side < 0").drop("side")


def rows_of(batches: Batches, names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """The rows of Arrow batches."""
    for batch in batches:
        yield from zip(*(batch.column(name).to_pylist() for name in names), strict=True)


def batch_of(rows: Iterable[tuple[Any, ...]], schema: Any) -> Any:  # noqa: ANN401  as above
    """Rows as an Arrow batch; there must be one at least."""
    columns = zip(*rows, strict=True)
    return pa.RecordBatch.from_arrays(
        [pa.array(values, kind) for values, kind in zip(columns, schema.types, strict=True)], schema=schema
    )


def union(frames: Iterable[DataFrame]) -> DataFrame:
    """All rows of frames; a column that one does not have is null there."""
    return reduce(lambda left, right: left.unionByName(right, allowMissingColumns=True), frames)


def exploded(rows: DataFrame, column: str, **others: str) -> DataFrame:
    """A row for each struct in a list, its parts as columns, and other columns under new names."""
    items = rows.select(*(sf.col(name).alias(new) for new, name in others.items()), sf.explode(column).alias("item"))
    return items.select(*others, "item.*")


def instant_of(us: Column) -> Column:
    """The first bytes of the stamps of an instant, as `headwater.store.model.order.before` makes them."""
    return sf.unhex(sf.lpad(sf.hex(us.bitwiseXOR(sf.lit(_SIGN))), 16, "0"))


def stamp_of(us: Column, kind: Column, hashed: Column) -> Column:
    """An event's stamp, as `headwater.store.model.order.stamp` makes it; `kind` is the event's type."""
    rank = sf.unhex(sf.lpad(sf.hex(rank_of(kind)), 2, "0"))
    return sf.concat(instant_of(us), rank, sf.substring(hashed, 1, 8))


def rank_of(kind: Column) -> Column:
    """START < RUNNING < OTHER < the types that end a run."""
    return sf.least(kind.cast("bigint"), sf.lit(3))


def hearsay_of(stamped: Column) -> Column:
    """The stamp of what another run's event says about a run, as `headwater.store.model.order.hearsay` makes it."""
    return sf.unhex(sf.concat(sf.lit("00"), sf.translate(sf.hex(stamped), "0123456789ABCDEF", "FEDCBA9876543210")))


def first_day(us: int) -> str:
    """The day of a moment as the lake's partitions write it; empty, before all others, where the calendar has none.

    >>> first_day(0), first_day(-1), first_day(-(1 << 62))
    ('1970-01-01', '1969-12-31', '')
    """
    try:
        return (date(1970, 1, 1) + timedelta(microseconds=us)).isoformat()
    except OverflowError:
        return ""
