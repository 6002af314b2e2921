"""Jobs that would take a driver's processor or memory: each statement ends, is told as far as it goes, and says so."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import coalesce, col
from tests.capture.conftest import Capture
from tests.capture.event_summary import columns, opaque

import headwater
from headwater.capture import watchdog
from headwater.capture.settings.settings import Settings
from headwater.capture.tracker import Tracker
from headwater.rules.operators import operators
from headwater.rules.plan.budget import Budget, Exceeded
from headwater.rules.plan.sources import Relation
from headwater.rules.session.links import Known, Links
from headwater.store.transport import StoreConfig, StoreTransport


def empty(spark: SparkSession, folder: Path, *names: str) -> DataFrame:
    """A table of integers without a row."""
    folder.mkdir()
    return spark.read.schema(", ".join(f"{name} INT" for name in names)).parquet(str(folder))


def reused(frame: DataFrame, steps: int) -> DataFrame:
    """Each step uses the result of the one before twice."""
    for step in range(steps):
        frame = frame.withColumn("score", col("score") + col(f"f{step}") * col("score"))
    return frame


def test_a_result_that_is_used_twice_in_each_of_sixty_steps(
    spark: SparkSession, capture: Callable[..., Capture], tmp_path: Path
) -> None:
    seen = capture()
    frame = reused(empty(spark, tmp_path / "in", "score", *(f"f{n}" for n in range(60))), 60)
    frame.write.parquet(str(tmp_path / "out"))
    sources = columns(seen.last["outputs"][0])
    assert sources["score"] == sorted(["in.score TRANSFORMATION", *(f"in.f{n} TRANSFORMATION" for n in range(60))])
    assert opaque(seen.last) == {}
    assert len(headwater.lineage(frame).columns["score"]) == 61


def test_a_statement_over_its_budget_is_told_by_tables_and_the_next_one_by_columns(
    spark: SparkSession, capture: Callable[..., Capture], tmp_path: Path
) -> None:
    seen = capture(Settings(statement_edges=200))
    source = empty(spark, tmp_path / "in", "score", *(f"f{n}" for n in range(30)))
    reused(source, 30).write.parquet(str(tmp_path / "out"))
    given_up = seen.last
    source.select("f1").write.parquet(str(tmp_path / "next"))
    assert opaque(given_up) == {"given up for lack of edges": 1}
    assert columns(given_up["outputs"][0])["rows"] == sorted(
        f"in.{name} {how}" for name in ("score", *(f"f{n}" for n in range(30))) for how in ("TRANSFORMATION", "FILTER")
    )
    assert columns(seen.last["outputs"][0]) == {"f1": ["in.f1 IDENTITY"]}


def test_a_thousand_columns_from_a_thousand_others_fit_into_the_store(
    spark: SparkSession, capture: Callable[..., Capture], tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path / 'store.db'}"
    seen = capture(transport=StoreTransport(StoreConfig(store=url)))
    wide = empty(spark, tmp_path / "in", *(f"c{n}" for n in range(1000)))
    wide.mapInPandas(lambda batches: batches, wide.schema).write.parquet(str(tmp_path / "out"))
    assert seen.tracker.flush()
    with headwater.connect(url) as client:
        sources = client.upstream(str(tmp_path / "out"), "c7")
        found = {(node.field.field, node.kind.name) for node in sources.nodes if node.distance == 1}
        assert len(found) == 1000
        assert ("c999", "TRANSFORMATION") in found


def test_an_event_that_the_store_refuses_is_stored_without_its_columns(
    spark: SparkSession, capture: Callable[..., Capture], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("headwater.store.ingest.prepared_event.MOST_BYTES", 15_000)
    url = f"sqlite:///{tmp_path / 'store.db'}"
    seen = capture(transport=StoreTransport(StoreConfig(store=url)))
    source = empty(spark, tmp_path / "in", *(f"c{n}" for n in range(50)))
    source.write.parquet(str(tmp_path / "out"))
    assert seen.tracker.flush()
    with headwater.connect(url) as client:
        (event,) = [one for one in client.events() if one["eventType"] == "COMPLETE" and one.get("outputs")]
    assert [one["name"] for one in event["inputs"]] == [str(tmp_path / "in")]
    assert "columnLineage" not in event["outputs"][0]["facets"]
    assert "The event is" in event["run"]["facets"]["headwater_capture"]["withheld"][0]


def never_ends(*_: object) -> None:
    while True:
        pass


def waits_for_ever(*_: object) -> None:
    threading.Event().wait()


@pytest.mark.parametrize("rule", [never_ends, waits_for_ever])
def test_a_statement_that_is_stuck_says_so_and_holds_up_no_other(
    spark: SparkSession,
    capture: Callable[..., Capture],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    rule: Callable[..., None],
) -> None:
    monkeypatch.setitem(operators.RULES, "Sort", rule)
    monkeypatch.setattr(watchdog, "_IDLE_LOOKS", 6)
    monkeypatch.setattr(watchdog, "_GRACE_SECONDS", 0.2)
    seen = capture(Settings(statement_millis=100))
    source = empty(spark, tmp_path / "in", "a", "b")
    source.select("a").orderBy("a").write.parquet(str(tmp_path / "out"))
    stuck = seen.last
    monkeypatch.undo()
    source.select("b").write.parquet(str(tmp_path / "next"))
    assert stuck["eventType"] == "COMPLETE"
    assert opaque(stuck) == {"given up for lack of time": 1}
    assert columns(stuck["outputs"][0])["rows"] == sorted(
        f"in.{name} {how}" for name in ("a", "b") for how in ("FILTER", "TRANSFORMATION")
    )
    assert columns(seen.last["outputs"][0]) == {"b": ["in.b IDENTITY"]}
    assert dict(headwater.lineage(source).opaque) == {}


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A watchdog that waits for nothing for long."""
    monkeypatch.setattr(watchdog, "_LOOK_SECONDS", 0.05)
    monkeypatch.setattr(watchdog, "_IDLE_LOOKS", 6)
    monkeypatch.setattr(watchdog, "_GRACE_SECONDS", 0.1)


