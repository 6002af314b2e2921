"""Names that go on as others: files of another day, and columns that are probably renamed."""

from __future__ import annotations

import pytest

from headwater.query.changes.replacements import Renaming, ReplacedBy, Side, replacements, without_dates
from headwater.query.graph.answer import Edge, FieldName, TableName, Transformation

JOB = TableName("jobs", "job")


def _name(text: str) -> FieldName:
    name, _, field = text.rpartition(".")
    return FieldName("lake", name, field)


def _edge(origin: str, destination: str, text: str = "", subtype: str = "IDENTITY") -> Edge:
    step = Transformation("DIRECT", subtype, masking=False, description=text)
    return Edge(_name(origin), _name(destination), (step,), JOB, None)


def _side(columns: str, edges: list[Edge], tables: str = "") -> Side:
    names = [_name(text) for text in columns.split()]
    return Side(names, edges, {*(name.table for name in names), *(TableName("lake", name) for name in tables.split())})


def _found(before: Side, after: Side) -> list[tuple[str, str]]:
    return [
        (f"{item.before.name}.{item.before.field}", f"{item.after.name}.{item.after.field}")
        for item in replacements(before, after)
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("/in/2026-11-14.csv", "/in/2026-11-15.csv"),
        ("/in/20261114/part", "/in/20261201/part"),
        ("/in/2026/11/14", "/in/2026/11/15"),
        ("/in/year=2026/month=1/day=9", "/in/year=2026/month=11/day=10"),
        ("dump_2026_11_14T0930.json", "dump_2026_11_15T0931.json"),
        ("x >= DATE '2026-11-14'", "x >= DATE '2026-11-15'"),
    ],
)
def test_two_days_are_alike(one: str, other: str) -> None:
    assert without_dates(one) == without_dates(other) != one


@pytest.mark.parametrize("text", ["orders", "v20261399", "part-00000", "12345678", "2026-13-01", "99992026111499"])
def test_what_is_no_date_stays(text: str) -> None:
    assert without_dates(text) == text


def test_a_file_of_another_day() -> None:
    before = _side("in/2026-11-14.a", [_edge("in/2026-11-14.a", "out.a")], "out")
    after = _side("in/2026-11-15.a", [_edge("in/2026-11-15.a", "out.a")], "out")
    (found,) = replacements(before, after)
    assert (found.by, found.after) == (ReplacedBy.OTHER_DATE, FieldName("lake", "in/2026-11-15", None))


def test_a_file_that_is_still_there_is_not_replaced() -> None:
    before = _side("", [], "in/2026-11-14")
    after = _side("in/2026-11-15.a", [], "in/2026-11-14")
    assert replacements(before, after) == ()


def test_a_column_that_is_written_as_another_was() -> None:
    before = _side("t.amount", [_edge("s.x", "t.amount", "x * 2", "TRANSFORMATION")])
    after = _side("t.gross", [_edge("s.x", "t.gross", "x * 2", "TRANSFORMATION")])
    assert _found(before, after) == [("t.amount", "t.gross")]


def test_a_source_that_is_read_as_another_was() -> None:
    before = _side("s.amount", [_edge("s.amount", "t.sum", "sum(amount)", "AGGREGATION")])
    after = _side("s.gross", [_edge("s.gross", "t.sum", "sum(gross)", "AGGREGATION")])
    assert _found(before, after) == [("s.amount", "s.gross")]


def test_a_rename_may_show_another() -> None:
    before = _side("s.amount t.amount", [_edge("s.amount", "t.amount")])
    after = _side("s.gross t.gross", [_edge("s.gross", "t.gross")])
    assert _found(before, after) == [("s.amount", "s.gross"), ("t.amount", "t.gross")]


@pytest.mark.parametrize(
    "after",
    [
        _side("t.a t.b", [_edge("s.x", "t.a"), _edge("s.x", "t.b")]),  # which of the two?
        _side("t.a", [_edge("s.y", "t.a")]),  # of something else
        _side("t.a", [_edge("s.x", "t.a", "x + 1", "TRANSFORMATION")]),  # in another way
        _side("u.a", [_edge("s.x", "u.a")]),  # in another dataset
    ],
)
def test_no_rename_is_guessed(after: Side) -> None:
    assert _found(_side("t.amount", [_edge("s.x", "t.amount")]), after) == []


def test_an_expression_in_the_later_names() -> None:
    renaming = Renaming({}, {_name("s.amount"): _name("s.gross")})
    edge = renaming.edge(_edge("s.amount", "t.sum", "sum(amount) + amounts", "AGGREGATION"))
    assert edge == _edge("s.gross", "t.sum", "sum(gross) + amounts", "AGGREGATION")
