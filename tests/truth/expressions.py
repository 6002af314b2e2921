"""Random expressions of a wanted type over the columns in scope. All are deterministic, none can fail at run time."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from .kinds import BOOLEAN, COUNTS, DATE, DOUBLE, INT, INTS, LINE, LINES, PLACE, STRING, TIMESTAMP, Col, Kind, reachable

Subquery = Callable[[Kind, Sequence[Col]], str]
"""Writes a scalar, EXISTS or IN subquery of a type, correlated to columns or not."""


class Expressions:
    """Writes expressions over one scope.

    Args:
        rng: decides.
        scope: the columns that may be used.
        subquery: writes subqueries, where they are allowed.
        modern: use what came with Spark 4.
    """

    def __init__(
        self, rng: random.Random, scope: Sequence[Col], subquery: Subquery | None = None, *, modern: bool = False
    ) -> None:
        self._rng = rng
        self._scope = scope
        self._columns = list(reachable(scope))
        self._subquery = subquery
        self._modern = modern
        self._lambdas = 0

    def write(self, kind: Kind, depth: int = 2) -> str:
        """An expression of the type; with depth 0 a column or a constant."""
        have = [col.name for col in self._columns if col.kind == kind]
        if have and (depth <= 0 or self._rng.random() < 0.35):
            return self._rng.choice(have)
        makers = self._makers().get(kind)
        if depth <= 0 or makers is None:
            return self._rng.choice(have) if have and self._rng.random() < 0.85 else self._made(kind)
        if self._subquery is not None and kind in (INT, DOUBLE, STRING, BOOLEAN) and self._rng.random() < 0.12:
            return self._subquery(kind, self._scope)
        return self._rng.choice([*makers, *self._choices(kind), *self._modern_makers(kind)])(depth - 1)

    def any_kind(self) -> Kind:
        """A type to write, scalars more often than nested ones."""
        scalars = [INT, INT, DOUBLE, STRING, STRING, BOOLEAN, DATE, TIMESTAMP]
        return self._rng.choice([*scalars, *scalars, INTS, LINES, COUNTS, PLACE, LINE])

    def _made(self, kind: Kind) -> str:
        """Something of the type where no column has it: made of other columns if possible, else a constant."""
        if kind.name == "struct":
            return self._struct(kind, 0)
        if kind.name == "map":
            return f"map('b', {self.write(INT, 0)}, {self._constant(STRING)}, {self.write(INT, 0)})"
        if kind.name == "array":
            element = kind.inside[0][1]
            return f"array({self.write(element, 0)}, {self.write(element, 0)})"
        others = [col for col in self._columns if not col.kind.inside and col.kind != kind]
        if not others or self._rng.random() < 0.3:
            return self._constant(kind)
        other = self._rng.choice(others)
        number = other.name if other.kind == INT else f"ascii(CAST({other.name} AS STRING)) % 8"
        return {
            INT: f"({number})",
            DOUBLE: f"({number}) / 4D",
            STRING: f"CAST({other.name} AS STRING)",
            BOOLEAN: f"(({number}) > {self._rng.randint(0, 4)})",
            DATE: f"date_add(DATE '2024-01-30', {number})",
            TIMESTAMP: f"CAST(date_add(DATE '2024-01-01', {number}) AS TIMESTAMP)",
        }[kind]

    def _constant(self, kind: Kind) -> str:
        number = self._rng.randint(0, 6)
        return {
            INT: str(number),
            DOUBLE: f"{number / 4}D",
            STRING: f"'{'abcdefg'[number]}'",
            BOOLEAN: "true" if number % 2 else "false",
            DATE: f"DATE '2024-02-0{number + 1}'",
            TIMESTAMP: f"TIMESTAMP '2024-01-0{number + 1} 02:00:00'",
        }[kind]

    def _struct(self, kind: Kind, depth: int) -> str:
        inside = ", ".join(f"'{name}', {self.write(inner, depth)}" for name, inner in kind.inside)
        return f"named_struct({inside})"

    def _variable(self) -> str:
        self._lambdas += 1
        return f"x{self._lambdas}"

    def _modern_makers(self, kind: Kind) -> list[Callable[[int], str]]:
        """Variants, collations and SQL functions."""
        w = self.write
        makers: dict[Kind, list[Callable[[int], str]]] = {
            INT: [
                lambda d: f"variant_get(parse_json(to_json({w(PLACE, d)})), '$.zip', 'int')",
                lambda d: f"scaled({w(INT, d)}, {w(STRING, d)})",
                lambda d: f"({w(INT, d)} - session.shift)",
            ],
            STRING: [lambda d: f"variant_get(to_variant_object({w(LINE, d)}), '$.sku', 'string')"],
            BOOLEAN: [lambda d: f"({w(STRING, d)} COLLATE UTF8_LCASE = {w(STRING, d)})"],
        }
        return makers.get(kind, []) if self._modern else []

    def _choices(self, kind: Kind) -> list[Callable[[int], str]]:
        """What chooses between values of the type."""
        w = self.write
        return [
            lambda d: f"CASE WHEN {w(BOOLEAN, d)} THEN {w(kind, d)} ELSE {w(kind, d)} END",
            lambda d: f"IF({w(BOOLEAN, d)}, {w(kind, d)}, {w(kind, d)})",
            lambda d: f"COALESCE({w(kind, d)}, {w(kind, d)})",
            lambda d: f"NVL({w(kind, d)}, {w(kind, d)})",
            lambda d: f"NVL2({w(INT, d)}, {w(kind, d)}, {w(kind, d)})",
        ]

    def _makers(self) -> dict[Kind, list[Callable[[int], str]]]:
        w = self.write
        x = self._variable()
        y = self._variable()
        return {
            INT: [
                lambda d: f"({w(INT, d)} + {w(INT, d)})",
                lambda d: f"({w(INT, d)} - {w(INT, d)})",
                lambda d: f"pmod({w(INT, d)}, 3)",
                lambda d: f"CAST({w(DOUBLE, d)} AS INT)",
                lambda d: f"CAST({w(BOOLEAN, d)} AS INT)",
                lambda d: f"length({w(STRING, d)})",
                lambda d: f"day({w(DATE, d)})",
                lambda d: f"hour({w(TIMESTAMP, d)})",
                lambda d: f"datediff({w(DATE, d)}, {w(DATE, d)})",
                lambda d: f"size({w(INTS, d)})",
                lambda d: f"cardinality({w(COUNTS, d)})",
                lambda d: f"NULLIF({w(INT, d)}, {w(INT, d)})",
                lambda d: f"greatest({w(INT, d)}, {w(INT, d)})",
                lambda d: f"aggregate({w(INTS, d)}, 0, ({x}, {y}) -> {x} + COALESCE({y}, {w(INT, 0)}))",
                lambda d: f"aggregate({w(LINES, d)}, 0, ({x}, {y}) -> {x} + {y}.n, {x} -> {x} * 2)",
                lambda d: f"array_max({w(INTS, d)})",
                lambda d: f"ascii({w(STRING, d)})",
                lambda d: f"try_element_at({w(COUNTS, d)}, {w(STRING, 0)})",
                lambda d: f"CASE {w(INT, d)} WHEN {w(INT, 0)} THEN {w(INT, d)} WHEN 2 THEN {w(INT, 0)} END",
                lambda d: f"{w(PLACE, d)}.zip",
                lambda d: f"CAST(get_json_object(to_json({w(PLACE, d)}), '$.zip') AS INT)",
                lambda d: f"from_json(to_json({w(LINE, d)}), 'sku STRING, n INT').n",
            ],
            DOUBLE: [
                lambda d: f"({w(DOUBLE, d)} * {w(INT, d)})",
                lambda d: f"CAST({w(INT, d)} AS DOUBLE)",
                lambda d: f"round({w(DOUBLE, d)}, 1)",
                lambda d: f"try_divide({w(INT, d)}, 4)",
                lambda d: f"abs({w(DOUBLE, d)} - {w(DOUBLE, d)})",
            ],
            STRING: [
                lambda d: f"upper({w(STRING, d)})",
                lambda d: f"concat({w(STRING, d)}, {w(STRING, d)})",
                lambda d: f"({w(STRING, d)} || '-')",
                lambda d: f"concat_ws('/', {w(STRING, d)}, CAST({w(INT, d)} AS STRING))",
                lambda d: f"CAST({w(DATE, d)} AS STRING)",
                lambda d: f"date_format({w(TIMESTAMP, d)}, 'dd HH')",
                lambda d: f"md5({w(STRING, d)})",
                lambda d: f"substring({w(STRING, d)}, 1, {w(INT, 0)})",
                lambda d: f"to_json({w(PLACE, d)})",
                lambda d: f"to_json({w(LINES, d)})",
                lambda d: f"{w(PLACE, d)}.city",
                lambda d: f"array_join(transform({w(LINES, d)}, {x} -> {x}.sku), ',')",
                lambda d: f"array_join(array_sort(map_keys({w(COUNTS, d)})), ',')",
                lambda d: f"from_json(to_json({w(PLACE, d)}), 'city STRING, zip INT').city",
            ],
            BOOLEAN: [*self._predicates(x), lambda d: f"exists({w(LINES, d)}, {x} -> {x}.n > {w(INT, 0)})"],
            DATE: [
                lambda d: f"date_add({w(DATE, d)}, {w(INT, d)})",
                lambda d: f"CAST({w(TIMESTAMP, d)} AS DATE)",
                lambda d: f"trunc({w(DATE, d)}, 'MM')",
            ],
            TIMESTAMP: [
                lambda d: f"CAST({w(DATE, d)} AS TIMESTAMP)",
                lambda d: f"date_trunc('DAY', {w(TIMESTAMP, d)})",
                lambda d: f"({w(TIMESTAMP, d)} + INTERVAL 1 HOUR)",
            ],
            INTS: [
                lambda d: f"transform({w(INTS, d)}, {x} -> {x} + {w(INT, 0)})",
                lambda d: f"transform({w(INTS, d)}, ({x}, {y}) -> {x} * {y})",
                lambda d: f"transform({w(LINES, d)}, {x} -> {x}.n)",
                lambda d: f"filter({w(INTS, d)}, {x} -> {x} > {w(INT, 0)})",
                lambda d: f"zip_with({w(INTS, d)}, {w(INTS, d)}, ({x}, {y}) -> COALESCE({x}, {y}))",
                lambda d: f"array({w(INT, d)}, {w(INT, d)})",
                lambda d: f"array_distinct({w(INTS, d)})",
                lambda d: f"concat({w(INTS, d)}, {w(INTS, d)})",
                lambda d: f"sort_array({w(INTS, d)})",
                lambda d: f"array_except({w(INTS, d)}, {w(INTS, d)})",
                lambda d: f"slice({w(INTS, d)}, 1, 2)",
                lambda d: f"flatten(array({w(INTS, d)}, {w(INTS, d)}))",
                lambda d: f"array_sort(map_values({w(COUNTS, d)}))",
                lambda d: f"from_json(to_json({w(INTS, d)}), 'ARRAY<INT>')",
            ],
            LINES: [
                lambda d: f"filter({w(LINES, d)}, {x} -> {x}.n > {w(INT, 0)})",
                lambda d: f"transform({w(INTS, d)}, {x} -> named_struct('sku', {w(STRING, 0)}, 'n', {x}))",
                lambda d: f"transform({w(LINES, d)}, {x} -> named_struct('sku', {x}.sku, 'n', {x}.n + {w(INT, 0)}))",
                lambda d: f"array({w(LINE, d)}, {w(LINE, d)})",
                lambda d: f"reverse({w(LINES, d)})",
                lambda d: f"array_sort({w(LINES, d)}, ({x}, {y}) -> COALESCE({x}.n - {y}.n, 0))",
            ],
            COUNTS: [
                lambda d: f"map_filter({w(COUNTS, d)}, ({x}, {y}) -> {y} > {w(INT, 0)})",
                lambda d: f"transform_values({w(COUNTS, d)}, ({x}, {y}) -> {y} + {w(INT, 0)})",
                lambda d: f"transform_keys({w(COUNTS, d)}, ({x}, {y}) -> concat({x}, 'k'))",
                lambda d: f"map('p', {w(INT, d)}, 'q', {w(INT, d)})",
                lambda d: f"map_concat({w(COUNTS, d)}, map('z', {w(INT, d)}))",
                lambda d: f"map_zip_with({w(COUNTS, d)}, {w(COUNTS, d)}, (k{x}, {x}, {y}) -> COALESCE({x}, {y}))",
            ],
            PLACE: [lambda d: self._struct(PLACE, d)],
            LINE: [lambda d: self._struct(LINE, d), lambda d: f"get({w(LINES, d)}, 0)"],
        }

    def _compared(self, kind: Kind, sign: str, depth: int) -> str:
        """Two values compared; not one with itself, which says nothing."""
        left, right = self.write(kind, depth), self.write(kind, self._rng.randint(0, depth))
        return f"({left} {sign} {right if left != right else self._constant(kind)})"

    def _predicates(self, x: str) -> list[Callable[[int], str]]:
        w, compared = self.write, self._compared
        return [
            lambda d: compared(INT, ">", d),
            lambda d: compared(INT, "=", d),
            lambda d: compared(DOUBLE, "<=", d),
            lambda d: compared(STRING, "<>", d),
            lambda d: compared(STRING, "<=>", d),
            lambda d: compared(DATE, "<", d),
            lambda d: f"({w(INT, d)} IS NULL)",
            lambda d: f"({w(STRING, d)} IS NOT NULL)",
            lambda d: f"({w(INT, d)} IN (1, 3, {w(INT, 0)}))",
            lambda d: f"({w(INT, d)} BETWEEN {w(INT, 0)} AND 5)",
            lambda d: f"({w(STRING, d)} LIKE '%a%')",
            lambda d: f"({w(BOOLEAN, d)} AND {w(BOOLEAN, d)})",
            lambda d: f"({w(BOOLEAN, d)} OR {w(BOOLEAN, d)})",
            lambda d: f"(NOT {w(BOOLEAN, d)})",
            lambda d: f"array_contains({w(INTS, d)}, 2)",
            lambda d: f"exists({w(INTS, d)}, {x} -> {x} > {w(INT, 0)})",
            lambda d: f"forall({w(INTS, d)}, {x} -> {x} < {w(INT, 0)})",
            lambda d: f"map_contains_key({w(COUNTS, d)}, {w(STRING, 0)})",
        ]
