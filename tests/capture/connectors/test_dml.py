"""MERGE, UPDATE and DELETE over real Iceberg and Delta tables: explained without running them, and captured."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from pyspark.sql import SparkSession
from tests.capture.conftest import Capture
from tests.capture.connectors.conftest import FORMATS, Format
from tests.capture.connectors.dml_cases import CASES, Case

import headwater
from headwater.rules.plan.sources import Sources

pytestmark = [pytest.mark.spark, pytest.mark.lake, pytest.mark.usefixtures("tables")]


FITTING = [
    pytest.param(way, case, id=f"{way.name}: {case.name}") for way in FORMATS for case in CASES if case.fits(way)
]


@pytest.mark.parametrize(("way", "case"), FITTING)
def test_explained(spark: SparkSession, way: Format, case: Case) -> None:
    before = spark.table(way.table).collect()

    lineage = headwater.lineage(spark, case.over(way))

    assert {name: _said(sources) for name, sources in lineage.columns.items()} == case.columns
    assert _said(lineage.rows) == case.rows
    assert not lineage.opaque
    for name, texts in case.texts.items():
        sources = lineage.rows if name == "rows" else lineage.columns[name]
        assert {*texts} <= {mark.text for marks in sources.values() for mark in marks}
    assert spark.table(way.table).collect() == before


@pytest.mark.parametrize(("way", "case"), FITTING)
def test_captured(
    spark: SparkSession,
    capture: Callable[[], Capture],
    event_errors: Callable[[dict[str, Any]], list[str]],
    way: Format,
    case: Case,
) -> None:
    captured = capture()

    spark.sql(case.over(way))

    event = captured.last
    assert event["eventType"] == "COMPLETE"
    assert not event_errors(event)
    (output,) = event["outputs"]
    assert _table(output["name"]) == "t"
    facet = output["facets"]["columnLineage"]
    assert {name: _told(one["inputFields"]) for name, one in facet["fields"].items()} == case.columns
    assert _told(facet.get("dataset", ())) == case.rows
    read = {source.split(".")[0] for sources in (*case.columns.values(), case.rows) for source in sources}
    assert {_table(one["name"]) for one in event["inputs"]} == read
    for one in (output, *event["inputs"]):
        assert [column["name"] for column in one["facets"]["schema"]["fields"]] == ["id", "v", "s", "st"]


@pytest.mark.parametrize("way", FORMATS, ids=lambda way: way.name)
def test_a_delete_of_everything_empties_the_table(
    spark: SparkSession, capture: Callable[[], Capture], way: Format
) -> None:
    captured = capture()
    spark.sql(f"DELETE FROM {way.table}")
    (output,) = captured.last["outputs"]
    assert output["facets"]["lifecycleStateChange"]["lifecycleStateChange"] == "TRUNCATE"
    assert "columnLineage" not in output["facets"]


@pytest.mark.parametrize("mode", ["copy-on-write", "merge-on-read"])
def test_what_keeps_track_of_rows_stays_hidden(spark: SparkSession, mode: str) -> None:
    """Tables of Iceberg's format version 3 have an id and a number for each row."""
    modes = ", ".join(f"'write.{one}.mode' = '{mode}'" for one in ("delete", "update", "merge"))
    table = f"lake.tracked.`{mode}`"
    spark.sql(f"CREATE TABLE {table} (id INT, v INT) USING iceberg TBLPROPERTIES ('format-version' = '3', {modes})")
    for statement in (
        f"UPDATE {table} SET v = 1 WHERE id = 2",
        f"DELETE FROM {table} WHERE v + id = 3",
        f"""MERGE INTO {table} AS t USING src ON t.id = src.id WHEN MATCHED THEN UPDATE SET v = src.v
        WHEN NOT MATCHED THEN INSERT (id, v) VALUES (src.id, src.v) WHEN NOT MATCHED BY SOURCE THEN DELETE""",
    ):
        lineage = headwater.lineage(spark, statement)
        assert [*lineage.columns] == ["id", "v"]
        assert not lineage.opaque
        (own,) = (fields for dataset, fields in lineage.reads.items() if dataset.short_name == mode)
        assert [field.name for field in own] == ["id", "v"]


@pytest.mark.parametrize("clauses", ["USING iceberg", "USING delta"])
def test_columns_that_are_checked_when_they_are_written(spark: SparkSession, clauses: str) -> None:
    catalog = "lake.checked" if "iceberg" in clauses else "spark_catalog.delta"
    spark.sql(f"CREATE TABLE {catalog}.c (id INT NOT NULL, c CHAR(3), d DECIMAL(5, 2), e VARCHAR(9)) {clauses}")

    lineage = headwater.lineage(
        spark,
        f"""MERGE INTO {catalog}.c USING src ON c.id = src.id WHEN MATCHED THEN UPDATE SET c = src.s, e = upper(src.s)
        WHEN NOT MATCHED THEN INSERT (id, d) VALUES (src.id, src.v + 1)""",
    )

    assert {name: _said(sources) for name, sources in lineage.columns.items()} == {
        "id": {"c.id IDENTITY", "src.id IDENTITY"},
        "c": {"c.c IDENTITY", "src.s IDENTITY"},
        "d": {"c.d IDENTITY", "src.v TRANSFORMATION"},
        "e": {"c.e IDENTITY", "src.s TRANSFORMATION"},
    }
    texts = {mark.text for sources in lineage.columns.values() for marks in sources.values() for mark in marks}
    assert texts == {"", "src.v + 1", "upper(src.s)"}
    assert not lineage.opaque


def _said(sources: Sources) -> set[str]:
    return {
        f"{source.dataset.short_name}.{source.field} {mark.how.name}"
        for source, marks in sources.items()
        for mark in marks
    }


def _told(fields: Iterable[dict[str, Any]]) -> set[str]:
    return {
        f"{_table(field['name'])}.{field['field']} {step['subtype']}"
        for field in fields
        for step in field["transformations"]
    }


def _table(name: str) -> str:
    return name.rsplit("/", 1)[-1].rsplit(".", 1)[-1]
