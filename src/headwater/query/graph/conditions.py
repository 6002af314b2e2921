"""How columns that pass on no value still count: as filters, joins, groupings and the like; pure."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from headwater.common.groups import lists_by_key
from headwater.query.graph.answer import Answer, Direction, Edge, FieldName, Kind


def conditions_of(answer: Answer) -> dict[FieldName, tuple[str, ...]]:
    """For each column that is reached indirectly only: what it does, by the steps nearest to the column asked about.

    A column that feeds one which filters counts as a filter, too.
    """
    indirect = {node.field for node in answer.nodes if node.kind is Kind.INDIRECT}
    valued = {node.field for node in answer.nodes if node.kind is not Kind.INDIRECT}
    # The rows of a dataset are as near as the nearest of its columns.
    valued |= {name.rows for name in valued}
    inside = lists_by_key((name.rows, name) for name in indirect)
    found: defaultdict[FieldName, set[str]] = defaultdict(set)
    onward: defaultdict[FieldName, list[FieldName]] = defaultdict(list)
    for edge in answer.edges:
        near, far = _ends(edge, answer.direction)
        beyond = [name for name in ([far] if far.field is not None else inside[far]) if name in indirect]
        if near in valued:
            for name in beyond:
                found[name] |= {step.subtype or step.type for step in edge.transformations if step.type == "INDIRECT"}
        else:
            onward[near] += beyond
    if answer.direction is Direction.UPSTREAM:
        for name in indirect:
            onward[name].append(name.rows)
    _spread(list(found), found, onward)
    return {name: tuple(sorted(found[name])) for name in indirect}


def _ends(edge: Edge, direction: Direction) -> tuple[FieldName, FieldName]:
    """The end that is nearer to the column asked about, and the other one."""
    return (edge.destination, edge.origin) if direction is Direction.UPSTREAM else (edge.origin, edge.destination)


def _spread(
    start: Iterable[FieldName], found: defaultdict[FieldName, set[str]], onward: Mapping[FieldName, list[FieldName]]
) -> None:
    """Tell what lies beyond columns what they do; each learns a word once, so it ends."""
    rest = list(start)
    while rest:
        name = rest.pop()
        for further in onward.get(name, ()):
            if not found[name] <= found[further]:
                found[further] |= found[name]
                rest.append(further)
