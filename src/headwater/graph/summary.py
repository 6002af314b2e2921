"""What holds over all paths of an answer, found without walking them one by one; pure.

Along a path the least direct class wins and masking sticks; over paths the most direct class wins, and a column is
masked only if every path is. So a column's class is the first one whose edges, and closer ones, reach it; and it is in
the clear if unmasked edges alone reach it.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from headwater.graph.answer import Direction, Edge, FieldName, Kind


@dataclass(frozen=True, slots=True)
class Arc:
    """A step of a walk away from the column asked about."""

    to: FieldName
    kind: Kind
    masking: bool


@dataclass(frozen=True, slots=True)
class Summary:
    """What holds over all paths to a column."""

    kind: Kind
    masked: bool


def summarise(
    root: FieldName, columns: Iterable[FieldName], edges: Iterable[Edge], direction: Direction
) -> dict[FieldName, Summary]:
    """The summary of each column; the one asked about is itself: IDENTITY, in the clear."""
    arcs = _arcs(columns, edges, direction)
    clear = _reached(root, arcs, Kind.INDIRECT, masking=False)
    found: dict[FieldName, Summary] = {}
    for kind in Kind:
        for column in _reached(root, arcs, kind, masking=True):
            found.setdefault(column, Summary(kind, masked=column not in clear))
    return found


def _arcs(columns: Iterable[FieldName], edges: Iterable[Edge], direction: Direction) -> Mapping[FieldName, list[Arc]]:
    arcs: dict[FieldName, list[Arc]] = defaultdict(list)
    up = direction is Direction.UPSTREAM
    for edge in edges:
        start, end = (edge.destination, edge.origin) if up else (edge.origin, edge.destination)
        arcs[start].extend(Arc(end, step.kind, step.masking) for step in edge.transformations)
    for column in columns:
        # Every column reads its rows: a step that costs nothing.
        start, end = (column, column.rows) if up else (column.rows, column)
        arcs[start].append(Arc(end, Kind.IDENTITY, masking=False))
    return arcs


def _reached(
    root: FieldName, arcs: Mapping[FieldName, list[Arc]], kind: Kind, *, masking: bool
) -> dict[FieldName, None]:
    seen = {root: None}
    rest = [root]
    while rest:
        for arc in arcs.get(rest.pop(), ()):
            if arc.to not in seen and arc.kind <= kind and (masking or not arc.masking):
                seen[arc.to] = None
                rest.append(arc.to)
    return seen
