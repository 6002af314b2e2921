"""Datasets by OpenLineage's naming rules. What is marked so was checked against the OpenLineage agent, 1.53.0."""

from __future__ import annotations

import pytest

from headwater.openlineage.naming.datasets import Catalog, from_location
from headwater.openlineage.naming.resolvers import resolvers
from headwater.rules.plan.tree import CatalogOf, Dataset

SESSION = Catalog("hdfs://nn/warehouse")
HIVE = Catalog("hdfs://nn/warehouse", "thrift://metastore:9083,thrift://spare:9083")
GLUE = Catalog("s3a://lake/warehouse", "thrift://unused:9083", glue_region="eu-west-1", glue_account="123")


@pytest.mark.parametrize(
    ("location", "namespace", "name"),
    [
        # as the agent
        ("file:/data/orders", "file", "/data/orders"),
        ("file:///data/orders/", "file", "/data/orders"),
        ("file://host/data/orders", "file", "/data/orders"),
        ("/data/orders", "file", "/data/orders"),
        ("file:/data/with space", "file", "/data/with space"),
        ("file:/data/%41", "file", "/data/%41"),
        ("s3a://lake/a%20b", "s3://lake", "a%20b"),
        ("file:/data/x?y#z", "file", "/data/x?y#z"),
        ("s3://bucket/lake/orders", "s3://bucket", "lake/orders"),
        ("s3a://bucket/lake/orders", "s3://bucket", "lake/orders"),
        ("s3n://bucket/lake/orders", "s3://bucket", "lake/orders"),
        ("s3a://bucket", "s3://bucket", "/"),
        ("gs://bucket/lake/orders", "gs://bucket", "lake/orders"),
        ("abfss://box@account.dfs.core.windows.net/lake", "abfss://box@account.dfs.core.windows.net", "lake"),
        ("abfs://box@account.dfs.core.windows.net/lake", "abfss://box@account.dfs.core.windows.net", "lake"),
        ("wasbs://box@account.blob.core.windows.net/lake", "wasbs://box@account.blob.core.windows.net", "lake"),
        ("wasb://box@account.blob.core.windows.net/lake", "wasbs://box@account.blob.core.windows.net", "lake"),
        ("hdfs://nn:8020/lake/orders", "hdfs://nn:8020", "/lake/orders"),
        ("hdfs:/lake/orders", "hdfs", "/lake/orders"),
        ("dbfs:/lake/orders", "dbfs", "/lake/orders"),
        ("viewfs://cluster/lake", "viewfs://cluster", "/lake"),
        ("oss://bucket/lake", "oss://bucket", "/lake"),
        ("s3a://bucket/orders/year=2024/month=05", "s3://bucket", "orders"),
        # ours: the agent keeps keys and users
        ("s3a://key:secret@bucket/orders", "s3://bucket", "orders"),
        ("s3a://key:with/slash@bucket/orders", "s3://bucket", "orders"),
        ("abfss://box:secret@account.dfs.core.windows.net/lake", "abfss://account.dfs.core.windows.net", "lake"),
        ("hdfs://me@nn:8020/lake/a@b", "hdfs://nn:8020", "/lake/a@b"),
        ("wasbs://box@account/lake?sig=secret", "wasbs://box@account", "lake"),
        ("oci://bucket@tenancy/lake", "oci://bucket@tenancy", "/lake"),
        ("hdfs://nn/lake/#1", "hdfs://nn", "/lake/#1"),
    ],
)
def test_a_location_has_a_namespace_and_a_name(location: str, namespace: str, name: str) -> None:
    assert from_location(location) == (namespace, name)
    assert SESSION.name(Dataset(location)) == (namespace, name)


@pytest.mark.parametrize(
    ("dataset", "namespace", "name"),
    [
        (Dataset("kafka://broker:9092", ("clicks",), "kafka"), "kafka://broker:9092", "clicks"),
        (Dataset("kafka://one:9092,two:9092", ("a.b",), "kafka"), "kafka://one:9092", "a.b"),
        (Dataset(None, ("project", "sales", "orders"), "bigquery"), "bigquery", "project.sales.orders"),
        (Dataset("gs://staging/x", ("project:sales", "orders"), "bigquery"), "bigquery", "project.sales.orders"),
        (
            Dataset("https://org-acc.snowflakecomputing.com", ("DB", '"My"', "t"), "snowflake"),
            "snowflake://org-acc",
            "DB.My.t",
        ),
        (
            Dataset("xy1.snowflakecomputing.com:443", ("DB", "S", "T"), "snowflake"),
            "snowflake://xy1.us-west-1.aws",
            "DB.S.T",
        ),
        (Dataset("xy1.eu-west-1.snowflakecomputing.com", ("T",), "snowflake"), "snowflake://xy1.eu-west-1.aws", "T"),
        (
            Dataset(table=("com.azure.cosmos.spark.items.acc.db.box",)),
            "azurecosmos://acc.documents.azure.com/dbs/db",
            "/colls/box",
        ),
        (Dataset(table=("com.azure.cosmos.spark.items.odd",)), "azurecosmos", "odd"),
        (Dataset("azurekusto://c.kusto.windows.net/db", ("t",)), "azurekusto://c.kusto.windows.net/db", "t"),
    ],
)
def test_a_dataset_of_another_system_has_its_name_there_and_no_symlink(
    dataset: Dataset, namespace: str, name: str
) -> None:
    assert HIVE.name(dataset) == (namespace, name)
    assert HIVE.symlink(dataset) is None


