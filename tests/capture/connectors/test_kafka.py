"""Kafka, for real: topics in batches and in streams."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.readwriter import DataStreamWriter
from tests.capture.conftest import Capture
from tests.capture.connectors.kafka import Kafka
from tests.capture.event_summary import columns, names, opaque

pytestmark = pytest.mark.lake


class Topics:
    """The broker, and the ways to it."""

    def __init__(self, spark: SparkSession, broker: Kafka) -> None:
        self.spark = spark
        self.broker = broker
        self.options = {"kafka.bootstrap.servers": broker.servers}

    def fill(self, topic: str, value: str = "ann") -> None:
        self.write(self.spark.sql(f"SELECT '1' AS key, '{value}' AS value"), topic)

    def write(self, frame: DataFrame, topic: str) -> None:
        frame.write.format("kafka").options(**self.options, topic=topic).save()

    def read(self, **chosen: str) -> DataFrame:
        return self.spark.read.format("kafka").options(**self.options, **chosen).load()

    def stream(self, topic: str) -> DataFrame:
        reader = self.spark.readStream.format("kafka").options(**self.options)
        return reader.option("subscribe", topic).option("startingOffsets", "earliest").load()

    def names(self, *topics: str) -> set[tuple[str, str]]:
        """What topics are called in events."""
        return {(self.broker.namespace, topic) for topic in topics}


@pytest.fixture
def topics(spark: SparkSession, kafka: Kafka) -> Topics:
    """The broker of the tests."""
    return Topics(spark, kafka)


def test_a_batch_goes_into_a_topic(topics: Topics, capture: Callable[[], Capture], tmp_path: Path) -> None:
    topics.spark.sql("SELECT 1 AS id, 'ann' AS name").write.parquet(f"{tmp_path}/users")
    captured = capture()

    users = topics.spark.read.parquet(f"{tmp_path}/users")
    topics.write(users.selectExpr("CAST(id AS STRING) AS key", "upper(name) AS value"), "loud")

    assert names(captured.last["inputs"]) == {("file", f"{tmp_path}/users")}
    assert names(captured.last["outputs"]) == topics.names("loud")
    assert columns(captured.last["outputs"][0]) == {
        "key": ["users.id TRANSFORMATION"],
        "value": ["users.name TRANSFORMATION"],
    }
    assert len({event["run"]["runId"] for event in captured.events}) == 1


@pytest.mark.parametrize(
    ("chosen", "read"),
    [
        pytest.param({"subscribe": "clicks"}, ["clicks"], id="subscribe"),
        pytest.param({"subscribe": "clicks, views"}, ["clicks", "views"], id="several"),
        pytest.param({"subscribePattern": "cli.*"}, ["cli.*"], id="pattern"),
        pytest.param({"assign": '{"clicks": [0]}'}, ["clicks"], id="assign"),
    ],
)
def test_a_batch_is_read_from_topics(
    topics: Topics, capture: Callable[[], Capture], tmp_path: Path, chosen: dict[str, str], read: list[str]
) -> None:
    topics.fill("clicks")
    topics.fill("views")
    captured = capture()

    topics.read(**chosen).selectExpr("CAST(value AS STRING) AS said").write.parquet(f"{tmp_path}/out")

    assert names(captured.last["inputs"]) == topics.names(*read)
    last = [topic.rpartition(".")[2] for topic in read]
    assert columns(captured.last["outputs"][0]) == {"said": [f"{topic}.value TRANSFORMATION" for topic in last]}
    assert opaque(captured.last) == {}


def test_topics_that_stand_in_the_data_are_said_to_be_unknown(
    topics: Topics, capture: Callable[[], Capture], tmp_path: Path
) -> None:
    topics.spark.sql("SELECT 'loud' AS topic, 'ann' AS value").write.parquet(f"{tmp_path}/messages")
    captured = capture()

    topics.spark.read.parquet(f"{tmp_path}/messages").write.format("kafka").options(**topics.options).save()

    assert names(captured.last["inputs"]) == {("file", f"{tmp_path}/messages")}
    assert captured.last["outputs"] == []
    assert opaque(captured.last)


SAID = ("key", "upper(CAST(value AS STRING)) AS value")


def _into_files(frame: DataFrame, folder: Path, _topics: Topics) -> tuple[DataStreamWriter, set[tuple[str, str]]]:
    return frame.writeStream.format("parquet").option("path", f"{folder}/out"), {("file", f"{folder}/out")}


def _into_topic(frame: DataFrame, _folder: Path, topics: Topics) -> tuple[DataStreamWriter, set[tuple[str, str]]]:
    writer = frame.writeStream.format("kafka").options(**topics.options).option("topic", "shouted")
    return writer, topics.names("shouted")


def _by_hand(frame: DataFrame, folder: Path, _topics: Topics) -> tuple[DataStreamWriter, set[tuple[str, str]]]:
    def write(batch: DataFrame, _number: int) -> None:
        batch.write.mode("append").parquet(f"{folder}/by_hand")

    return frame.writeStream.foreachBatch(write), {("file", f"{folder}/by_hand")}


SINKS = {"files": _into_files, "topic": _into_topic, "foreachBatch": _by_hand}


@pytest.mark.parametrize("sink", SINKS)
def test_a_stream_from_a_topic_is_one_run_of_many_batches(
    topics: Topics, capture: Callable[[], Capture], tmp_path: Path, sink: str
) -> None:
    topic = f"spoken-{sink}"
    topics.fill(topic)
    captured = capture()

    writer, outputs = SINKS[sink](topics.stream(topic).selectExpr(*SAID), tmp_path, topics)
    query = writer.option("checkpointLocation", f"{tmp_path}/checkpoint").start()
    query.processAllAvailable()
    topics.fill(topic, "bob")
    query.processAllAvailable()
    query.stop()

    events = [event for event in captured.events if event["job"]["facets"]["jobType"]["processingType"] == "STREAMING"]
    assert len({event["run"]["runId"] for event in events}) == 1
    states = [event["eventType"] for event in events]
    assert states == ["START", "RUNNING", "RUNNING", "COMPLETE"]
    assert all(names(event["inputs"]) == topics.names(topic) for event in events)
    assert all(names(event["outputs"]) == outputs for event in events)
    assert columns(events[1]["outputs"][0]) == {
        "key": [f"{topic}.key IDENTITY"],
        "value": [f"{topic}.value TRANSFORMATION"],
    }
    assert opaque(events[-1]) == {}
