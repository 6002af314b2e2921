"""Commands that write rows, by plans written down: where the rows go, under which names, and what they replace."""

from __future__ import annotations

import pytest

from headwater.rules.plan.tree import UNREAD, CatalogOf, Dataset, Described, Expr, Plan, Unread, Value
from headwater.rules.statements.statements import Statement, Stream, Written, statement
from headwater.rules.statements.writes import DYNAMIC, Change

ID = Expr("AttributeReference", name="id", id=1, type="integer")
SOURCE = Plan("LogicalRelation", args={"relation": Described("files", (Dataset("file:/in"),))}, output=(ID,))
TWO = {"type": "struct", "fields": [{"name": "key", "type": "long"}, {"name": "day", "type": "date"}]}
PEOPLE = Dataset("file:/warehouse/people", ("spark_catalog", "default", "people"), "orc")


def answer(kind: str, **args: Value) -> Statement:
    given = statement(Plan(kind, args={"query": SOURCE, **args}))
    assert given is not None
    return given


def written(kind: str, **args: Value) -> Written:
    (one,) = answer(kind, **args).writes
    return one


def options(**given: str) -> Described:
    return Described("options", options={name.replace("_", "."): value for name, value in given.items()})


def sources(write: Written) -> dict[str, list[str]]:
    return {name: [source.field for source in found] for name, found in (write.fields or {}).items()}


# --- files, and tables of the first data source API ------------------------------------------------------------------


def test_files_go_to_the_path_in_the_format_of_the_command() -> None:
    table = Described("table", (PEOPLE,), schema=TWO)

    plain = written("InsertIntoHadoopFsRelationCommand", outputPath="file:/out", fileFormat="json", mode="Append")
    named = written("InsertIntoHadoopFsRelationCommand", catalogTable=table, mode="Append", outputColumnNames=("key",))

    assert (plain.dataset, plain.change, plain.if_absent) == (Dataset("file:/out", format="json"), Change.APPEND, False)
    assert named.dataset == PEOPLE
    assert sources(named) == {"key": ["id"]}
    assert [field.name for field in named.schema] == ["key", "day"], "the table keeps what the query does not bring"


def test_files_that_are_written_only_where_there_are_none() -> None:
    assert written("InsertIntoHadoopFsRelationCommand", outputPath="file:/out", mode="Ignore").if_absent


def test_a_partition_that_might_name_a_dataset_is_still_a_partition() -> None:
    given = written(
        "InsertIntoHadoopFsRelationCommand",
        outputPath="file:/out",
        mode="Overwrite",
        staticPartitions=Described("options", options={"topic": "a"}),
    )

    assert given.change is Change.OVERWRITE_PARTITIONS


@pytest.mark.parametrize(
    ("overwrite", "partition", "expected"),
    [
        (False, Unread("EmptyMap$"), Change.APPEND),
        (False, Unread("Map1"), Change.APPEND),
        (True, Unread("EmptyMap$"), Change.OVERWRITE),
        (True, Unread("Map1"), Change.OVERWRITE_PARTITIONS),
    ],
)
def test_a_hive_table_is_replaced_as_a_whole_or_by_partition(
    overwrite: bool,  # noqa: FBT001
    partition: Unread,
    expected: Change,
) -> None:
    given = written(
        "InsertIntoHiveTable",
        table=Described("table", (PEOPLE,), schema=TWO),
        overwrite=overwrite,
        partition=partition,
        outputColumnNames=("key",),
    )

    assert (given.dataset, given.change) == (PEOPLE, expected)
    assert sources(given) == {"key": ["id"]}
    assert [field.name for field in given.schema] == ["key", "day"]


@pytest.mark.parametrize(("overwrite", "expected"), [(True, Change.OVERWRITE), (False, Change.APPEND)])
def test_a_table_of_a_source_without_files(overwrite: bool, expected: Change) -> None:  # noqa: FBT001
    place = Dataset("jdbc:derby:db", ("app", "t"), "jdbc")
    columns = (Expr("AttributeReference", name="key", id=7), Expr("AttributeReference", name="_row", id=8, hidden=True))
    relation = Plan("LogicalRelation", args={"relation": Described("jdbc", (place,))}, output=columns)

    given = written("InsertIntoDataSourceCommand", logicalRelation=relation, overwrite=overwrite)

    assert (given.dataset, given.change) == (place, expected)
    assert sources(given) == {"key": ["id"]}, "by position, without what the source offers beside its columns"


@pytest.mark.parametrize(("provider", "format_"), [("json", "json"), (None, "hive")])
def test_a_directory(provider: str | None, format_: str) -> None:
    storage = Described("storage", (Dataset("file:/out", format="x"),))

    given = written("InsertIntoDataSourceDirCommand", storage=storage, provider=provider, outputColumnNames=("key",))

    assert (given.dataset, given.change) == (Dataset("file:/out", format=format_), Change.OVERWRITE)
    assert sources(given) == {"key": ["id"]}


