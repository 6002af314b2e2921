"""What a leaf reads, by leaves written down."""

from __future__ import annotations

import pytest
from tests.rules.plans import columns

from headwater.rules.operators.relations import (
    LOCAL,
    UNKNOWN,
    Read,
    in_catalog,
    is_branch,
    is_maintenance,
    read,
    table_name,
    topics,
)
from headwater.rules.plan.tree import CatalogOf, Dataset, Described, Plan, Value

TABLE = Dataset("file:/warehouse/t", ("spark_catalog", "default", "t"), "parquet", identity=("ns", "name"))
LAKE = CatalogOf("lake", framework="iceberg")


def leaf(kind: str = "LogicalRelation", **args: Value) -> Plan:
    return Plan(kind, args=args, output=columns("a"))


def catalog(name: str = "lake", framework: str = "iceberg") -> Described:
    return Described("catalog", catalog=CatalogOf(name, framework=framework))


def options(**given: str) -> Described:
    return Described("options", options={name.replace("_", "."): value for name, value in given.items()})


# --- the first data source API ---------------------------------------------------------------------------------------


def test_a_table_without_a_relation_and_a_relation_without_a_table() -> None:
    table, relation = Described("table", (TABLE,)), Described("files", (Dataset("file:/x"),))

    assert read(leaf(catalogTable=table)) == read(leaf(catalogTable=table, relation=relation)) == Read((TABLE,))
    assert read(leaf(relation=relation)) == read(leaf(catalogTable=Described("table"), relation=relation))
    assert read(leaf(relation=relation)) == Read((Dataset("file:/x"),))
    assert read(leaf()) == read(leaf(relation=Described("files"))) == UNKNOWN


def test_a_table_is_read_at_the_version_of_its_relation() -> None:
    relation = Described("files", (Dataset("file:/x", version="3"),))

    (dataset,) = read(leaf(catalogTable=Described("table", (TABLE,)), relation=relation)).datasets

    assert (dataset.location, dataset.version) == (TABLE.location, "3")
    assert read(leaf(relation=relation)).datasets == relation.datasets


def test_a_table_in_another_database_is_there_under_the_name_that_its_properties_ask_for() -> None:
    place = Dataset("jdbc:x", ("public", "t"), "jdbc")
    relation, table = Described("jdbc", (place,)), Described("table", (TABLE,))

    (dataset,) = read(leaf(catalogTable=table, relation=relation)).datasets

    assert (dataset.location, dataset.table, dataset.identity) == ("jdbc:x", ("public", "t"), TABLE.identity)
    assert read(leaf(relation=relation)) == Read((place,))


def test_a_query_in_the_properties_of_a_table_is_what_is_read() -> None:
    table = Described("table", (TABLE,), query="SELECT 1")

    asked = read(leaf(catalogTable=table, relation=Described("jdbc", (Dataset("jdbc:x"),))))

    assert asked == Read((Dataset(identity=TABLE.identity),), query="SELECT 1")


def test_another_database_runs_a_query_or_filters_where_it_is() -> None:
    place = Dataset("jdbc:x")
    relation = Described("jdbc", (place,), query="SELECT 1", filter="SELECT 2", known=False)

    assert read(leaf(relation=relation)) == Read((place,), query="SELECT 1", filter="SELECT 2", known=False)


def test_the_files_of_a_batch_are_in_the_folder_that_the_stream_watches() -> None:
    listed = Described("files", tuple(Dataset(f"file:/in/{name}") for name in ("a.json", "b.json", "c")))
    stream = Described("files", (Dataset("file:/in"),))

    folders = read(leaf(relation=listed, isStreaming=True)).datasets

    assert [dataset.location for dataset in folders] == ["file:/in", "file:/in/c"]
    assert read(leaf(relation=listed)).datasets == listed.datasets, "no stream"
    assert read(leaf(relation=listed, stream=stream, isStreaming=True)) == Read(stream.datasets)
    assert read(leaf(relation=listed, stream=Described("files"))).datasets == listed.datasets
    assert (
        read(leaf(relation=Described("files", (Dataset(table=("t",)),)), isStreaming=True)).datasets[0].location is None
    )
    assert (
        read(leaf(relation=Described("other", (Dataset("file:/x.y"),)), isStreaming=True)).datasets[0].location
        == "file:/x.y"
    )


def test_a_feed_of_changes_has_columns_beside_those_of_the_table() -> None:
    feed = Described("relation", (TABLE,), source="DeltaCDFRelation")
    changelog = Described("v2", (TABLE,), source="SparkChangelogTable")

    assert read(leaf(relation=feed)).beside == {"_change_type", "_commit_version", "_commit_timestamp"}
    assert "_change_ordinal" in read(leaf("DataSourceV2Relation", table=changelog)).beside
    assert read(leaf(relation=Described("relation", (TABLE,)))).beside == frozenset()
    assert read(leaf(catalogTable=Described("table", (TABLE,)))).beside == frozenset()


