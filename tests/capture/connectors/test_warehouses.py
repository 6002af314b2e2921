"""Answers about random warehouses, held to what Spark does; `make warehouses` does it for many more."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from tests.capture.connectors.conftest import VERSION
from tests.live_server import served
from tests.pipeline.lakes import write_lines
from tests.truth.warehouses.answers import LEAVES, Answers, Names
from tests.truth.warehouses.checking import Checker
from tests.truth.warehouses.generate import generate
from tests.truth.warehouses.run import MOSTLY, outcome_of

import headwater
from headwater.client.local import StoredLineage
from headwater.lake.lake import Lake
from headwater.pipeline.land.land import land
from headwater.pipeline.load.load import load
from headwater.pipeline.run import run_once
from headwater.store import open_store

pytestmark = [
    pytest.mark.lake,
    pytest.mark.spark,
    pytest.mark.skipif(VERSION != "4.1", reason="runs on the default Spark: what it asks is behind capture"),
]
SEED = 1
WAREHOUSES = 20


def test_no_answer_is_a_false_all_clear(spark: SparkSession, tmp_path: Path) -> None:
    checker = Checker(spark, tmp_path, careful=False)
    outcomes = [outcome_of(checker, SEED, number) for number in range(WAREHOUSES)]
    checker.close()
    assert [line for outcome in outcomes for line in outcome["false"]] == []
    checked = [outcome for outcome in outcomes if not outcome["thrown"]]
    assert len(checked) >= MOSTLY * WAREHOUSES
    assert sum(outcome["pairs"] for outcome in checked) > 0
    assert sum(outcome["clear"] for outcome in checked) > 0


def test_the_answers_are_the_same_over_http_on_postgresql_and_from_a_lake(
    spark: SparkSession, postgres_url: str, tmp_path: Path
) -> None:
    known: list[tuple[list[dict[str, Any]], Names, Answers]] = []
    checker = Checker(spark, tmp_path / "warehouse", lambda *warehouse: known.append(warehouse), careful=False)
    assert not outcome_of(checker, SEED, 0)["false"]
    checker.close()
    ((events, names, answers),) = known
    with open_store(postgres_url) as store:
        store.ingest(events)
        assert Answers(StoredLineage(store), names, answers.outputs) == answers
    with open_store(f"sqlite:///{tmp_path / 'served.db'}") as store, served(store) as url:
        store.ingest(events)
        with headwater.connect(url) as lineage:
            assert Answers(lineage, names, answers.outputs) == answers

    write_lines(tmp_path / "events.jsonl", events)
    lake = str(tmp_path / "lake")
    run_once(spark, Lake.open(spark, lake), land(spark, [str(tmp_path / "events.jsonl")]))
    with open_store(f"sqlite:///{tmp_path / 'loaded.db'}") as store, headwater.connect(f"lake:{lake}") as lineage:
        load(spark, store, lake)
        loaded = StoredLineage(store)
        assert Answers(loaded, names, answers.outputs) == answers
        leaf = next(leaf for leaf in LEAVES if any(leaf in leaves for leaves in answers.reached.values()))
        question = names.source(leaf.table), leaf.path
        assert lineage.impact(*question) == loaded.impact(*question)


def test_an_answer_that_forgets_is_found(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Answers, "_names_it", lambda *_: False)
    monkeypatch.setattr(Answers, "_exposed", lambda *_: frozenset())
    checker = Checker(spark, tmp_path, careful=False)
    false = [line for number in range(3) for line in outcome_of(checker, SEED, number)["false"]]
    checker.close()
    assert any("is not in its impact" in line for line in false)
    assert any("holds personal data" in line for line in false)


def test_a_warehouse_is_the_same_each_time() -> None:
    assert generate(SEED, 7) == generate(SEED, 7)
    assert generate(SEED, 7) != generate(SEED, 8)