# --- LOAD DATA -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "local", "place"),
    [
        ("/in/day.csv", True, "file:/in/day.csv"),
        ("/in/day.csv", False, "/in/day.csv"),
        ("s3://in/day.csv", True, "s3://in/day.csv"),
        ("/in/2024/part-*.csv", False, "/in/2024"),
        ("/in/{a,b}/c?.csv", True, "file:/in"),
    ],
)
def test_loaded_files_are_read_and_what_is_in_them_is_unknown(path: str, local: bool, place: str) -> None:  # noqa: FBT001
    given = statement(Plan("LoadDataCommand", args={"table": ("default", "t"), "path": path, "isLocal": local}))

    assert given is not None
    assert [*given.reads] == [Dataset(place)]
    assert given.opaque == {"LoadDataCommand": 1}
    assert given.writes[0].dataset == Dataset(table=("default", "t"))


@pytest.mark.parametrize(
    ("overwrite", "partition", "expected"),
    [
        (True, None, Change.OVERWRITE),
        (True, Unread("Map1"), Change.OVERWRITE_PARTITIONS),
        (False, None, Change.APPEND),
    ],
)
def test_loaded_files_replace_what_the_command_says(
    overwrite: bool,  # noqa: FBT001
    partition: Unread | None,
    expected: Change,
) -> None:
    args: dict[str, Value] = {"table": ("t",), "path": "/in", "isOverwrite": overwrite, "partition": partition}
    given = statement(Plan("LoadDataCommand", args=args))

    assert given is not None
    assert given.writes[0].change is expected


def test_files_to_load_that_nobody_names_are_opaque() -> None:
    given = statement(Plan("LoadDataCommand", args={"table": ("t",), "path": Unread("Path")}))

    assert given is not None
    assert (given.writes, given.opaque) == ((), {"LoadDataCommand": 1})


# --- other sources ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "given", "dataset"),
    [
        ("kafka", {"kafka_bootstrap_servers": "a:9092", "topic": "t"}, Dataset("kafka://a:9092", ("t",), "kafka")),
        ("jdbc", {"url": "jdbc:x", "dbtable": "app.t"}, Dataset("jdbc:x", ("app", "t"), "jdbc")),
        ("my.jdbc", {"url": "jdbc:x", "dbtable": "t"}, Dataset("jdbc:x", ("t",), "jdbc")),
        ("rest", {"url": "http://x", "path": "file:/out"}, Dataset("file:/out", format="rest")),
        ("com.google.BigQuery", {"table": "p:d.t"}, Dataset(None, ("p", "d", "t"), "bigquery")),
        ("bigquery", {"table": "d.t", "project": "p"}, Dataset(None, ("p", "d", "t"), "bigquery")),
        ("bigquery", {"table": "t", "project": "p", "dataset": "d"}, Dataset(None, ("p", "d", "t"), "bigquery")),
        ("bigquery", {"table": "q:e.t", "project": "p", "dataset": "d"}, Dataset(None, ("q", "e", "t"), "bigquery")),
        (
            "snowflake",
            {"sfurl": "x.com", "sfdatabase": "d", "sfschema": "s", "dbtable": "t"},
            Dataset("https://x.com", ("d", "s", "t"), "snowflake"),
        ),
        ("snowflake", {"sfurl": "x.com", "dbtable": "t"}, Dataset("https://x.com", ("t",), "snowflake")),
        ("orc", {"path": "file:/out"}, Dataset("file:/out", format="orc")),
        (None, {"path": "file:/out"}, Dataset("file:/out")),
    ],
)
def test_a_source_is_named_by_its_options(source: str | None, given: dict[str, str], dataset: Dataset) -> None:
    one = written("SaveIntoDataSourceCommand", dataSource=source, options=options(**given), mode="Append")

    assert (one.dataset, one.change) == (dataset, Change.APPEND)
    assert sources(one) == {"id": ["id"]}


@pytest.mark.parametrize(
    ("source", "given"),
    [
        ("jdbc", {}),
        ("other", {"url": "jdbc:x"}),
        ("bigquery", {"project": "p"}),
        ("other", {"table": "t"}),
        ("snowflake", {"sfurl": "x.com"}),
        ("kafka", {"kafka_bootstrap_servers": "a:9092"}),
    ],
)
def test_a_source_that_its_options_do_not_name_is_opaque(source: str, given: dict[str, str]) -> None:
    one = answer("SaveIntoDataSourceCommand", dataSource=source, options=options(**given))

    assert (one.writes, one.opaque) == ((), {"SaveIntoDataSourceCommand": 1})
    assert [*one.reads] == [Dataset("file:/in")], "what it reads is still known"


@pytest.mark.parametrize(("source", "expected"), [("delta", Change.OVERWRITE_PARTITIONS), ("orc", Change.OVERWRITE)])
def test_only_delta_keeps_partitions_by_the_setting_of_the_session(source: str, expected: Change) -> None:
    args: dict[str, Value] = {"dataSource": source, "options": options(path="/out"), "mode": "Overwrite", DYNAMIC: True}

    assert written("SaveIntoDataSourceCommand", **args).change is expected


