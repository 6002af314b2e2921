"""What holds over all paths of an answer, found without walking them one by one; pure.

Along a path the least direct class wins, and masking sticks until something undoes it; over paths the most direct class
wins, and a column is masked only if every path is. So a column's class is found by following the closest edges first.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from headwater.common.masking import Passage
from headwater.query.graph.answer import Kind

# A step of a walk away from the column asked about: where to, its class, what it does to masking.
Arc: TypeAlias = tuple[int, int, Passage]
_KINDS = tuple(Kind)


def classes(roots: Iterable[int], arcs: Mapping[int, Sequence[Arc]]) -> dict[int, Kind]:
    """The most direct class in which each column is reached; those asked about are IDENTITY.

    >>> plain = Passage.AS_IT_IS
    >>> classes([1], {1: [(2, 3, plain), (3, 0, plain)], 3: [(2, 1, Passage.MASKS)]})[2].name
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


def in_the_clear(roots: Iterable[int], arcs: Mapping[int, Sequence[Arc]], *, up: bool) -> set[int]:
    """The columns that a path reaches on which the value is not masked at the end, the way data flows.

    A step that unmasks undoes the masking before it, unless that is for good. So a walk keeps beside the column whether
    the value there is masked. Downstream that is known from the path so far. Upstream the path goes on to the column
    that was asked about: the walk keeps how the value has to arrive so that it ends in the clear.

    >>> masks, unmasks = Passage.MASKS, Passage.UNMASKS
    >>> sorted(in_the_clear([1], {1: [(2, 0, masks), (3, 0, Passage.AS_IT_IS)], 2: [(4, 0, unmasks)]}, up=False))
    [1, 3, 4]
    >>> sorted(in_the_clear([4], {4: [(2, 0, unmasks)], 2: [(1, 0, masks)]}, up=True))
    [1, 2, 4]
    """
    moves = _UP if up else _DOWN
    rest = [(root, False) for root in roots]
    seen = set(rest)
    while rest:
        node, masked = rest.pop()
        for to, _, passage in arcs.get(node, ()):
            for state in moves[passage, masked]:
                if (to, state) not in seen:
                    seen.add((to, state))
                    rest.append((to, state))
    return {node for node, masked in seen if not masked}


# How a value leaves a step, from how it comes; for good masked, it is of no more interest.
_DOWN: Mapping[tuple[int, bool], tuple[bool, ...]] = {
    (Passage.AS_IT_IS, False): (False,),
    (Passage.AS_IT_IS, True): (True,),
    (Passage.MASKS, False): (True,),
    (Passage.MASKS, True): (True,),
    (Passage.UNMASKS, False): (False,),
    (Passage.UNMASKS, True): (False,),
    (Passage.FOR_GOOD, False): (),
    (Passage.FOR_GOOD, True): (),
}
# The other way round: how it has to come so that it leaves like this.
_UP: Mapping[tuple[int, bool], tuple[bool, ...]] = {
    (passage, after): tuple(before for before in (False, True) if after in _DOWN[passage, before])
    for passage in Passage
    for after in (False, True)
}
