"""Questions about a column that was dropped, or that was not there yet, say so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.ask import ask, impact

from headwater.client.local import StoredLineage
from headwater.query.graph.answer import Answer, Direction, TableName
from headwater.query.names import read_question
from headwater.query.search.resolve import NotKnownThen
from headwater.render.text.impact import impact_lines
from headwater.render.text.tree import tree_lines

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import EventMaker

    from headwater.store import Store

    Nodes = Callable[[Answer], dict[str, int]]

UP, DOWN = Direction.UPSTREAM, Direction.DOWNSTREAM


def dropped(maker: EventMaker) -> list[Any]:
    """t.x goes from s.a into u.b; it is dropped, u goes on without it, and v reads what u had."""
    tags = {"tags": {"tags": [{"key": "PII", "value": "true", "field": "x", "source": "USER"}]}}
    return [
        maker(
            1,
            job="write t",
            out="t",
            columns={"x": ["s.a"], "z": ["s.c"]},
            schema={"x": "int", "z": "int"},
            facets=tags,
            reads=["s"],
        ),
        maker(2, job="write u", out="u", columns={"b": ["t.x"]}, schema={"b": "int"}, reads=["t"]),
        maker(3, job="drop x", out="t", schema={"z": "int"}, lifecycle="ALTER"),
        maker(4, job="write v", out="v", columns={"d": ["u.b"]}, schema={"d": "int"}, reads=["u"]),
        maker(5, job="write t", out="t", columns={"z": ["s.c"]}, schema={"z": "int"}, reads=["s"]),
        maker(6, job="write u", out="u", columns={"b": ["t.z"]}, schema={"b": "int"}, reads=["t"]),
    ]


def test_upstream_of_a_dropped_column_shows_what_it_was_made_from(
    any_store: Store, maker: EventMaker, nodes: Nodes
) -> None:
    any_store.ingest(dropped(maker))
    answer = ask(any_store, UP, "t", "x")
    assert nodes(answer) == {"t.x": 0, "s.a": 1}
    assert answer.dropped
    assert (answer.dropped.us, answer.dropped.job) == (maker.us(3), TableName("jobs", "drop x"))
    assert answer.dropped.run == maker.run_id("drop x 3")
    first = str(next(iter(tree_lines(answer))))
    assert first == "t.x was dropped 2026-01-01T00:03:00Z by job drop x. What it was made from just before:"


def test_impact_of_a_dropped_column_has_what_was_made_from_it(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(dropped(maker))
    with any_store.read() as session:
        found = impact(session, "t", "x")
    assert [dataset.name.name for dataset in found.datasets] == ["u", "v"]
    assert found.dropped
    assert str(next(iter(impact_lines(found)))).startswith("t.x was dropped 2026-01-01T00:03:00Z by job drop x.")


def test_downstream_and_roots_and_pii_say_that_it_was_dropped(
    any_store: Store, maker: EventMaker, nodes: Nodes
) -> None:
    any_store.ingest(dropped(maker))
    answer = ask(any_store, DOWN, "t", "x")
    assert nodes(answer) == {"t.x": 0, "u.b": 1, "v.d": 2}
    lineage = StoredLineage(any_store)
    for name in ("roots", "pii"):
        found = lineage.ask(read_question(name, {"dataset": "t", "column": "x"}))
        assert found.dropped == answer.dropped, name
    assert len(found.sources[0].reached) == 2


def test_a_moment_at_which_it_was_there_is_as_before(any_store: Store, maker: EventMaker, nodes: Nodes) -> None:
    any_store.ingest(dropped(maker))
    answer = ask(any_store, DOWN, "t", "x", as_of=maker.us(2))
    assert (nodes(answer), answer.dropped) == ({"t.x": 0, "u.b": 1}, None)


def test_a_column_that_is_written_again_was_not_dropped(any_store: Store, maker: EventMaker, nodes: Nodes) -> None:
    any_store.ingest([*dropped(maker), maker(7, job="more", out="t", columns={"x": ["s.e"]}, reads=["s"])])
    answer = ask(any_store, UP, "t", "x")
    assert (nodes(answer), answer.dropped) == ({"t.x": 0, "s.e": 1}, None)


def test_a_column_that_no_schema_lists_is_there(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest([maker(1, job="write u", out="u", columns={"b": ["t.x"]}, schema={"z": "int"})])
    assert ask(any_store, DOWN, "t", "x").dropped is None
    assert ask(any_store, UP, "u", "b").dropped is None


@pytest.mark.parametrize("question", ["upstream", "downstream", "impact", "roots", "pii"])
def test_before_a_column_is_there_the_answer_says_since_when(
    any_store: Store, maker: EventMaker, question: str
) -> None:
    any_store.ingest(
        [
            maker(2, job="write t", out="t", columns={"z": ["s.c"]}, schema={"z": "int"}),
            maker(4, job="add x", out="t", schema={"x": "int", "z": "int"}, lifecycle="ALTER"),
        ]
    )
    lineage = StoredLineage(any_store)

    def asked(column: str, minute: int) -> object:
        values = {"dataset": "t", "column": column, "as_of": maker.us(minute)}
        return lineage.ask(read_question(question, values))

    with pytest.raises(
        NotKnownThen, match=r"lake/t.x was not known at 2026-01-01T00:03.*: it was first seen 2026-01-01T00:04"
    ):
        asked("x", 3)
    with pytest.raises(
        NotKnownThen, match=r"lake/t.z was not known at 2026-01-01T00:01.*: it was first seen 2026-01-01T00:02"
    ):
        asked("z", 1)
    asked("x", 4)
    asked("z", 2)


def test_before_a_rename_the_answer_names_what_the_column_was(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            maker(1, job="write t", out="t", columns={"x": ["s.a"]}, schema={"x": "int"}),
            maker(3, job="rename", out="t", columns={"y": ["t.x"]}, schema={"y": "int"}, lifecycle="ALTER"),
            maker(5, job="drop", out="t", schema={"z": "int"}, lifecycle="ALTER"),
        ]
    )
    with pytest.raises(NotKnownThen) as raised:
        ask(any_store, UP, "t", "y", as_of=maker.us(2))
    assert raised.value.candidates == ("x",)
    for name in ("x", "y"):
        answer = ask(any_store, UP, "t", name)
        assert answer.root.field == "y"
        assert answer.dropped
        assert answer.dropped.us == maker.us(5)
        assert [node.field.field for node in answer.nodes] == ["y", "a"]
