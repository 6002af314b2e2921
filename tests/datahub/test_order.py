"""Changes that arrive late: each belongs into its moment, and what holds later stays."""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING, Any

import pytest

from headwater.datahub.exporting import Form, export_of
from headwater.datahub.names import Naming
from headwater.graph.described import describe_dataset
from headwater.local import StoredLineage
from headwater.store import open_store

from .changes import FACTS, MINUTE, ORDERS, derived, field, lineage, proposal, schema, take_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from headwater.store import Store

JOB = "urn:li:dataJob:(urn:li:dataFlow:(airflow,shop,PROD),daily)"
TAGS = {"tags": [{"tag": "urn:li:tag:pii"}]}
TERMS = {"terms": [{"urn": "urn:li:glossaryTerm:money"}]}
MAPPED = lineage(derived(field(FACTS, "x"), field(ORDERS, "a")), derived(field(FACTS, "y"), field(ORDERS, "b")))
WRITTEN = {
    "inputDatasets": [ORDERS],
    "outputDatasets": [FACTS],
    "fineGrainedLineages": [derived(field(FACTS, "y"), field(ORDERS, "a"))],
}
HISTORY = [
    proposal(ORDERS, "schemaMetadata", schema("a", "b"), 1),
    proposal(FACTS, "schemaMetadata", schema("x", "y"), 2),
    proposal(FACTS, "upstreamLineage", MAPPED, 3),
    proposal(ORDERS, "schemaMetadata", schema("a"), 4),
    proposal(JOB, "dataJobInputOutput", WRITTEN, 5),
    proposal(FACTS, "globalTags", TAGS, 5),
    proposal(ORDERS, "schemaMetadata", schema("b", "a"), 6),
    proposal(FACTS, "glossaryTerms", TERMS, 6),
    proposal(FACTS, "schemaMetadata", schema("x"), 7),
    proposal(ORDERS, "status", {"removed": True}, 8),
    proposal(FACTS, "upstreamLineage", None, 9, "DELETE"),
    proposal(FACTS, "upstreamLineage", lineage(derived(field(FACTS, "x"), field(ORDERS, "b"))), 10),
    proposal(ORDERS, "status", {"removed": False}, 11),
]  # fmt: skip


def _answers(store: Store) -> dict[str, Any]:
    """What is answered of each moment, and what is given back."""
    asked = StoredLineage(store)
    found: dict[str, Any] = {}
    for minute, column in itertools.product(range(3, 12), ("x", "y")):
        answer = asked.upstream("fact_orders", column, as_of=minute * MINUTE)
        edges = sorted(
            (edge.origin.name, edge.origin.field, edge.job.name if edge.job else "") for edge in answer.edges
        )
        found[f"{column} at {minute}"] = edges
    with store.read() as session:
        facts, orders = describe_dataset(session, "fact_orders"), describe_dataset(session, "demo.orders")
    found["tags"] = sorted((tag.key, tag.value) for tag in facts.tags)
    found["columns"] = [[one.path for one in each.columns if one.listed] for each in (facts, orders)]
    for minute in (4, 7, 11):
        records = list(export_of(store, Naming(), at=minute * MINUTE, form=Form.JOBS).records())
        found[f"given back at {minute}"] = sorted(
            (one["entityUrn"], one["aspectName"]) for one in records if one["aspectName"] != "status"
        )
    return found


def _in_takes(folder: Path, takes: Iterable[Sequence[dict[str, Any]]]) -> dict[str, Any]:
    with open_store(str(folder / "lineage.db")) as store:
        for take in takes:
            take_in(store, take)
        return _answers(store)


def test_the_history_says_something_at_every_moment(tmp_path: Path) -> None:
    found = _in_takes(tmp_path, [HISTORY])
    assert [len(found[f"x at {minute}"]) for minute in range(3, 12)] == [1, 1, 1, 1, 1, 0, 0, 0, 1]
    assert [len(found[f"y at {minute}"]) for minute in range(3, 12)] == [1, 0, 1, 2, 0, 0, 0, 0, 0]
    assert found["y at 3"] == [("demo.orders", "b", "")]
    assert found["y at 5"] == [("demo.orders", "a", "daily")]
    assert found["tags"] == [("glossaryTerm", "money"), ("pii", "true")]
    assert found["columns"] == [["x"], ["b", "a"]]


@pytest.mark.parametrize("seed", range(6))
def test_the_same_changes_in_any_order_give_the_same_answers_of_every_moment(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311  an order, no secret
    shuffled = HISTORY[::-1] if seed == 0 else chance.sample(HISTORY, len(HISTORY))
    takes = [[one] for one in shuffled] if seed % 2 == 0 else [shuffled[:5], shuffled[5:9], shuffled[9:]]
    (tmp_path / "ordered").mkdir()
    assert _in_takes(tmp_path, takes) == _in_takes(tmp_path / "ordered", [HISTORY])
