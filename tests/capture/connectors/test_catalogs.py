"""Iceberg in a catalog that a database keeps."""

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
