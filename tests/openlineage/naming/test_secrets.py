"""No name holds a user or a password of the URL that it comes from."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwater.openlineage.naming.datasets import Catalog
from headwater.rules.plan.tree import CatalogOf, Dataset

# What may stand in the user part of a URL as it is; a semicolon begins JDBC's parameters.
_ALLOWED = [*"aZ09-._~!$&'()*+,=", "%40", "%2F", "%3A", "%3B"]
_SECRETS = st.lists(st.sampled_from(_ALLOWED), max_size=8).map("".join)

URLS = [
    "jdbc:postgresql://{user}:{password}@db:5432/shop",
    "jdbc:postgresql://{user}@db/shop?password={password}",
    "jdbc:postgresql://db/shop?user={user}&password={password}",
    "jdbc:postgresql:shop?user={user}&password={password}",
    "jdbc:mysql://{user}:{password}@a:1,{user}:{password}@b/shop",
    "jdbc:mysql://{user}:{password}@[a,b]/shop",
    "jdbc:mysql://address=(host=a)(port=1)(user={user})(password={password})/shop",
    "jdbc:mysql://(host=a,user={user},password={password})/shop",
    "jdbc:sqlserver://db:1433;databaseName=shop;user={user};password={password}",
    "jdbc:sqlserver://db;user={user};password=p@{password};",
    "jdbc:oracle:thin:{user}/{password}@//db:1521/shop",
    "jdbc:oracle:thin:{user}/{password}@db:1521:shop",
    "jdbc:oracle:thin:{user}/p@{password}@(DESCRIPTION=(ADDRESS=(HOST=db)(PORT=1))(CONNECT_DATA=(SID=x)))",
    "jdbc:redshift:iam://db:5439/shop?AccessKeyID={user}&SecretAccessKey={password}",
    "jdbc:snowflake://org-acc.snowflakecomputing.com/?user={user}&password={password}&db=shop",
    "jdbc:db2://db:50000/shop:user={user};password={password};",
    "jdbc:teradata://db/DATABASE=shop,USER={user},PASSWORD={password}",
    "jdbc:trino://{user}:{password}@db:8080/cat/shop",
    "jdbc:ch:https://{user}:{password}@db:8443/shop",
    "jdbc:databricks://db:443/default;UID={user};PWD={password}",
    "jdbc:databricks://db:443;UID={user};PWD=p@{password}",
    "jdbc:h2:tcp://db/~/shop;USER={user};PASSWORD={password}",
    "jdbc:h2:mem:shop;USER={user};PASSWORD=p@{password}",
    "jdbc:derby://db:1527/shop;user={user};password={password}",
    "jdbc:derby:;databaseName=shop;user={user};password={password}",
    "jdbc:sqlite:/tmp/shop.db?password={password}&user={user}",
    "jdbc:foo://{user}:{password}@db/shop",
    "jdbc:foo:bar://{user}:{password}@a,{user}:{password}@b/shop",
    "jdbc:foo:{user}/{password}@db",
    "jdbc:foo:db:user={user};password={password}",
    "jdbc:bigquery://https://x/v2:443;ProjectId=p;OAuthServiceAcctEmail={user};OAuthPvtKey={password}",
    "kafka://{user}:{password}@broker:9092",
    "azurekusto://{user}:{password}@c.kusto.windows.net/db",
    "s3a://{user}:{password}@bucket/orders",
    "s3a://{user}:x/{password}@bucket/orders",
    "abfss://{user}:{password}@account.dfs.core.windows.net/orders",
    "wasbs://box@account/orders?user={user}&sig={password}",
    "hdfs://{user}:{password}@nn:8020/orders",
    "sftp://{user}:{password}@host/orders",
]


@pytest.mark.parametrize("url", URLS)
@settings(max_examples=50)
@given(user=_SECRETS, password=_SECRETS)
def test_no_secret_of_a_location_is_in_a_name(url: str, user: str, password: str) -> None:
    location = url.format(user=f"root{user}", password=f"hunter2{password}")
    for table in [("orders",), ("sales", "orders"), ()]:
        for format_ in ("jdbc", "snowflake"):
            said = str(Catalog(location, location).name(Dataset(location, table, format_)))
            assert "root" not in said
            assert "hunter2" not in said


@pytest.mark.parametrize(
    "url", [*(url for url in URLS if url.startswith("jdbc:")), "http://{user}:{password}@host/api"]
)
@settings(max_examples=50)
@given(kind=st.sampled_from(["hive", "rest", "jdbc", "unity", "hadoop", "glue", ""]), user=_SECRETS, password=_SECRETS)
def test_no_secret_of_a_catalogs_address_is_in_a_name(url: str, kind: str, user: str, password: str) -> None:
    address = url.format(user=f"root{user}", password=f"hunter2{password}")
    session = Catalog("s3a://root:hunter2@bucket/warehouse", "thrift://root:hunter2@metastore:9083")
    for framework in ("iceberg", "delta"):
        table = Dataset(table=("lake", "sales", "orders"), catalog=CatalogOf("lake", kind, framework, None, address))
        said = f"{session.name(table)} {session.symlink(table)}"
        assert "root" not in said
        assert "hunter2" not in said


@given(st.text(max_size=60))
def test_any_text_can_be_a_location(text: str) -> None:
    for prefix in ("", "jdbc:", "jdbc:oracle:thin:", "jdbc:mysql://", "s3a://", "kafka://"):
        dataset = Dataset(prefix + text, ("t",))
        assert Catalog(text, text).name(dataset) is not None
        Catalog(text, text).symlink(dataset)
