"""Lineage against Spark itself: inputs are changed, random queries run again, and what changed must have an edge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from pyspark.sql import SparkSession
from tests.truth.campaign import Campaign, Outcome, Summary
from tests.truth.engine import Engine
from tests.truth.generate import generate
from tests.truth.perturb import Unstable, check
from tests.truth.tables import ROWS, TABLES, blocks

import headwater

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from headwater.rules.statements.lineage import Lineage

SEED = 1
CHUNKS = 8
CHUNK = 20


@pytest.fixture(scope="module")
def campaign(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    return Campaign(spark, tmp_path_factory.mktemp("truth"), SEED)


@pytest.fixture(scope="module")
def engine(campaign: Campaign) -> Engine:
    return campaign.engine


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_no_dependency_is_missed(campaign: Campaign, chunk: int) -> None:
    outcomes = list(campaign.many(range(chunk * CHUNK, (chunk + 1) * CHUNK)))
    summary = Summary(outcomes)

    assert summary.run >= CHUNK * 3 // 4, f"too few queries ran: {dict(summary.thrown)}"
    assert summary.seen > 0
    assert not summary.missed, _told(outcomes)


def _told(outcomes: list[Outcome]) -> str:
    return "\n\n".join(
        f"query {outcome['number']}: {miss['output']} changed with {miss['source']}\n"
        f"  lost {' '.join(miss['before'])}\n  new  {' '.join(miss['after'])}\n{miss['query']}"
        for outcome in outcomes
        for miss in outcome["misses"]
    )


# --- the checker itself can fail -------------------------------------------------------------------------------------

QUERY = """
SELECT o.qty + p.age AS total, upper(o.note) AS note, o.ship AS ship
FROM orders o JOIN people p ON o.cust = p.cust WHERE o.price > 0
"""


def _without(table: str, path: str) -> Callable[[DataFrame], Lineage]:
    """An answer with one source field forgotten wherever it stands."""

    def answer(frame: DataFrame) -> Lineage:
        lineage = headwater.lineage(frame)
        columns = {
            name: {
                source: marks
                for source, marks in sources.items()
                if (source.dataset.short_name, source.field.split(".")[0]) != (table, path)
            }
            for name, sources in lineage.columns.items()
        }
        rows = {
            source: marks
            for source, marks in lineage.rows.items()
            if (source.dataset.short_name, source.field) != (table, path)
        }
        return replace(lineage, columns=columns, rows=rows)

    return answer


def test_a_true_answer_has_no_miss(engine: Engine) -> None:
    checked = check(engine, engine.spark.sql(QUERY))

    assert checked.misses == []
    assert {("orders.qty", "total"), ("people.age", "total"), ("orders.ship.geo.lat", "ship.geo.lat")} <= checked.seen
    assert ("orders.qty", "note") not in checked.seen
    assert checked.unconfirmed == []


@pytest.mark.parametrize(
    ("table", "column", "outputs"),
    [
        ("people", "age", {"total"}),
        ("orders", "note", {"note"}),
        ("orders", "ship", {"ship.city", "ship.zip", "ship.geo.lat", "ship.geo.lon"}),
        ("orders", "price", {"total", "note", "ship.city", "ship.zip", "ship.geo.lat", "ship.geo.lon"}),
        ("orders", "cust", {"total", "note", "ship.city", "ship.zip", "ship.geo.lat", "ship.geo.lon"}),
    ],
)
def test_a_forgotten_edge_is_found(engine: Engine, table: str, column: str, outputs: set[str]) -> None:
    checked = check(engine, engine.spark.sql(QUERY), _without(table, column))

    assert {miss.output for miss in checked.misses} == outputs
    assert {(miss.change.table, miss.change.column) for miss in checked.misses} == {(table, column)}


def test_an_edge_that_nothing_confirms_is_counted(engine: Engine) -> None:
    checked = check(engine, engine.spark.sql("SELECT qty * 0 + id AS x FROM orders WHERE id IS NOT NULL"))

    assert sum(checked.direct.values()) == 2
    # A null in qty still shows.
    assert [edge.field for edge in checked.unconfirmed] == []

    checked = check(engine, engine.spark.sql("SELECT IF(id < 0, qty, 1) AS x FROM orders"))
    assert [edge.field for edge in checked.unconfirmed] == ["qty"]


def test_a_query_that_depends_on_the_order_of_rows_is_put_aside(engine: Engine) -> None:
    with pytest.raises(Unstable):
        check(engine, engine.spark.sql("SELECT first(id) AS x FROM orders"))


def test_the_tables_are_what_spark_reads(engine: Engine) -> None:
    for table in TABLES:
        rows, _ = blocks(table, SEED)
        read = engine.run(engine.prepare(engine.spark.table(table)))
        assert len(read) == ROWS
        plain = [name for name, value in rows[0][0].items() if not isinstance(value, str)]
        for name in plain:
            assert [row[name] for row in read] == [row[name] for row in rows[0]]


def test_a_change_changes_its_field_and_nothing_else(engine: Engine) -> None:
    for table in TABLES:
        plan = engine.prepare(engine.spark.table(table))
        base = engine.run(plan)
        for change in engine.changes:
            if change.table == table:
                after = engine.run(plan, [change])
                changed = {name for row, old in zip(after, base, strict=True) for name in row if row[name] != old[name]}
                assert changed == {change.column}, change


def test_the_same_seed_gives_the_same_queries() -> None:
    texts = [generate(SEED, number, "4.1.4").text for number in range(50)]

    assert texts == [generate(SEED, number, "4.1.4").text for number in range(50)]
    assert len(set(texts)) > 45
