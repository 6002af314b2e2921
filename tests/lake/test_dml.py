"""MERGE, UPDATE and DELETE over real Iceberg and Delta tables: explained without running them, and captured."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from pyspark.sql import SparkSession
from tests.lake.cases import CASES, Case
from tests.lake.conftest import FORMATS, Format
from tests.spark.conftest import Capture

import headwater
from headwater.rules.model import Sources

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


def _said(sources: Sources) -> set[str]:
    return {
        f"{source.dataset.short_name}.{source.field} {mark.how.name}"
        for source, marks in sources.items()
        for mark in marks
    }


def _told(fields: Iterable[dict[str, Any]]) -> set[str]:
    return {
        f"{_table(one['name'])}.{one['field']} {step['subtype']}" for one in fields for step in one["transformations"]
    }


def _table(name: str) -> str:
    return name.rsplit("/", 1)[-1].rsplit(".", 1)[-1]