def test_a_hive_table() -> None:
    assert read(leaf("HiveTableRelation", tableMeta=Described("table", (TABLE,)))) == Read((TABLE,))
    assert read(leaf("HiveTableRelation")) == UNKNOWN


# --- the second data source API --------------------------------------------------------------------------------------


def v2(**args: Value) -> Read:
    return read(leaf("DataSourceV2Relation", **args))


def test_a_table_of_the_second_api_is_named_by_its_catalog() -> None:
    place = Described("v2", (Dataset("file:/lake/t"),))

    (dataset,) = v2(table=place, catalog=catalog(), identifier=("db", "t")).datasets

    assert dataset == Dataset("file:/lake/t", ("lake", "db", "t"), "iceberg", catalog=LAKE)
    assert v2(table=place, catalog=catalog()) == v2(table=place, identifier=("t",)) == Read(place.datasets)
    assert v2(table=Described("v2"), catalog=Described("catalog"), identifier=("t",)) == UNKNOWN


def test_a_table_of_the_second_api_is_where_its_options_say() -> None:
    nowhere, somewhere = Described("v2"), Described("v2", (Dataset("file:/x"),))

    assert v2(table=nowhere, options=options(path="file:/y")) == Read((Dataset("file:/y"),))
    assert v2(table=nowhere, extraOptions=options(path="file:/y")) == Read((Dataset("file:/y"),))
    assert v2(table=somewhere, options=options(path="file:/y")) == Read((Dataset("file:/x"),))
    assert v2(table=nowhere, options=options(other="file:/y")) == v2(table=nowhere) == v2() == UNKNOWN


def test_what_is_generated_is_the_jobs_own_and_what_python_reads_is_unknown() -> None:
    assert v2(table=Described("v2", source="RateStreamTable")) == LOCAL
    assert v2(table=Described("v2", source="PythonTable"), options=options(path="x")) == UNKNOWN


def test_topics_are_named_by_the_options() -> None:
    table = Described("v2", source="KafkaTable")
    kafka = options(kafka_bootstrap_servers="a:9092, b:9092", subscribe="t, u,")

    assert v2(table=table, options=kafka).datasets == (
        Dataset("kafka://a:9092", ("t",), "kafka"),
        Dataset("kafka://a:9092", ("u",), "kafka"),
    )
    assert v2(table=table, options=options(kafka_bootstrap_servers="a:9092")) == UNKNOWN
    assert v2(table=table, options=options(kafka_bootstrap_servers="", path="x")) == Read((Dataset("x"),))
    assert topics({"subscribe": "t"}) == ()
    assert [one.table for one in topics({"kafka.bootstrap.servers": "a", "subscribepattern": "t.*"})] == [("t.*",)]


@pytest.mark.parametrize("kind", ["table", "jdbc"])
def test_a_table_that_describes_itself_is_not_renamed(kind: str) -> None:
    assert v2(table=Described(kind, (TABLE,)), catalog=catalog(), identifier=("db", "t")) == Read((TABLE,))


@pytest.mark.parametrize(
    ("given", "version"),
    [
        ({}, "2"),
        ({"snapshot-id": "1"}, "1"),
        ({"branch": "audit"}, "audit"),
        ({"tag": "eom"}, "eom"),
        ({"as-of-timestamp": "5", "snapshot-id": "1"}, None),
    ],
)
def test_options_for_time_travel_are_those_of_iceberg(given: dict[str, str], version: str | None) -> None:
    def asked(format_: str) -> Dataset:
        table = Described("v2", (Dataset("file:/t", format=format_, version="2"),))
        return v2(table=table, options=Described("options", options=given)).datasets[0]

    assert asked("iceberg").version == version
    assert asked("delta").version == "2"


@pytest.mark.parametrize(
    ("identifier", "table", "version"),
    [
        (("db", "t"), ("lake", "db", "t"), None),
        (("db", "t", "branch_audit"), ("lake", "db", "t"), "audit"),
        (("db", "t", "tag_eom"), ("lake", "db", "t"), "eom"),
        (("db", "t", "at_timestamp_5"), ("lake", "db", "t"), None),
        (("db", "branch_t"), ("lake", "db", "branch_t"), None),
        (("db", "t", "snapshots"), ("lake", "db", "t"), None),
        (("db", "sub", "t"), ("lake", "db", "sub", "t"), None),
        (("db", "files"), ("lake", "db", "files"), None),
    ],
)
def test_iceberg_writes_a_reference_behind_the_name(
    identifier: tuple[str, ...], table: object, version: object
) -> None:
    dataset = in_catalog(Dataset(), LAKE, identifier)

    assert (dataset.table, dataset.version, dataset.format) == (table, version, "iceberg")
    other = in_catalog(Dataset(version="7", format="orc"), CatalogOf("lake"), identifier)
    assert (other.table, other.version, other.format) == (("lake", *identifier), "7", "orc")


