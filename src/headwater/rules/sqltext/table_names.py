"""The tables that a text names, without parsing it: for one that nobody can parse, or that is too long to."""

from __future__ import annotations

from collections.abc import Sequence

from headwater.rules.plan.sql_tokens import Token, tokens

_QUOTED = ('"', "`")
# What may stand before a query in parentheses. Before any other parenthesis stands the name of a function.
_BEFORE_QUERIES = frozenset({
    "ALL", "AND", "ANY", "AS", "BY", "CASE", "ELSE", "EXCEPT", "EXISTS", "FROM", "HAVING", "IN", "INTERSECT", "JOIN",
    "LATERAL", "MATERIALIZED", "MINUS", "NOT", "ON", "OR", "SELECT", "SOME", "THEN", "UNION", "WHEN", "WHERE",
})  # fmt: skip
# What a query begins with that has a name: WITH c AS (…), CREATE TABLE kept AS SELECT ….
_QUERIES = frozenset({"(", "MATERIALIZED", "SELECT", "WITH"})
_AFTER_TABLES = frozenset({
    "CROSS", "EXCEPT", "FULL", "GROUP", "HAVING", "INNER", "INTERSECT", "JOIN", "LEFT", "LIMIT", "MINUS", "NATURAL",
    "ON", "ORDER", "OUTER", "RIGHT", "UNION", "USING", "WHERE", "WINDOW",
})  # fmt: skip


def named_tables(text: str) -> list[tuple[str, ...]]:
    """What stands behind FROM and JOIN, as far as it is not the name of a query of WITH.

    >>> named_tables('WITH c AS (SELECT * FROM a.t) SELECT extract(day FROM d) FROM c, u x JOIN "My V" ON ???')
    [('a', 't'), ('u',), ('"My V"',)]
    """
    found = list(tokens(text))
    tables: dict[tuple[str, ...], None] = {}
    defined = {
        found[place].text.casefold()
        for place in range(len(found) - 2)
        if found[place + 1].text.upper() == "AS" and found[place + 2].text.upper() in _QUERIES
    }
    calls: list[bool] = []
    place = 0
    while place < len(found):
        word = found[place].text
        if word == "(":
            before = found[place - 1] if place else None
            calls.append(before is not None and _is_name(before) and before.text.upper() not in _BEFORE_QUERIES)
        elif word == ")" and calls:
            calls.pop()
        elif word.upper() in {"FROM", "JOIN"} and not (calls and calls[-1]):
            place = _listed(found, place + 1, tables)
            continue
        place += 1
    return [parts for parts in tables if len(parts) > 1 or parts[0].casefold() not in defined]


def _listed(found: Sequence[Token], place: int, tables: dict[tuple[str, ...], None]) -> int:
    """Take up the tables that stand here, one after the other with commas between them; where they end."""
    while place < len(found) and _is_name(found[place]):
        if found[place].text.upper() in {"LATERAL", "ONLY"}:
            place += 1
            continue
        parts = [found[place].text]
        place += 1
        while place + 1 < len(found) and found[place].text == "." and _is_name(found[place + 1]):
            parts.append(found[place + 1].text)
            place += 2
        if place < len(found) and found[place].text == "(":
            return place  # a function
        tables[tuple(parts)] = None
        while place < len(found) and _is_name(found[place]) and found[place].text.upper() not in _AFTER_TABLES:
            place += 1  # AS o
        if place >= len(found) or found[place].text != ",":
            return place
        place += 1
    return place


def _is_name(token: Token) -> bool:
    return token.kind == "name" or (token.kind == "string" and token.text.startswith(_QUOTED))


def nested_brackets(text: str) -> int:
    """How deep square brackets are inside each other.

    >>> nested_brackets("ARRAY[ARRAY[1], ARRAY[2]]")
    2
    """
    depth = deepest = 0
    for character in text:
        if character == "[":
            depth += 1
            deepest = max(deepest, depth)
        elif character == "]":
            depth = max(0, depth - 1)
    return deepest
