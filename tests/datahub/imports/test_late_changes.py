"""Changes that arrive late: each belongs into its moment, and what holds later stays."""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING, Any

import pytest
from tests.datahub.changes import FACTS, MINUTE, ORDERS, derived, field, lineage, proposal, schema, take_in

from headwater.client.local import StoredLineage
from headwater.datahub.exports.proposals import Form, export_of
from headwater.datahub.naming.datasets import Naming
from headwater.query.catalog.details import describe_dataset
from headwater.store import open_store

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
        # Of what is dropped the answer is what there was before.
        there = () if answer.dropped else answer.edges
        edges = sorted((edge.origin.name, edge.origin.field or "", edge.job.name if edge.job else "") for edge in there)
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
    assert [len(found[f"y at {minute}"]) for minute in range(3, 12)] == [1, 1, 2, 2, 0, 0, 0, 0, 0]
    assert found["y at 3"] == [("demo.orders", "b", "")]
    # Its source is gone, and `x` still takes a column of the same table: `y` may count the rows of that one.
    assert found["y at 4"] == [("demo.orders", "", "")]
    assert found["y at 5"] == [("demo.orders", "", ""), ("demo.orders", "a", "daily")]
    assert found["tags"] == [("glossaryTerm", "money"), ("pii", "true")]
    assert found["columns"] == [["x"], ["b", "a"]]


@pytest.mark.parametrize("seed", range(6))
def test_the_same_changes_in_any_order_give_the_same_answers_of_every_moment(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311  an order, no secret
    shuffled = HISTORY[::-1] if seed == 0 else chance.sample(HISTORY, len(HISTORY))
    takes = [[one] for one in shuffled] if seed % 2 == 0 else [shuffled[:5], shuffled[5:9], shuffled[9:]]
    (tmp_path / "ordered").mkdir()
    assert _in_takes(tmp_path, takes) == _in_takes(tmp_path / "ordered", [HISTORY])


def test_what_is_late_and_changes_nothing_later_adds_one_event(store: Store) -> None:
    take_in(store, HISTORY)
    late = {**proposal(FACTS, "ownership", {"owners": []}), "systemMetadata": {"lastObserved": 270_000}}
    assert take_in(store, [late]).events == 1
    assert take_in(store, HISTORY).events == 0


def test_of_one_moment_the_last_that_arrived_holds(store: Store) -> None:
    for tag in "abcdefgh":
        take_in(store, [proposal(ORDERS, "globalTags", {"tags": [{"tag": f"urn:li:tag:{tag}"}]})])
        with store.read() as session:
            assert [one.key for one in describe_dataset(session, "demo.orders").tags] == [tag]


def test_a_removed_dataset_is_not_in_the_graph_until_it_is_back(any_store: Store) -> None:
    def sources() -> list[str | None]:
        answer = StoredLineage(any_store).upstream("fact_orders", "x")
        return [] if answer.dropped else [edge.origin.field for edge in answer.edges]

    take_in(any_store, HISTORY[:3])
    assert sources() == ["a"]
    for urn in (ORDERS, FACTS):
        take_in(any_store, [proposal(urn, "status", {"removed": True}, 12)])
        assert sources() == []
        written = {(record["entityUrn"], record["aspectName"]) for record in export_of(any_store, Naming()).records()}
        assert {(urn, "schemaMetadata"), (urn, "status")} <= written
        take_in(any_store, [proposal(urn, "status", {"removed": False}, 13)])
        assert sources() == ["a"]


def test_deleting_the_key_deletes_what_arrives_late_as_well(store: Store) -> None:
    take_in(store, HISTORY[:3])
    take_in(store, [proposal(FACTS, "datasetKey", None, 5, "DELETE")])
    take_in(store, [proposal(FACTS, "globalTags", TAGS, 4), proposal(FACTS, "ownership", {"owners": []}, 4)])
    assert StoredLineage(store).upstream("fact_orders", "x").dropped
    written = {record["aspectName"] for record in export_of(store, Naming()).records() if record["entityUrn"] == FACTS}
    assert written == {"status"}
    assert ("globalTags", FACTS) in {
        (record["aspectName"], record["entityUrn"]) for record in export_of(store, Naming(), at=4 * MINUTE).records()
    }


def test_deleting_a_key_of_another_entity_leaves_the_others(store: Store) -> None:
    take_in(store, [proposal(f"urn:li:tag:{name}", "tagProperties", {"name": name}) for name in "ab"])
    take_in(store, [proposal("urn:li:tag:a", "datasetKey", None, 2, "DELETE")])
    assert {record["entityUrn"] for record in export_of(store, Naming()).records()} >= {"urn:li:tag:a", "urn:li:tag:b"}
