"""A bounded memory of earlier statements: the latest, since an application may run for months."""

from __future__ import annotations

import copy
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Generic, TypeVar

_MOST = 1000
# The limit on sources; each is some hundred bytes.
_MOST_SOURCES = 500_000
_K = TypeVar("_K", bound=Hashable)
_V = TypeVar("_V")
_M = TypeVar("_M", bound="Memory")


class Latest(Mapping[_K, _V], Generic[_K, _V]):
    """Keeps the latest items: at most `most`, with a limit on their sources; `weight` counts those of an item.

    >>> latest = Latest(len)
    >>> latest.keep("a", range(400_000))
    >>> latest.keep("b", range(400_000))
    >>> list(latest)
    ['b']
    """

    def __init__(self, weight: Callable[[_V], int] = lambda _value: 0, most: int = _MOST) -> None:
        self._weight = weight
        self._most = most
        self._weighs = 0
        self._items: OrderedDict[_K, _V] = OrderedDict()
        self._shared = False

    def __getitem__(self, key: _K) -> _V:
        return self._items[key]

    def __iter__(self) -> Iterator[_K]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def keep(self, key: _K, value: _V) -> None:
        """Put an item in; the oldest may fall out."""
        self.discard(key)
        items = self._own_items()
        self._weighs += self._weight(value)
        items[key] = value
        while len(items) > self._most or (self._weighs > _MOST_SOURCES and len(items) > 1):
            _, oldest = items.popitem(last=False)
            self._weighs -= self._weight(oldest)

    def discard(self, key: _K) -> None:
        """Take an item out, if it is in."""
        if key in self._items:
            self._weighs -= self._weight(self._own_items().pop(key))

    def branch(self) -> Latest[_K, _V]:
        """A copy that changes by itself. The items are copied when one of the two changes first, and only then.

        >>> latest = Latest()
        >>> latest.keep("a", 1)
        >>> branch = latest.branch()
        >>> branch.keep("b", 2)
        >>> list(latest), list(branch)
        (['a'], ['a', 'b'])
        """
        branch: Latest[_K, _V] = Latest(self._weight, self._most)
        branch._items, branch._weighs = self._items, self._weighs
        branch._shared = self._shared = True
        return branch

    def _own_items(self) -> OrderedDict[_K, _V]:
        if self._shared:
            self._items, self._shared = self._items.copy(), False
        return self._items


class Memory:
    """What is known of earlier statements, kept in `Latest`s, and in others of its kind."""

    def branch(self: _M) -> _M:  # noqa: PYI019 (Self came with Python 3.11)
        """A copy that changes by itself; cheap until it does."""
        branch = copy.copy(self)
        for name, part in vars(self).items():
            if isinstance(part, (Latest, Memory)):
                setattr(branch, name, part.branch())
        return branch