EARLIER, HALF, WHOLE = (Known(Relation.of([]), opaque={name: 1}) for name in ("earlier", "half", "whole"))


def _is_spent(budget: Budget) -> bool:
    try:
        with budget.applied():
            return False
    except Exceeded:
        return True


def _known(links: Links) -> dict[int, Known]:
    return {rdd: known for rdd in range(4) if (known := links.of_rdd(rdd)) is not None}


@pytest.mark.usefixtures("impatient")
def test_a_statement_that_is_ended_half_way_leaves_nothing_behind() -> None:
    links = Links()
    links.remember_rdd(1, EARLIER)

    def work(links: Links, budget: Budget) -> None:
        if _is_spent(budget):
            links.remember_rdd(3, WHOLE)
            return
        links.remember_rdd(1, HALF)
        links.remember_rdd(2, HALF)
        never_ends()

    _, after = watchdog.bounded_with_links(work, links, Budget(millis=50))

    assert _known(links) == {1: EARLIER}
    assert _known(after) == {1: EARLIER, 3: WHOLE}


@pytest.mark.usefixtures("impatient")
def test_a_statement_that_cannot_be_ended_shares_nothing_with_later_ones() -> None:
    links = Links()
    links.remember_rdd(1, EARLIER)
    late, wrote = threading.Event(), threading.Event()

    def stubborn(links: Links, budget: Budget) -> None:
        if _is_spent(budget):
            links.remember_rdd(2, WHOLE)
            return
        while not late.is_set():
            with suppress(Exceeded):
                late.wait()
        links.remember_rdd(1, HALF)
        wrote.set()

    _, after = watchdog.bounded_with_links(stubborn, links, Budget(millis=50))
    late.set()
    assert wrote.wait(60)

    assert _known(links) == {1: EARLIER}
    assert _known(after) == {1: EARLIER, 2: WHOLE}


def test_a_plan_of_which_all_nodes_are_too_many_is_told_by_its_tables(
    spark: SparkSession, capture: Callable[..., Capture], tmp_path: Path
) -> None:
    seen = capture(Settings(statement_memory=20_000))
    source = empty(spark, tmp_path / "in", "score", *(f"f{n}" for n in range(20)))
    reused(source, 20).write.parquet(str(tmp_path / "out"))
    assert opaque(seen.last) == {"given up for lack of memory": 1}
    assert [dataset["name"] for dataset in seen.last["inputs"]] == [str(tmp_path / "in")]
    assert len(columns(seen.last["outputs"][0])["rows"]) == 42


def test_a_plan_too_large_to_be_read_still_says_what_it_reads(
    spark: SparkSession, capture: Callable[..., Capture], tmp_path: Path
) -> None:
    """Operators are read before expressions: a condition of very many parts does not hide a table."""
    seen = capture(Settings(plan_chars=20_000))
    source = empty(spark, tmp_path / "in", "a", "b")
    condition = coalesce(*(col("a") == n for n in range(500)))
    source.where(condition).select("b").write.parquet(str(tmp_path / "out"))
    assert "unread for lack of size" in opaque(seen.last)
    assert [dataset["name"] for dataset in seen.last["inputs"]] == [str(tmp_path / "in")]
    sources = columns(seen.last["outputs"][0])
    assert {edge.split()[0] for edges in sources.values() for edge in edges} == {"in.a", "in.b"}


def test_a_list_of_very_many_values_is_read_in_part(
    spark: SparkSession, capture: Callable[..., Capture], tmp_path: Path
) -> None:
    seen = capture(Settings(plan_chars=150_000))
    source = empty(spark, tmp_path / "in", "a", "b")
    values = ", ".join(map(str, range(10_000)))
    source.createOrReplaceTempView("listed")
    spark.sql(f"SELECT b, a IN ({values}) AS known FROM listed").write.parquet(str(tmp_path / "out"))
    assert opaque(seen.last) == {}
    assert columns(seen.last["outputs"][0]) == {"b": ["in.b IDENTITY"], "known": ["in.a TRANSFORMATION"]}


def test_a_queue_that_fills_up_leaves_room_for_what_is_written(
    spark: SparkSession, capture: Callable[..., Capture], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While Python does not keep up, plans are read to their roots: runs without columns, rather than none."""
    goes_on = threading.Event()
    handle = Tracker._handle

    def waits(tracker: Tracker, message: Mapping[str, Any]) -> None:
        goes_on.wait()
        handle(tracker, message)

    monkeypatch.setattr(Tracker, "_handle", waits)
    seen = capture(Settings(queue_chars=60_000))
    source = empty(spark, tmp_path / "in", *(f"c{n}" for n in range(100)))
    for number in range(12):
        source.write.parquet(str(tmp_path / f"out{number}"))
    goes_on.set()
    written = {event["outputs"][0]["name"]: event for event in seen.events if event["eventType"] == "COMPLETE"}
    assert set(written) == {str(tmp_path / f"out{number}") for number in range(12)}
    assert "unread for lack of room in the queue" in opaque(written[str(tmp_path / "out11")])
