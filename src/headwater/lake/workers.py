"""Python functions on Spark's workers."""

import zipimport
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from pyspark.sql import DataFrame
from pyspark.sql.types import StructType

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
        _remember_archives()
        return self._function(batches)


# Before each task, PySpark has Python forget what its path holds. Python 3.12 and earlier then read the lists of all
# archives there, among them Spark's own jar, once for each package in them: 0.1 seconds a task and more, where the task
# itself may take a hundredth of that. What is in an archive that has not changed is still there.
_forget: Any = zipimport.zipimporter.invalidate_caches
_Sign: TypeAlias = tuple[int, int]
_signs: dict[int, _Sign] = {}


def _remember_archives() -> None:
    if zipimport.zipimporter.invalidate_caches is _forget:
        zipimport.zipimporter.invalidate_caches = _forget_if_changed  # type: ignore[assignment,method-assign]


def _forget_if_changed(importer: zipimport.zipimporter) -> None:
    try:
        stat = Path(importer.archive).stat()
    except OSError:
        _forget(importer)
        return
    sign = stat.st_mtime_ns, stat.st_size
    if _signs.get(id(importer)) != sign:
        _forget(importer)
        _signs[id(importer)] = sign
