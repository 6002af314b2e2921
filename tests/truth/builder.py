"""What random relations are built from: names, sources, projections and subqueries."""

from __future__ import annotations

import random
from collections.abc import Sequence

from .expressions import Expressions
from .kinds import BOOLEAN, DOUBLE, INT, STRING, Col, Kind
from .relations import Items, Rel
from .tables import KEYS, TABLES


class Builder:
    """What all shapes need: fresh names, sources to read from, subqueries, projections."""

    def __init__(self, rng: random.Random, version: tuple[int, ...]) -> None:
        self.rng = rng
        self.version = version
        self.known: dict[str, Rel] = {}
        self.label = ""
        self._names = 0
        self._nested = 0

    def any(self, depth: int) -> Rel:
        """A relation of any shape, to be said by the class of all shapes."""
        raise NotImplementedError

    def name(self, prefix: str = "c") -> str:
        """A name that was not used before."""
        self._names += 1
        return f"{prefix}{self._names}"

    def read(self, depth: int) -> tuple[str | Rel, list[Col], list[str] | None]:
        """Something to stand in FROM: a table, a view, or a query in parentheses."""
        if depth <= 0 or self.rng.random() < 0.25:
            name = self.rng.choice([*TABLES, *TABLES, *self.known])
            if name in self.known:
                known = self.known[name]
                return name, known.cols, known.key
            return name, list(TABLES[name]), [KEYS[name]]
        rel = self.any(depth - 1)
        return Rel(["(", rel, ")"], rel.cols, rel.key), rel.cols, rel.key

    def source(self, depth: int) -> tuple[list[str | Items | Rel], list[Col], list[str] | None]:
        """The same under an alias, its columns qualified."""
        part, cols, key = self.read(depth)
        alias = self.name("t")
        qualified = [Col(f"{alias}.{col.name}", col.kind) for col in cols]
        return [part, f" AS {alias}"], qualified, None if key is None else [f"{alias}.{name}" for name in key]

    def expressions(self, scope: Sequence[Col], *, subqueries: bool = True) -> Expressions:
        """A writer of expressions over these columns."""
        chosen = self.subquery if subqueries and self._nested < 2 else None
        return Expressions(self.rng, scope, chosen, modern=self.version >= (4, 0))

    def predicate(self, scope: Sequence[Col], *, subqueries: bool = True, depth: int = 2) -> str:
        """A condition over these columns."""
        text = self.expressions(scope, subqueries=subqueries).write(BOOLEAN, depth)
        # What is unknown passes more often than not: an empty result shows nothing.
        return f"COALESCE({text}, true)" if self.rng.random() < 0.5 else text

    def project(
        self, scope: Sequence[Col], key: list[str] | None, *, subqueries: bool = True, most: int = 4
    ) -> tuple[Items, list[Col], list[str] | None]:
        """Select items: some expressions, some columns as they are, and often the key."""
        writer = self.expressions(scope, subqueries=subqueries)
        items = Items()
        cols: list[Col] = []
        kept: list[str] = []
        kinds = {col.name: col.kind for col in scope}
        if key is not None and self.rng.random() < 0.6:
            for part in key:
                kept.append(self.name())
                items.entries.append((part, kept[-1]))
                cols.append(Col(kept[-1], kinds[part]))
        for _ in range(self.rng.randint(1, most)):
            if self.rng.random() < 0.3:
                col = self.rng.choice(list(scope))
                text, kind = col.name, col.kind
            else:
                kind = writer.any_kind()
                text = writer.write(kind, self.rng.randint(1, 2))
            items.entries.append((text, self.name()))
            cols.append(Col(items.entries[-1][1], kind))
        return items, cols, kept or None

    def subquery(self, kind: Kind, outer: Sequence[Col]) -> str:
        """A scalar subquery, or for booleans EXISTS or IN; half of them correlated."""
        self._nested += 1
        try:
            part, cols, _ = self.read(self.rng.choice([0, 0, 1]))
            alias = self.name("s")
            inner = [Col(f"{alias}.{col.name}", col.kind) for col in cols]
            where = f" WHERE {self._correlation(inner, outer)}"
            writer = self.expressions(inner, subqueries=self._nested < 2)
            if kind == BOOLEAN:
                left = next((col.name for col in outer if col.kind == INT), None)
                if left is None or self.rng.random() < 0.5:
                    return f"EXISTS (SELECT 1 FROM {part} AS {alias}{where})"
                negated = self.rng.choice(["", "", "NOT "])
                return f"({left} {negated}IN (SELECT {writer.write(INT, 1)} FROM {part} AS {alias}{where}))"
            function = {INT: "CAST(sum({}) AS INT)", DOUBLE: "avg({})", STRING: "max({})"}[kind]
            value = function.format(writer.write(kind, 1) if "(SELECT" not in str(part) else writer.write(kind, 0))
            return f"(SELECT {value} FROM {part} AS {alias}{where})"
        finally:
            self._nested -= 1

    def _correlation(self, inner: Sequence[Col], outer: Sequence[Col]) -> str:
        pairs = [(a.name, b.name) for a in inner for b in outer if a.kind == b.kind and a.kind in (INT, STRING)]
        own = Expressions(self.rng, inner).write(BOOLEAN, 1)
        if not pairs or self.rng.random() < 0.4:
            return own
        left, right = self.rng.choice(pairs)
        return f"{left} = {right}" if self.rng.random() < 0.6 else f"{left} = {right} AND {own}"
