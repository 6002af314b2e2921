"""The check of answers on random warehouses (`make warehouses`) can fail."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from tests.capture.connectors.conftest import VERSION
from tests.truth.warehouses.answers import Answers
from tests.truth.warehouses.checking import Checker
from tests.truth.warehouses.generate import generate
from tests.truth.warehouses.run import outcome_of

pytestmark = [
    pytest.mark.lake,
    pytest.mark.spark,
    pytest.mark.skipif(VERSION != "4.1", reason="runs on the default Spark: what it asks is behind capture"),
]
SEED = 1


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
