"""What working out the lineage of one statement may cost.

Whatever a job's plan looks like, its lineage must not take the driver's processor or memory. So every step that makes
or visits sources is counted, and a statement that costs too much is given up: `Exceeded` ends the work wherever it is,
and the statement is answered by its tables instead.

>>> with Budget(edges=10).applied():
...     spend(7)
...     spend(7)
Traceback (most recent call last):
    ...
headwater.rules.budget.Exceeded: edges
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

EDGES = 3_000_000
MILLIS = 10_000
# Asking for the time costs as much as a few dozen edges.
_LOOK_EVERY = 2048


class Exceeded(BaseException):
    """The budget of a statement is spent; the text says of what: `time`, `edges`, or `depth` of Python's stack.

    It is no `Exception`: a rule that fails is answered by "everything may depend on it" and the work goes on, which
    here is just what must not happen.
    """


class Budget:
    """The budget of one statement.

    Args:
        edges: how many sources may be made or visited, which bounds the memory as well: each is some hundred bytes.
        millis: how much time of the processor this thread may take; time that others take does not count.
    """

    def __init__(self, edges: int = EDGES, millis: int = MILLIS) -> None:
        self.edges = edges
        self.millis = millis
        self._left = 0
        self._look_at = 0
        self._until = 0

    @classmethod
    def again(cls) -> Budget:
        """As large a budget as the one of the statement at hand, for a part of it that is answered by itself."""
        current = _current.get()
        return cls() if current is None else cls(current.edges, current.millis)

    @contextmanager
    def applied(self) -> Iterator[None]:
        """Count what is spent in this thread from here on."""
        self._left = self.edges
        self._look_at = self._left - _LOOK_EVERY
        self._until = time.thread_time_ns() + self.millis * 1_000_000
        before = _current.set(self)
        try:
            yield
        finally:
            _current.reset(before)

    def spend(self, edges: int) -> None:
        """Take from the budget.

        Raises:
            Exceeded: there is nothing left to take.
        """
        self._left -= edges
        if self._left < 0:
            raise Exceeded("edges")
        if self._left < self._look_at:
            self._look_at = self._left - _LOOK_EVERY
            if time.thread_time_ns() > self._until:
                raise Exceeded("time")


_current: ContextVar[Budget | None] = ContextVar("budget", default=None)


def spend(edges: int) -> None:
    """Take from the budget of the statement at hand; outside of one, nothing is counted."""
    budget = _current.get()
    if budget is not None:
        budget.spend(edges)
