"""The tracker's manners: it is there once, it never harms the job, and it says what it could not do."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from openlineage.client.client import Event
from openlineage.client.transport import Transport
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from tests.ask import ask

import headwater
from headwater.capture import tracker as tracker_module
from headwater.capture.settings.settings import Settings
from headwater.openlineage.build.options import EventOptions
from headwater.query.graph.answer import Direction
from headwater.store import open_store

pytestmark = pytest.mark.spark


@pytest.fixture
def store_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where `headwater.track` sends events during a test."""
    path = tmp_path / "lineage.db"
    monkeypatch.setenv("HEADWATER_STORE", str(path))
    yield path
    for known in list(tracker_module._trackers.values()):
        known.stop()


@pytest.fixture
def wide_frame(spark: SparkSession) -> DataFrame:
    """A frame whose plan takes more than a millisecond to read."""
    return spark.range(1).selectExpr(*(f"id + {n} AS c{n}" for n in range(500)))


@pytest.mark.usefixtures("store_path")
def test_one_tracker_for_an_application(spark: SparkSession) -> None:
    first = headwater.track(spark)
    assert first.active
    assert headwater.track(spark) is first
    assert headwater.track(spark.newSession()) is first


@pytest.mark.usefixtures("store_path")
def test_after_stop_a_new_one_begins(spark: SparkSession) -> None:
    first = headwater.track(spark)
    first.stop()
    first.stop()
    assert not first.active
    second = headwater.track(spark)
    assert second.active
    assert second is not first


def test_the_embedded_store_holds_what_was_flushed(spark: SparkSession, store_path: Path, tmp_path: Path) -> None:
    with headwater.track(spark) as tracker:
        spark.range(3).write.parquet(str(tmp_path / "a"))
        spark.read.parquet(str(tmp_path / "a")).selectExpr("id * 2 AS twice").write.parquet(str(tmp_path / "b"))
        assert tracker.flush()

        answer = ask(open_store(str(store_path)), Direction.UPSTREAM, str(tmp_path / "b"), "twice")
    assert [(node.field.field, node.distance) for node in answer.nodes] == [("twice", 0), ("id", 1)]


def test_a_spark_that_is_too_old_is_left_alone(warnings_said: pytest.LogCaptureFixture) -> None:
    tracker = headwater.track(Mock(version="3.4.4"))
    assert not tracker.active
    assert tracker.flush()
    tracker.stop()
    assert (
        "supports Spark 3.5 to 4.3 and is not tracking this application, which runs Spark 3.4.4" in warnings_said.text
    )


def test_spark_connect_is_said_to_be_out_of_reach(warnings_said: pytest.LogCaptureFixture) -> None:
    assert not headwater.track(Mock(spec=["version"], version="4.1.4")).active
    assert "Spark Connect" in warnings_said.text


def test_a_store_that_cannot_be_written_is_said_once(
    spark: SparkSession,
    monkeypatch: pytest.MonkeyPatch,
    warnings_said: pytest.LogCaptureFixture,
    tmp_path: Path,
) -> None:
    (tmp_path / "a file").touch()
    unwritable = tmp_path / "a file" / "lineage.db"
    monkeypatch.setenv("HEADWATER_STORE", str(unwritable))

    with headwater.track(spark):
        for number in range(3):
            spark.range(1).write.parquet(str(tmp_path / str(number)))

    said = [record.getMessage() for record in warnings_said.records]
    assert len([message for message in said if str(unwritable) in message]) == 1
    assert said[-1] == "Headwater could not deliver 8 events."
    assert spark.read.parquet(str(tmp_path / "2")).count() == 1


class Broken(Transport):
    """A transport that always fails."""

    def emit(self, event: Event) -> None:
        raise ConnectionError(f"no route to http://me:hunter2@lineage for {type(event).__name__}")


