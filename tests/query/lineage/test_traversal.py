"""Upstream and downstream of columns, now and at other moments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.ask import ask

from headwater.query.graph.answer import Answer, Direction, Kind, TableName
from headwater.query.lineage import traversal
from headwater.store.reads import edges as edges_in_force

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import EventMaker

    from headwater.store import Store

    Nodes = Callable[[Answer], dict[str, int]]
    Edges = Callable[[Answer], list[str]]

UP, DOWN = Direction.UPSTREAM, Direction.DOWNSTREAM


def _shop(any_store: Store, maker: EventMaker) -> None:
    """Orders are cleaned, then summed; the sum is filtered by day."""
    any_store.ingest(
        [
            maker(
                1, job="clean", out="clean", columns={"id": ["orders.id"], "amount": ["orders.cents TRANSFORMATION"]}
            ),
            maker(
                2,
                job="sum",
                out="totals",
                columns={"total": ["clean.amount AGGREGATION"], "day": ["orders.day"]},
                rows=["orders.day FILTER", "clean.id GROUP_BY"],
                schema={"total": "decimal", "day": "date", "made": "timestamp"},
            ),
        ]
    )


def test_upstream_goes_back_to_the_sources(any_store: Store, maker: EventMaker, nodes: Nodes, edges: Edges) -> None:
    _shop(any_store, maker)
    answer = ask(any_store, UP, "totals", "total")
    assert nodes(answer) == {
        "totals.total": 0,
        "clean.amount": 1,
        "clean.id": 1,
        "orders.day": 1,
        "orders.cents": 2,
        "orders.id": 2,
    }
    assert edges(answer) == [
        "clean.amount -> totals.total: AGGREGATION",
        "clean.id -> totals.*: GROUP_BY",
        "orders.cents -> clean.amount: TRANSFORMATION",
        "orders.day -> totals.*: FILTER",
        "orders.id -> clean.id: IDENTITY",
    ]


def test_downstream_through_rows_reaches_every_column_by_one_edge(
    any_store: Store, maker: EventMaker, nodes: Nodes, edges: Edges
) -> None:
    _shop(any_store, maker)
    answer = ask(any_store, DOWN, "orders", "day")
    assert nodes(answer) == {"orders.day": 0, "totals.day": 1, "totals.made": 1, "totals.total": 1}
    assert edges(answer) == ["orders.day -> totals.*: FILTER", "orders.day -> totals.day: IDENTITY"]


def test_direct_leaves_out_what_only_decides_on_rows(any_store: Store, maker: EventMaker, nodes: Nodes) -> None:
    _shop(any_store, maker)
    assert set(nodes(ask(any_store, UP, "totals", "total", direct=True))) == {
        "totals.total",
        "clean.amount",
        "orders.cents",
    }
    assert set(nodes(ask(any_store, DOWN, "orders", "day", direct=True))) == {"orders.day", "totals.day"}


def test_depth_counts_edges(any_store: Store, maker: EventMaker, nodes: Nodes) -> None:
    _shop(any_store, maker)
    assert max(nodes(ask(any_store, UP, "totals", "total", depth=1)).values()) == 1
    assert nodes(ask(any_store, UP, "totals", "total", depth=0)) == {"totals.total": 0}


def test_an_input_that_a_later_run_drops_is_gone_now_and_there_before(
    any_store: Store, maker: EventMaker, nodes: Nodes
) -> None:
    any_store.ingest([maker(1, columns={"a": ["in.x", "in.y"]}), maker(5, columns={"a": ["in.y"]})])
    assert set(nodes(ask(any_store, UP, "out", "a"))) == {"out.a", "in.y"}
    assert set(nodes(ask(any_store, UP, "out", "a", as_of=maker.us(5)))) == {"out.a", "in.y"}
    assert set(nodes(ask(any_store, UP, "out", "a", as_of=maker.us(5) - 1))) == {"out.a", "in.x", "in.y"}
    assert set(nodes(ask(any_store, UP, "out", "a", as_of=maker.us(1) - 1))) == {"out.a"}
    assert set(nodes(ask(any_store, DOWN, "in", "x"))) == {"in.x"}
    assert set(nodes(ask(any_store, DOWN, "in", "x", as_of=maker.us(3)))) == {"in.x", "out.a"}


def test_edges_name_the_job_and_its_last_run(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest([maker(minute, run=f"day {minute}", columns={"a": ["in.x"]}) for minute in (1, 2, 3)])
    (edge,) = ask(any_store, UP, "out", "a").edges
    assert (edge.job, edge.run) == (TableName("jobs", "job"), maker.run_id("day 3"))
    (edge,) = ask(any_store, UP, "out", "a", as_of=maker.us(2)).edges
    assert edge.run == maker.run_id("day 2")


def test_cycles_are_walked_once_and_keep_all_their_edges(any_store: Store, maker: EventMaker, edges: Edges) -> None:
    any_store.ingest(
        [
            maker(1, job="there", out="b", columns={"x": ["a.x"]}),
            maker(1, job="back", out="a", columns={"x": ["b.x", "a.x"]}),
        ]
    )
    expected = ["a.x -> a.x: IDENTITY", "a.x -> b.x: IDENTITY", "b.x -> a.x: IDENTITY"]
    assert edges(ask(any_store, UP, "a", "x")) == expected
    assert edges(ask(any_store, DOWN, "a", "x")) == expected


def test_rule_11_a_struct_and_its_fields_match_but_not_names_that_only_start_alike(
    any_store: Store, maker: EventMaker, nodes: Nodes
) -> None:
    any_store.ingest(
        [
            maker(1, job="one", out="mid", columns={"h": ["in.header"], "h.id": ["in.id"], "hat": ["in.no"]}),
            maker(2, job="two", out="end", columns={"id": ["mid.h.id"]}),
        ]
    )
    assert set(nodes(ask(any_store, UP, "end", "id"))) == {"end.id", "mid.h.id", "in.header", "in.id"}
    assert set(nodes(ask(any_store, UP, "mid", "h"))) == {"mid.h", "in.header", "in.id"}
    assert set(nodes(ask(any_store, DOWN, "in", "header"))) == {"in.header", "mid.h", "end.id"}


def test_over_paths_the_most_direct_class_wins_and_one_clear_path_is_enough(
    any_store: Store, maker: EventMaker
) -> None:
    any_store.ingest(
        [
            maker(1, job="hash", out="mid", columns={"key": ["in.mail TRANSFORMATION MASKED"], "raw": ["in.mail"]}),
            maker(2, job="end", out="end", columns={"key": ["mid.key"], "both": ["mid.key", "mid.raw AGGREGATION"]}),
        ]
    )
    nodes = {f"{node.field.name}.{node.field.field}": node for node in ask(any_store, DOWN, "in", "mail").nodes}
    assert {name: (node.kind, node.masked) for name, node in nodes.items()} == {
        "in.mail": (Kind.IDENTITY, False),
        "mid.key": (Kind.TRANSFORMATION, True),
        "mid.raw": (Kind.IDENTITY, False),
        "end.key": (Kind.TRANSFORMATION, True),
        "end.both": (Kind.TRANSFORMATION, False),
    }


def test_fully_connected_layers_cost_their_edges_not_their_paths(any_store: Store, maker: EventMaker) -> None:
    width, layers = 10, 30
    any_store.ingest(
        [
            maker(
                layer,
                job=f"job{layer}",
                out=f"layer{layer}",
                columns={f"c{to}": [f"layer{layer - 1}.c{start}" for start in range(width)] for to in range(width)},
            )
            for layer in range(1, layers)
        ]
    )
    answer = ask(
        any_store, UP, f"layer{layers - 1}", "c0"
    )  # path by path it would not come back: there are 10 to the 29th
    assert len(answer.nodes) == 1 + width * (layers - 1)
    assert len(answer.edges) == width + width * width * (layers - 2)


def test_what_is_decrypted_is_not_masked_in_either_direction(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            maker(1, job="seal", out="vault", columns={"m": ["src.mail TRANSFORMATION MASKED keyed"]}),
            maker(1, job="hash", out="hashed", columns={"m": ["src.mail TRANSFORMATION MASKED irreversible"]}),
            maker(2, job="open", out="report", columns={"m": ["vault.m TRANSFORMATION unmask"]}),
            maker(2, job="code", out="coded", columns={"m": ["vault.m TRANSFORMATION may-unmask"]}),
            maker(2, job="break", out="broken", columns={"m": ["hashed.m TRANSFORMATION unmask"]}),
        ]
    )
    down = ask(any_store, DOWN, "src", "mail")
    assert {node.field.name for node in down.nodes if node.masked} == {"vault", "hashed", "broken"}
    for name, masked in (("vault", True), ("report", False), ("coded", False), ("hashed", True), ("broken", True)):
        source = next(node for node in ask(any_store, UP, name, "m").nodes if node.field.name == "src")
        assert source.masked is masked, name


def test_an_answer_is_plain_json(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest([maker(1, columns={"a": ["in.x TRANSFORMATION MASKED"]}, schema={"a": "string"})])
    out = {"namespace": "lake", "name": "out", "field": "a", "version": None}
    read = {"namespace": "lake", "name": "in", "field": "x", "version": None}
    assert ask(any_store, UP, "out", "a", as_of=maker.us(2)).to_dict() == {
        "direction": "upstream",
        "root": out,
        "moment": {"since": maker.us(2), "until": maker.us(2), "version": None, "ahead": False, "next_us": None},
        "partial": False,
        "provisional": False,
        "unknown": [],
        "dropped": None,
        "nodes": [
            {"field": out, "type": "string", "distance": 0, "kind": "IDENTITY", "masked": False},
            {"field": read, "type": "", "distance": 1, "kind": "TRANSFORMATION", "masked": True},
        ],
        "edges": [
            {
                "origin": read,
                "destination": out,
                "transformations": [
                    {
                        "type": "DIRECT",
                        "subtype": "TRANSFORMATION",
                        "masking": True,
                        "description": "of x",
                        "effect": "unknown",
                    }
                ],
                "job": {"namespace": "jobs", "name": "job"},
                "run": maker.run_id("job 1"),
                "carried": False,
                "assumed": False,
            }
        ],
    }


def _deep(any_store: Store, maker: EventMaker) -> None:
    """Twelve tables in a row, each column from two below; rows that are filtered, counted and read as a table."""
    any_store.ingest(
        [
            maker(
                n,
                job=f"job{n}",
                out=f"t{n}",
                columns={f"c{at}": [f"t{n - 1}.c{at}", f"t{n - 1}.c{(at + 1) % 5}"] for at in range(5)},
                rows=[f"t{n - 1}.c0 FILTER"] if n % 2 else [],
                schema={f"c{at}": "int" for at in range(5)},
                reads=[f"t{n - 1}", f"beside{n}"],
            )
            for n in range(1, 13)
        ]
    )


@pytest.mark.parametrize("ahead", [1, 7, 30, 400])
@pytest.mark.parametrize("options", [{}, {"direct": True}, {"contents": True}, {"since": 0}, {"depth": 9}])
def test_what_is_read_ahead_changes_no_answer(
    any_store: Store, maker: EventMaker, monkeypatch: pytest.MonkeyPatch, ahead: int, options: dict[str, Any]
) -> None:
    _deep(any_store, maker)
    asked = [(UP, "t12", "c1"), (UP, "t12", None), (DOWN, "t0", "c3"), (DOWN, "t0", None), (DOWN, "beside3", None)]
    answers = []
    for most in (0, ahead):
        monkeypatch.setattr(traversal, "_AHEAD", most)
        answers.append([ask(any_store, *question, **options) for question in asked])
    assert answers[0] == answers[1]
    assert len(answers[0][0].nodes) > 40
    # So much lies beyond that nothing is read ahead.
    monkeypatch.setattr(edges_in_force, "MOST_AHEAD", 5)
    assert [ask(any_store, *question, **options) for question in asked] == answers[0]
