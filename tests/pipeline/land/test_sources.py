"""The pipeline reads Delta and Iceberg tables and Kafka topics, and follows a topic."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from headwater.lake.lake import Lake
from headwater.lake.session.session import SessionOptions, pipeline_session
from headwater.pipeline.land.land import land
from headwater.pipeline.stream.stream import StreamOptions, stream
from headwater.pipeline.validate.validate import validate
from headwater.store.ingest.prepared_event import make_ready

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession
    from tests.capture.connectors.kafka import Kafka
    from tests.conftest import EventMaker

    from headwater.pipeline.report import Report

pytestmark = [pytest.mark.lake, pytest.mark.slow]


def _hashes(events: Sequence[dict[str, object]]) -> list[bytes]:
    return sorted(make_ready(event).hash for event in events)


def _rows(spark: SparkSession, events: Sequence[object]) -> DataFrame:
    return spark.createDataFrame([(json.dumps(event), "x") for event in events], "value string, note string")


@pytest.mark.parametrize(
    ("kind", "table"), [("delta", ""), ("delta", "spark_catalog.default.landed"), ("iceberg", "lake.pipeline.landed")]
)
def test_a_table_is_read_by_its_path_or_name(
    spark: SparkSession, maker: EventMaker, tmp_path: Path, kind: str, table: str
) -> None:
    events = [maker(minute) for minute in range(3)]
    rows = _rows(spark, [*events, {}])
    name = f"{kind}:{table or tmp_path / 'table'}"
    if table:
        spark.sql(f"CREATE NAMESPACE IF NOT EXISTS {table.rpartition('.')[0]}")
        rows.writeTo(table).using(kind).createOrReplace()
    else:
        rows.write.format(kind).save(str(tmp_path / "table"))
    validated = validate(spark, land(spark, [name]), str(tmp_path / "scratch"))
    assert (validated.read, validated.bad_count) == (4, 1)
    assert sorted(bytes(row.hash) for row in validated.events.collect()) == _hashes(events)
    (bad,) = validated.bad.collect()
    assert (bad.source, bad.offset, bad.field) == (name, None, "eventTime")


def test_a_running_spark_is_taken_if_it_has_what_is_needed(spark: SparkSession, kafka: Kafka) -> None:
    assert kafka.port
    with pipeline_session(SessionOptions(needs=("delta", "iceberg", "kafka"))) as found:
        assert found.sparkContext is spark.sparkContext
    assert spark.range(1).count() == 1


def test_a_topic_is_followed_and_each_message_taken_once(
    spark: SparkSession, kafka: Kafka, maker: EventMaker, tmp_path: Path
) -> None:
    options = {"kafka.bootstrap.servers": kafka.servers}
    reports: list[Report] = []

    def send(events: Sequence[object]) -> None:
        writer = _rows(spark, events).select("value").coalesce(1).write.format("kafka")
        writer.options(**options).option("topic", "lineage").save()

    def follow() -> None:
        how = StreamOptions(interval=None, options=options)
        places = str(tmp_path / "lake"), str(tmp_path / "checkpoint")
        stream(spark, "kafka:lineage", *places, options=how, done=reports.append)

    first, second = [maker(minute) for minute in range(4)], [maker(minute) for minute in range(4, 6)]
    send([*first, {"no": "event"}])
    validated = validate(spark, land(spark, ["kafka:lineage"], options=options), str(tmp_path / "scratch"))
    assert sorted(bytes(row.hash) for row in validated.events.collect()) == _hashes(first)
    (bad,) = validated.bad.collect()
    assert (bad.source, bad.offset, bad.line) == ("lineage-0", 4, None)
    follow()
    send([*second, first[0]])
    follow()
    follow()
    assert [(report.read, report.bad, report.new, report.duplicated) for report in reports] == [
        (5, 1, 4, 0),
        (3, 0, 2, 1),
    ]
    lake = Lake.open(spark, str(tmp_path / "lake"))
    assert sorted(bytes(row.hash) for row in lake.read("event").collect()) == _hashes([*first, *second])
    assert [row.offset for row in lake.read("quarantine").collect()] == [4]
