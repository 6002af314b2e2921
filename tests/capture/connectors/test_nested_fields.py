"""Structs written by position and by name: the fields are those of the table, and they take what Spark writes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812 (as everyone calls it)
from tests.capture.conftest import Capture
from tests.capture.connectors.conftest import FORMATS
from tests.capture.event_summary import columns

pytestmark = [pytest.mark.spark, pytest.mark.lake]

BY_POSITION = {"id": ["from.id IDENTITY"], "st.x": ["from.st.y IDENTITY"], "st.y": ["from.st.x IDENTITY"]}
BY_NAME = {"id": ["from.id IDENTITY"], "st.x": ["from.st.x IDENTITY"], "st.y": ["from.st.y IDENTITY"]}


@pytest.mark.parametrize("format_", ["iceberg", "delta"])
def test_fields_are_those_of_the_table(
    spark: SparkSession, capture: Callable[[], Capture], tmp_path: Path, format_: str
) -> None:
    way = FORMATS[0] if format_ == "iceberg" else FORMATS[2]
    table = way.table.replace(".t", ".nested")
    spark.createDataFrame([(1, (2, 3))], "id INT, st STRUCT<y INT, x INT>").write.parquet(str(tmp_path / "from"))
    spark.read.parquet(str(tmp_path / "from")).createOrReplaceTempView("swapped")
    spark.sql(f"CREATE NAMESPACE IF NOT EXISTS {table.rpartition('.')[0]}")
    spark.sql(f"CREATE TABLE {table} (id INT, st STRUCT<x INT, y INT>) {way.clauses}")
    captured = capture()

    def said() -> dict[str, list[str]]:
        (output,) = captured.last["outputs"]
        return columns(output)

    def written() -> tuple[int, int]:
        row = spark.table(table).where("id = 1").first()
        assert row is not None
        return row.st.x, row.st.y

    spark.sql(f"INSERT INTO {table} SELECT id, st FROM swapped")
    # Delta goes by name where the names are the same, whatever their order.
    assert said() == (BY_POSITION if format_ == "iceberg" else BY_NAME)
    assert written() == ((2, 3) if format_ == "iceberg" else (3, 2))
    frame = spark.table("swapped").select(F.col("st").alias("ST"), F.col("id").alias("ID"))
    frame.writeTo(table).overwrite(F.expr("true"))
    assert said() == BY_NAME
    assert written() == (3, 2)
    frame.write.format(format_).mode("append").saveAsTable(table)
    assert said() == BY_NAME
    spark.sql(f"UPDATE {table} SET st = named_struct('y', st.x, 'X', id)")
    assert said() == {
        "id": ["nested.id IDENTITY"], "st.x": ["nested.id IDENTITY"], "st.y": ["nested.st.x IDENTITY"],
    }  # fmt: skip
