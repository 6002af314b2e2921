"""What is captured from real writes: the datasets, the runs, the facets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

# Spark 3.5 hands some failures of a job on as they come from Java.
FAILURES = (PySparkException, Py4JJavaError)


def _inputs(event: dict[str, Any]) -> list[str]:
    return [f"{dataset['namespace']}:{dataset['name']}" for dataset in event["inputs"]]


def _output(event: dict[str, Any]) -> dict[str, Any]:
    (output,) = event["outputs"]
    assert isinstance(output, dict)
    return output


def _sources(event: dict[str, Any], column: str) -> list[tuple[str, str, str]]:
    fields = _output(event)["facets"]["columnLineage"]["fields"][column]["inputFields"]
    return [
        (field["name"].rsplit("/", 1)[-1], field["field"], transformation["subtype"])
        for field in fields
        for transformation in field["transformations"]
    ]


@pytest.mark.parametrize("format_", ["parquet", "csv", "json", "orc"])
def test_files_are_read_and_written_by_their_paths(
    spark: SparkSession, capture: Callable[..., Any], tmp_path: Path, format_: str
) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    spark.range(3).selectExpr("id", "CAST(id AS STRING) AS name").write.format(format_).save(str(source))
    frame = spark.read.format(format_).schema("id BIGINT, name STRING").load(str(source))
    captured = capture()

    frame.selectExpr("id + 1 AS next", "name").write.format(format_).save(str(target))

    start, complete = captured.events
    assert (start["eventType"], complete["eventType"]) == ("START", "COMPLETE")
    assert start["run"]["runId"] == complete["run"]["runId"]
    assert start["job"]["name"] == complete["job"]["name"]
    assert _inputs(complete) == [f"file:{source}"]
    assert (_output(complete)["namespace"], _output(complete)["name"]) == ("file", str(target))
    assert _sources(complete, "next") == [("source", "id", "TRANSFORMATION")]
    assert _sources(complete, "name") == [("source", "name", "IDENTITY")]


def test_the_last_event_carries_the_schemas(capture: Callable[..., Any], spark: SparkSession, users: str) -> None:
    captured = capture()
    spark.sql("SELECT id, struct(name, age) AS who FROM users").write.parquet(users + "_copy")

    start, complete = captured.events
    (read,) = complete["inputs"]
    assert [(f["name"], f["type"]) for f in read["facets"]["schema"]["fields"]] == [
        ("id", "integer"), ("name", "string"), ("age", "integer"), ("status", "string"),
    ]  # fmt: skip
    who = _output(complete)["facets"]["schema"]["fields"][1]
    assert (who["name"], who["type"]) == ("who", "struct")
    assert [field["name"] for field in who["fields"]] == ["name", "age"]
    # START names the same datasets, no more.
    assert _inputs(start) == _inputs(complete)
    assert "schema" not in _output(start)["facets"]


@pytest.mark.usefixtures("users")
def test_create_table_as_select(spark: SparkSession, capture: Callable[..., Any], fresh_database: str) -> None:
    captured = capture()

    spark.sql("CREATE TABLE grown USING parquet AS SELECT id, age + 1 AS age FROM users WHERE status = 'active'")

    start, complete = captured.events
    output = _output(complete)
    assert output["namespace"] == "file"
    assert output["name"].endswith(f"/{fresh_database}.db/grown")
    (symlink,) = output["facets"]["symlinks"]["identifiers"]
    assert (symlink["name"], symlink["type"]) == (f"{fresh_database}.grown", "TABLE")
    assert output["facets"]["lifecycleStateChange"]["lifecycleStateChange"] == "CREATE"
    assert _sources(complete, "age") == [("users", "age", "TRANSFORMATION")]
    (filtered,) = output["facets"]["columnLineage"]["dataset"]
    assert (filtered["field"], filtered["transformations"][0]["description"]) == ("status", "status = 'active'")
    assert start["job"]["name"] == f"headwater_tests.create_data_source_table_as_select_command.{fresh_database}_grown"


@pytest.mark.usefixtures("users")
def test_a_database_has_a_location_of_its_own(
    spark: SparkSession, capture: Callable[..., Any], fresh_database: str, tmp_path: Path
) -> None:
    spark.sql(f"CREATE DATABASE {fresh_database}_there LOCATION '{tmp_path}/there'")
    captured = capture()
    try:
        spark.catalog.setCurrentDatabase(f"{fresh_database}_there")
        spark.sql("CREATE TABLE grown USING parquet AS SELECT id FROM users")
        spark.table("users").select("id").write.saveAsTable("kept")
        outputs = [[output["name"] for output in event["outputs"]] for event in captured.events]
    finally:
        spark.catalog.setCurrentDatabase(fresh_database)
        spark.sql(f"DROP DATABASE {fresh_database}_there CASCADE")
    # START and COMPLETE name the same place, and nothing below the folder of Spark's warehouse.
    assert outputs == [[f"{tmp_path}/there/{name}"] for name in ("grown", "grown", "kept", "kept")]


@pytest.mark.usefixtures("users")
@pytest.mark.parametrize(("statement", "lifecycle"), [("INSERT INTO", None), ("INSERT OVERWRITE", "OVERWRITE")])
def test_insert_by_position(
    spark: SparkSession, capture: Callable[..., Any], fresh_database: str, statement: str, lifecycle: str | None
) -> None:
    spark.sql("CREATE TABLE people (number INT, who STRING) USING parquet")
    captured = capture()

    spark.sql(f"{statement} people SELECT id, upper(name) FROM users").collect()

    _start, complete = captured.events
    output = _output(complete)
    assert output["facets"]["symlinks"]["identifiers"][0]["name"] == f"{fresh_database}.people"
    change = output["facets"].get("lifecycleStateChange", {}).get("lifecycleStateChange")
    assert change == lifecycle
    assert _sources(complete, "number") == [("users", "id", "IDENTITY")]
    assert _sources(complete, "who") == [("users", "name", "TRANSFORMATION")]


@pytest.mark.usefixtures("users")
def test_save_as_table_is_one_run(spark: SparkSession, capture: Callable[..., Any], fresh_database: str) -> None:
    captured = capture()

    spark.table("users").select("id", "name").write.saveAsTable("kept")
    spark.table("kept").write.mode("append").saveAsTable("kept_twice")

    first, second = [event for event in captured.events if event["eventType"] == "COMPLETE"]
    assert _output(first)["name"].endswith(f"/{fresh_database}.db/kept")
    assert _inputs(second) == [f"file:{_output(first)['name']}"]
    assert _sources(second, "name") == [("kept", "name", "IDENTITY")]
    assert len({event["run"]["runId"] for event in captured.events}) == 2


@pytest.mark.usefixtures("users")
def test_an_overwrite_of_partitions_does_not_claim_the_whole(
    spark: SparkSession, capture: Callable[..., Any], tmp_path: Path
) -> None:
    captured = capture()
    target = str(tmp_path / "by_status")

    writer = spark.table("users").write.mode("overwrite").option("partitionOverwriteMode", "dynamic")
    writer.partitionBy("status").parquet(target)
    spark.read.parquet(f"{target}/status=active").write.parquet(str(tmp_path / "one_partition"))

    whole, one = [event for event in captured.events if event["eventType"] == "COMPLETE"]
    assert "lifecycleStateChange" not in _output(whole)["facets"]
    assert _sources(whole, "status") == [("users", "status", "IDENTITY")]
    # A partition is part of the dataset that it is a partition of.
    assert _inputs(one) == [f"file:{target}"]


@pytest.mark.usefixtures("users", "fresh_database")
def test_partitions_are_kept_as_the_session_and_the_writer_say(
    spark: SparkSession, capture: Callable[..., Any], tmp_path: Path
) -> None:
    """An overwrite of a table of partitions replaces all of it, unless it is told to keep what gets no rows."""
    users, mode = spark.table("users"), "spark.sql.sources.partitionOverwriteMode"
    for name in ("kept", "also"):
        spark.sql(f"CREATE TABLE {name} (id INT, status STRING) USING parquet PARTITIONED BY (status)")
    captured = capture()

    def by_files(**options: str) -> None:
        users.write.mode("overwrite").options(**options).partitionBy("status").parquet(str(tmp_path / "by_status"))

    writes: dict[str, Callable[[], object]] = {
        "files": by_files,
        "INSERT OVERWRITE": lambda: spark.sql("INSERT OVERWRITE kept SELECT id, status FROM users"),
        "insertInto": lambda: users.select("id", "status").write.insertInto("kept", overwrite=True),
        "both": lambda: spark.sql(
            "FROM users INSERT OVERWRITE kept SELECT id, status INSERT OVERWRITE also SELECT id, status"
        ),
    }
    for setting, expected in (("static", {"OVERWRITE"}), ("dynamic", {None})):
        spark.conf.set(mode, setting)
        try:
            for name, write in writes.items():
                write()
                said = [one["facets"].get("lifecycleStateChange", {}) for one in captured.last["outputs"]]
                assert {one.get("lifecycleStateChange") for one in said} == expected, (setting, name)
        finally:
            spark.conf.unset(mode)

    spark.conf.set(mode, "dynamic")
    try:
        by_files(partitionOverwriteMode="static")
    finally:
        spark.conf.unset(mode)
    assert _output(captured.last)["facets"]["lifecycleStateChange"]["lifecycleStateChange"] == "OVERWRITE"
    spark.sql("INSERT OVERWRITE kept PARTITION (status = 'gone') SELECT id FROM users")
    assert "lifecycleStateChange" not in _output(captured.last)["facets"]


@pytest.mark.usefixtures("users", "fresh_database")
def test_save_as_table_keeps_partitions_where_the_files_outlive_the_table(
    spark: SparkSession, capture: Callable[..., Any], tmp_path: Path
) -> None:
    captured = capture()
    for places, expected in (({}, "OVERWRITE"), ({"path": str(tmp_path / "kept")}, None)):
        name = f"saved_{len(places)}"
        for status in ("active", "gone"):
            writer = spark.table("users").where(f"status = '{status}'").write.mode("overwrite").partitionBy("status")
            writer.options(partitionOverwriteMode="dynamic", **places).saveAsTable(name)
        assert spark.table(name).count() == (1 if expected else 2)
        said = _output(captured.last)["facets"].get("lifecycleStateChange", {})
        assert said.get("lifecycleStateChange") == expected


@pytest.mark.usefixtures("users", "fresh_database")
def test_a_failure_is_told_with_its_message_and_no_secret(spark: SparkSession, capture: Callable[..., Any]) -> None:
    spark.sql("CREATE TABLE people (number INT, who STRING) USING parquet")
    captured = capture()

    with pytest.raises(FAILURES):
        spark.sql("INSERT INTO people SELECT id, raise_error('no luck, password=hunter2') FROM users")

    start, failed = captured.events
    assert (start["eventType"], failed["eventType"]) == ("START", "FAIL")
    message = failed["run"]["facets"]["errorMessage"]["message"]
    assert "no luck" in message
    assert "hunter2" not in str(captured.all)
    assert _sources(failed, "number") == [("users", "id", "IDENTITY")]


@pytest.mark.usefixtures("users")
def test_what_only_reads_gives_no_event(spark: SparkSession, capture: Callable[..., Any]) -> None:
    captured = capture()

    spark.sql("SELECT COUNT(*) FROM users").collect()
    spark.sql("SHOW TABLES").collect()
    spark.sql("CREATE TEMPORARY VIEW just_a_view AS SELECT * FROM users")
    spark.sql("DROP VIEW just_a_view")

    assert captured.events == []


def test_the_application_is_the_parent_of_its_statements(
    spark: SparkSession, capture: Callable[..., Any], tmp_path: Path
) -> None:
    captured = capture()
    spark.range(1).write.parquet(str(tmp_path / "out"))
    assert captured.tracker.flush()
    captured.tracker.stop()

    started, *statements, ended = captured.kept.events
    assert (started["eventType"], ended["eventType"]) == ("START", "COMPLETE")
    assert started["job"]["name"] == "headwater_tests"
    assert started["job"]["facets"]["jobType"]["jobType"] == "APPLICATION"
    for event in statements:
        parent = event["run"]["facets"]["parent"]
        assert parent["run"]["runId"] == started["run"]["runId"]
        assert (parent["job"]["namespace"], parent["job"]["name"]) == ("default", "headwater_tests")
        assert event["run"]["facets"]["processing_engine"]["version"] == spark.version


@pytest.mark.usefixtures("users")
def test_views_and_new_sessions_lead_to_the_source(
    spark: SparkSession, capture: Callable[..., Any], fresh_database: str, tmp_path: Path
) -> None:
    spark.sql("CREATE TABLE base USING parquet AS SELECT * FROM users")
    spark.sql("CREATE VIEW seen AS SELECT id AS number, name FROM base WHERE age > 3")
    captured = capture()

    spark.newSession().sql(f"SELECT number FROM {fresh_database}.seen").write.parquet(str(tmp_path / "out"))

    complete = captured.last
    assert [name.rsplit("/", 1)[-1] for name in _inputs(complete)] == ["base"]
    assert _sources(complete, "number") == [("base", "id", "IDENTITY")]
    assert [field["field"] for field in _output(complete)["facets"]["columnLineage"]["dataset"]] == ["age"]


@pytest.mark.usefixtures("users")
def test_multi_insert_writes_two_datasets(
    spark: SparkSession, capture: Callable[..., Any], fresh_database: str
) -> None:
    assert fresh_database
    spark.sql("CREATE TABLE young (id INT) USING parquet")
    spark.sql("CREATE TABLE old (id INT) USING parquet")
    captured = capture()

    spark.sql("FROM users INSERT INTO young SELECT id WHERE age < 35 INSERT INTO old SELECT id WHERE age >= 35")

    completed = [event for event in captured.events if event["eventType"] == "COMPLETE"]
    written = [output["name"].rsplit("/", 1)[-1] for event in completed for output in event["outputs"]]
    assert written == ["young", "old"]
    # Spark 3.5 runs the two one after the other, later ones as one.
    assert len(completed) == (2 if spark.version.startswith("3.") else 1)


@pytest.mark.usefixtures("users")
def test_what_is_not_understood_is_counted_and_covered(
    spark: SparkSession, capture: Callable[..., Any], tmp_path: Path
) -> None:
    captured = capture()

    spark.sql("SELECT TRANSFORM (*) USING 'cat' AS (word STRING) FROM users").write.parquet(str(tmp_path / "out"))

    complete = captured.last
    assert complete["run"]["facets"]["headwater_capture"]["opaque"] == {"ScriptTransformation": 1}
    assert {source[1] for source in _sources(complete, "word")} == {"id", "name", "age", "status"}


@pytest.mark.usefixtures("users")
def test_every_event_is_valid(
    spark: SparkSession, capture: Callable[..., Any], fresh_database: str, event_errors: Callable[..., list[str]]
) -> None:
    assert fresh_database
    captured = capture()
    spark.sql("CREATE TABLE everything USING parquet AS SELECT *, map('k', struct(id)) AS nested FROM users")
    spark.sql("SELECT sha2(name, 256) AS h, explode(array(1)) AS e FROM users").write.saveAsTable("hashed")
    with pytest.raises(FAILURES):
        spark.sql("INSERT INTO hashed SELECT name, CAST(raise_error('no') AS INT) FROM users")
    assert captured.tracker.flush()
    captured.tracker.stop()

    assert len(captured.kept.events) == 8
    for event in captured.kept.events:
        assert event_errors(event) == []
