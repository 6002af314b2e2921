"""What differs between two answers, structure and text apart; and between two moments and two versions of a store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.ask import diff

from headwater.query.changes.diff import Diff, Part, difference
from headwater.query.graph.answer import (
    Answer,
    Direction,
    Edge,
    FieldName,
    Kind,
    Moment,
    Node,
    TableName,
    Transformation,
)
from headwater.render.text.diff import diff_lines

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import EventMaker

    from headwater.store import Store

ROOT = FieldName("lake", "out", "total")
JOB, OTHER = TableName("jobs", "job"), TableName("jobs", "other")


def step(subtype: str = "IDENTITY", description: str = "", *, masking: bool = False) -> Transformation:
    return Transformation("DIRECT", subtype, masking, description)


def edge(origin: str, *steps: Transformation, job: TableName | None = JOB, version: str | None = None) -> Edge:
    destination = FieldName(ROOT.namespace, ROOT.name, ROOT.field, version)
    return Edge(FieldName("lake", "in", origin, version), destination, steps or (step(),), job, run=None)


def answer(*edges: Edge) -> Answer:
    fields = dict.fromkeys([ROOT, *(FieldName("lake", "in", change.origin.field) for change in edges)])
    nodes = [Node(field, "", 0 if field == ROOT else 1, Kind.IDENTITY, masked=False) for field in fields]
    return Answer(Direction.UPSTREAM, ROOT, Moment(), tuple(nodes), edges)


def test_equal_answers_differ_in_nothing() -> None:
    changes = difference(answer(edge("a")), answer(edge("a")))
    assert not changes
    assert changes.rows() == []


def test_columns_and_edges_that_come_and_go() -> None:
    changes = difference(answer(edge("a"), edge("b")), answer(edge("b"), edge("c")))
    assert [name.field for name in changes.columns_added] == ["c"]
    assert [name.field for name in changes.columns_removed] == ["a"]
    assert [change.origin.field for change in changes.edges_added] == ["c"]
    assert [change.origin.field for change in changes.edges_removed] == ["a"]
    assert changes.edges_changed == ()


@pytest.mark.parametrize(
    ("after", "part"),
    [
        (edge("a", step("TRANSFORMATION", "f(a)")), Part.STRUCTURE),
        (edge("a", step("IDENTITY", "f(a)", masking=True)), Part.STRUCTURE),
        (edge("a", step("IDENTITY", "f(a)"), step("AGGREGATION", "f(a)")), Part.STRUCTURE),
        (edge("a", step("IDENTITY", "f(a)"), job=OTHER), Part.STRUCTURE),
        (edge("a", step("IDENTITY", "g(a)")), Part.TEXT),
    ],
)
def test_structure_and_text_are_told_apart(after: Edge, part: Part) -> None:
    before = edge("a", step("IDENTITY", "f(a)"))
    changes = difference(answer(before), answer(after))
    assert [(change.part, change.before, change.after) for change in changes.edges_changed] == [(part, before, after)]
    assert changes.edges_added == changes.edges_removed == ()


def test_a_second_job_adds_an_edge() -> None:
    changes = difference(answer(edge("a")), answer(edge("a"), edge("a", job=OTHER)))
    assert [change.job for change in changes.edges_added] == [OTHER]
    assert changes.edges_changed == ()


def test_versions_and_runs_do_not_count() -> None:
    assert not difference(answer(edge("a", version="1")), answer(edge("a", version="2")))


def test_a_partial_answer_makes_a_partial_diff() -> None:
    whole = answer(edge("a"))
    cut = Answer(whole.direction, whole.root, whole.moment, whole.nodes, whole.edges, partial=True)
    assert difference(whole, cut).partial


@pytest.fixture
def between(any_store: Store, maker: EventMaker) -> Callable[..., Diff]:
    def ask(since: int, until: int | None = None, column: str | None = "total", **options: Any) -> Diff:  # noqa: ANN401
        with any_store.read() as session:
            return diff(
                session,
                "out",
                column,
                since=maker.us(since),
                until=None if until is None else maker.us(until),
                **options,
            )

    return ask


def described(event: dict[str, Any], text: str) -> dict[str, Any]:
    """The event with a text on every transformation of its output."""
    lineage = event["outputs"][0]["facets"]["columnLineage"]
    for source in [
        *(change for field in lineage["fields"].values() for change in field["inputFields"]),
        *lineage["dataset"],
    ]:
        source["transformations"][0]["description"] = text
    return event


def test_between_two_moments(any_store: Store, maker: EventMaker, between: Callable[..., Diff]) -> None:
    any_store.ingest(
        [
            maker(1, columns={"total": ["orders.amount"]}),
            maker(5, columns={"total": ["orders.amount AGGREGATION", "rates.rate"]}, rows=["orders.day FILTER"]),
        ]
    )
    changes = between(2, 6)
    assert [(change.name, change.field) for change in changes.columns_added] == [("orders", "day"), ("rates", "rate")]
    assert sorted((change.origin.name, change.destination.field or "") for change in changes.edges_added) == [
        ("orders", ""),
        ("rates", "total"),
    ]
    (changed,) = changes.edges_changed
    assert changed.part is Part.STRUCTURE
    assert [change.subtype for change in (*changed.before.transformations, *changed.after.transformations)] == [
        "IDENTITY",
        "AGGREGATION",
    ]
    assert not between(2, 3)
    assert between(2) == changes or between(2).edges_added == changes.edges_added
    assert {row["change"] for row in changes.rows()} == {"column added", "edge added", "structure changed"}


def test_downstream_too(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest([maker(1, columns={"a": ["orders.id"]}), maker(5, columns={"b": ["orders.id"]})])
    with any_store.read() as session:
        changes = diff(session, "orders", "id", since=maker.us(2), direction=Direction.DOWNSTREAM)
    assert [change.field for change in changes.columns_added] == ["b"]
    assert [change.field for change in changes.columns_removed] == ["a"]


def test_a_changed_text_is_told_as_text(any_store: Store, maker: EventMaker, between: Callable[..., Diff]) -> None:
    for minute, text in ((1, "trim(amount)"), (5, "lower(amount)")):
        any_store.ingest([described(maker(minute, columns={"total": ["orders.amount"]}), text)])
    (changed,) = between(2, 6).edges_changed
    assert changed.part is Part.TEXT


def test_a_changed_literal_is_told_although_the_mapping_is_the_same(
    any_store: Store,
    maker: EventMaker,
    between: Callable[..., Diff],
) -> None:
    for minute, text in ((1, "amount * 7"), (5, "amount * 14")):
        any_store.ingest([described(maker(minute, columns={"total": ["orders.amount"]}), text)])
    changes = between(2, 6)
    assert changes.edges_changed == ()
    assert [(change.before, change.after) for change in changes.literals] == [(("amount * 7",), ("amount * 14",))]
    assert changes
    assert between(2, 3).literals == ()
    (row,) = changes.rows()
    assert (row["change"], row["before"], row["after"]) == ("literal changed", "amount * 7", "amount * 14")


def test_a_changed_literal_of_a_declared_dataset_is_told(
    any_store: Store,
    maker: EventMaker,
    between: Callable[..., Diff],
) -> None:
    """An event of a dataset names no job."""
    for minute, text in ((1, "amount * 7"), (5, "amount * 14")):
        event: Any = described(maker(minute, columns={"total": ["orders.amount"]}), text)
        declared = {"eventTime": event["eventTime"], "dataset": event["outputs"][0]}
        any_store.ingest([declared])
    assert [(change.before, change.after) for change in between(2, 6).literals] == [(("amount * 7",), ("amount * 14",))]


def test_the_literals_of_another_output_of_the_run_are_not_its_own(
    any_store: Store,
    maker: EventMaker,
    between: Callable[..., Diff],
) -> None:
    for minute, text in ((1, "amount * 7"), (5, "amount * 14")):
        event: Any = described(maker(minute, columns={"total": ["orders.amount"]}), "amount * 2")
        other: Any = described(maker(minute, out="other", columns={"total": ["orders.amount"]}), text)
        any_store.ingest([{**event, "outputs": [*event["outputs"], *other["outputs"]]}])
    assert not between(2, 6)


def test_a_changed_literal_of_a_condition_on_the_rows_is_told(
    any_store: Store,
    maker: EventMaker,
    between: Callable[..., Diff],
) -> None:
    for minute, text in ((1, "day > 7"), (5, "day > 14")):
        any_store.ingest([described(maker(minute, columns={"total": []}, rows=["orders.day FILTER"]), text)])
    assert [(change.before, change.after) for change in between(2).literals] == [(("day > 7",), ("day > 14",))]


def test_a_run_that_says_nothing_of_columns_changes_no_literal(
    any_store: Store,
    maker: EventMaker,
    between: Callable[..., Diff],
) -> None:
    any_store.ingest([described(maker(1, columns={"total": ["orders.amount"]}), "amount * 7"), maker(5)])
    assert not between(2, 6)


def test_a_literal_of_an_event_that_retention_dropped_is_not_known(
    any_store: Store,
    maker: EventMaker,
    between: Callable[..., Diff],
) -> None:
    for minute, text in ((1, "amount * 7"), (5, "amount * 14")):
        any_store.ingest([described(maker(minute, columns={"total": ["orders.amount"]}), text)])
    any_store.transact(lambda session: session.run("UPDATE event SET rest = NULL"))
    assert not between(2, 6)


def test_between_two_versions(any_store: Store, maker: EventMaker) -> None:
    for minute, text in ((1, "amount * 7"), (5, "amount * 14")):
        any_store.ingest([described(maker(minute, columns={"total": ["orders.amount"]}), text)])
    any_store.ingest([maker(9, columns={"total": ["orders.net"]})])
    runs = [maker.run_id(f"job {minute}") for minute in (1, 5, 9)]
    with any_store.read() as session:
        changes = diff(session, "out", "total", versions=(runs[0], runs[1]))
        assert [(change.before, change.after) for change in changes.literals] == [(("amount * 7",), ("amount * 14",))]
        changes = diff(session, "out", versions=(runs[1], runs[2]))
        assert [change.origin.field for change in changes.edges_added] == ["net"]
        assert [change.origin.field for change in changes.edges_removed] == ["amount"]


def test_a_diff_needs_two_moments(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest([maker(1, columns={"total": ["orders.amount"]})])
    with any_store.read() as session:
        with pytest.raises(ValueError, match="Nothing to compare with"):
            diff(session, "out", "total")
        with pytest.raises(ValueError, match="since must not be after until"):
            diff(session, "out", "total", since=2, until=1)
        with pytest.raises(ValueError, match="their own times"):
            diff(session, "out", "total", since=2, versions=("a", "b"))


def test_a_diff_is_plain_json(any_store: Store, maker: EventMaker, between: Callable[..., Diff]) -> None:
    any_store.ingest([maker(1, columns={"total": ["orders.amount"]}), maker(5, columns={"total": ["orders.net"]})])
    written = between(2, 6).to_dict()
    assert written["direction"] == "upstream"
    two = maker.us(2)
    assert written["before"] == {"since": two, "until": two, "version": None, "ahead": False, "next_us": None}
    assert [len(written[f"edges_{key}"]) for key in ("added", "removed", "changed")] == [1, 1, 0]


def test_what_either_side_does_not_know_may_have_changed(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            maker(1, job="copy", reads=["raw"]),
            maker(1, job="same", columns={"a": ["orders.a"]}),
            maker(3, job="copy", columns={"b": ["raw.b"]}),
            maker(3, job="later", reads=["more"]),
        ]
    )
    with any_store.read() as session:
        found = diff(session, "out", "a", since=maker.us(2), until=maker.us(4))
        later = diff(session, "out", "a", since=maker.us(4))
    assert [entry.job and entry.job.name for entry in found.unknown] == ["later", "copy"]
    assert not found
    lines = [line.plain for line in diff_lines(found)]
    assert lines[0].startswith("Nothing is known to have changed between ")
    assert lines[1:] == [
        "May have changed as well (no column lineage recorded):",
        "  out  written by later, which reads more",
        "  out  written by copy, which reads raw",
    ]
    assert [entry.job and entry.job.name for entry in later.unknown] == ["later"]


def test_nothing_is_said_to_have_changed_where_nothing_is_unknown(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest([maker(1, columns={"a": ["orders.a"]})])
    with any_store.read() as session:
        found = diff(session, "out", "a", since=maker.us(2), until=maker.us(4))
    assert found.unknown == ()
    assert [line.plain for line in diff_lines(found)] == [
        "Nothing changed between 2026-01-01T00:02:00Z and 2026-01-01T00:04:00Z."
    ]
