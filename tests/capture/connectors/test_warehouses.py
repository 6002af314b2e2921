"""Answers against Spark itself: whatever changes with a source column is in its impact, and personal data is found."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from tests.capture.connectors.conftest import VERSION
from tests.live_server import served
from tests.postgres import Postgres
from tests.truth.warehouses.answers import Answers, Names
from tests.truth.warehouses.checking import Checker
from tests.truth.warehouses.generate import generate
from tests.truth.warehouses.run import outcome_of

import headwater
from headwater.store import open_store

pytestmark = [
    pytest.mark.lake,
    pytest.mark.spark,
    pytest.mark.skipif(VERSION != "4.1", reason="runs on the default Spark: what it asks is behind capture"),
]
SEED = 1
CHUNKS = 4
CHUNK = 5


@pytest.fixture
def checker(spark: SparkSession, tmp_path: Path) -> Iterator[Checker]:
    checker = Checker(spark, tmp_path)
    yield checker
    checker.close()


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_no_answer_is_a_false_all_clear(checker: Checker, chunk: int) -> None:
    outcomes = [outcome_of(checker, SEED, number) for number in range(chunk * CHUNK, (chunk + 1) * CHUNK)]
    assert [line for outcome in outcomes for line in outcome["false"]] == []
    assert sum(not outcome["thrown"] for outcome in outcomes) >= CHUNK - 1, [one["thrown"] for one in outcomes]


def test_a_postgresql_and_a_server_answer_the_same(spark: SparkSession, tmp_path: Path, postgres: Postgres) -> None:
    url = postgres.create("warehouses")

    def look(store: Path, names: Names, answers: Answers) -> None:
        with open_store(f"sqlite:///{store}") as copied, open_store(url) as other:
            other.prepare()
            other.ingest(list(copied.events()))
            with served(other) as address:
                for place in (url, address):
                    with headwater.connect(place) as lineage:
                        same = Answers(lineage, names, answers.reached)
                    assert (same.reached, same.exposed, same.empty) == (answers.reached, answers.exposed, answers.empty)
        looked.append(store)

    looked: list[Path] = []
    checker = Checker(spark, tmp_path, look)
    outcomes = [outcome_of(checker, SEED, number) for number in (0, 1)]
    checker.close()
    assert looked, [outcome["thrown"] for outcome in outcomes]


def test_an_answer_that_forgets_is_found(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Answers, "_names_it", lambda *_: False)
    monkeypatch.setattr(Answers, "_exposed", lambda *_: frozenset())
    checker = Checker(spark, tmp_path)
    false = [line for number in range(3) for line in outcome_of(checker, SEED, number)["false"]]
    checker.close()
    assert any("is not in its impact" in line for line in false)
    assert any("holds personal data" in line for line in false)


def test_a_warehouse_is_the_same_each_time() -> None:
    assert generate(SEED, 7) == generate(SEED, 7)
    assert generate(SEED, 7) != generate(SEED, 8)
