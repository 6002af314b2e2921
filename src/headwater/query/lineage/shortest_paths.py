"""The shortest ways from a column to those that it reaches. Pure."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence

from headwater.common.groups import lists_by_key
from headwater.query.graph.answer import Answer, Edge, FieldName


def shortest_paths(answer: Answer) -> dict[FieldName, tuple[Edge, ...]]:
    """The shortest way from the start of a downstream answer to each column; of equal ones the first by name; pure."""
    onward = lists_by_key((edge.origin, edge) for edge in answer.edges)
    inside = lists_by_key((node.field.table, node.field) for node in answer.nodes)
    starts = [node.field for node in answer.nodes if node.distance == 0] or [answer.root]
    # A path shares its beginning with others: each column knows the edge to it and the column before.
    previous: dict[FieldName, tuple[FieldName, Edge] | None] = dict.fromkeys(starts)
    rest = deque(starts)
    while rest:
        here = rest.popleft()
        for edge in onward[here]:
            there = [edge.destination] if edge.destination.field is not None else inside[edge.destination.table]
            for name in there:
                if name not in previous:
                    previous[name] = here, edge
                    rest.append(name)
    return {name: tuple(reversed(list(_back(name, previous)))) for name in previous}


def _back(name: FieldName, previous: Mapping[FieldName, tuple[FieldName, Edge] | None]) -> Iterator[Edge]:
    while (step := previous[name]) is not None:
        name, edge = step
        yield edge


def stations(path: Sequence[Edge]) -> list[FieldName]:
    """The columns on a way, the first before the first edge."""
    return [path[0].origin, *(edge.destination for edge in path)] if path else []
