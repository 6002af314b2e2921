"""Windows, contents and other moments, for columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.ask import ask

from headwater.query.graph.answer import Answer, Direction, Moment

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import EventMaker

    from headwater.store import Store

    Nodes = Callable[[Answer], dict[str, int]]

UP, DOWN = Direction.UPSTREAM, Direction.DOWNSTREAM


def _three_days(store: Store, maker: EventMaker) -> None:
    """The job reads another column every ten minutes."""
    store.ingest(
        [maker(minute, run=f"at {minute}", columns={"a": [f"in.{column}"]}) for minute, column in _COLUMNS.items()]
    )


_COLUMNS = {10: "x", 20: "y", 30: "z"}


@pytest.mark.parametrize(
    ("since", "until", "in_window"),
    [
        (10, 19, "x"),
        (15, 20, "x y"),  # the end of a window is in it
        (20, 29, "y"),  # what ends when the window begins is not
        (0, 9, ""),
        (0, None, "x y z"),
        (25, None, "y z"),
        (None, 20, "x y"),
    ],
)
def test_a_window_has_all_that_was_in_force_at_any_moment_in_it(  # noqa: PLR0913, PLR0917  fixtures and cases
    any_store: Store, maker: EventMaker, nodes: Nodes, since: int | None, until: int | None, in_window: str
) -> None:
    _three_days(any_store, maker)
    window: dict[str, Any] = {
        "since": None if since is None else maker.us(since),
        "until": None if until is None else maker.us(until),
    }
    answer = ask(any_store, UP, "out", "a", **window)
    assert set(nodes(answer)) == {"out.a", *(f"in.{column}" for column in in_window.split())}
    for column in _COLUMNS.values():
        reached = set(nodes(ask(any_store, DOWN, "in", column, **window)))
        assert reached == {f"in.{column}"} | ({"out.a"} if column in in_window else set())
    assert answer.moment == Moment(window["since"], window["until"])


def test_the_run_of_an_edge_in_a_window_is_the_last_that_wrote_it(any_store: Store, maker: EventMaker) -> None:
    _three_days(any_store, maker)
    answer = ask(any_store, UP, "out", "a", since=maker.us(0), until=maker.us(25))
    # One job, so the edges of what it wrote before and what it wrote last are told apart by their columns only.
    assert {edge.origin.field for edge in answer.edges} == {"x", "y"}
    assert {edge.run for edge in answer.edges} == {maker.run_id("at 20")}


def test_contents_are_all_that_was_written_since_the_last_whole_overwrite(
    any_store: Store, maker: EventMaker, nodes: Nodes
) -> None:
    any_store.ingest(
        [
            maker(10, job="old", columns={"a": ["in.old"]}),
            maker(20, job="whole", columns={"a": ["in.whole"]}, lifecycle="OVERWRITE"),
            maker(30, job="append", columns={"a": ["in.x"]}),
            maker(40, job="append", columns={"a": ["in.y"]}),
            maker(50, job="append", columns={"a": ["in.z"]}),
        ]
    )
    assert set(nodes(ask(any_store, UP, "out", "a", as_of=maker.us(45)))) == {"out.a", "in.whole", "in.y"}
    contents = ask(any_store, UP, "out", "a", as_of=maker.us(45), contents=True)
    assert set(nodes(contents)) == {"out.a", "in.whole", "in.x", "in.y"}
    assert set(nodes(ask(any_store, UP, "out", "a", as_of=maker.us(15), contents=True))) == {"out.a", "in.old"}
    assert set(nodes(ask(any_store, DOWN, "in", "x", contents=True))) == {"in.x", "out.a"}
    assert set(nodes(ask(any_store, DOWN, "in", "x"))) == {"in.x"}
    assert set(nodes(ask(any_store, DOWN, "in", "old", contents=True))) == {"in.old"}


def test_contents_after_a_drop_are_none(any_store: Store, maker: EventMaker, nodes: Nodes) -> None:
    any_store.ingest([maker(10, columns={"a": ["in.x"]}), maker(20, job="drop", lifecycle="DROP")])
    assert set(nodes(ask(any_store, UP, "out", "a", contents=True))) == {"out.a"}


def test_carried_edges_say_so(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest([maker(1, columns={"a": ["in.x"]}), maker(2, run="silent")])
    (edge,) = ask(any_store, UP, "out", "a").edges
    assert (edge.carried, edge.run) == (True, maker.run_id("silent"))
    (edge,) = ask(any_store, UP, "out", "a", as_of=maker.us(1)).edges
    assert not edge.carried


def test_what_a_dataset_declares_has_no_job_and_no_run(any_store: Store, maker: EventMaker) -> None:
    event = maker(1, columns={"a": ["in.x"]})
    dataset = event["outputs"][0]  # type: ignore[index]
    any_store.ingest([{"eventTime": event["eventTime"], "schemaURL": "x#/$defs/DatasetEvent", "dataset": dataset}])
    (edge,) = ask(any_store, UP, "out", "a").edges
    assert (edge.job, edge.run) == (None, None)


@pytest.mark.parametrize(
    "options",
    [
        {"as_of": 1, "since": 1},
        {"since": 2, "until": 1},
        {"contents": True, "since": 1},
        {"version": "x", "as_of": 1},
    ],
)
def test_times_that_contradict_each_other_are_refused(
    any_store: Store, maker: EventMaker, options: dict[str, Any]
) -> None:
    any_store.ingest([maker(1, columns={"a": ["in.x"]})])
    with pytest.raises(ValueError, match=r"since|moment|time"):
        ask(any_store, UP, "out", "a", **options)
