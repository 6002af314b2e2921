"""Links that a plan does not show: checkpoints, the frames of foreachBatch, what went through an RDD."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark

USERS = "id INT, name STRING, age INT, status STRING"


def _edges(event: dict[str, Any], name: str) -> set[str]:
    """The lineage of the output whose name ends so: `column ← field (HOW)`, `*` for all of them."""
    (output,) = (output for output in event["outputs"] if output["name"].endswith(f"/{name}"))
    facet = output["facets"]["columnLineage"]
    sources = {
        **{column: field["inputFields"] for column, field in facet["fields"].items()},
        "*": facet.get("dataset", ()),
    }
    return {
        f"{column} ← {field['field']} ({way['subtype']})"
        for column, inputs in sources.items()
        for field in inputs
        for way in field["transformations"]
    }


def _opaque(event: dict[str, Any]) -> dict[str, int]:
    opaque: dict[str, int] = event["run"]["facets"].get("headwater_capture", {}).get("opaque", {})
    return opaque


KEEP: dict[str, Callable[[DataFrame], DataFrame]] = {
    "checkpoint": lambda frame: frame.checkpoint(),
    "lazy checkpoint": lambda frame: frame.checkpoint(eager=False),
    "local checkpoint": lambda frame: frame.localCheckpoint(),
    "lazy local checkpoint": lambda frame: frame.localCheckpoint(eager=False),
}


@pytest.mark.parametrize("how", KEEP)
def test_a_checkpoint_leads_to_what_it_keeps(
    spark: SparkSession, capture: Callable[..., Any], users: str, tmp_path: Path, how: str
) -> None:
    spark.sparkContext.setCheckpointDir(str(tmp_path / "checkpoints"))
    captured = capture()
    frame = spark.sql("SELECT id, age * 2 AS twice FROM users WHERE status = 'active'")

    KEEP[how](frame).filter("id > 0").write.parquet(str(tmp_path / "out"))

    assert _edges(captured.last, "out") == {
        "id ← id (IDENTITY)",
        "twice ← age (TRANSFORMATION)",
        "* ← status (FILTER)",
        "* ← id (FILTER)",
    }
    assert [dataset["name"] for dataset in captured.last["inputs"]] == [users]
    assert not _opaque(captured.last)


@pytest.mark.parametrize("eager", [True, False])
def test_a_checkpoint_joined_to_itself(
    spark: SparkSession, capture: Callable[..., Any], users: str, tmp_path: Path, *, eager: bool
) -> None:
    del users
    captured = capture()
    kept = spark.sql("SELECT id, upper(name) AS name FROM users").localCheckpoint(eager=eager)

    joined = kept.alias("a").join(kept.alias("b"), "id").selectExpr("id", "b.name AS other")
    joined.write.parquet(str(tmp_path / "out"))

    assert _edges(captured.last, "out") == {"id ← id (IDENTITY)", "other ← name (TRANSFORMATION)", "* ← id (JOIN)"}
    assert not _opaque(captured.last)


def test_a_frame_and_a_filter_of_it_are_told_apart(
    spark: SparkSession, capture: Callable[..., Any], users: str, tmp_path: Path
) -> None:
    """Both checkpoints have the same expression ids: only the RDD tells which is which."""
    del users
    captured = capture()
    frame = spark.sql("SELECT id, age FROM users")
    first = frame.localCheckpoint()
    frame.filter("age > 17").localCheckpoint()

    first.write.parquet(str(tmp_path / "out"))

    assert _edges(captured.last, "out") == {"id ← id (IDENTITY)", "age ← age (IDENTITY)"}


def test_for_each_batch_with_a_self_join_and_two_sinks(
    spark: SparkSession, capture: Callable[..., Any], users: str, tmp_path: Path
) -> None:
    captured = capture()

    def write(batch: DataFrame, _number: int) -> None:
        batch.alias("a").join(batch.alias("b"), "id").selectExpr("id", "b.next").write.parquet(
            str(tmp_path / "joined"), mode="append"
        )
        batch.write.parquet(str(tmp_path / "plain"), mode="append")

    stream = spark.readStream.schema(USERS).parquet(users).selectExpr("id", "age + 1 AS next")
    query = stream.writeStream.foreachBatch(write).option("checkpointLocation", str(tmp_path / "c")).trigger(
        availableNow=True
    ).start()  # fmt: skip
    assert query.awaitTermination(120)

    event = captured.last
    assert _edges(event, "plain") == {"id ← id (IDENTITY)", "next ← age (TRANSFORMATION)"}
    assert _edges(event, "joined") == {"id ← id (IDENTITY)", "next ← age (TRANSFORMATION)", "* ← id (JOIN)"}
    assert [dataset["name"] for dataset in event["inputs"]] == [users]
    assert not _opaque(event)


def test_for_each_batch_with_writes_from_different_inputs(
    spark: SparkSession, capture: Callable[..., Any], users: str, tmp_path: Path
) -> None:
    spark.createDataFrame([(1, "x")], "id INT, label STRING").write.parquet(f"{tmp_path}/labels")
    captured = capture()

    def write(batch: DataFrame, _number: int) -> None:
        batch.write.parquet(f"{tmp_path}/plain", mode="append")
        labels = spark.read.parquet(f"{tmp_path}/labels")
        batch.join(labels, "id").write.parquet(f"{tmp_path}/labelled", mode="append")
        batch.rdd.map(str).saveAsTextFile(f"{tmp_path}/saved")

    stream = spark.readStream.schema(USERS).parquet(users).select("id")
    query = stream.writeStream.foreachBatch(write).option("checkpointLocation", str(tmp_path / "c")).trigger(
        availableNow=True
    ).start()  # fmt: skip
    assert query.awaitTermination(120)

    inputs = {
        output["name"].rsplit("/", 1)[-1]: sorted(dataset["name"].rsplit("/", 1)[-1] for dataset in event["inputs"])
        for event in captured.events
        for output in event["outputs"]
        if event["eventType"] == "COMPLETE"
    }
    assert inputs == {"plain": ["users"], "labelled": ["labels", "users"], "saved": ["users"]}


def test_every_micro_batch_is_under_one_run(
    spark: SparkSession, capture: Callable[..., Any], users: str, tmp_path: Path
) -> None:
    captured = capture()
    stream = (
        spark.readStream.schema(USERS)
        .option("maxFilesPerTrigger", "1")
        .parquet(users)
        .selectExpr("upper(name) AS name")
    )
    spark.read.parquet(users).write.mode("append").parquet(users)  # a second file, a second batch

    writer = stream.writeStream.format("parquet").queryName("names").option("checkpointLocation", str(tmp_path / "c"))
    query = writer.trigger(availableNow=True).start(str(tmp_path / "out"))
    assert query.awaitTermination(120)
    query.stop()

    events = [event for event in captured.events if event["job"]["facets"]["jobType"]["processingType"] == "STREAMING"]
    assert len({event["run"]["runId"] for event in events}) == 1
    assert [event["eventType"] for event in events] == ["START", "RUNNING", "RUNNING", "COMPLETE"]
    assert _edges(events[-1], "out") == {"name ← name (TRANSFORMATION)"}
    assert [dataset["name"] for dataset in events[-1]["inputs"]] == [users]


def test_an_rdd_leads_to_its_files_and_says_that_the_rest_is_unknown(
    spark: SparkSession, capture: Callable[..., Any], users: str, tmp_path: Path
) -> None:
    captured = capture()

    spark.read.parquet(users).select("id", "name").rdd.map(tuple).toDF("a INT, b STRING").write.parquet(
        str(tmp_path / "out")
    )

    assert [dataset["name"] for dataset in captured.last["inputs"]] == [users]
    assert {"a ← id (TRANSFORMATION)", "a ← name (TRANSFORMATION)"} <= _edges(captured.last, "out")
    assert _opaque(captured.last) == {"LogicalRDD": 1}
