"""The tracker's manners: it is there once, it never harms the job, and it says what it could not do."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from openlineage.client.client import Event
from openlineage.client.transport import Transport
from pyspark.sql import SparkSession

import headwater
from headwater.graph import Direction, ask
from headwater.spark import tracker as tracker_module
from headwater.spark.settings import Settings
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
    assert "supports Spark 3.5 to 4.3; this is Spark 3.4.4" in warnings_said.text


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
    """A transport that takes its time."""

    def emit(self, event: Event) -> None:  # noqa: ARG002
        time.sleep(0.5)


def test_a_slow_transport_does_not_hold_up_the_job_and_a_full_queue_is_counted(
    spark: SparkSession, capture: Callable[..., Any], warnings_said: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    captured = capture(Settings(queue_length=2), transport=Slow())
    for number in range(8):
        spark.range(1).write.parquet(str(tmp_path / str(number)))
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


def test_a_plan_that_cannot_be_read_is_counted_and_the_job_goes_on(
    spark: SparkSession, capture: Callable[..., Any], warnings_said: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    captured = capture()

    def broken(_message: object, *, shallow: bool) -> None:  # noqa: ARG001
        raise RuntimeError("cannot read this plan")

    original = tracker_module._statement
    tracker_module._statement = broken  # type: ignore[assignment]
    try:
        spark.range(1).write.parquet(str(tmp_path / "unread"))
        assert captured.tracker.flush()
    finally:
        tracker_module._statement = original
    spark.range(1).write.parquet(str(tmp_path / "read"))

    assert "cannot read this plan" in warnings_said.text
    assert captured.last["outputs"][0]["name"] == str(tmp_path / "read")


def test_disabled_by_setting(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracker_module, "settings", lambda _conf, _env: Settings(disabled=True))
    assert not headwater.track(spark).active
