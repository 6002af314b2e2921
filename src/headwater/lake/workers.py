"""Python functions on Spark's workers."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

from pyspark.sql import DataFrame
from pyspark.sql.types import StructType

from headwater.lake.archives import remember_archives

if TYPE_CHECKING:
    import pyarrow as pa

Function: TypeAlias = "Callable[[Any], Iterable[pa.RecordBatch]]"
"""Takes an iterator of Arrow batches."""


def in_python(rows: DataFrame, function: Function, schema: StructType | str) -> DataFrame:
    """Apply a function to Arrow batches on the workers; its result has this schema."""
    return rows.mapInArrow(_OnWorker(function), schema)


class _OnWorker:
    def __init__(self, function: Function) -> None:
        self._function = function

    def __call__(self, batches: "Iterable[pa.RecordBatch]") -> "Iterable[pa.RecordBatch]":
        remember_archives()
        return self._function(batches)
