"""The pipeline's lake as Iceberg and as Delta: commits, states and what is left of the past are those of Parquet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from headwater.lake.conditions import among
from headwater.lake.lake import Change, Lake
from headwater.lake.tables import TABLES
from headwater.lake.vacuum import vacuum

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

pytestmark = [pytest.mark.lake, pytest.mark.slow]


def _named(spark: SparkSession, *rows: tuple[int, int]) -> DataFrame:
    """Rows of a table with two levels of partitions: a run, and the dataset that it is about."""
    data: list[tuple[Any, ...]] = [(run, 1, dataset, 0, b"s", "v") for run, dataset in rows]
    return spark.createDataFrame(data, TABLES["named"].schema)


def _steps(spark: SparkSession, *ids: int) -> DataFrame:
    return spark.createDataFrame([(key, b"h", "DIRECT", "IDENTITY", 0) for key in ids], TABLES["step"].schema)


def _runs(lake: Lake) -> list[int]:
    return sorted(row.run for row in lake.read("named").collect())


@pytest.mark.parametrize("kept_as", ["iceberg", "delta"])
def test_a_lake_is_the_same_in_other_formats(spark: SparkSession, tmp_path: Path, kept_as: str) -> None:
    path = str(tmp_path / kept_as)
    lake = Lake.open(spark, path, format=kept_as)
    first = {"named": Change(_named(spark, (1, 1), (2, 2), (3, 17))), "step": Change(_steps(spark, 1, 2))}
    lake.commit(first, {"n": 1})
    assert Lake.open(spark, path).format == kept_as
    assert [row.run for row in lake.read("named", among("bucket", [2])).collect()] == [2]

    lake.commit({"named": Change(_named(spark, (4, 33)), _named(spark, (1, 1)))}, {})
    assert _runs(lake) == [2, 3, 4]
    lake.commit({"named": Change(removed=_named(spark, (2, 2))), "step": Change(removed=_steps(spark, 1))}, {})
    assert _runs(lake) == [3, 4]
    assert [row.id for row in lake.read("step").collect()] == [2]
    assert _runs(lake.at(1)) == [1, 2, 3]
    lake.commit({"named": Change(_named(spark, (5, 5)))}, {})
    assert sorted(row.run for row in lake.added_since("named", 3).collect()) == [5]

    # A run that ends between its tables and its snapshot: the next one goes on from the state before.
    dead = Lake.open(spark, path)
    dead._changed(TABLES["named"], Change(_named(spark, (6, 6))))
    assert _runs(Lake.open(spark, path)) == [3, 4, 5]
    again = Lake.open(spark, path)
    again.commit({"named": Change(_named(spark, (7, 7)))}, {})
    assert _runs(again) == [3, 4, 5, 7]

    done = vacuum(again, keep=2, grace_ms=0)
    assert (done.removed, done.left) == (3, 2)
    assert _runs(Lake.open(spark, path)) == [3, 4, 5, 7]
    assert _runs(again.at(4)) == [3, 4, 5]
