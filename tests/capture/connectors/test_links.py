"""What Delta adds by itself, versions of tables, and example 6.4."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pyspark.sql import SparkSession
from tests.capture.connectors.conftest import VERSION

import headwater

pytestmark = [pytest.mark.spark, pytest.mark.lake]


@pytest.fixture
def source(spark: SparkSession) -> None:
    spark.sql("DROP TABLE IF EXISTS source")
    spark.sql("CREATE TABLE source (id INT, value INT) USING parquet")
    spark.sql("INSERT INTO source VALUES (1, 2)")


def _fields(event: dict[str, Any]) -> dict[str, set[str]]:
    (output,) = event["outputs"]
    return {
        name: {
            f"{field['field']} {way['subtype']}" for field in found["inputFields"] for way in field["transformations"]
        }
        for name, found in output["facets"]["columnLineage"]["fields"].items()
    }


def _delta(spark: SparkSession, method: str, argument: object) -> Any:  # noqa: ANN401 (py4j has no types)
    """Call a static method of Delta's, whose jar is where only the thread's class loader looks."""
    context: Any = spark.sparkContext
    jvm, gateway = context._jvm, context._gateway
    loader = jvm.java.lang.Thread.currentThread().getContextClassLoader()
    arguments = gateway.new_array(jvm.java.lang.Object, 1)
    arguments[0] = argument
    for found in loader.loadClass("io.delta.tables.DeltaTable").getMethods():
        if found.getName() == method and found.getParameterCount() == 1:
            return found.invoke(None, arguments)
    raise LookupError(method)


@pytest.mark.usefixtures("source")
def test_a_column_that_delta_generates(spark: SparkSession, capture: Callable[..., Any]) -> None:
    if VERSION != "3.5":
        pytest.skip("Delta 4.1.0 cannot make a table with generated columns on Spark 4.1.4: a class is missing there")
    session: Any = spark
    column = _delta(spark, "columnBuilder", "next").dataType("INT").generatedAlwaysAs("id + 1").build()
    table = _delta(spark, "createOrReplace", session._jsparkSession).tableName("generated")
    table.addColumn("id", "INT").addColumn(column).execute()
    captured = capture()

    spark.sql("INSERT INTO generated (id) SELECT value FROM source")

    assert _fields(captured.last) == {"id": {"value IDENTITY"}, "next": {"value TRANSFORMATION"}}


@pytest.mark.usefixtures("source")
@pytest.mark.parametrize("how", ["iceberg", "delta"])
def test_the_version_that_was_read(spark: SparkSession, capture: Callable[..., Any], how: str) -> None:
    name = "lake.db.history" if how == "iceberg" else "history"
    spark.sql(f"DROP TABLE IF EXISTS {name}")
    spark.sql(f"CREATE TABLE {name} (id INT, value INT) USING {how}")
    spark.sql(f"INSERT INTO {name} SELECT * FROM source")
    snapshots = spark.sql(f"SELECT snapshot_id FROM {name}.snapshots").collect() if how == "iceberg" else [("1",)]
    first = str(snapshots[0][0])
    spark.sql(f"INSERT INTO {name} SELECT * FROM source")
    spark.sql("DROP TABLE IF EXISTS copy")
    captured = capture()

    spark.sql(f"CREATE TABLE copy USING parquet AS SELECT * FROM {name} VERSION AS OF {first}")

    (read,) = captured.last["inputs"]
    assert read["facets"]["version"]["datasetVersion"] == first


@pytest.mark.usefixtures("source")
def test_example_6_4_of_the_guide(spark: SparkSession) -> None:
    spark.sql("DROP TABLE IF EXISTS lake.db.target")
    spark.sql("CREATE TABLE lake.db.target (id INT, value INT) USING iceberg")

    lineage = headwater.lineage(
        spark,
        """MERGE INTO lake.db.target t USING source s ON t.id = s.id
        WHEN MATCHED THEN UPDATE SET t.value = s.value
        WHEN NOT MATCHED THEN INSERT (id, value) VALUES (s.id, s.value)""",
    )

    assert str(lineage).splitlines() == [
        "id ← source.id (copied)",
        "id ← target.id (copied)",
        "value ← source.value (copied)",
        "value ← target.value (copied)",
        "(rows) ← source.id (joins): target.id = source.id",
        "(rows) ← target.id (joins): target.id = source.id",
    ]
    assert spark.table("lake.db.target").count() == 0
