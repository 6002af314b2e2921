"""Values by key: what `itertools.groupby` does for sorted rows, for rows in any order."""

from collections import defaultdict
from collections.abc import Hashable, Iterable
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


def lists_by_key(pairs: Iterable[tuple[K, V]]) -> defaultdict[K, list[V]]:
    """The values of each key, in their order.

    >>> dict(lists_by_key([("a", 2), ("b", 1), ("a", 1)]))
    {'a': [2, 1], 'b': [1]}
    """
    groups: defaultdict[K, list[V]] = defaultdict(list)
    for key, value in pairs:
        groups[key].append(value)
    return groups


def sets_by_key(pairs: Iterable[tuple[K, V]]) -> defaultdict[K, set[V]]:
    """The values of each key, each once.

    >>> dict(sets_by_key([("a", 1), ("a", 1)]))
    {'a': {1}}
    """
    groups: defaultdict[K, set[V]] = defaultdict(set)
    for key, value in pairs:
        groups[key].add(value)
    return groups