def test_a_transport_that_fails_does_not_reach_the_job(
    spark: SparkSession, capture: Callable[..., Any], warnings_said: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    captured = capture(transport=Broken())
    spark.range(1).write.parquet(str(tmp_path / "out"))
    captured.tracker.stop()
    assert "no route to http://***@lineage" in warnings_said.text
    assert "hunter2" not in warnings_said.text


class Slow(Transport):
    """A transport that takes no event before it may."""

    def __init__(self) -> None:
        self.go_on = threading.Event()

    def emit(self, event: Event) -> None:  # noqa: ARG002
        self.go_on.wait(60)


def test_a_slow_transport_does_not_hold_up_the_job_and_a_full_queue_is_counted(
    spark: SparkSession, capture: Callable[..., Any], warnings_said: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    slow = Slow()
    captured = capture(Settings(queue_length=2), transport=slow)
    for number in range(8):
        spark.range(1).write.parquet(str(tmp_path / str(number)))
    slow.go_on.set()
    captured.tracker.stop()
    assert "messages because its queue was full" in warnings_said.text


def test_a_plan_over_its_budget_is_opaque_not_wrong(
    spark: SparkSession, capture: Callable[..., Any], tmp_path: Path
) -> None:
    source = str(tmp_path / "wide")
    spark.range(1).selectExpr(*(f"id + {n} AS c{n}" for n in range(50))).write.parquet(source)
    captured = capture(Settings(plan_chars=500))

    spark.read.parquet(source).selectExpr("c1 + c2 AS total").write.parquet(str(tmp_path / "out"))

    complete = captured.last
    assert complete["eventType"] == "COMPLETE"
    assert complete["run"]["facets"]["headwater_capture"]["opaque"]["unread for lack of size"] == 1


@pytest.mark.parametrize(
    ("limits", "why"), [({"free_heap_percent": 100}, "memory"), ({"application_millis": 1}, "application time")]
)
def test_at_a_limit_only_what_is_written_is_known(
    capture: Callable[..., Any], wide_frame: DataFrame, tmp_path: Path, limits: dict[str, int], why: str
) -> None:
    captured = capture(Settings(**limits))  # type: ignore[arg-type]
    for number in range(3):
        wide_frame.write.parquet(str(tmp_path / str(number)))

    facets = captured.last["run"]["facets"]["headwater_capture"]
    assert captured.last["outputs"][0]["name"] == str(tmp_path / "2")
    assert "columnLineage" not in captured.last["outputs"][0]["facets"]
    assert facets["opaque"] == {f"unread for lack of {why}": 1}
    assert facets["lost"]["limitedPlans"] >= 1


def test_a_limit_is_said_once(
    capture: Callable[..., Any], wide_frame: DataFrame, warnings_said: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    captured = capture(Settings(free_heap_percent=100))
    for number in range(3):
        wide_frame.write.parquet(str(tmp_path / str(number)))
    assert captured.tracker.flush()
    said = [record.getMessage() for record in warnings_said.records]
    assert said == ["Headwater reached a limit (memory) and no longer reads whole plans."]


def test_the_end_of_the_application_says_what_was_lost(
    spark: SparkSession, capture: Callable[..., Any], tmp_path: Path
) -> None:
    captured = capture(Settings(free_heap_percent=100))
    spark.range(1).write.parquet(str(tmp_path / "out"))
    captured.tracker.stop()
    end = captured.kept.events[-1]
    assert (end["eventType"], end["job"]["facets"]["jobType"]["jobType"]) == ("COMPLETE", "APPLICATION")
    assert end["run"]["facets"]["headwater_capture"]["lost"] == {"limitedPlans": 1}


def test_a_plan_that_cannot_be_read_is_counted_and_the_job_goes_on(
    spark: SparkSession,
    capture: Callable[..., Any],
    warnings_said: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    captured = capture()

    def broken(*_args: object, **_more: object) -> None:
        raise RuntimeError("cannot read this plan")

    with monkeypatch.context() as patched:
        patched.setattr(tracker_module, "statement_of", broken)
        spark.range(1).write.parquet(str(tmp_path / "unread"))
        assert captured.tracker.flush()
    spark.range(1).write.parquet(str(tmp_path / "read"))

    assert "cannot read this plan" in warnings_said.text
    assert captured.last["outputs"][0]["name"] == str(tmp_path / "read")
    assert captured.last["run"]["facets"]["headwater_capture"]["lost"]["unreadPlans"] >= 1


@pytest.mark.parametrize("key", ["spark.headwater.disabled", "spark.openlineage.disabled"])
def test_disabled_in_the_session(spark: SparkSession, key: str) -> None:
    session = spark.newSession()
    session.conf.set(key, "true")
    assert not headwater.track(session).active


@pytest.mark.usefixtures("store_path")
def test_what_cannot_be_set_is_said_and_the_job_is_tracked(
    spark: SparkSession, warnings_said: pytest.LogCaptureFixture
) -> None:
    session = spark.newSession()
    session.conf.set("spark.headwater.planMilis", "5")
    assert headwater.track(session).active
    assert "Did you mean spark.headwater.planMillis?" in warnings_said.text


# --- what only a real Spark can tell ---------------------------------------------------------------------------------


@pytest.mark.usefixtures("users", "fresh_database")
@pytest.mark.parametrize(
    "statement",
    ["CREATE TABLE copied USING parquet AS SELECT * FROM users", "INSERT INTO kept SELECT * FROM users WHERE age > 0"],
)
def test_the_text_of_a_statement_and_what_it_measured(
    spark: SparkSession,
    capture: Callable[..., Any],
    event_errors: Callable[..., list[str]],
    statement: str,
) -> None:
    spark.sql("CREATE TABLE kept (id INT, name STRING, age INT, status STRING) USING parquet")
    captured = capture()
    spark.sql(statement)
    start, complete = captured.events
    assert start["job"]["facets"]["sql"]["query"] == complete["job"]["facets"]["sql"]["query"] == statement
    read = complete["inputs"][0]["inputFacets"]["inputStatistics"]
    wrote = complete["outputs"][0]["outputFacets"]["outputStatistics"]
    assert (read["rowCount"], read["fileCount"]) == (2, 1)
    assert (wrote["rowCount"], wrote["fileCount"]) == (2, 1)
    assert read["size"] > 0 < wrote["size"]
    assert [event_errors(event) for event in captured.all] == [[] for _ in captured.all]


@pytest.mark.usefixtures("users")
def test_a_frame_that_is_written_has_no_text(
    spark: SparkSession, capture: Callable[..., Any], fresh_database: str
) -> None:
    """The text is the query's, not that of what writes it."""
    captured = capture()
    spark.sql("SELECT id FROM users").write.saveAsTable(f"{fresh_database}.written")
    assert "sql" not in captured.last["job"]["facets"]


@pytest.mark.usefixtures("users")
def test_queries_get_events_if_they_are_asked_for(spark: SparkSession, capture: Callable[..., Any]) -> None:
    captured = capture(Settings(events=EventOptions(allowed=frozenset({"Aggregate"}))))
    spark.sql("SELECT count(*) FROM users").collect()
    spark.sql("SELECT id FROM users").collect()
    spark.sql("SHOW TABLES").collect()
    start, complete = captured.events
    assert (start["eventType"], complete["eventType"]) == ("START", "COMPLETE")
    assert complete["inputs"][0]["inputFacets"]["inputStatistics"]["rowCount"] == 2
    assert complete["outputs"] == []


def _stream(spark: SparkSession, tmp_path: Path, each: Callable[[DataFrame, int], None]) -> Any:  # noqa: ANN401
    source = tmp_path / "source"
    source.mkdir()
    for number in range(2):
        (source / f"{number}.json").write_text(f'{{"id": {number}}}')
    reader = spark.readStream.schema("id INT").option("maxFilesPerTrigger", 1).json(str(source))
    writer = reader.writeStream.queryName("Incoming Orders").foreachBatch(each)
    return writer.option("checkpointLocation", str(tmp_path / "state")).trigger(availableNow=True).start()


def test_a_streaming_query_is_one_run(spark: SparkSession, capture: Callable[..., Any], tmp_path: Path) -> None:
    captured = capture()

    def twice(frame: DataFrame, _number: int) -> None:
        frame.write.mode("append").parquet(str(tmp_path / "a"))
        frame.selectExpr("id + 1 AS next").write.mode("append").parquet(str(tmp_path / "b"))

    query = _stream(spark.newSession(), tmp_path, twice)
    query.awaitTermination(60)

    events = captured.events
    assert [event["eventType"] for event in events] == ["START", "RUNNING", "RUNNING", "COMPLETE"]
    assert {event["run"]["runId"] for event in events} == {query.runId}
    assert {event["job"]["name"] for event in events} == {f"headwater_tests.incoming_orders.{_short(tmp_path / 'a')}"}
    for event in events:
        assert [output["name"] for output in event["outputs"]] == [str(tmp_path / "a"), str(tmp_path / "b")]
        assert event["job"]["facets"]["jobType"]["processingType"] == "STREAMING"
    rows = [output["outputFacets"]["outputStatistics"]["rowCount"] for output in events[1]["outputs"]]
    assert rows == [1, 1]


def test_a_streaming_query_that_fails(spark: SparkSession, capture: Callable[..., Any], tmp_path: Path) -> None:
    captured = capture()

    def once(frame: DataFrame, number: int) -> None:
        frame.write.parquet(str(tmp_path / "out"))
        if number == 1:
            raise ValueError("no more")

    query = _stream(spark, tmp_path, once)
    with pytest.raises(PySparkException):
        query.awaitTermination(60)

    assert [event["eventType"] for event in captured.events] == ["START", "RUNNING", "FAIL"]
    assert captured.last["run"]["facets"]["errorMessage"]["message"] != ""


def _short(path: Path) -> str:
    return "_".join(path.parts[-2:]).lower().replace("-", "_")
