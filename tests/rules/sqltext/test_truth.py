"""Perturbation: queries made at random are run by a real engine, here SQLite, before and after a column is changed.

A column of the result that changes although there is no edge to it is a bug, whoever wrote the query.
"""

from __future__ import annotations

import random
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count

import pytest

from headwater.rules.sqltext import TextLineage, lineage_of_text

TABLES = {"t": ("id", "k", "a", "b"), "u": ("id", "k", "x", "y"), "v": ("k", "z")}
# Few names, those of tables and columns among them: what hides what is where the traps are.
NAMES = ("a", "b", "k", "x", "z", "t", "u", "p", "q")
QUERIES = 150


class Maker:
    """Makes queries: each comes with the names of its columns. SQLite refuses some of them."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311 (to be repeated)
        self.tables: dict[str, list[str]] = {name: list(columns) for name, columns in TABLES.items()}

    def pick(self, choices: Sequence[str]) -> str:
        return self.random.choice(choices)

    def often(self, chance: float) -> bool:
        return self.random.random() < chance

    def query(self, depth: int, outer: tuple[str, ...] = (), width: int = 0) -> tuple[str, list[str]]:
        if depth and self.often(0.15):
            return self.with_(depth, outer, width)
        if depth and self.often(0.15):
            return self.set_operation(depth, outer, width)
        return self.select(depth, outer, width)

    def set_operation(self, depth: int, outer: tuple[str, ...], width: int) -> tuple[str, list[str]]:
        width = width or 2
        left, names = self.select(depth - 1, outer, width)
        right, _ = self.select(depth - 1, outer, width)
        word = self.pick(("UNION", "UNION ALL", "INTERSECT", "EXCEPT"))
        if self.often(0.3):
            left, right = f"SELECT * FROM ({left})", f"SELECT * FROM ({right})"
        return f"{left} {word} {right}", names

    def with_(self, depth: int, outer: tuple[str, ...], width: int) -> tuple[str, list[str]]:
        inner, names = self.query(depth - 1)
        name = self.pick(NAMES)
        own = self.random.sample(NAMES, len(names)) if self.often(0.5) else []
        before = dict(self.tables)
        self.tables[name] = own or names
        body, outputs = self.select(depth - 1, outer, width)
        self.tables = before
        named = f"{name} ({', '.join(own)})" if own else name
        return f"WITH {named} AS ({inner}) {body}", outputs

    def source(self, depth: int, outer: tuple[str, ...]) -> tuple[str, str, list[str]]:
        alias = self.pick(NAMES)
        if depth and self.often(0.35):
            inner, names = self.query(depth - 1, outer if self.often(0.2) else ())
            return f"({inner}) AS {alias}", alias, names
        table = self.pick(list(self.tables))
        return (
            (table, table, self.tables[table])
            if self.often(0.3)
            else (f"{table} AS {alias}", alias, self.tables[table])
        )

    def select(self, depth: int, outer: tuple[str, ...] = (), width: int = 0) -> tuple[str, list[str]]:
        text, alias, names = self.source(depth, outer)
        columns = [f"{alias}.{name}" for name in names]
        if self.often(0.4):
            more, other, others = self.source(max(depth - 1, 0), outer)
            theirs = [f"{other}.{name}" for name in others]
            word = self.pick(("JOIN", "LEFT JOIN", "CROSS JOIN", "USING"))
            shared = [name for name in names if name in others]
            if word == "USING" and shared:
                text += f" {self.pick(('JOIN', 'LEFT JOIN'))} {more} USING ({self.pick(shared)})"
            elif word in {"JOIN", "LEFT JOIN"}:
                text += f" {word} {more} ON {self.condition(0, (*columns, *theirs))}"
            else:
                text += f" {'CROSS JOIN' if word == 'USING' else word} {more}"
            columns += theirs
        own = tuple(column.split(".")[1] if self.often(0.4) else column for column in columns)
        scope = (*own, *outer)
        if not width and len(columns) == len(names) and self.often(0.15):
            return self.clauses(f"SELECT * FROM {text}", depth, scope, []), [column.split(".")[1] for column in columns]
        keys = [self.pick(own) for _ in range((width or 2) - 1)] if self.often(0.3) else []
        items = [*keys, self.aggregate(own)] if keys else [self.value(depth, scope) for _ in range(width or 2)]
        outputs = self.random.sample(NAMES, len(items))
        listed = ", ".join(f"{item} AS {output}" for item, output in zip(items, outputs, strict=True))
        head = f"SELECT {'DISTINCT ' * self.often(0.15)}{listed} FROM {text}"
        by = [self.pick((str(place + 1), outputs[place], key)) for place, key in enumerate(keys)]
        return self.clauses(head, depth, (*scope, *outputs) if self.often(0.1) else scope, by), outputs

    def clauses(self, head: str, depth: int, scope: tuple[str, ...], by: Sequence[str]) -> str:
        if self.often(0.5):
            head += f" WHERE {self.condition(depth, scope)}"
        if by:
            head += f" GROUP BY {', '.join(by)}"
            if self.often(0.4):
                head += f" HAVING {self.aggregate(scope)} > 1"
        return head

    def value(self, depth: int, scope: tuple[str, ...]) -> str:
        left, right = self.pick(scope), self.pick(scope)
        choices = [
            left,
            f"{left} + {right}",
            f"CASE WHEN {self.condition(0, scope)} THEN {left} ELSE {right} END",
            f"COALESCE({left}, {right})",
            f"NULLIF({left}, {right})",
            f"IIF({left} > 2, {right}, 0)",
            f"RANK() OVER (PARTITION BY {left} ORDER BY {right})",
            f"SUM({left}) OVER (PARTITION BY {right})",
        ]
        if depth:
            inner, (name,) = self.query(depth - 1, scope, 1)
            choices += [f"(SELECT MAX({name}) FROM ({inner}))", f"EXISTS ({inner})", f"{left} IN ({inner})"]
        return self.pick(choices)

    def aggregate(self, scope: tuple[str, ...]) -> str:
        condition = f" FILTER (WHERE {self.condition(0, scope)})" if self.often(0.3) else ""
        return f"{self.pick(('SUM', 'TOTAL', 'COUNT'))}({'DISTINCT ' * self.often(0.3)}{self.pick(scope)}){condition}"

    def condition(self, depth: int, scope: tuple[str, ...]) -> str:
        left, right = self.pick(scope), self.pick(scope)
        choices = [f"{left} = {right}", f"{left} > 2", f"{left} IS NULL", f"{left} IN (1, 3)"]
        choices.append(f"{left} BETWEEN 1 AND {right}")
        if depth:
            inner, _ = self.query(depth - 1, scope, 1)
            choices += [f"{left} NOT IN ({inner})", f"EXISTS ({inner})"]
        return self.pick(choices)


def database(seed: int) -> sqlite3.Connection:
    rows = random.Random(seed)  # noqa: S311
    opened = sqlite3.connect(":memory:")
    for table, columns in TABLES.items():
        opened.execute(f"CREATE TABLE {table} ({', '.join(columns)})")
        for _ in range(6):
            values = [rows.choice((None, 1, 2, 3, 4)) for _ in columns]
            opened.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(columns))})", values)
    return opened


def accepted(seed: int) -> tuple[str, list[str]]:
    """A query that SQLite runs: it refuses what is ambiguous."""
    for attempt in count():
        query, outputs = Maker(attempt * QUERIES + seed).query(2)
        try:
            database(seed).execute(query)
        except sqlite3.OperationalError:
            continue
        return query, outputs
    raise AssertionError


def results(opened: sqlite3.Connection, query: str) -> list[Counter[object]]:
    cursor = opened.execute(query)
    rows = cursor.fetchall()
    return [Counter(row[place] for row in rows) for place in range(len(cursor.description))]


def perturbed(seed: int) -> Iterator[tuple[str, str, sqlite3.Connection]]:
    """The same database with other values in one column: turned round, all null, all different."""
    for table, columns in TABLES.items():
        for column in columns:
            for change in (f"5 - {column}", "NULL", "rowid + 10", f"({column} + 1) % 4"):
                opened = database(seed)
                opened.execute(f"UPDATE {table} SET {column} = {change}")
                yield table, column, opened


def missing(query: str, outputs: list[str], seed: int) -> set[str]:
    """The edges that there should be and are not."""
    lineage = lineage_of_text(query, "sqlite", outputs)
    if "SQL text: columns of a table under other names" in lineage.opaque:
        return set()  # which columns these are is nowhere in the text
    before = results(database(seed), query)
    wrong = set()
    for table, column, opened in perturbed(seed):
        after = results(opened, query)
        known = edges(lineage, table, column)
        wrong |= {
            f"{table}.{column} -> {output}"
            for output, old, new in zip(outputs, before, after, strict=True)
            if old != new and output not in known
        }
        opened.close()
    return wrong


def edges(lineage: TextLineage, table: str, column: str) -> set[str]:
    """The columns of the result that a source column reaches."""
    names = {output.name for output in lineage.relation.outputs}
    if any((source.dataset.table, source.field) == ((table,), column) for source in lineage.relation.rows):
        return names
    return {
        output.name
        for output in lineage.relation.outputs
        if any((source.dataset.table, source.field) == ((table,), column) for source in output.column.sources)
    }


@pytest.mark.parametrize("seed", range(QUERIES))
def test_a_change_that_reaches_a_column_has_an_edge_to_it(seed: int) -> None:
    query, outputs = accepted(seed)

    assert missing(query, outputs, seed) == set(), query
