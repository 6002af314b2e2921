"""A simulated year, one half by the server and the other by the pipeline: the store that had all of it in order."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING

import pytest
from tests.pipeline.equality import assert_equal, outcome, take_in
from tests.random_questions import known_to, questions_about

from headwater.client.local import StoredLineage
from headwater.pipeline.load.load import load
from headwater.simulate import History, Settings
from headwater.store import open_store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import SparkSession
    from tests.store.conftest import View
    from tests.store.histories import Event

    from headwater.store import Store

_YEAR = Settings(datasets=60, days=365, columns=6, failures=0.05, late=0.05, duplicates=0.05, seed=8)
_RUNS = 3
_BATCH = 2_000


def _events() -> list[Event]:
    history = History(_YEAR)
    return [json.loads(line.text) for day in range(_YEAR.days) for line in history.lines(day)]


def _ingest(store: Store, events: list[Event]) -> None:
    for start in range(0, len(events), _BATCH):
        assert store.ingest(events[start : start + _BATCH]).rejected == ()


@pytest.mark.slow
@pytest.mark.usefixtures("unbounded_search")
def test_a_year_in_two_halves_and_any_order_ends_in_the_same_tables_and_answers(
    pipeline_spark: SparkSession, tmp_path: Path, natural_view: Callable[[Store], View]
) -> None:
    events = _events()
    chance = random.Random(8)  # noqa: S311  no secret
    shuffled = chance.sample(events, len(events))
    served, piped = shuffled[: len(shuffled) // 2], shuffled[len(shuffled) // 2 :]
    lake = str(tmp_path / "lake")
    late = sum(take_in(pipeline_spark, lake, piped[run::_RUNS]).late for run in range(_RUNS))
    assert late > len(piped) / 2, "what comes in any order comes late"

    events.sort(key=lambda event: str(event["eventTime"]))
    with open_store(str(tmp_path / "expected.db")) as expected, open_store(str(tmp_path / "halves.db")) as halves:
        _ingest(expected, events)
        _ingest(halves, served)
        loaded = load(pipeline_spark, halves, lake)
        assert not loaded.copied
        assert loaded.duplicates > 0, "some events went both ways"
        assert_equal(natural_view(halves), natural_view(expected))

        one, other = StoredLineage(halves), StoredLineage(expected)
        asked = questions_about(known_to(expected), 1_000)
        wanted = [outcome(other, question) for question in asked]
        assert sum(not isinstance(answer, tuple) for answer in wanted) > len(asked) * 0.9
        for question, answer in zip(asked, wanted, strict=True):
            assert outcome(one, question) == answer, question