@pytest.mark.parametrize(
    "dataset",
    [
        Dataset(),
        Dataset("jdbc:postgresql://db/shop"),
        Dataset("kafka://broker:9092", format="kafka"),
        Dataset(table=("db", "s", "t"), format="snowflake"),
        Dataset(format="bigquery"),
        Dataset(identity=("", "orders")),
    ],
)
def test_a_dataset_without_place_or_name_has_no_name(dataset: Dataset) -> None:
    assert SESSION.name(dataset) is None
    assert SESSION.symlink(dataset) is None


ORDERS = ("spark_catalog", "sales", "orders")
PLACE = "hdfs://nn/elsewhere/orders"


@pytest.mark.parametrize(
    ("catalog", "dataset", "symlink"),
    [
        (SESSION, Dataset("hdfs://nn/warehouse/sales.db/orders", ORDERS), ("hdfs://nn/warehouse", "sales.orders")),
        (SESSION, Dataset("hdfs://nn/warehouse/x", ("x",)), ("hdfs://nn/warehouse", "default.x")),
        (SESSION, Dataset(PLACE, ORDERS), None),
        (SESSION, Dataset("hdfs://nn/warehouse2/orders", ORDERS), None),
        (Catalog("file:///w/"), Dataset("file:/w/t", ("t",)), ("file:/w", "default.t")),
        (Catalog("s3a://lake/w"), Dataset("s3://lake/w/t", ("t",)), ("s3://lake/w", "default.t")),
        (HIVE, Dataset(PLACE, ORDERS), ("hive://metastore:9083", "sales.orders")),
        (GLUE, Dataset(PLACE, ORDERS), ("arn:aws:glue:eu-west-1:123", "table/sales/orders")),
    ],
)
def test_a_table_of_sparks_own_catalog_is_found_by_glue_hive_or_the_warehouse(
    catalog: Catalog, dataset: Dataset, symlink: tuple[str, str] | None
) -> None:
    assert catalog.symlink(dataset) == symlink


LAKE = ("lake", "sales", "orders")


def _lake(type_: str, framework: str = "iceberg", warehouse: str | None = None, uri: str | None = None) -> Dataset:
    return Dataset("s3a://bucket/orders", LAKE, framework, catalog=CatalogOf("lake", type_, framework, warehouse, uri))


@pytest.mark.parametrize(
    ("dataset", "symlink"),
    [
        (_lake("hadoop", warehouse="s3a://bucket/w/"), ("s3://bucket/w", "sales.orders")),
        (_lake("hive", uri="thrift://other:9083,thrift://x:1"), ("hive://other:9083", "sales.orders")),
        (_lake("hive"), ("hive://unused:9083", "sales.orders")),
        (_lake("glue", warehouse="s3a://bucket/w"), ("arn:aws:glue:eu-west-1:123", "table/sales/orders")),
        (
            _lake("rest", warehouse="w", uri="http://me:pw@rest:8181/api?token=x"),
            ("http://rest:8181/api", "sales.orders"),
        ),
        (_lake("nessie", uri="http://nessie:19120/api/v2"), ("http://nessie:19120/api/v2", "sales.orders")),
        (_lake("jdbc", uri="jdbc:postgresql://me:pw@db/cat?user=me"), ("jdbc:postgresql://db/cat", "sales.orders")),
        (_lake("unity", "delta", uri="https://unity:8443/api"), ("unitycatalog://unity:8443", "lake.sales.orders")),
        (_lake("", "", warehouse="s3a://bucket/w"), ("s3://bucket/w", "sales.orders")),
        (_lake("jdbc", "jdbc", uri="jdbc:postgresql://db/shop"), None),
        (_lake("", ""), None),
    ],
)
def test_a_table_of_another_catalog_is_found_by_that_catalogs_address(
    dataset: Dataset, symlink: tuple[str, str] | None
) -> None:
    assert GLUE.name(dataset) == ("s3://bucket", "orders")
    assert GLUE.symlink(dataset) == symlink


def test_glue_without_an_account_gives_no_symlink() -> None:
    assert Catalog("file:/w", glue_region="eu-west-1").symlink(_lake("glue")) is None


def test_delta_in_sparks_own_catalog_is_a_table_of_sparks_own_catalog() -> None:
    delta = Dataset(PLACE, ORDERS, "delta", catalog=CatalogOf("spark_catalog", "delta", "delta"))
    assert HIVE.symlink(delta) == ("hive://metastore:9083", "sales.orders")


