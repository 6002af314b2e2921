"""Random relations of every shape: a query of queries, each level one of the methods here and in `grouping`."""

from __future__ import annotations

from .grouping import Grouping
from .kinds import BOOLEAN, INT, STRING, TIMESTAMP, Col
from .relations import Items, Rel
from .tables import TABLES


class Shapes(Grouping):
    """Writes relations."""

    def any(self, depth: int) -> Rel:
        """A relation of any shape, with queries up to `depth` below it."""
        shapes = [
            self.selected, self.selected, self.joined, self.joined, self.joined, self.grouped, self.grouped,
            self.windowed, self.windowed, self.set_operation, self.distinct, self.exploded, self.exploded,
            self.grouping_sets, self.pivoted, self.unpivoted, self.limited, self.common, self.lateral, self.semi,
            self.used_join, self.time_window,
        ]  # fmt: skip
        if self.version >= (4, 0):
            shapes += [self.piped, self.function]
        if self.version >= (4, 1):
            shapes.append(self.recursive)
        if self.version >= (4, 3):
            shapes.append(self.qualified)
        shape = self.rng.choice(shapes)
        rel = shape(depth)
        self.label = shape.__name__
        return rel

    def selected(self, depth: int) -> Rel:
        """SELECT … WHERE."""
        parts, scope, key = self.source(depth)
        items, cols, kept = self.project(scope, key)
        where = f" WHERE {self.predicate(scope)}" if self.rng.random() < 0.7 else ""
        hint = "/*+ REPARTITION(1) */ " if self.rng.random() < 0.1 else ""
        return Rel([f"SELECT {hint}", items, " FROM ", *parts, where], cols, kept)

    def joined(self, depth: int) -> Rel:
        """A join on a condition, of every kind."""
        left, a, left_key = self.source(depth - 1)
        right, b, right_key = self.source(depth - 2)
        kind = self.rng.choice(["JOIN", "JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "CROSS JOIN"])
        pairs = [(x.name, y.name) for x in a for y in b if x.kind == y.kind and x.kind in (INT, STRING)]
        condition = " = ".join(self.rng.choice(pairs)) if pairs else self.predicate([*a, *b], subqueries=False)
        if self.rng.random() < 0.3:
            condition += f" AND {self.predicate([*a, *b], subqueries=False, depth=1)}"
        key = None if left_key is None or right_key is None else [*left_key, *right_key]
        items, cols, kept = self.project([*a, *b], key)
        clause = f" WHERE {condition}" if kind == "CROSS JOIN" else f" ON {condition}"
        return Rel(["SELECT ", items, " FROM ", *left, f" {kind} ", *right, clause], cols, kept)

    def used_join(self, _depth: int) -> Rel:
        """USING and NATURAL joins of tables."""
        one, two, shared = self.rng.choice([
            ("orders", "people", "cust"), ("orders", "items", "item"), ("events", "people", "cust"),
            ("items", "events", "item"),
        ])  # fmt: skip
        kind = self.rng.choice(["", "LEFT ", "RIGHT ", "FULL "])
        if self.rng.random() < 0.4:
            text = f"{one} NATURAL {kind}JOIN {two}"
            names = {col.name for col in TABLES[one]} & {col.name for col in TABLES[two]}
        else:
            text = f"{one} {kind}JOIN {two} USING ({shared})"
            names = {shared}
        scope = [Col(col.name, col.kind) for col in TABLES[one] if col.name in names]
        both = [col.name for table in (one, two) for col in TABLES[table]]
        scope += [col for table in (one, two) for col in TABLES[table] if both.count(col.name) == 1]
        items, cols, _ = self.project(scope, None, subqueries=False)
        return Rel(["SELECT ", items, f" FROM {text}"], cols)

    def semi(self, depth: int) -> Rel:
        """LEFT SEMI and LEFT ANTI joins."""
        left, a, key = self.source(depth - 1)
        right, b, _ = self.source(depth - 2)
        pairs = [(x.name, y.name) for x in a for y in b if x.kind == y.kind and x.kind in (INT, STRING)]
        condition = " = ".join(self.rng.choice(pairs)) if pairs else "true"
        if self.rng.random() < 0.4:
            condition += f" AND {self.predicate([*a, *b], subqueries=False, depth=1)}"
        items, cols, kept = self.project(a, key, subqueries=False)
        kind = self.rng.choice(["SEMI", "ANTI"])
        return Rel(["SELECT ", items, " FROM ", *left, f" LEFT {kind} JOIN ", *right, f" ON {condition}"], cols, kept)

    def lateral(self, depth: int) -> Rel:
        """A LATERAL subquery that aggregates what belongs to each row."""
        left, a, key = self.source(depth - 1)
        table = self.rng.choice(list(TABLES))
        inner, value = self.name("l"), self.name()
        b = [Col(f"{inner}.{col.name}", col.kind) for col in TABLES[table]]
        pairs = [(x.name, y.name) for x in a for y in b if x.kind == y.kind and x.kind in (INT, STRING)]
        if not pairs:
            return self.selected(depth)
        condition = " = ".join(self.rng.choice(pairs))
        text, kind = self.aggregate(b)
        alias = self.name("t")
        join = self.rng.choice([", LATERAL", " LEFT JOIN LATERAL"])
        query = f"{join} (SELECT {text} AS {value} FROM {table} AS {inner} WHERE {condition}) AS {alias}"
        items, cols, kept = self.project([*a, Col(f"{alias}.{value}", kind)], key, subqueries=False)
        items.entries.append((f"{alias}.{value}", self.name()))
        cols.append(Col(items.entries[-1][1], kind))
        return Rel(["SELECT ", items, " FROM ", *left, query], cols, kept)

    def function(self, depth: int) -> Rel:
        """SQL functions that query: one that gives a value, one that gives a table."""
        left, a, key = self.source(depth - 1)
        numbers = [col.name for col in a if col.kind == INT]
        if not numbers:
            return self.selected(depth)
        one, other, alias = self.rng.choice(numbers), self.rng.choice(numbers), self.name("f")
        join = self.rng.choice([", LATERAL", " LEFT JOIN LATERAL"]) + f" orders_of({one}, {other} - 3) AS {alias}"
        scope = [*a, Col(f"{alias}.id", INT), Col(f"{alias}.note", STRING)]
        items, cols, _ = self.project(scope, key, subqueries=False)
        items.entries.append((f"total_of({one})", self.name()))
        cols.append(Col(items.entries[-1][1], INT))
        return Rel(["SELECT ", items, " FROM ", *left, join], cols)

    def set_operation(self, depth: int) -> Rel:
        """UNION, INTERSECT and EXCEPT, with and without ALL."""
        kinds = [self.rng.choice([INT, STRING, BOOLEAN, INT]) for _ in range(self.rng.randint(1, 3))]
        names = [self.name() for _ in kinds]
        sides = []
        for _ in range(2):
            parts, scope, _ = self.source(depth - 1)
            writer = self.expressions(scope)
            items = Items([(writer.write(kind, 1), name) for kind, name in zip(kinds, names, strict=True)])
            where = f" WHERE {self.predicate(scope)}" if self.rng.random() < 0.3 else ""
            sides.append(Rel(["SELECT ", items, " FROM ", *parts, where], []))
        word = self.rng.choice(["UNION", "UNION ALL", "INTERSECT", "INTERSECT ALL", "EXCEPT", "EXCEPT ALL"])
        cols = [Col(name, kind) for name, kind in zip(names, kinds, strict=True)]
        return Rel(["(", sides[0], f") {word} (", sides[1], ")"], cols)

    def distinct(self, depth: int) -> Rel:
        """SELECT DISTINCT."""
        parts, scope, _ = self.source(depth)
        items, cols, _ = self.project([col for col in scope if col.kind.orderable] or scope, None, subqueries=False)
        plain = [n for n, col in enumerate(cols) if col.kind.orderable]
        if not plain:
            return Rel(["SELECT ", items, " FROM ", *parts], cols)
        items.entries = [items.entries[n] for n in plain]
        cols = [cols[n] for n in plain]
        return Rel(["SELECT DISTINCT ", items, " FROM ", *parts], cols, [col.name for col in cols])

    def limited(self, depth: int) -> Rel:
        """ORDER BY in a total order, with LIMIT and OFFSET."""
        rel = self.any(max(depth - 1, 0))
        if not any(col.kind.orderable for col in rel.cols):
            return rel
        alias = self.name("t")
        columns = [Col(f"{alias}.{col.name}", col.kind) for col in rel.cols]
        first = f"{self.predicate(columns, subqueries=False, depth=1)} DESC, " if self.rng.random() < 0.5 else ""
        tail = self.rng.choice(["LIMIT 4", "LIMIT 3 OFFSET 1", "OFFSET 2"])
        items = Items([(col.name, col.name) for col in rel.cols])
        order = first + ", ".join(rel.order)
        return Rel(["SELECT ", items, " FROM (", rel, f") AS {alias} ORDER BY {order} {tail}"], rel.cols, rel.key)

    def common(self, depth: int) -> Rel:
        """WITH: a common table expression that is used twice."""
        rel = self.any(max(depth - 1, 0))
        name, a, b = self.name("w"), self.name("t"), self.name("t")
        left = [Col(f"{a}.{col.name}", col.kind) for col in rel.cols]
        right = [Col(f"{b}.{col.name}", col.kind) for col in rel.cols]
        pairs = [(x.name, y.name) for x in left for y in right if x.kind == y.kind and x.kind in (INT, STRING)]
        condition = " = ".join(self.rng.choice(pairs)) if pairs else "true"
        items, cols, _ = self.project([*left, *right], None)
        tail = f" FROM {name} AS {a} JOIN {name} AS {b} ON {condition}"
        return Rel([f"WITH {name} AS (", rel, ") SELECT ", items, tail], cols)

    def piped(self, _depth: int) -> Rel:
        """Pipe syntax: FROM … |> WHERE … |> EXTEND … |> SET … |> SELECT."""
        table = self.rng.choice(list(TABLES))
        scope = [Col(col.name, col.kind) for col in TABLES[table]]
        writer = self.expressions(scope, subqueries=False)
        new, kind = self.name(), writer.any_kind()
        steps = f"FROM {table} |> EXTEND {writer.write(kind, 1)} AS {new}"
        if self.rng.random() < 0.5:
            steps += f" |> WHERE {self.predicate(scope)}"
        if self.rng.random() < 0.5:
            number = next(col.name for col in scope if col.kind == INT)
            steps += f" |> SET {number} = {writer.write(INT, 1)}"
        items, cols, _ = self.project([*scope, Col(new, kind)], None, subqueries=False)
        return Rel([f"{steps} |> SELECT ", items], cols)

    def time_window(self, _depth: int) -> Rel:
        """Groups by window() over a time."""
        table, time = self.rng.choice([("orders", "at"), ("events", "seen")])
        text, kind = self.aggregate(TABLES[table])
        length = self.rng.choice(["'2 days'", "'3 days', '1 day'"])
        start, value = self.name(), self.name()
        items = Items([("window.start", start), (text, value)])
        return Rel(
            ["SELECT ", items, f" FROM {table} GROUP BY window({time}, {length})"],
            [Col(start, TIMESTAMP), Col(value, kind)],
            [start],
        )

    def recursive(self, _depth: int) -> Rel:
        """WITH RECURSIVE, a few steps deep."""
        table = self.rng.choice(["orders", "people", "items", "events"])
        scope = list(TABLES[table])
        writer = self.expressions(scope, subqueries=False)
        name, step, a, b = self.name("r"), self.name(), self.name(), self.name()
        anchor = Items([("0", step), (writer.write(INT, 1), a), (writer.write(STRING, 0), b)])
        text = f" FROM {table} UNION ALL SELECT {step} + 1, {a} + {step}, {b} FROM {name} WHERE {step} < 2)"
        cols = [Col(step, INT), Col(a, INT), Col(b, STRING)]
        items = Items([(col.name, col.name) for col in cols])
        return Rel(
            [f"WITH RECURSIVE {name}({step}, {a}, {b}) AS (SELECT ", anchor, text, " SELECT ", items, f" FROM {name}"],
            cols,
        )
