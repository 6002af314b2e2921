"""The pipeline's lake is the server's store: the same events, in any order and split anyhow, end in the same tables."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from tests.pipeline.equality import assert_equal, outcome, take_in
from tests.pipeline.many_histories import examples, many_histories, repeated
from tests.question_strategies import questions

from headwater.client.local import StoredLineage
from headwater.pipeline.load.load import load
from headwater.store import open_store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import SparkSession
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
