"""A bounded memory of earlier statements: the latest, since an application may run for months."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

_MOST = 1000
# The limit on sources; each is some hundred bytes.
_MOST_SOURCES = 500_000
_K = TypeVar("_K", bound=Hashable)
_V = TypeVar("_V")


class Latest(OrderedDict[_K, _V], Generic[_K, _V]):
    """Keeps the latest items: at most `most`, with a limit on their sources; `weight` counts those of an item.

    >>> latest = Latest(len)
    >>> latest.keep("a", range(400_000))
    >>> latest.keep("b", range(400_000))
    >>> list(latest)
    ['b']
    """

    def __init__(self, weight: Callable[[_V], int] = lambda _value: 0, most: int = _MOST) -> None:
        super().__init__()
        self._weight = weight
        self._most = most
        self._weighs = 0

    def keep(self, key: _K, value: _V) -> None:
        """Put an item in; the oldest may fall out."""
        before = self.pop(key, None)
        self._weighs += self._weight(value) - (0 if before is None else self._weight(before))
        self[key] = value
        while len(self) > self._most or (self._weighs > _MOST_SOURCES and len(self) > 1):
            _, oldest = self.popitem(last=False)
            self._weighs -= self._weight(oldest)

    def copy(self) -> Latest[_K, _V]:
        """A copy of the current state."""
        copied: Latest[_K, _V] = Latest(self._weight, self._most)
        copied.update(self)
        copied._weighs = self._weighs
        return copied
