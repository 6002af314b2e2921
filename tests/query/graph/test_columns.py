"""Which columns a dataset had at a time: those that its schema listed then, not those that it lists now."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.ask import columns, diff

from headwater.query.graph.answer import Direction

if TYPE_CHECKING:
    from tests.conftest import EventMaker

    from headwater.query.graph.answer import Answer
    from headwater.store import Store

UP, DOWN = Direction.UPSTREAM, Direction.DOWNSTREAM
A, AB = {"a": "int"}, {"a": "int", "b": "int"}


def fields(answer: Answer, dataset: str = "out") -> list[str]:
    """The columns of a dataset in an answer."""
    return [node.field.field or "" for node in answer.nodes if node.field.name == dataset]


@pytest.fixture
def changing(any_store: Store, maker: EventMaker) -> Store:
    """A dataset whose column `b` comes in minute 5, goes in minute 8, and of which nothing feeds any column."""
    any_store.ingest([maker(2, schema=A), maker(5, schema=AB), maker(8, schema=A), maker(9, schema=A)])
    return any_store


@pytest.mark.parametrize(("minute", "there"), [(2, ["a"]), (4, ["a"]), (5, ["a", "b"]), (7, ["a", "b"]), (8, ["a"])])
def test_a_column_is_there_while_the_schema_lists_it(
    changing: Store, maker: EventMaker, minute: int, there: list[str]
) -> None:
    with changing.read() as session:
        assert fields(columns(session, UP, "out", as_of=maker.us(minute))) == there
        assert fields(columns(session, DOWN, "out", as_of=maker.us(minute))) == there


def test_a_difference_names_columns_that_came_and_went(changing: Store, maker: EventMaker) -> None:
    with changing.read() as session:
        added = diff(session, "out", since=maker.us(3), until=maker.us(6))
        removed = diff(session, "out", since=maker.us(6))
        same = diff(session, "out", since=maker.us(3))
    assert ([column.field for column in added.columns_added], added.columns_removed) == (["b"], ())
    assert (removed.columns_added, [column.field for column in removed.columns_removed]) == ((), ["b"])
    assert not same


@pytest.mark.parametrize(("since", "until", "there"), [(3, 4, ["a"]), (3, 6, ["a", "b"]), (6, None, ["a", "b"])])
def test_a_window_has_what_was_there_at_any_moment_of_it(
    changing: Store, maker: EventMaker, since: int, until: int | None, there: list[str]
) -> None:
    with changing.read() as session:
        answer = columns(session, UP, "out", since=maker.us(since), until=until and maker.us(until))
    assert fields(answer) == there


def test_before_anyone_had_heard_of_a_dataset_it_had_no_columns(changing: Store, maker: EventMaker) -> None:
    with changing.read() as session:
        assert columns(session, UP, "out", as_of=maker.us(1)).nodes == ()
        changes = diff(session, "out", since=maker.us(1), until=maker.us(6))
    assert [column.field for column in changes.columns_added] == ["a", "b"]


def test_where_no_schema_was_said_by_then_the_last_one_stands_in(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest([maker(1), maker(5, schema=AB)])
    with any_store.read() as session:
        assert fields(columns(session, UP, "out", as_of=maker.us(3))) == ["a", "b"]


def test_what_only_lineage_names_has_no_beginning(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest([maker(5, columns={"a": ["in.x"]})])
    with any_store.read() as session:
        assert fields(columns(session, DOWN, "in", as_of=maker.us(3)), "in") == ["x"]


def test_a_version_has_the_columns_of_its_time(changing: Store, maker: EventMaker) -> None:
    by_minute = {}
    with changing.read() as session:
        for minute in (2, 5, 8):
            by_minute[minute] = fields(columns(session, UP, "out", version=maker.run_id(f"job {minute}")))
    assert by_minute == {2: ["a"], 5: ["a", "b"], 8: ["a"]}


def test_rows_lead_to_the_columns_that_were_there(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            maker(1, rows=["in.x FILTER"], columns={"a": ["in.y"]}, schema=A),
            maker(5, rows=["in.x FILTER"], columns={"a": ["in.y"]}, schema=AB),
        ]
    )
    with any_store.read() as session:
        assert fields(columns(session, DOWN, "in", "x", as_of=maker.us(3))) == ["a"]
        assert fields(columns(session, DOWN, "in", "x")) == ["a", "b"]
