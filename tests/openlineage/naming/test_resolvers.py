"""Partitions, paths and hosts that settings take out of names."""

from __future__ import annotations

import pytest

from headwater.openlineage.naming.datasets import Catalog
from headwater.openlineage.naming.partitions import trimmed, trimmers
from headwater.openlineage.naming.resolvers import resolvers
from headwater.rules.plan.tree import Dataset


@pytest.mark.parametrize(
    ("name", "expected", "partitions"),
    [
        ("/data/t", "/data/t", ()),
        ("/data/t/day=2024-05-01", "/data/t", ("day=2024-05-01",)),
        ("/data/t/day=2024-05-01/hour=10", "/data/t", ("day=2024-05-01", "hour=10")),
        ("/data/t/2024-05-01", "/data/t", ("2024-05-01",)),
        ("/data/t/20240501", "/data/t", ("20240501",)),
        ("/data/t/20240501T0901Z", "/data/t", ("20240501T0901Z",)),
        ("/data/t/01.05.2024", "/data/t", ("01.05.2024",)),
        ("/data/t/2024/05", "/data/t", ("2024", "05")),
        ("/data/t/2024/05/01", "/data/t", ("2024", "05", "01")),
        ("/data/t/202405", "/data/t", ("202405",)),
        ("/data/t/2024-05", "/data/t", ("2024-05",)),
        ("/data/t/202405/2024-05-01", "/data/t", ("202405", "2024-05-01")),
        ("/data/t/2024/05/01/k=v", "/data/t", ("2024", "05", "01", "k=v")),
        ("t/2024/05/01", "t", ("2024", "05", "01")),
        ("a//k=v", "a", ("k=v",)),
        # No partitions
        ("/data/t/2024", "/data/t/2024", ()),
        ("/data/t/2024-13-01", "/data/t/2024-13-01", ()),
        ("/data/t/12345678", "/data/t/12345678", ()),
        ("/data/t/a=b=c", "/data/t/a=b=c", ()),
        ("/data/t/2024-05-01-final", "/data/t/2024-05-01-final", ()),
        ("/data/2024-05-01/part-0.parquet", "/data/2024-05-01/part-0.parquet", ()),
        # Something has to be left.
        ("/k=v", "/k=v", ()),
        ("20240501", "20240501", ()),
        ("/2024/05/01", "/2024/05/01", ()),
        ("shop.orders_20240501", "shop.orders_20240501", ()),
    ],
)
def test_partitions_at_the_end_are_trimmed(name: str, expected: str, partitions: tuple[str, ...]) -> None:
    assert trimmed(name) == (expected, partitions)


def test_a_trimmer_can_be_disabled_by_the_agents_name_for_it() -> None:
    agents = "io.openlineage.client.dataset.partition.trimmer"
    kept = Catalog("file:/w", disabled_trimmers=f"{agents}.DateTrimmer; {agents}.YearMonthTrimmer")
    assert kept.name(Dataset("file:/data/t/2024-05-01")) == ("file", "/data/t/2024-05-01")
    assert not kept.is_part(Dataset("file:/data/t/2024-05-01"))
    assert kept.name(Dataset("file:/data/t/k=v")) == ("file", "/data/t")
    assert trimmers("KeyValueTrimmer;DateTrimmer;MultiDirDateTrimmer;YearMonthTrimmer") == ()


@pytest.mark.parametrize(
    ("pattern", "location", "name"),
    [
        (r"(.*)(?<remove>\/.*\/.*)", "s3://b/my/path/a/b", "my/path"),
        (r"(?<remove>/_tmp-\d+)", "file:/data/_tmp-12/orders", "/data/orders"),
        (r"(?<remove>/raw)", "file:/raw/a/raw", "/a/raw"),
        (r"(?<remove>/raw)?/orders", "file:/data/orders", "/data/orders"),
        (r"(?<=/data)(?<remove>/\w+)", "file:/data/x/orders", "/data/orders"),
        (r"(?<x>\w)\k<x>(?<remove>/y)\z", "file:/aa/y", "/aa"),
        (r"\(?<remove>|(?<remove>/b)", "file:/a/b", "/a"),
        ("(?<remove>nothing)", "file:/data/orders", "/data/orders"),
        (r"(?<remove>/\d+)", "file:/data/٣/1", "/data/٣"),
    ],
)
def test_the_group_remove_is_taken_out_of_the_name_once(pattern: str, location: str, name: str) -> None:
    found = Catalog("file:/w", remove_path=pattern).name(Dataset(location))
    assert found is not None
    assert found.name == name


