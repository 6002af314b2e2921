"""Namespaces, limits, and questions about all columns of a dataset."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.ask import ask, columns

from headwater.query.graph.answer import Answer, Direction, FieldName, Kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import EventMaker

    from headwater.store import Store
    from headwater.store.db.session import Given, Row, Session

    Nodes = Callable[[Answer], dict[str, int]]
    Edges = Callable[[Answer], list[str]]

UP, DOWN = Direction.UPSTREAM, Direction.DOWNSTREAM


def _across_namespaces(store: Store, maker: EventMaker) -> None:
    """A column goes from `lake` through `other` and back, and straight."""
    there = maker(1, job="there", out="mid", columns={"x": ["in.x"]})
    there["outputs"][0]["namespace"] = "other"  # type: ignore[index]
    back = maker(2, job="back", out="end", columns={"x": ["mid.x", "in.x"]})
    fields = back["outputs"][0]["facets"]["columnLineage"]["fields"]  # type: ignore[index]
    fields["x"]["inputFields"][0]["namespace"] = "other"
    store.ingest([there, back])


def test_datasets_of_other_namespaces_are_cut_off(
    any_store: Store, maker: EventMaker, nodes: Nodes, edges: Edges
) -> None:
    _across_namespaces(any_store, maker)
    assert set(nodes(ask(any_store, UP, "end", "x"))) == {"end.x", "mid.x", "in.x"}
    answer = ask(any_store, UP, "end", "x", namespaces=["lake"])
    assert nodes(answer) == {"end.x": 0, "in.x": 1}
    assert edges(answer) == ["in.x -> end.x: IDENTITY"]
    assert nodes(ask(any_store, UP, "end", "x", namespaces=["other"])) == {"end.x": 0, "mid.x": 1}
    assert nodes(ask(any_store, DOWN, "in", "x", namespaces=["lake"])) == {"in.x": 0, "end.x": 1}
    assert nodes(ask(any_store, DOWN, "in", "x", namespaces=["lake", "other"])) == {"in.x": 0, "end.x": 1, "mid.x": 1}


def _fan(store: Store, maker: EventMaker) -> None:
    """Nine columns behind one, and one behind each of these; of the rows, one more."""
    store.ingest(
        [
            maker(1, job="one", out="mid", columns={f"m{n}": [f"in.i{n}"] for n in range(9)}, rows=["in.day FILTER"]),
            maker(2, job="two", out="end", columns={"x": [f"mid.m{n}" for n in range(9)]}),
        ]
    )


def test_a_limit_gives_the_first_nodes_by_distance_and_name(any_store: Store, maker: EventMaker) -> None:
    _fan(any_store, maker)
    whole = ask(any_store, UP, "end", "x")
    assert (len(whole.nodes), whole.partial) == (20, False)
    for limit in (1, 4, 10, 15, 19):
        answer = ask(any_store, UP, "end", "x", limit=limit)
        assert answer.partial
        assert answer.nodes == whole.nodes[:limit]
        there = {node.field for node in answer.nodes}
        assert {edge.origin for edge in answer.edges} <= there
        assert {edge.destination for edge in answer.edges if edge.destination.field} <= there
        assert {edge for edge in whole.edges if edge.origin in there} == set(answer.edges)
    assert ask(any_store, UP, "end", "x", limit=20) == whole


def test_a_limit_downstream_keeps_rows_whose_columns_are_there(
    any_store: Store, maker: EventMaker, nodes: Nodes, edges: Edges
) -> None:
    _fan(any_store, maker)
    whole = ask(any_store, DOWN, "in", "day")
    assert (len(whole.nodes), whole.partial) == (11, False)
    answer = ask(any_store, DOWN, "in", "day", limit=3)
    assert (nodes(answer), answer.partial) == ({"in.day": 0, "mid.m0": 1, "mid.m1": 1}, True)
    assert edges(answer) == ["in.day -> mid.*: FILTER"]


class Counted:
    """Counts what a question asks the database."""

    def __init__(self, session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
        self.statements: list[str] = []
        run = type(session).rows

        def counted(asked: Session, statement: str, given: Given | None = None, /, **values: object) -> list[Row]:
            if given is None or given.rows:
                self.statements.append(statement)
            return run(asked, statement, given, **values)

        monkeypatch.setattr(type(session), "rows", counted)


def _line(store: Store, maker: EventMaker) -> None:
    """Thirty tables in a row, of three columns each, whose rows are filtered."""
    store.ingest(
        [
            maker(
                n,
                job=f"job{n}",
                out=f"t{n}",
                columns={column: [f"t{n - 1}.{column}"] for column in "xyz"},
                rows=[f"t{n - 1}.x FILTER"],
            )
            for n in range(1, 30)
        ]
    )


def test_a_limit_stops_the_walk(any_store: Store, maker: EventMaker, monkeypatch: pytest.MonkeyPatch) -> None:
    _line(any_store, maker)
    with any_store.read() as session:
        counted = Counted(session, monkeypatch)
        answer = columns(session, UP, "t29", "x", limit=5, direct=True)
    assert (len(answer.nodes), answer.partial) == (5, True)
    assert sum("held.id" in statement for statement in counted.statements) == 5


@pytest.mark.parametrize("options", [{}, {"as_of": 2 * 10**17}, {"since": 0}, {"contents": True}, {"direct": True}])
def test_upstream_asks_at_most_once_for_each_level(
    any_store: Store, maker: EventMaker, monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]
) -> None:
    _line(any_store, maker)
    with any_store.read() as session:
        counted = Counted(session, monkeypatch)
        counts = []
        for depth in (5, 15):
            counted.statements.clear()
            answer = columns(session, UP, "t29", "y", depth=depth, **options)
            assert len(answer.nodes) == 1 + (1 if options.get("direct") else 2) * depth
            counts.append(len(counted.statements))
    # Where each statement travels to a server, many levels are read at once.
    assert counts[1] - counts[0] == 10 if any_store.database.name == "SQLite" else counts[1] <= counts[0]
    # Beside the levels: names, edges, whether the column is there, and once for the whole answer what it does not know.
    assert counts[0] <= 20


def test_all_columns_of_a_dataset_upstream(any_store: Store, maker: EventMaker, nodes: Nodes) -> None:
    _fan(any_store, maker)
    any_store.ingest([maker(3, "START", out="end", schema={"x": "int", "made": "date"})])
    answer = ask(any_store, UP, "end")
    assert answer.root == FieldName("lake", "end", None)
    distances = nodes(answer)
    assert {name for name, distance in distances.items() if distance == 0} == {"end.x", "end.made"}
    assert len(distances) == 21


def test_all_columns_of_a_dataset_downstream_also_those_seen_in_lineage_only(
    any_store: Store, maker: EventMaker, nodes: Nodes
) -> None:
    _fan(any_store, maker)
    distances = nodes(ask(any_store, DOWN, "in"))
    assert {name for name, distance in distances.items() if distance == 0} == {
        "in.day",
        *(f"in.i{n}" for n in range(9)),
    }
    assert distances["mid.m3"] == 1
    assert distances["end.x"] == 2


def test_a_column_that_is_gone_and_unused_is_none_of_the_columns_of_a_dataset(
    any_store: Store, maker: EventMaker, nodes: Nodes
) -> None:
    any_store.ingest(
        [
            maker(1, columns={"a": ["in.x"], "b": ["in.x"]}, schema={"a": "int", "b": "int"}),
            maker(2, columns={"a": ["in.x"]}, schema={"a": "int"}),
        ]
    )
    assert set(nodes(ask(any_store, UP, "out"))) == {"out.a", "in.x"}
    assert set(nodes(ask(any_store, UP, "out", as_of=maker.us(1)))) == {"out.a", "out.b", "in.x"}


def test_of_all_columns_of_a_dataset_each_is_itself(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest([maker(1, columns={"a": ["in.x TRANSFORMATION"], "b": ["in.x"]})])
    by_path = {node.field.field: node for node in ask(any_store, UP, "out").nodes}
    assert (by_path["a"].kind, by_path["b"].kind, by_path["x"].kind) == (Kind.IDENTITY, Kind.IDENTITY, Kind.IDENTITY)
