"""What holds over all paths of an answer, found without walking them one by one; pure.

Along a path the least direct class wins and masking sticks; over paths the most direct class wins, and a column is
masked only if every path is. So a column's class is found by following the closest edges first; and it is in the clear
if unmasked edges alone reach it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from headwater.query.graph.answer import Kind

# A step of a walk away from the column asked about: where to, its class, whether it masks.
Arc: TypeAlias = tuple[int, int, bool]
_KINDS = tuple(Kind)


def classes(roots: Iterable[int], arcs: Mapping[int, Sequence[Arc]]) -> dict[int, Kind]:
    """The most direct class in which each column is reached; those asked about are IDENTITY.

    >>> classes([1], {1: [(2, 3, False), (3, 0, False)], 3: [(2, 1, True)]})[2].name
    'TRANSFORMATION'
    """
    kinds: dict[int, Kind] = {}
    waiting: list[list[int]] = [[] for _ in _KINDS]
    waiting[0].extend(roots)
    for level, kind in enumerate(_KINDS):
        rest = waiting[level]
        while rest:
            node = rest.pop()
            if node in kinds:
                continue
            kinds[node] = kind
            for to, how, _ in arcs.get(node, ()):
                if to not in kinds:
                    waiting[max(how, level)].append(to)
    return kinds


def in_the_clear(roots: Iterable[int], arcs: Mapping[int, Sequence[Arc]]) -> set[int]:
    """The columns that a path without masking reaches.

    >>> sorted(in_the_clear([1], {1: [(2, 0, True), (3, 0, False)]}))
    [1, 3]
    """
    seen = set(roots)
    rest = list(seen)
    while rest:
        for to, _, masking in arcs.get(rest.pop(), ()):
            if not masking and to not in seen:
                seen.add(to)
                rest.append(to)
    return seen
