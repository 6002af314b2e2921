"""Datasets by OpenLineage's naming rules, and texts without secrets."""

from __future__ import annotations

import pytest

from headwater.openlineage.naming import Catalog, from_location
from headwater.openlineage.redact import redact
from headwater.rules.tree import Dataset


@pytest.mark.parametrize(
    ("location", "namespace", "name"),
    [
        ("file:/data/orders", "file", "/data/orders"),
        ("file:///data/orders/", "file", "/data/orders"),
        ("/data/orders", "file", "/data/orders"),
        ("file:/data/with%20space", "file", "/data/with space"),
        ("s3://bucket/lake/orders", "s3://bucket", "lake/orders"),
        ("s3a://bucket/lake/orders", "s3://bucket", "lake/orders"),
        ("gs://bucket/lake/orders", "gs://bucket", "lake/orders"),
        ("abfss://box@account.dfs.core/lake", "abfss://box@account.dfs.core", "lake"),
        ("hdfs://nn:8020/lake/orders", "hdfs://nn:8020", "/lake/orders"),
        ("dbfs:/lake/orders", "dbfs://", "/lake/orders"),
        ("s3a://bucket/orders/year=2024/month=05", "s3://bucket", "orders"),
        ("s3a://key:secret@bucket/orders", "s3://bucket", "orders"),
    ],
)
def test_a_location_has_a_namespace_and_a_name(location: str, namespace: str, name: str) -> None:
    assert from_location(location) == (namespace, name)


def test_a_table_in_hive_has_the_metastores_name() -> None:
    catalog = Catalog("hdfs://nn/warehouse", metastore="thrift://metastore:9083,thrift://spare:9083")
    table = Dataset("hdfs://nn/warehouse/sales.db/orders", ("spark_catalog", "sales", "orders"))
    assert catalog.name(table) == ("hdfs://nn", "/warehouse/sales.db/orders")
    assert catalog.symlink(table) == ("hive://metastore:9083", "sales.orders")


def test_a_dataset_without_place_or_name_has_no_name() -> None:
    assert Catalog("file:/warehouse").name(Dataset()) is None


@pytest.mark.parametrize(
    "secret",
    [
        "jdbc:postgresql://h/db?user=me&password=hunter2",
        "http://me:hunter2@host/path",
        "Map(user -> me, password -> hunter2)",
        'OPTIONS (password "hunter2")',
        "OPTIONS (dbtable 't', PASSWORD 'hunter2')",
        "fs.s3a.secret.key=hunter2",
        '{"access_token": "hunter2"}',
        "Authorization: Bearer hunter2",
    ],
)
def test_secrets_are_taken_out(secret: str) -> None:
    assert "hunter2" not in redact(secret)


@pytest.mark.parametrize(
    "harmless", ["a = 1 AND b = 'x'", "sha2(email, 256)", "design = 3", "assignment: done", "CAST(token_count AS INT)"]
)
def test_what_is_no_secret_stays(harmless: str) -> None:
    assert redact(harmless) == harmless
