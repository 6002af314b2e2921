"""The closest ways from a column to those that it reaches. Pure."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import TypeAlias

from headwater.common.groups import lists_by_key
from headwater.query.graph.answer import Answer, Edge, FieldName, Kind, TableName, Transformation

_Previous: TypeAlias = Mapping[FieldName, tuple[FieldName, Edge] | None]


def closest_paths(answer: Answer) -> dict[FieldName, tuple[Edge, ...]]:
    """The way from the start of a downstream answer to each column: the reason for the class in which it is reached.

    That is the shortest of the most direct ways, in the clear where there is one; of equal ones the first by name.
    """
    onward = lists_by_key((edge.origin, edge) for edge in answer.edges)
    inside = lists_by_key((node.field.table, node.field) for node in answer.nodes)
    starts = [node.field for node in answer.nodes if node.distance == 0]
    if answer.root.field is None or not starts:
        starts = [answer.root, *starts]
    paths: dict[FieldName, tuple[Edge, ...]] = {}
    for kind, masked in product(Kind, (False, True)):
        if any(node.field not in paths for node in answer.nodes):
            previous = _walk(starts, onward, inside, kind, masked=masked)
            paths |= {name: _path(name, previous) for name in previous if name not in paths}
    return {name: path for name, path in paths.items() if name.field is not None or name == answer.root}


def closest_step(edge: Edge) -> Transformation | None:
    """The most direct of the transformations on an edge, in the clear where there is a choice."""
    return min(edge.transformations, key=lambda step: (step.kind, step.masking), default=None)


def deciding_step(path: Sequence[Edge]) -> Transformation | None:
    """The transformation that decides on the class of a way: the first of the least direct ones on it."""
    steps = [step for edge in path if (step := closest_step(edge)) is not None]
    return max(steps, key=lambda step: step.kind, default=None)


def _walk(
    starts: Sequence[FieldName],
    onward: Mapping[FieldName, Sequence[Edge]],
    inside: Mapping[TableName, Sequence[FieldName]],
    kind: Kind,
    *,
    masked: bool,
) -> _Previous:
    """Breadth first, along edges as direct as a class; a path shares its beginning with others."""
    previous: dict[FieldName, tuple[FieldName, Edge] | None] = dict.fromkeys(starts)
    rest = deque(starts)
    while rest:
        here = rest.popleft()
        for edge in onward.get(here, ()):
            if not _allows(edge, kind, masked=masked):
                continue
            there = [edge.destination]
            if edge.destination.field is None:
                there += inside.get(edge.destination.table, ())
            for name in there:
                if name not in previous:
                    previous[name] = here, edge
                    rest.append(name)
    return previous


def _allows(edge: Edge, kind: Kind, *, masked: bool) -> bool:
    if not edge.transformations:
        return kind is Kind.INDIRECT
    return any(step.kind <= kind and (masked or not step.masking) for step in edge.transformations)


def _path(name: FieldName, previous: _Previous) -> tuple[Edge, ...]:
    return tuple(reversed(list(_back(name, previous))))


def _back(name: FieldName, previous: _Previous) -> Iterator[Edge]:
    while (step := previous[name]) is not None:
        name, edge = step
        yield edge


def stations(path: Sequence[Edge]) -> list[FieldName]:
    """The columns on a way, the first before the first edge."""
    return [path[0].origin, *(edge.destination for edge in path)] if path else []
