"""Spark's SQL in tokens: the values, calls and pivots in a text."""

from __future__ import annotations

import pytest

from headwater.rules.plan.sql_tokens import arguments, cells, is_script, pivoted, tokens, unquoted


@pytest.mark.parametrize(
    ("call", "names"),
    [
        ("range(0, v)", [("v",)]),
        ("range(f(a), [b], c) AS d", [("a",), ("b",), ("c",)]),
        ("range(0, v", [("v",)]),
        ("range", []),
    ],
)
def test_what_a_function_is_called_with(call: str, names: list[tuple[str, ...]]) -> None:
    assert list(arguments(call).names) == names


@pytest.mark.parametrize(
    ("value", "alone", "markers", "lambdas"),
    [
        ("v", True, 0, False),
        ("r.v", True, 0, False),
        ("?", True, 1, False),
        (":name", True, 1, False),
        ("v + 1", False, 0, False),
        ("v + ?", False, 1, False),
        ("a - b > c", False, 0, False),
        ("transform(v, x -> x)", False, 0, True),
        ("1", False, 0, False),
        ("upper(v)", False, 0, False),
    ],
)
def test_one_value(value: str, alone: bool, markers: int, lambdas: bool) -> None:  # noqa: FBT001
    rows = cells(f"VALUES ({value})")

    assert rows is not None
    ((cell,),) = rows
    assert (cell.alone, cell.markers, cell.lambdas) == (alone, markers, lambdas)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("VALUES (a, b), (c, d)", [["a", "b"], ["c", "d"]]),
        ("VALUES a, b", [["a"], ["b"]]),
        ("VALUES (a) AS t(x)", [["a"]]),
        ("VALUES a AS t", [["a"]]),
        ("VALUES (a, [b, c]); SELECT d", [["a", "b c"]]),
        ("VALUES (a) + b", [["a b"]]),
        ("VALUES f(a) + (b)", [["a b"]]),
        ("VALUES (DATE '2024-05-01', a COLLATE b, struct(a AS b), a.b.c)", [["", "a", "a", "a.b.c"]]),
    ],
)
def test_rows_of_values(text: str, names: list[list[str]]) -> None:
    rows = cells(text)

    assert rows is not None
    assert [[" ".join(".".join(parts) for parts in cell.names) for cell in row] for row in rows] == names
    assert cells("SELECT 1; VALUES (2)") is None


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("SELECT * FROM t PIVOT (sum(a) FOR b IN (v, w))", [["v", "w"]]),
        ("SELECT * FROM t PIVOT (sum(a) FOR b IN (v)) PIVOT (max(c) FOR d IN (w))", [["v"], ["w"]]),
        ("SELECT pivot FROM t WHERE b IN (v)", []),
        ("SELECT * FROM t WHERE b IN (v)", []),
    ],
)
def test_the_values_of_each_pivot(text: str, names: list[list[str]]) -> None:
    assert [[".".join(parts) for parts in cell.names] for cell in pivoted(text)] == names


def test_many_pivots_are_not_all_looked_at() -> None:
    assert len(pivoted("PIVOT (sum(a) FOR b IN (v)) " * 30)) == 20


def test_scripts_begin_with_begin() -> None:
    assert is_script("-- daily\nBEGIN SELECT 1; END")
    assert not is_script("")
    assert not is_script("SELECT 1")


@pytest.mark.parametrize(("name", "expected"), [("`a``b`", "a`b"), ("`open", "open"), ("plain", "plain"), ("a`", "a`")])
def test_names_without_quotes(name: str, expected: str) -> None:
    assert unquoted(name) == expected


def test_tokens_have_their_places() -> None:
    assert [(token.kind, token.text, token.at) for token in tokens("a1 -- b\n'c' 7L ::?")] == [
        ("name", "a1", 0),
        ("string", "'c'", 8),
        ("number", "7L", 12),
        ("sign", "::", 15),
        ("marker", "?", 17),
    ]
