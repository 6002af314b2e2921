"""What is printed is understood when it is pasted back: a dataset and its column in one word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import pytest

from headwater.client.local import StoredLineage
from headwater.query.search.resolve import AmbiguousName, UnknownName

if TYPE_CHECKING:
    from tests.conftest import EventMaker

    from headwater.query.graph.answer import Answer
    from headwater.store import Store


@pytest.fixture
def lineage(any_store: Store, maker: EventMaker) -> StoredLineage:
    columns = {"revenue": ["orders.amount"], "header.id": ["orders.id"], "`a.b`": ["orders.amount"]}
    any_store.ingest([maker(1, out=name, columns=columns) for name in ("gold.revenue_daily", "/old/t", "/new/t")])
    return StoredLineage(any_store)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("gold.revenue_daily.revenue", "revenue"),
        ("revenue_daily.revenue", "revenue"),
        ("lake/gold.revenue_daily.revenue", "revenue"),
        ("Gold.Revenue_Daily.REVENUE", "revenue"),
        ("`gold`.`revenue_daily`.`revenue`", "revenue"),
        ("gold.revenue_daily.header.id", "header.id"),
        ("gold.revenue_daily.`a.b`", "`a.b`"),
        ("new/t.revenue", "revenue"),
    ],
)
def test_a_dataset_and_its_column_in_one_word(lineage: StoredLineage, text: str, column: str) -> None:
    answer = cast("Answer", lineage.upstream(text))
    assert answer.root.field == column
    assert len(answer.nodes) == 2


def test_all_questions_about_columns_understand_it(lineage: StoredLineage) -> None:
    name = "gold.revenue_daily.revenue"
    asked: list[Any] = [
        lineage.roots(name).column,
        lineage.impact(name).root,
        lineage.diff(name, since=0).root,
        lineage.pii(name).sources[0].field,
    ]
    assert {field.field for field in asked} == {"revenue"}


def test_a_dataset_comes_before_a_column(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest([maker(1, out="gold.t", columns={"x": ["a.b"]}), maker(1, out="gold.t.x", columns={"y": ["a.b"]})])
    assert cast("Any", StoredLineage(any_store).upstream("gold.t.x")).root.name == "gold.t.x"


def test_what_means_nothing_is_told_as_it_was_typed(lineage: StoredLineage) -> None:
    with pytest.raises(UnknownName, match=r"'gold.revenue_daly.revenue'") as caught:
        lineage.upstream("gold.revenue_daly.revenue")
    assert caught.value.candidates == ("lake/gold.revenue_daily",)
    with pytest.raises(UnknownName, match=r"No column 'revenu' in lake/gold.revenue_daily") as caught:
        lineage.upstream("gold.revenue_daily.revenu")
    assert caught.value.candidates == ("revenue",)
    with pytest.raises(AmbiguousName, match="'t' matches 2 datasets"):
        lineage.upstream("t.revenue")