def test_a_version_that_the_table_knows_is_better_than_the_name_of_its_branch() -> None:
    assert in_catalog(Dataset(version="7"), LAKE, ("db", "t", "branch_audit")).version == "7"


@pytest.mark.parametrize(
    ("framework", "identifier", "location"),
    [
        ("delta", ("delta", "/lake/t"), "/lake/t"),
        ("delta", ("DELTA", "/lake/t"), "/lake/t"),
        ("delta", ("db", "/lake/t"), None),
        ("delta", ("delta", "t"), None),
        ("iceberg", ("delta", "/lake/t"), None),
    ],
)
def test_delta_takes_a_path_for_a_name(framework: str, identifier: tuple[str, ...], location: str | None) -> None:
    owner = CatalogOf("spark_catalog", framework=framework)

    assert in_catalog(Dataset(), owner, identifier).location == location
    assert in_catalog(Dataset("file:/own"), owner, identifier).location == "file:/own"


def test_a_branch_is_named_by_an_option_or_behind_the_table() -> None:
    assert is_branch(leaf(options=options(branch="audit")))
    assert is_branch(leaf(identifier=("db", "t", "branch_audit")))
    for other in (
        leaf(),
        leaf(options=options(branch="")),
        leaf(identifier=("db", "branch_t")),
        leaf(identifier=("db", "t", "x")),
    ):
        assert not is_branch(other)


def test_iceberg_rewrites_files_in_a_catalog_of_its_own() -> None:
    assert is_maintenance(leaf(catalog=catalog("default_rewrite_catalog")))
    assert not is_maintenance(leaf(catalog=catalog()))
    assert not is_maintenance(leaf(catalog=Described("catalog")))
    assert not is_maintenance(leaf())


# --- streams, RDDs and copies ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("field", ["stream", "source", "dataSource"])
def test_a_source_of_a_stream(field: str) -> None:
    assert read(leaf("StreamingRelation", **{field: Described("files", (TABLE,))})) == Read((TABLE,))
    assert read(leaf("StreamingRelation", **{field: Described("x", source="rate")})) == LOCAL
    assert read(leaf("StreamingRelation", **{field: Described("x", source="other")})) == UNKNOWN


def test_a_table_that_a_stream_reads() -> None:
    named = read(leaf("StreamingRelationV2", catalog=catalog(), identifier=("db", "t")))
    described = read(
        leaf("StreamingRelationV2", catalog=catalog(), identifier=("db", "t"), table=Described("table", (TABLE,)))
    )

    assert [dataset.table for dataset in named.datasets] == [("lake", "db", "t")]
    assert described == Read((TABLE,))
    for unknown in (
        {"catalog": catalog()},
        {"identifier": ("t",)},
        {"catalog": Described("catalog"), "identifier": ("t",)},
    ):
        assert read(leaf("StreamingRelationV2", **unknown)) == UNKNOWN


def test_the_parts_of_an_rdd_that_read_the_same_files() -> None:
    parts = (Described("files", (TABLE,), ("a", "b")), Described("files", (TABLE, Dataset("x")), ("b", "c")))
    described = Described("rdd", reads=parts, behind=(4,), known=False)

    assert read(leaf("LogicalRDD", rdd=described)) == Read(
        (TABLE, Dataset("x")), {TABLE: ("a", "b", "c"), Dataset("x"): ("b", "c")}, (4,), known=False
    )
    assert read(leaf("ExternalRDD")) == Read(columns={}, known=False)


def test_a_copy_of_a_table_whose_columns_nobody_knows() -> None:
    source = Described("table", (TABLE,))

    assert read(leaf("CloneTableCommand", source=source)) == Read((TABLE,))
    assert read(Plan("CloneTableCommand", args={"source": source}, output=())) == Read(
        (TABLE,), {TABLE: ()}, known=False
    )
    assert read(leaf("CloneTableCommand")) == read(leaf("CloneTableCommand", source=Described("x"))) == UNKNOWN


# --- names in texts --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("t", ("t",)),
        (" /* all */ db . t -- o", ("db", "t")),
        ("db..t", ("db", "t")),
        ("t AS o;", ("t",)),
        ("t AS", ("t",)),
        ("t o p", None),
        ("t o, u", None),
        ("t,", None),
        ("db.", None),
        ("", None),
        ("ONLY t", ("t",)),
        ("only", ("only",)),
        ("only AS o", ("only",)),
        ('"a""b".`c``d`.[e]]f]', ('"a""b"', "`c``d`", "[e]]f]")),
    ],
)
def test_a_name_behind_from(text: str, expected: tuple[str, ...] | None) -> None:
    assert table_name(text) == expected
