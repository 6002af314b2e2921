"""Iceberg's catalogs: one that a database keeps, and one that each session keeps elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from tests.capture.conftest import Capture
from tests.capture.event_summary import columns
from tests.postgres import Postgres

pytestmark = [pytest.mark.spark, pytest.mark.lake]


def test_a_catalog_in_a_database_without_its_secrets(
    spark: SparkSession, postgres: Postgres, capture: Callable[[], Capture], tmp_path: Path
) -> None:
    settings = {
        "": "org.apache.iceberg.spark.SparkCatalog",
        ".type": "jdbc",
        ".uri": postgres.url("postgres"),
        ".warehouse": str(tmp_path / "warehouse"),
        ".jdbc.user": postgres.user,
        ".jdbc.password": postgres.password,
    }
    for key, value in settings.items():
        spark.conf.set(f"spark.sql.catalog.kept{key}", value)
    spark.sql("CREATE NAMESPACE IF NOT EXISTS kept.shop")
    spark.sql("DROP TABLE IF EXISTS kept.shop.orders")
    captured = capture()

    spark.sql("CREATE TABLE kept.shop.orders USING iceberg AS SELECT 1 AS id, 'a' AS name")
    spark.sql("INSERT INTO kept.shop.orders SELECT id + 1, upper(name) FROM kept.shop.orders")

    (output,) = captured.last["outputs"]
    assert (output["namespace"], output["name"]) == ("file", str(tmp_path / "warehouse" / "shop" / "orders"))
    (symlink,) = output["facets"]["symlinks"]["identifiers"]
    assert (symlink["namespace"], symlink["name"]) == (postgres.url("postgres"), "shop.orders")
    assert output["facets"]["catalog"]["type"] == "jdbc"
    assert columns(output) == {"id": ["orders.id TRANSFORMATION"], "name": ["orders.name TRANSFORMATION"]}
    assert postgres.password not in str(captured.all)


def test_a_session_keeps_its_catalog_elsewhere(
    spark: SparkSession, capture: Callable[[], Capture], tmp_path: Path
) -> None:
    captured = capture()
    for number in (1, 2):
        session = spark.newSession()
        session.conf.set("spark.sql.catalog.lake.warehouse", str(tmp_path / str(number)))
        session.sql("CREATE NAMESPACE IF NOT EXISTS lake.own")
        session.sql("CREATE TABLE lake.own.orders USING iceberg AS SELECT 1 AS id")
        session.sql("CREATE TABLE lake.own.copy USING iceberg AS SELECT id FROM lake.own.orders")

    names = [[output["name"] for output in event["outputs"]] for event in captured.events]
    own = [[str(tmp_path / str(number) / "own" / table)] for number in (1, 2) for table in ("orders", "copy")]
    assert names == [name for name in own for _ in ("START", "COMPLETE")]
    (read,) = captured.last["inputs"]
    (written,) = captured.last["outputs"]
    symlinks = [dataset["facets"]["symlinks"]["identifiers"][0] for dataset in (read, written)]
    assert {symlink["namespace"] for symlink in symlinks} == {f"file:{tmp_path / '2'}"}
    assert columns(written) == {"id": ["orders.id IDENTITY"]}


def test_a_new_table_is_where_its_catalog_puts_it(
    spark: SparkSession, capture: Callable[[], Capture], tmp_path: Path
) -> None:
    # No setting says where this catalog puts a table: START leaves it out, COMPLETE has its place.
    spark.conf.set("spark.sql.catalog.told", "org.apache.iceberg.spark.SparkCatalog")
    spark.conf.set("spark.sql.catalog.told.catalog-impl", "org.apache.iceberg.inmemory.InMemoryCatalog")
    spark.sql(f"CREATE NAMESPACE told.own LOCATION '{tmp_path}/own'")
    captured = capture()
    spark.sql(f"CREATE TABLE told.own.orders USING iceberg LOCATION '{tmp_path}/elsewhere' AS SELECT 1 AS id")
    start, complete = captured.events
    assert start["outputs"] == []
    assert [output["name"] for output in complete["outputs"]] == [f"{tmp_path}/elsewhere"]
    assert start["job"]["name"] == complete["job"]["name"]
