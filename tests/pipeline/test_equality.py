"""The pipeline's lake is the server's store: the same events, in any order and split anyhow, end in the same tables."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from tests.pipeline.equality import assert_equal, outcome, take_in
from tests.pipeline.lakes import history
from tests.pipeline.many_histories import examples, many_histories, repeated
from tests.question_strategies import questions

from headwater.client.local import StoredLineage
from headwater.lake import few
from headwater.lake.few import FEW_ROWS
from headwater.pipeline import run
from headwater.pipeline.load.load import load
from headwater.pipeline.run import MOST_EVENTS
from headwater.store import open_store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import SparkSession
    from tests.conftest import EventMaker
    from tests.store.conftest import View
    from tests.store.histories import Event

    from headwater.store import Store

_HISTORIES = 60


@dataclass(frozen=True)
class Both:
    """Histories, ingested by a store."""

    events: list[Event]
    expected: View
    url: str


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory, natural_view: Callable[[Store], View]) -> Both:
    events = many_histories(_HISTORIES)
    url = str(tmp_path_factory.mktemp("expected") / "store.db")
    with open_store(url) as store:
        assert store.ingest(events).rejected == ()
        return Both(events, natural_view(store), url)


@pytest.mark.usefixtures("unbounded_search")
def test_events_in_any_order_doubled_and_split_end_in_the_same_tables_and_answers(
    pipeline_spark: SparkSession, both: Both, tmp_path: Path, natural_view: Callable[[Store], View]
) -> None:
    chance = random.Random(1)  # noqa: S311  no secret
    shuffled = repeated(both.events, chance)
    first, rest = shuffled[: len(shuffled) // 2], shuffled[len(shuffled) // 2 :]
    lake = str(tmp_path / "lake")
    report = take_in(pipeline_spark, lake, first)
    assert report.new + report.duplicated == len(first)

    # One half by the server, the other by the pipeline, loaded into the same store.
    with open_store(str(tmp_path / "halves.db")) as store:
        store.ingest(rest)
        load(pipeline_spark, store, lake)
        assert_equal(natural_view(store), both.expected)

    # Both halves by the pipeline, one after the other; loaded into a store that holds nothing.
    assert take_in(pipeline_spark, lake, rest).late > 0
    with open_store(str(tmp_path / "loaded.db")) as store, open_store(both.url) as expected:
        assert load(pipeline_spark, store, lake).copied
        assert_equal(natural_view(store), both.expected)
        one, other = StoredLineage(store), StoredLineage(expected)
        for question in examples(questions(), 1_000):
            assert outcome(one, question) == outcome(other, question), question


@pytest.mark.parametrize(
    ("events", "rows"), [(-1, FEW_ROWS), (MOST_EVENTS, 40)], ids=["as many", "as few, in which some frames are large"]
)
def test_the_way_that_events_take_by_their_number_is_the_same(  # noqa: PLR0913, PLR0917  fixtures
    pipeline_spark: SparkSession,
    both: Both,
    tmp_path: Path,
    natural_view: Callable[[Store], View],
    monkeypatch: pytest.MonkeyPatch,
    events: int,
    rows: int,
) -> None:
    monkeypatch.setattr(run, "MOST_EVENTS", events)
    monkeypatch.setattr(few, "FEW_ROWS", rows)
    chance = random.Random(2)  # noqa: S311  no secret
    shuffled = repeated(both.events, chance)
    lake = str(tmp_path / "lake")
    for part in (shuffled[::2], shuffled[1::2]):
        take_in(pipeline_spark, lake, part)
    with open_store(str(tmp_path / "loaded.db")) as store:
        load(pipeline_spark, store, lake)
        assert_equal(natural_view(store), both.expected)


def test_an_increment_in_which_known_jobs_run_again_is_told_apart_from_what_is_known(
    pipeline_spark: SparkSession, maker: EventMaker, tmp_path: Path, natural_view: Callable[[Store], View]
) -> None:
    events = history(maker, 12)
    lake = str(tmp_path / "lake")
    take_in(pipeline_spark, lake, events[:16])
    report = take_in(pipeline_spark, lake, events[14:])
    assert (report.new, report.duplicated, report.rows["shape"], report.rows["run"]) == (8, 2, 0, 4)
    with open_store(str(tmp_path / "loaded.db")) as loaded, open_store(str(tmp_path / "expected.db")) as expected:
        load(pipeline_spark, loaded, lake)
        expected.ingest(events)
        assert_equal(natural_view(loaded), natural_view(expected))


@pytest.mark.slow
def test_increments_in_order_of_time_go_on_where_slots_were_left_and_end_in_the_same_tables(
    pipeline_spark: SparkSession, both: Both, tmp_path: Path, natural_view: Callable[[Store], View]
) -> None:
    events = sorted(both.events, key=lambda event: str(event["eventTime"]))
    half = len(events) // 2
    lake = str(tmp_path / "lake")
    take_in(pipeline_spark, lake, events[:half])
    report = take_in(pipeline_spark, lake, events[half // 2 :])
    assert report.late == 0
    assert report.duplicated >= half - half // 2, "what the lake has is not written again"
    with open_store(str(tmp_path / "loaded.db")) as store:
        load(pipeline_spark, store, lake)
        assert_equal(natural_view(store), both.expected)
