"""Random relations that group, rank or turn rows: aggregates, grouping sets, windows, pivots, generators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from .builder import Builder
from .kinds import BOOLEAN, COUNTS, DATE, DOUBLE, INT, INTS, LINES, STRING, Col, Kind
from .relations import Items, Rel

Write: TypeAlias = Callable[[Kind, int], str]


class Grouping(Builder):
    """The shapes that make other rows than they read."""

    def grouped(self, depth: int) -> Rel:
        """GROUP BY expressions, aggregates of all kinds, perhaps HAVING."""
        parts, scope, _ = self.source(depth)
        writer = self.expressions(scope, subqueries=False)
        items, cols = Items(), list[Col]()
        for _ in range(self.rng.randint(0, 2)):
            kind = self.rng.choice([INT, STRING, BOOLEAN, DATE])
            items.entries.append((writer.write(kind, self.rng.randint(0, 1)), self.name()))
            cols.append(Col(items.entries[-1][1], kind))
        keys = [text for text, _ in items.entries]
        names = [name for _, name in items.entries]
        self._aggregates(items, cols, scope)
        # A constant in GROUP BY would be read as a position.
        clause = f" GROUP BY {', '.join(f'nvl({key}, NULL)' if key[0].isdigit() else key for key in keys)}"
        having = f" HAVING {self._having(scope)}" if self.rng.random() < 0.3 else ""
        where = f" WHERE {self.predicate(scope)}" if self.rng.random() < 0.3 else ""
        if any(key[0].isdigit() for key in keys):
            clause = f" GROUP BY {', '.join(str(n + 1) for n in range(len(keys)))}"
        return Rel(
            ["SELECT ", items, " FROM ", *parts, where + (clause if keys else "") + having],
            cols,
            names if keys else None,
        )

    def grouping_sets(self, depth: int) -> Rel:
        """ROLLUP, CUBE and GROUPING SETS, with grouping() and grouping_id()."""
        parts, scope, _ = self.source(depth)
        columns = [col for col in scope if col.kind in (INT, STRING, BOOLEAN, DATE)]
        if len(columns) < 2:
            return self.grouped(depth)
        a, b = self.rng.sample(columns, 2)
        items = Items([(a.name, self.name()), (b.name, self.name())])
        cols = [Col(items.entries[0][1], a.kind), Col(items.entries[1][1], b.kind)]
        for text in (f"CAST(grouping({a.name}) AS INT)", "CAST(grouping_id() AS INT)"):
            items.entries.append((text, self.name()))
            cols.append(Col(items.entries[-1][1], INT))
        key = [name for _, name in items.entries]
        self._aggregates(items, cols, scope)
        sets = self.rng.choice([
            "ROLLUP ({a}, {b})", "CUBE ({a}, {b})", "{a}, {b} GROUPING SETS (({a}, {b}), ({b}), ())",
        ]).format(a=a.name, b=b.name)  # fmt: skip
        return Rel(["SELECT ", items, " FROM ", *parts, f" GROUP BY {sets}"], cols, key)

    def _aggregates(self, items: Items, cols: list[Col], scope: Sequence[Col]) -> None:
        for _ in range(self.rng.randint(1, 3)):
            text, kind = self.aggregate(scope)
            items.entries.append((text, self.name()))
            cols.append(Col(items.entries[-1][1], kind))

    def aggregate(self, scope: Sequence[Col]) -> tuple[str, Kind]:
        """An aggregate of an expression, with or without FILTER and DISTINCT; lists are sorted."""
        w = self.expressions(scope, subqueries=False).write
        rng = self.rng
        which = f" FILTER (WHERE {self.predicate(scope, subqueries=False, depth=1)})" if rng.random() < 0.3 else ""
        once = "DISTINCT " if rng.random() < 0.3 else ""
        makers: list[Callable[[], tuple[str, Kind]]] = [
            lambda: (f"CAST(sum({once}{w(INT, 1)}){which} AS INT)", INT),
            lambda: (f"CAST(count({once}{w(STRING, 1)}){which} AS INT)", INT),
            lambda: (f"CAST(count(*){which} AS INT)", INT),
            lambda: (f"max({w(STRING, 1)}){which}", STRING),
            lambda: (f"min({w(DATE, 1)}){which}", DATE),
            lambda: (f"avg({once}{w(DOUBLE, 1)}){which}", DOUBLE),
            lambda: (f"bool_or({w(BOOLEAN, 1)}){which}", BOOLEAN),
            lambda: (f"CAST(count_if({w(BOOLEAN, 1)}){which} AS INT)", INT),
            lambda: (f"array_sort(collect_list({once}{w(INT, 1)}){which})", INTS),
            lambda: (f"array_sort(collect_set({w(INT, 0)}){which})", INTS),
            lambda: (
                f"array_sort(collect_list(named_struct('sku', {w(STRING, 0)}, 'n', {w(INT, 0)})){which})",
                LINES,
            ),
            lambda: (f"(max(struct({w(INT, 0)} AS p, {w(STRING, 0)} AS q)){which}).q", STRING),
            lambda: (f"max(CASE WHEN {w(BOOLEAN, 1)} THEN {w(INT, 1)} END){which} + min({w(INT, 0)})", INT),
        ]
        return rng.choice(makers)()

    def _having(self, scope: Sequence[Col]) -> str:
        text, kind = self.aggregate(scope)
        return f"{text} IS NOT NULL" if kind != INT else f"{text} > 0"

    def windowed(self, depth: int) -> Rel:
        """Window functions over a total order, with frames."""
        part, cols, key = self.read(depth)
        rel = Rel([part], cols, key)
        order = ", ".join(rel.order)
        items, out, kept = self.project(cols, key, subqueries=False, most=2)
        writer = self.expressions(cols, subqueries=False)
        for _ in range(self.rng.randint(1, 2)):
            groups = [writer.write(self.rng.choice([INT, STRING, BOOLEAN]), 1)] if self.rng.random() < 0.7 else []
            partition = f"PARTITION BY {', '.join(groups)} " if groups else ""
            first = f"{writer.write(self.rng.choice([INT, DATE, STRING]), 1)} DESC, " if self.rng.random() < 0.5 else ""
            text, kind = self._window(partition, first + order, writer.write)
            items.entries.append((text, self.name()))
            out.append(Col(items.entries[-1][1], kind))
        return Rel(["SELECT ", items, " FROM ", part, f" AS {self.name('t')}"], out, kept)

    def qualified(self, depth: int) -> Rel:
        """QUALIFY: rows chosen by a window function that need not be selected."""
        part, cols, key = self.read(depth)
        items, out, kept = self.project(cols, key, subqueries=False, most=3)
        writer = self.expressions(cols, subqueries=False)
        partition = f"PARTITION BY {writer.write(INT, 1)} " if self.rng.random() < 0.7 else ""
        text, kind = self._window(partition, ", ".join(Rel([part], cols, key).order), writer.write)
        condition = f"{text} > 1" if kind == INT else f"{text} IS NOT NULL"
        return Rel(["SELECT ", items, " FROM ", part, f" AS {self.name('t')} QUALIFY {condition}"], out, kept)

    def _window(self, partition: str, order: str, w: Write) -> tuple[str, Kind]:
        frame = self.rng.choice(["1 PRECEDING", "UNBOUNDED PRECEDING"])
        frame = f"ROWS BETWEEN {frame} AND {self.rng.choice(['CURRENT ROW', '1 FOLLOWING'])}"
        ordered = f"OVER ({partition}ORDER BY {order})"
        framed = f"OVER ({partition}ORDER BY {order} {frame})"
        return self.rng.choice(
            [
                (f"row_number() {ordered}", INT),
                (f"rank() OVER ({partition}ORDER BY {w(INT, 1)})", INT),
                (f"dense_rank() OVER ({partition}ORDER BY {w(STRING, 1)})", INT),
                (f"ntile(3) {ordered}", INT),
                (f"percent_rank() {ordered}", DOUBLE),
                (
                    f"lag({w(INT, 1)}, 1, {w(INT, 0)}) {ordered}"
                    if self.rng.random() < 0.3
                    else f"lag({w(INT, 1)}) {ordered}",
                    INT,
                ),
                (f"lead({w(STRING, 1)}) {ordered}", STRING),
                (f"CAST(sum({w(INT, 1)}) {framed} AS INT)", INT),
                (f"CAST(sum({w(INT, 1)}) OVER ({partition}) AS INT)", INT),
                (f"max({w(STRING, 1)}) {framed}", STRING),
                (f"first_value({w(INT, 1)}) {framed}", INT),
                (f"last({w(DATE, 1)}, true) {framed}", DATE),
                (f"nth_value({w(INT, 1)}, 2) {framed}", INT),
            ]
        )

    def exploded(self, depth: int) -> Rel:
        """A generator: in SELECT, as LATERAL VIEW [OUTER], or stack."""
        parts, scope, _ = self.source(depth)
        writer = self.expressions(scope, subqueries=False)
        outer = self.rng.choice(["", "OUTER "])
        alias, a, b = self.name("g"), self.name(), self.name()
        pairs = [f"{writer.write(INT, 1)}, {writer.write(STRING, 0)}" for _ in range(2)]
        call, made = self.rng.choice([
            (f"explode({writer.write(INTS, 1)})", [(a, INT)]),
            (f"posexplode({writer.write(INTS, 1)})", [(a, INT), (b, INT)]),
            (f"explode({writer.write(COUNTS, 1)})", [(a, STRING), (b, INT)]),
            (f"inline({writer.write(LINES, 1)})", [(a, STRING), (b, INT)]),
            (f"explode({writer.write(LINES, 1)})", [(a, LINES.inside[0][1])]),
            (f"stack(2, {pairs[0]}, {pairs[1]})", [(a, INT), (b, STRING)]),
        ])  # fmt: skip
        names = ", ".join(name for name, _ in made)
        new = [Col(name, kind) for name, kind in made]
        if self.rng.random() < 0.3 and not outer:
            items, out, _ = self.project(scope, None, subqueries=False, most=2)
            items.entries.append((call, f"({names})"))
            return Rel(["SELECT ", items, " FROM ", *parts], [*out, *new])
        items, out, _ = self.project([*scope, *new], None, subqueries=False)
        return Rel(["SELECT ", items, " FROM ", *parts, f" LATERAL VIEW {outer}{call} {alias} AS {names}"], out)

    def pivoted(self, depth: int) -> Rel:
        """PIVOT over the values of an expression."""
        parts, scope, _ = self.source(depth)
        writer = self.expressions(scope, subqueries=False)
        group, by, value = self.name(), self.name(), self.name()
        items = Items(
            [(writer.write(STRING, 1), group), (f"pmod({writer.write(INT, 1)}, 3)", by), (writer.write(INT, 1), value)]
        )
        a, b = self.name(), self.name()
        text = self.rng.choice([f"CAST(sum({value}) AS INT)", f"max({value})", f"CAST(count({value}) AS INT)"])
        tail = f") PIVOT ({text} FOR {by} IN (1 AS {a}, 2 AS {b}))"
        cols = [Col(group, STRING), Col(a, INT), Col(b, INT)]
        return Rel(["SELECT * FROM (SELECT ", items, " FROM ", *parts, tail], cols, [group])

    def unpivoted(self, depth: int) -> Rel:
        """UNPIVOT, with and without nulls."""
        parts, scope, _ = self.source(depth)
        writer = self.expressions(scope, subqueries=False)
        group, a, b, name, value = (self.name() for _ in range(5))
        items = Items([(writer.write(STRING, 1), group), (writer.write(INT, 1), a), (writer.write(INT, 1), b)])
        nulls = self.rng.choice(["", "INCLUDE NULLS "])
        tail = f") UNPIVOT {nulls}({value} FOR {name} IN ({a}, {b}))"
        cols = [Col(group, STRING), Col(name, STRING), Col(value, INT)]
        return Rel(["SELECT * FROM (SELECT ", items, " FROM ", *parts, tail], cols)
