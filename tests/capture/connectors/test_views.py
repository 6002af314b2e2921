"""Views of Spark's catalog over tables of Delta and Iceberg, and statements of these that read views."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from tests.capture.conftest import Capture
from tests.capture.event_summary import lines

pytestmark = [pytest.mark.spark, pytest.mark.lake]

TABLES = {"delta": "seen.d", "iceberg": "lake.seen.i"}


@pytest.fixture(scope="module")
def warehouse(spark: SparkSession) -> Iterator[SparkSession]:
    """A table in each format, `d` and `i`, with a view over each, and a target in each format."""
    spark.sql("CREATE DATABASE seen")
    for form, table in TABLES.items():
        spark.sql(f"CREATE TABLE {table} (id INT, v INT) USING {form}")
        spark.sql(f"INSERT INTO {table} VALUES (1, 10)")
        spark.sql(f"CREATE TABLE {table}_target (id INT, v INT) USING {form}")
        spark.sql(f"CREATE VIEW seen.{form}_view AS SELECT id AS key, v * 2 AS twice FROM {table} WHERE v > 0")
    yield spark
    for table in ("i", "i_target", *(f"copy_of_{form}" for form in TABLES)):
        spark.sql(f"DROP TABLE IF EXISTS lake.seen.{table}")
    spark.sql("DROP DATABASE seen CASCADE")


def by_views(event: dict[str, Any]) -> dict[str, list[str]]:
    """What the output takes from views: `dataset.column SUBTYPE`, without what it keeps of itself."""
    (output,) = event["outputs"]
    facet = output["facets"]["headwater_views"]
    own = Path(output["name"]).name
    found = {name: lines(field["inputFields"]) for name, field in facet["fields"].items()}
    found["rows"] = lines(facet["dataset"])
    return {name: [line for line in of if not line.startswith(f"{own}.")] for name, of in found.items()}


@pytest.mark.parametrize("form", TABLES)
@pytest.mark.parametrize("target", TABLES)
def test_a_merge_reads_a_view(warehouse: SparkSession, capture: Callable[[], Capture], form: str, target: str) -> None:
    captured = capture()
    warehouse.sql(
        f"MERGE INTO {TABLES[target]}_target t USING seen.{form}_view s ON t.id = s.key"
        " WHEN MATCHED AND s.twice > 5 THEN UPDATE SET v = s.twice"
        " WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.key, s.twice)"
    )
    event = next(event for event in reversed(captured.events) if event["outputs"])
    found = by_views(event)
    assert f"{form}_view.twice TRANSFORMATION" in found["v"] or f"{form}_view.twice IDENTITY" in found["v"]
    assert all(line.startswith(f"{form}_view.") for of in found.values() for line in of), found
    behind = {
        Path(source["name"]).name: [Path(view["name"]).name for view in facet["views"]]
        for source in event["inputs"]
        if (facet := source.get("inputFacets", {}).get("headwater_behindViews"))
    }
    assert behind == {TABLES[form].rpartition(".")[2]: [f"{form}_view"]}
    assert [Path(one["dataset"]["name"]).name for one in captured.all if "dataset" in one] == [f"{form}_view"]


@pytest.mark.parametrize("form", TABLES)
def test_a_copy_of_a_view(warehouse: SparkSession, capture: Callable[[], Capture], form: str) -> None:
    captured = capture()
    warehouse.table(f"seen.{form}_view").writeTo(f"lake.seen.copy_of_{form}").create()
    assert by_views(captured.last) == {
        "key": [f"{form}_view.key IDENTITY"], "twice": [f"{form}_view.twice IDENTITY"], "rows": [],
    }  # fmt: skip