# --- the second data source API --------------------------------------------------------------------------------------


def v2(*columns: str, source: str = "", **more: Value) -> Plan:
    output = tuple(Expr("AttributeReference", name=name, id=20 + at) for at, name in enumerate(columns))
    args: dict[str, Value] = {"table": Described("v2", (Dataset("file:/lake/t"),), source=source), **more}
    return Plan("DataSourceV2Relation", args=args, output=output)


def test_columns_go_by_position_unless_it_was_asked_for_by_name() -> None:
    assert sources(written("AppendData", table=v2("key"))) == {"key": ["id"]}
    assert sources(written("AppendData", table=v2("key"), isByName=True)) == {"id": ["id"]}
    assert sources(written("AppendData", table=v2("key", "more"))) == {"id": ["id"]}, "positions do not match"


def test_what_keeps_nothing_is_no_write() -> None:
    assert statement(Plan("AppendData", args={"table": v2(source="NoopTable"), "query": SOURCE})) is None


@pytest.mark.parametrize(("condition", "expected"), [("true", "OVERWRITE"), ("day = 1", "OVERWRITE_PARTITIONS")])
def test_rows_that_a_condition_chooses_are_replaced(condition: str, expected: str) -> None:
    chosen = Expr("Literal", args={"sql": condition})

    assert written("OverwriteByExpression", table=v2("key"), deleteExpr=chosen).change is Change[expected]


def test_partitions_with_new_rows_are_replaced() -> None:
    assert written("OverwritePartitionsDynamic", table=v2("key")).change is Change.OVERWRITE_PARTITIONS


def test_a_query_that_was_not_read_leaves_the_columns_of_the_command() -> None:
    given = written(
        "InsertIntoHadoopFsRelationCommand",
        query=Plan(UNREAD),
        outputPath="file:/out",
        mode="Overwrite",
        outputColumnNames=("key",),
        catalogTable=Described("table", (PEOPLE,), schema=TWO),
    )

    assert (given.change, given.fields, given.rows) == (Change.OVERWRITE, {}, {})
    assert [(field.name, field.type) for field in given.schema] == [("key", "long")]


# --- streams and RDDs ------------------------------------------------------------------------------------------------


def batch(**args: Value) -> Statement:
    return answer("WriteToMicroBatchDataSource", queryId="q", batchId=3, **args)


def test_a_micro_batch_goes_into_the_table_of_the_stream() -> None:
    lake = Described("catalog", catalog=CatalogOf("lake", framework="iceberg"))
    named = batch(relation=v2("id", "more", catalog=lake, identifier=("db", "t")), outputMode="Append")
    sink = batch(sink=Described("v2", (Dataset("file:/out"),)), table=Described("v2"), outputMode="Complete")
    table = batch(table=Described("v2", (Dataset("file:/out"),)), outputMode="Update")
    known = batch(sink=Described("v2", (Dataset("file:/out"),)), catalogTable=Described("table", (PEOPLE,)))

    assert named.stream == Stream("q", 3)
    assert named.writes[0].dataset.table == ("lake", "db", "t")
    assert [field.name for field in named.writes[0].schema] == ["id", "more"]
    assert [one.writes[0].change.name for one in (named, sink, table)] == ["APPEND", "OVERWRITE", "APPEND"]
    assert sink.writes[0].dataset == table.writes[0].dataset == Dataset("file:/out")
    assert known.writes[0].dataset == PEOPLE


def test_a_micro_batch_into_a_topic_is_named_by_the_options() -> None:
    given = batch(
        table=Described("v2", source="KafkaTable"),
        writeOptions=options(kafka_bootstrap_servers="a:9092", topic="t"),
    )

    # The relation that stands for it has its options under the name that relations have them.
    assert given.writes[0].dataset == Dataset("kafka://a:9092", ("t",), "kafka")


def test_a_micro_batch_for_a_function_writes_nothing_itself() -> None:
    given = batch(sink=Described("v2", source="ForeachBatchSink"))

    assert (given.writes, given.stream, given.opaque) == ((), Stream("q", 3), {})


def test_a_batch_without_a_number() -> None:
    given = answer("WriteToMicroBatchDataSource", queryId="q", sink=Described("v2", source="MemorySink"))

    assert given.stream == Stream("q", None)


def test_a_saved_rdd() -> None:
    given = written("saveAsObjectFile", path="file:/out")

    assert (given.dataset, given.change) == (Dataset("file:/out", format="sequence"), Change.APPEND)
    assert sources(given) == {"id": ["id"]}


def test_an_rdd_that_is_saved_somewhere_is_opaque() -> None:
    given = answer("saveAsTextFile", path=None)

    assert (given.writes, given.opaque) == ((), {"saveAsTextFile": 1})
