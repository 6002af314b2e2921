"""What must not change the answer: a view, WITH, a cache, another alias, a `*` around the query."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from pyspark.sql import DataFrame, SparkSession

import headwater
from headwater.common.masking import Masking
from headwater.rules.plan.sources import How, Sources

CASES = Path(__file__).parent.parent / "cases"
SUBJECTS = ("seeds", "project", "filter", "join", "aggregate", "rows")


def _as_view(spark: SparkSession, query: str) -> DataFrame:
    spark.sql(f"CREATE OR REPLACE TEMPORARY VIEW around AS {query}")
    return spark.table("around")


def _cached(spark: SparkSession, query: str) -> DataFrame:
    spark.sql(query).cache()  # lazily: nothing runs
    return spark.sql(query)


VARIANTS: dict[str, Callable[[SparkSession, str], DataFrame]] = {
    "view": _as_view,
    "WITH": lambda spark, query: spark.sql(f"WITH around AS ({query}) SELECT * FROM around"),
    "subquery": lambda spark, query: spark.sql(f"SELECT * FROM ({query})"),
    "cache": _cached,
    "alias": lambda spark, query: spark.sql(query).alias("other").select("other.*"),
    "star": lambda spark, query: spark.sql(query).select("*"),
    "repartition": lambda spark, query: spark.sql(query).repartition(3).coalesce(1),
}


def _queries() -> list[Any]:
    return [
        pytest.param(subject["tables"], case["sql"], id=f"{name}: {case['name']}")
        for name in SUBJECTS
        for subject in [yaml.safe_load((CASES / f"{name}.yaml").read_text(encoding="utf-8"))]
        for case in subject["cases"]
        if "setup" not in case and "since" not in case
    ]


def _edges(sources: Sources) -> set[tuple[str, str, How, Masking]]:
    return {
        (source.dataset.short_name, source.field, mark.how, mark.masking)
        for source, marks in sources.items()
        for mark in marks
    }


@pytest.mark.parametrize(("tables", "query"), _queries())
def test_the_answer_stays(
    spark: SparkSession, tmp_path_factory: pytest.TempPathFactory, tables: dict[str, str], query: str
) -> None:
    root = tmp_path_factory.getbasetemp() / "metamorphic"
    for name, schema in tables.items():
        (root / name).mkdir(parents=True, exist_ok=True)
        spark.read.schema(schema).parquet(str(root / name)).createOrReplaceTempView(name)
    plain = headwater.lineage(spark.sql(query))
    for name, variant in VARIANTS.items():
        lineage = headwater.lineage(variant(spark, query))
        assert {c: _edges(s) for c, s in lineage.columns.items()} == {c: _edges(s) for c, s in plain.columns.items()}, (
            name
        )
        assert _edges(lineage.rows) == _edges(plain.rows), name
    spark.catalog.clearCache()
