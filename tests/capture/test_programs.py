"""Programs of several statements against Spark itself: what changes with a source must lead to it in the store."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from itertools import count, islice

import pytest
from pyspark.sql import SparkSession
from tests.truth.programs.campaign import Campaign, Summary, told
from tests.truth.programs.generate import generate
from tests.truth.programs.program import Program, Step
from tests.truth.programs.shrinking import shrink
from tests.truth.programs.sources import Leaf

pytestmark = pytest.mark.spark

SEED = 7
PROGRAMS = 8


@pytest.fixture(scope="module")
def campaign(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Campaign]:
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # pandas must be where the workers are
    campaign = Campaign(spark, tmp_path_factory.mktemp("programs"), SEED)
    yield campaign
    campaign.checker.close()


def test_no_dependency_is_missed(spark: SparkSession, campaign: Campaign) -> None:
    runnable = (number for number in count() if _runs_on(spark.version, generate(SEED, number)))
    summary = Summary(campaign.one(number) for number in islice(runnable, PROGRAMS))

    assert summary.run >= PROGRAMS * 3 // 4, f"too few programs ran: {dict(summary.thrown)}"
    assert summary.pairs > 0
    assert summary.confirmed > summary.confirmable // 2
    assert not summary.missed, told(summary.missed)


def _runs_on(version: str, program: Program) -> bool:
    return "variable" not in program.labels or not version.startswith("3.")  # variables came with Spark 4


# --- the checker itself can fail -------------------------------------------------------------------------------------

_HEAD = """\
orders = spark.read.schema("id int, cust int, qty int").json(f"{root}/src/orders")
people = spark.read.schema("cust int, age int").json(f"{root}/src/people")"""
_STEPS = (
    Step("write", 'orders.write.parquet(f"{root}/out/unrelated")'),
    Step("join", 'both = orders.join(people, "cust").select("id", "qty", "age")'),
    Step("write", 'both.write.parquet(f"{root}/out/both")'),
    Step("read again", 'again = spark.read.parquet(f"{root}/out/both").selectExpr("qty + 1 AS more", "id")'),
    Step("write", 'again.write.parquet(f"{root}/out/again")'),
)
PROGRAM = Program(SEED, 0, _HEAD, _STEPS)


def test_a_forgotten_way_over_two_statements_is_found(campaign: Campaign) -> None:
    """The answer without orders.qty: two tables change with it, and the events do lead there."""
    checker = campaign.checker
    assert checker.check(PROGRAM).misses == []

    checker._forget = lambda leaf: leaf == Leaf("orders", "qty")
    try:
        misses = checker.check(PROGRAM).misses
        assert {miss.output for miss in misses} == {
            ("out/again", "more"),
            ("out/both", "qty"),
            ("out/unrelated", "qty"),
        }
        assert {(miss.source, miss.in_events) for miss in misses} == {("orders.qty", True)}

        (miss,) = (one for one in misses if one.output == ("out/again", "more"))
        smaller = shrink(PROGRAM, lambda other: checker.shows(other, miss))
        assert smaller.steps == _STEPS[1:]
    finally:
        checker._forget = lambda _: False


def test_the_same_seed_gives_the_same_programs() -> None:
    texts = [generate(SEED, number).text for number in range(50)]

    assert texts == [generate(SEED, number).text for number in range(50)]
    assert len(set(texts)) == 50


def test_programs_are_of_every_kind() -> None:
    """What was hard to capture once is in the first thousand programs, and not once only."""
    labels = [label for number in range(1000) for label in generate(SEED, number).labels]

    for label in (
        "chain", "fibonacci", "struct union", "struct choice", "struct update", "rdd", "rdd of a join", "checkpoint",
        "cache", "temporary view", "variable", "foreachBatch", "overwrite a partition's folder", "append files",
        "dynamic overwrite of files", "INSERT OVERWRITE of partitions", "CREATE VIEW", "map in pandas", "udf",
    ):  # fmt: skip
        assert labels.count(label) >= 20, label
