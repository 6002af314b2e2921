"""A MERGE that gives its table new columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pyspark
import pytest
from pyspark.sql import SparkSession
from tests.capture.conftest import Capture

import headwater
from headwater.capture.explain import CannotExplain

pytestmark = [pytest.mark.spark, pytest.mark.lake]

BY_STAR = "ON t.id = wide.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"


@pytest.fixture
def wide(spark: SparkSession) -> Iterator[str]:
    """A source with one more column, at the top and in a struct."""
    spark.sql("CREATE TABLE wide (id INT, st STRUCT<x INT, z INT>, more STRING) USING parquet")
    yield "wide"
    spark.sql("DROP TABLE wide")


def _fields(captured: Capture) -> dict[str, set[str]]:
    (output,) = captured.last["outputs"]
    return {
        name: {f"{field['name'].rsplit('/', 1)[-1]}.{field['field']}" for field in one["inputFields"]}
        for name, one in output["facets"]["columnLineage"]["fields"].items()
    }


def test_delta(spark: SparkSession, capture: Callable[[], Capture], wide: str) -> None:
    spark.sql("CREATE TABLE growing (id INT, st STRUCT<x INT>) USING delta")
    merge = f"MERGE INTO growing AS t USING {wide} {BY_STAR}"
    expected = {
        "id": {"growing.id", "wide.id"},
        "st.x": {"growing.st.x", "wide.st.x"},
        "st.z": {"wide.st.z"},
        "more": {"wide.more"},
    }
    spark.conf.set("spark.databricks.delta.schema.autoMerge.enabled", "true")
    try:
        explained = headwater.lineage(spark, merge)
        captured = capture()
        spark.sql(merge)
    finally:
        spark.conf.unset("spark.databricks.delta.schema.autoMerge.enabled")

    assert {
        name: {f"{source.dataset.short_name}.{source.field}" for source in sources}
        for name, sources in explained.columns.items()
    } == expected
    assert _fields(captured) == expected
    (output,) = captured.last["outputs"]
    assert [field["name"] for field in output["facets"]["schema"]["fields"]] == ["id", "st", "more"]


@pytest.mark.skipif(pyspark.__version__.startswith("3."), reason="WITH SCHEMA EVOLUTION came with Spark 4")
def test_iceberg(spark: SparkSession, capture: Callable[[], Capture], wide: str) -> None:
    spark.sql("CREATE TABLE lake.evolving.t (id INT, more STRING) USING iceberg")
    spark.sql("ALTER TABLE lake.evolving.t DROP COLUMN more")
    merge = (
        f"MERGE WITH SCHEMA EVOLUTION INTO lake.evolving.t AS t USING (SELECT id, more FROM {wide}) AS wide {BY_STAR}"
    )

    with pytest.raises(CannotExplain, match="WITH SCHEMA EVOLUTION"):
        headwater.lineage(spark, merge)
    assert spark.table("lake.evolving.t").columns == ["id"]

    captured = capture()
    spark.sql(merge)
    fields = _fields(captured)
    assert fields["id"] == {"t.id", "wide.id"}
    assert "wide.more" in fields["more"]
