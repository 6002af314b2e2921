"""Random queries, the same for the same seed and number: SQL of every construct, and a few of the DataFrame API."""

from __future__ import annotations

import random

from .frames import python_query
from .kinds import Col
from .relations import Items, Query, Rel
from .shapes import Shapes

_DATAFRAMES = 0.15
_VIEWS = 0.1


def generate(seed: int, number: int, spark_version: str) -> Query:
    """The query of that number."""
    rng = random.Random(f"{seed}/{number}")  # noqa: S311 (queries for tests)
    if rng.random() < _DATAFRAMES:
        text, label = python_query(rng)
        return Query(number, Rel([text], []), python=True, label=label)
    shapes = Shapes(rng, tuple(int(part) for part in spark_version.split(".")[:2]))
    query = Query(number, Rel([], []))
    if rng.random() < _VIEWS:
        name = f"view_{number}"
        query.views[name] = shapes.any(1)
        shapes.known[name] = query.views[name]
    query.rel = _with_unique_names(shapes.any(rng.choice([1, 2, 2, 3, 3, 4])))
    query.label = shapes.label
    return query


def _with_unique_names(rel: Rel) -> Rel:
    """Wrap a query that gives too many columns: a few say enough."""
    if len(rel.cols) <= 6:
        return rel
    chosen = rel.cols[:6]
    items = Items([(col.name, col.name) for col in chosen])
    return Rel(["SELECT ", items, " FROM (", rel, ")"], [Col(col.name, col.kind) for col in chosen], None)
