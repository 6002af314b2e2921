"""Every case under tests/cases: the query is analyzed by a real Spark, and its lineage is what the case says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyspark
import pytest
import yaml
from pyspark.sql import SparkSession

import headwater
from headwater.rules.model import Mark, SourceField, Sources

pytestmark = pytest.mark.spark

CASES = Path(__file__).parent.parent / "cases"


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(".")[:2])


def _load() -> Iterator[Any]:
    """The cases that this Spark can parse."""
    running = _version(pyspark.__version__)
    for path in sorted(CASES.glob("*.yaml")):
        subject = yaml.safe_load(path.read_text(encoding="utf-8"))
        for case in subject["cases"]:
            if _version(case.get("since", "0")) <= running <= _version(case.get("until", "99")):
                yield pytest.param(subject["tables"], case, id=f"{path.stem}: {case['name']}")


@pytest.fixture(scope="module")
def session(spark: SparkSession) -> Iterator[SparkSession]:
    """A session and a database of the cases' own: other tests see nothing of their views and functions."""
    own = spark.newSession()
    own.sql("CREATE DATABASE cases")
    own.sql("USE cases")
    yield own
    own.sql("DROP DATABASE cases CASCADE")


@pytest.mark.parametrize(("tables", "case"), list(_load()))
def test_case(
    session: SparkSession, tmp_path_factory: pytest.TempPathFactory, tables: dict[str, str], case: dict[str, Any]
) -> None:
    root = tmp_path_factory.getbasetemp() / "cases"
    for name, schema in tables.items():
        (root / name).mkdir(parents=True, exist_ok=True)
        session.read.schema(schema).parquet(str(root / name)).createOrReplaceTempView(name)
    for statement in case.get("setup", ()):
        session.sql(statement)

    lineage = headwater.lineage(session.sql(case["sql"]))

    assert {name: _said(sources) for name, sources in lineage.columns.items()} == {
        name: set(said) for name, said in case["columns"].items()
    }
    assert _said(lineage.rows) == set(case.get("rows", ()))
    assert set(lineage.opaque) == set(case.get("opaque", ()))
    for name, text in case.get("texts", {}).items():
        sources = lineage.rows if name == "rows" else lineage.columns[name]
        assert text in {mark.text for marks in sources.values() for mark in marks}


def _said(sources: Sources) -> set[str]:
    return {_line(source, mark) for source, marks in sources.items() for mark in marks}


def _line(source: SourceField, mark: Mark) -> str:
    line = f"{source.dataset.short_name}.{source.field} {mark.how.name}"
    return f"{line} masked" if mark.masking else line