@pytest.mark.parametrize("table", [("delta", "/data/orders"), ("default_iceberg", "s3a://bucket/orders")])
def test_a_table_that_is_named_by_its_path_has_no_symlink(table: tuple[str, ...]) -> None:
    assert HIVE.symlink(Dataset("s3a://bucket/orders", table)) is None


@pytest.mark.parametrize(
    ("dataset", "namespace", "name"),
    [
        (Dataset(table=ORDERS), "hdfs://nn", "/warehouse/sales.db/orders"),
        (Dataset(table=("spark_catalog", "default", "orders")), "hdfs://nn", "/warehouse/orders"),
        (Dataset(table=("orders",)), "hdfs://nn", "/warehouse/orders"),
        (Dataset(table=("sales", "orders")), "hdfs://nn", "/warehouse/sales.db/orders"),
        (
            Dataset(table=LAKE, catalog=CatalogOf("lake", "hadoop", "iceberg", "s3a://bucket/w/")),
            "s3://bucket",
            "w/sales/orders",
        ),
        (
            Dataset(
                table=("lake", "a", "b", "t"),
                catalog=CatalogOf("lake", "jdbc", "iceberg", "s3a://b/w", "jdbc:sqlite:x"),
            ),
            "s3://b",
            "w/a/b/t",
        ),
        (
            Dataset(table=LAKE, catalog=CatalogOf("lake", "hive", "iceberg", "s3a://bucket/w")),
            "s3://bucket",
            "w/sales.db/orders",
        ),
        (
            Dataset(table=ORDERS, catalog=CatalogOf("spark_catalog", "hive", "iceberg")),
            "hdfs://nn",
            "/warehouse/sales.db/orders",
        ),
        # A REST catalog decides itself where a table goes.
        (
            Dataset(table=LAKE, catalog=CatalogOf("lake", "rest", "iceberg", "prod", "http://rest:8181")),
            "http://rest:8181",
            "sales.orders",
        ),
        (
            Dataset(table=LAKE, catalog=CatalogOf("lake", "unity", "", None, "http://unity:8080")),
            "unitycatalog://unity:8080",
            "lake.sales.orders",
        ),
        # Spark's JDBC catalog
        (
            Dataset(
                table=("pg", "public", "t"), catalog=CatalogOf("pg", "jdbc", "jdbc", None, "jdbc:postgresql://db/shop")
            ),
            "postgres://db:5432",
            "shop.public.t",
        ),
        # Nothing is known but what the session calls the catalog.
        (Dataset(table=LAKE), "lake", "sales.orders"),
        (Dataset(table=LAKE, catalog=CatalogOf("lake")), "lake", "sales.orders"),
    ],
)
def test_a_table_without_a_place_is_named_by_its_catalog(dataset: Dataset, namespace: str, name: str) -> None:
    assert SESSION.name(dataset) == (namespace, name)


def test_a_symlink_that_says_what_the_name_says_is_left_out() -> None:
    rest = Dataset(table=LAKE, catalog=CatalogOf("lake", "rest", "iceberg", uri="http://rest:8181"))
    assert SESSION.name(rest) == ("http://rest:8181", "sales.orders")
    assert SESSION.symlink(rest) is None


@pytest.mark.parametrize(
    ("identity", "namespace", "name"),
    [
        (("mart", "orders"), "mart", "orders"),
        (("", "orders"), "s3://bucket", "orders"),
        (("mart", ""), "mart", "t"),
    ],
)
def test_a_tables_own_properties_name_it_before_anything_else(
    identity: tuple[str, str], namespace: str, name: str
) -> None:
    assert SESSION.name(Dataset("s3a://bucket/t", LAKE, identity=identity)) == (namespace, name)


def test_settings_apply_to_names_whatever_they_come_from() -> None:
    catalog = Catalog(
        "hdfs://nn1/warehouse",
        "thrift://nn1:9083",
        resolve=resolvers({"prod": {"type": "hostList", "hosts": ["nn1", "nn2"]}}),
        remove_path="(?<remove>/raw)",
    )
    table = Dataset("hdfs://nn2/raw/orders/day=1", ORDERS)
    assert catalog.name(table) == ("hdfs://prod", "/orders")
    assert catalog.symlink(table) == ("hive://prod:9083", "sales.orders")
    assert catalog.is_part(table)
    assert catalog.is_part(Dataset("hdfs://nn2/raw/orders"))  # other folders may go by the same name
    assert not catalog.is_part(Dataset("hdfs://nn2/orders/"))
    assert catalog.name(Dataset("jdbc:mysql://NN1/shop", ("t",))) == ("mysql://prod:3306", "shop.t")


def test_catalogs_with_other_settings_give_other_names() -> None:
    table = Dataset("file:/data/raw/orders")
    assert Catalog("file:/w").name(table) == ("file", "/data/raw/orders")
    assert Catalog("file:/w", remove_path="(?<remove>/raw)").name(table) == ("file", "/data/orders")
    assert Catalog("file:/w") == Catalog("file:/w") != Catalog("file:/w", remove_path="(?<remove>x)")
