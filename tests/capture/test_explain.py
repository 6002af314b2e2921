"""`headwater.lineage(…)`: the answer from the plan alone, and what it is good for."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 (as everyone calls it)
from pyspark.sql.window import Window

import headwater
from headwater.capture.explain import CannotExplain
from headwater.rules.statements.statements import Change

pytestmark = pytest.mark.spark


@pytest.fixture
def frame(spark: SparkSession, tmp_path: Path) -> DataFrame:
    """A frame with nested fields, a window, a subquery and a Python function."""
    (tmp_path / "orders").mkdir()
    schema = "id INT, day DATE, customer STRUCT<name:STRING,email:STRING>, items ARRAY<STRUCT<sku:STRING,price:DOUBLE>>"
    spark.read.schema(schema).parquet(str(tmp_path / "orders")).createOrReplaceTempView("orders")
    shout = F.udf(lambda text: text.upper(), "string")
    queried = spark.sql("SELECT *, (SELECT MAX(day) FROM orders) AS newest FROM orders")
    return queried.select(
        shout("customer.name").alias("name"),
        F.sha2("customer.email", 256).alias("mail"),
        F.transform("items", lambda item: item["price"] * 2).alias("prices"),
        F.row_number().over(Window.partitionBy("day").orderBy("id")).alias("place"),
        "newest",
    )


def _jobs(spark: SparkSession) -> int:
    """How many jobs Spark has run so far."""
    return len(spark.sparkContext.statusTracker().getJobIdsForGroup(None))


def test_a_frame_is_explained_without_a_job(spark: SparkSession, frame: DataFrame) -> None:
    before = _jobs(spark)
    lineage = headwater.lineage(frame)
    assert str(lineage).splitlines() == [
        "name ← orders.customer.name (transformed): <lambda>(customer.name)",
        "mail ← orders.customer.email (transformed, masked): sha2(customer.email, 256)",
        "prices._element ← orders.items._element.price (transformed): transform(items, x -> x.price * 2)",
        "place ← orders.day (defines the window): PARTITION BY day ORDER BY id",
        "place ← orders.id (defines the window): PARTITION BY day ORDER BY id",
        "newest ← orders.day (aggregated): max(day)",
    ]
    assert _jobs(spark) == before


def test_inputs_of_a_column(frame: DataFrame, tmp_path: Path) -> None:
    (found,) = headwater.lineage(frame.where("newest IS NOT NULL")).inputs("mail")[:1]
    assert (found.namespace, found.name, found.field) == ("file", str(tmp_path / "orders"), "customer.email")
    assert (found.type, found.subtype, found.masking) == ("DIRECT", "TRANSFORMATION", True)
    *_, last = headwater.lineage(frame.where("newest IS NOT NULL")).inputs("mail")
    assert (last.field, last.subtype, last.dataset_level) == ("day", "FILTER", True)


def test_an_unknown_column_names_those_that_are_there(frame: DataFrame) -> None:
    with pytest.raises(KeyError, match=r"The columns are: name, mail, prices\._element, place, newest"):
        headwater.lineage(frame).inputs("nmae")


def test_as_a_facet_nested_and_folded(frame: DataFrame) -> None:
    lineage = headwater.lineage(frame)
    (deep,) = lineage.to_facet()["fields"]["prices._element"]["inputFields"]
    (flat,) = lineage.to_facet(nested=False)["fields"]["prices"]["inputFields"]
    assert (deep["field"], flat["field"]) == ("items._element.price", "items")


def test_as_rows_and_as_a_frame_of_pandas(frame: DataFrame) -> None:
    rows = headwater.lineage(frame).to_rows()
    assert [row["column"] for row in rows] == ["name", "mail", "prices._element", "place", "place", "newest"]
    assert len(headwater.lineage(frame).to_pandas()) == len(rows)


def test_as_a_picture_in_a_notebook(frame: DataFrame) -> None:
    picture = headwater.lineage(frame.withColumnRenamed("name", "<b>"))._repr_html_()
    assert picture.startswith("<svg")
    assert "orders.customer.email" in picture
    assert "&lt;b&gt;" in picture


def test_a_statement_is_explained_and_not_run(spark: SparkSession, frame: DataFrame, fresh_database: str) -> None:
    assert frame is not None
    lineage = headwater.lineage(spark, "CREATE TABLE copy USING parquet AS SELECT id, day FROM orders WHERE id > 1")
    assert list(lineage.columns) == ["id", "day"]
    (written,) = lineage.writes
    assert (written.dataset.table[-1], written.change) == ("copy", Change.CREATE)
    assert spark.sql(f"SHOW TABLES IN {fresh_database}").where("NOT isTemporary").collect() == []


@pytest.mark.parametrize(
    "statement",
    ["CALL system.anything()", "EXECUTE IMMEDIATE 'CREATE TABLE made AS SELECT 1 AS one'",
     "BEGIN CREATE TABLE made AS SELECT 1 AS one; END"],
)  # fmt: skip
def test_what_spark_would_run_while_it_analyses_is_refused(
    spark: SparkSession, fresh_database: str, statement: str
) -> None:
    if spark.version.startswith("3."):
        pytest.skip("Spark 3.5 does not know these statements")
    with pytest.raises(CannotExplain, match="Spark would have to run"):
        headwater.lineage(spark, statement)
    assert spark.sql(f"SHOW TABLES IN {fresh_database}").where("NOT isTemporary").collect() == []


def test_a_session_without_plans_is_refused_in_a_sentence() -> None:
    """As those of Spark Connect are: they have no JVM."""
    session: Any = SimpleNamespace()
    frame: Any = SimpleNamespace(sparkSession=session)
    for subject, sql in ((session, "SELECT 1"), (frame, None)):
        with pytest.raises(CannotExplain, match="A Spark Connect session has no query plans"):
            headwater.lineage(subject, sql)