KAFKA = {"type": "hostList", "hosts": ["prod13.corp", "prod15.corp"], "schema": "kafka"}
CASSANDRA = {"type": "pattern", "regex": r"cassandra-prod(\d)+\.corp", "schema": "cassandra"}
CLUSTER = {"type": "patternGroup", "regex": r"(?<cluster>[a-zA-Z-]+)-(\d)+\.corp:[\d]*", "matchingGroup": "cluster"}


@pytest.mark.parametrize(
    ("settings", "namespace", "resolved"),
    [
        ({"k": KAFKA}, "kafka://prod15.corp:9092", "kafka://k:9092"),
        ({"k": KAFKA}, "kafka://PROD13.corp:9092", "kafka://k:9092"),
        ({"k": KAFKA}, "kafka://test.corp:9092", "kafka://test.corp:9092"),
        ({"k": KAFKA}, "hdfs://prod13.corp", "hdfs://prod13.corp"),
        ({"k": {**KAFKA, "hosts": "[prod13.corp;prod15.corp]"}}, "kafka://prod15.corp:1", "kafka://k:1"),
        ({"k": {**KAFKA, "hosts": "['prod13.corp', 'prod15.corp']"}}, "kafka://prod15.corp:1", "kafka://k:1"),
        ({"k": {"type": "HOSTLIST", "hosts": ["a"]}}, "mysql://a:3306", "mysql://k:3306"),
        ({"k": {"type": "hostList", "hosts": ["a.b"]}}, "mysql://axb:3306", "mysql://axb:3306"),
        ({"c": CASSANDRA}, "cassandra://cassandra-prod7.corp:9042", "cassandra://c:9042"),
        ({"c": CASSANDRA}, "other://cassandra-prod7.corp:9042", "other://cassandra-prod7.corp:9042"),
        ({"c": CASSANDRA}, "cassandra://cassandra-prod7.corp,cassandra-prod8.corp", "cassandra://c,c"),
        ({r"$1\1": CASSANDRA}, "cassandra://cassandra-prod7.corp", r"cassandra://$1\1"),
        ({"x": CLUSTER}, "kafka://kafka-test-7.corp:9092", "kafka://kafka-test"),
        ({"x": {**CLUSTER, "schema": "cassandra"}}, "kafka://kafka-test-7.corp:9092", "kafka://kafka-test-7.corp:9092"),
        ({"x": {"type": "patternGroup", "regex": "a|(?<c>b)", "matchingGroup": "c"}}, "hdfs://a", "hdfs://a"),
        # The first that changes it decides.
        ({"a": {"type": "pattern", "regex": "zz"}, "b": KAFKA, "c": KAFKA}, "kafka://prod13.corp:1", "kafka://b:1"),
        # How to get the specification's scheme
        ({"mssql": {"type": "pattern", "regex": "^sqlserver"}}, "sqlserver://h:1433", "mssql://h:1433"),
        ({}, "file", "file"),
    ],
)
def test_namespaces_are_resolved(settings: dict[str, dict[str, str]], namespace: str, resolved: str) -> None:
    assert resolvers(settings)(namespace) == resolved


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"x": {"type": "magic"}}, "namespaceResolvers.x.type is magic; it must be hostList, pattern or patternGroup"),
        ({"x": {"regex": "a"}}, "namespaceResolvers.x.type is missing"),
        ({"x": {"type": "hostList"}}, "namespaceResolvers.x.hosts is missing"),
        ({"x": {"type": "pattern"}}, "namespaceResolvers.x.regex is missing"),
        ({"x": {"type": "pattern", "regex": "(a"}}, r"namespaceResolvers.x.regex is not a regular expression.*'\(a'"),
        ({"x": {"type": "patternGroup", "regex": "a"}}, "namespaceResolvers.x.matchingGroup is missing"),
        ({"x": {"type": "patternGroup", "regex": "a", "matchingGroup": "g"}}, r"no group of that name.*\(\?<g>…\)"),
    ],
)
def test_a_resolver_that_cannot_work_is_refused_by_name(settings: dict[str, dict[str, str]], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        resolvers(settings)


@pytest.mark.parametrize(
    ("pattern", "says"),
    [
        ("(?<remove>a", "removePath.pattern is not a regular expression"),
        (r"(?<remove>\p{Alpha})", "removePath.pattern is not a regular expression"),
        ("(?<remove>[a-z&&[^b]])", "removePath.pattern is not a regular expression"),
        ("(?<gone>a)", "removePath.pattern has no group named remove"),
    ],
)
def test_a_pattern_that_cannot_work_is_refused_at_once(pattern: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Catalog("file:/w", remove_path=pattern)


def test_a_trimmer_that_does_not_exist_is_refused_at_once() -> None:
    with pytest.raises(
        ValueError, match=r"has unknown trimmers: MagicTrimmer. The trimmers are KeyValueTrimmer, DateTrimmer"
    ):
        Catalog("file:/w", disabled_trimmers="a.b.MagicTrimmer")
