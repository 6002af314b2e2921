"""Names of OpenLineage as URNs, and exactly back."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from headwater.datahub.naming.datasets import Named, Naming, Registry, Symlink
from headwater.fields.errors import NameClash

TABLE = [
    ("postgres://h:5432", "metrics.sales.orders", "postgres,metrics.sales.orders"),
    ("mysql://h:3306", "a.b", "mysql,a.b"),
    ("redshift://c.eu:5439", "a.b.c", "redshift,a.b.c"),
    ("awsathena://athena.eu.amazonaws.com", "c.d.t", "athena,c.d.t"),
    ("sqlserver://h:1433", "d.s.t", "mssql,d.s.t"),
    ("bigquery", "p.d.t", "bigquery,p.d.t"),
    ("snowflake://acct", "D.S.T", "snowflake,D.S.T"),
    ("trino://h:8080", "D.S.T", "trino,D.S.T"),
    ("kafka://h:9092", "topic", "kafka,topic"),
    ("s3://b", "k", "s3,b/k"),
    ("s3a://b", "/k/x", "s3,b/k/x"),
    ("gs://b", "k", "gcs,b/k"),
    ("abfss://c@acct.dfs.core.windows.net", "p", "abs,c@acct.dfs.core.windows.net/p"),
    ("wasbs://c@acct", "p", "abs,c@acct/p"),
    ("hdfs://nn:8020", "/p", "hdfs,/p"),
    ("file", "/p", "file,/p"),
]


@pytest.mark.parametrize(("namespace", "name", "expected"), TABLE)
def test_a_name_becomes_the_urn_of_the_table_and_exactly_itself_again(namespace: str, name: str, expected: str) -> None:
    registry = Registry(Naming())
    urn = registry.to_urn(namespace, name)
    assert str(urn) == f"urn:li:dataset:(urn:li:dataPlatform:{expected},PROD)"
    assert registry.from_urn(str(urn)) == Named(namespace, name, exact=True)
    assert Registry(Naming(), registry.known()).from_urn(urn) == Named(namespace, name, exact=True)


# No name in a store holds NUL or half a character.
NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=20)


@given(st.sampled_from([one for one, _, _ in TABLE]), NAMES, st.none() | NAMES)
def test_any_name_comes_back(namespace: str, name: str, instance: str | None) -> None:
    assume(instance is None or instance.strip())
    registry = Registry(Naming(env="DEV", instance=instance))
    assert registry.from_urn(registry.to_urn(namespace, name)) == Named(namespace, name, exact=True)


def test_tables_of_a_catalog_give_the_name() -> None:
    naming = Naming()
    glue = Symlink("arn:aws:glue:eu-west-1:123456789012", "table/db/t")
    assert str(naming.urn_of("s3://b", "k", [glue])) == "urn:li:dataset:(urn:li:dataPlatform:glue,db.t,PROD)"
    hive = Symlink("hive://metastore:9083", "db.t")
    assert (
        str(naming.urn_of("hdfs://nn", "/w/db.db/t", [hive])) == "urn:li:dataset:(urn:li:dataPlatform:hive,db.t,PROD)"
    )


def test_two_hosts_with_the_same_table_need_an_instance() -> None:
    registry = Registry(Naming())
    registry.to_urn("postgres://one:5432", "shop.public.orders")
    with pytest.raises(NameClash, match="set a platform instance"):
        registry.to_urn("postgres://two:5432", "shop.public.orders")
    told = Registry(Naming(instances={"postgres://TWO:5432": "two"}))
    told.to_urn("postgres://one:5432", "shop.public.orders")
    urn = told.to_urn("postgres://two:5432", "shop.public.orders")
    assert str(urn) == "urn:li:dataset:(urn:li:dataPlatform:postgres,two.shop.public.orders,PROD)"


def test_users_map_schemes_environments_and_datasets() -> None:
    own = "urn:li:dataset:(urn:li:dataPlatform:iceberg,lake.orders,QA)"
    naming = Naming(
        envs={"kafka://dev:9092": "dev"},
        platforms={"postgres": "cockroachdb"},
        datasets={("s3://lake", "orders"): own},
    )
    registry = Registry(naming)
    assert str(registry.to_urn("kafka://dev:9092", "t")) == "urn:li:dataset:(urn:li:dataPlatform:kafka,t,DEV)"
    assert str(registry.to_urn("postgres://h", "t")) == "urn:li:dataset:(urn:li:dataPlatform:cockroachdb,t,PROD)"
    assert str(registry.to_urn("s3://lake", "orders")) == own
    assert Registry(naming).from_urn(own) == Named("s3://lake", "orders", exact=True)


def test_a_urn_that_was_never_seen_is_not_said_to_be_exact() -> None:
    registry = Registry(Naming())
    assert registry.from_urn("urn:li:dataset:(urn:li:dataPlatform:mssql,a.b,PROD)") == Named("sqlserver", "a.b", False)  # noqa: FBT003
    assert registry.from_urn("urn:li:dataset:(urn:li:dataPlatform:s3,b/k,PROD)") == Named("s3://b", "k", exact=False)
    assert registry.from_urn("urn:li:dataset:(urn:li:dataPlatform:bigquery,p.d.t,PROD)").exact
