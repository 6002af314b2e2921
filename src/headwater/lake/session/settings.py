"""Temporary settings of Spark."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, cast

from pyspark.sql import SparkSession


@contextmanager
def while_set(spark: SparkSession, settings: Mapping[str, str]) -> Iterator[None]:
    """Apply settings until the end of the block."""
    before = {name: cast("Any", spark.conf.get(name, None)) for name in settings}
    try:
        for name, value in settings.items():
            spark.conf.set(name, value)
        yield
    finally:
        for name, value in before.items():
            if value is None:
                spark.conf.unset(name)
            else:
                spark.conf.set(name, value)
