"""What working out the lineage of one statement may cost.

Whatever a job's plan looks like, its lineage must not take the driver's processor or memory. So every step that makes
or visits sources is counted, and its memory is estimated. A statement that costs too much is given up: `Exceeded` ends
the work wherever it is, and the answer is by tables instead.

>>> with Budget(edges=10).applied():
...     spend(7)
...     spend(7)
Traceback (most recent call last):
    ...
headwater.rules.plan.budget.Exceeded: edges
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

EDGES = 3_000_000
MILLIS = 10_000
MEMORY = 256_000_000
# The bytes of a source that is made or visited. In a dictionary of many it takes twice as much, with a key and marks
# that others share; but two of three are freed on the way.
_BYTES_OF_AN_EDGE = 32
# Reading the clock costs as much as a few dozen edges.
_LOOK_EVERY = 2048


class Exceeded(BaseException):
    """The budget of a statement is spent; the text says on what: `time`, `edges`, `memory`, or `depth` of the stack.

    It is not an `Exception`: where a rule fails, the answer is "everything may depend on it" and the work goes on. That
    must not happen here.
    """


class Budget:
    """The budget of one statement.

    Args:
        edges: how many sources may be made or visited.
        millis: how much CPU time this thread may take; that of other threads does not count.
        memory: how many bytes may be allocated, as far as they are known beforehand: for the nodes of the plan, the
            sources, the texts. What is freed in between counts as well.
    """

    def __init__(self, edges: int = EDGES, millis: int = MILLIS, memory: int = MEMORY) -> None:
        self.edges = edges
        self.millis = millis
        self.memory = memory
        self._given_up: str | None = None
        self._left = 0
        self._memory_left = 0
        self._look_at = 0
        self._until = 0

    @classmethod
    def again(cls) -> Budget:
        """A budget as large as the current statement's, for a part of it that is answered by itself."""
        current = _current.get()
        return cls() if current is None else cls(current.edges, current.millis, current.memory)

    @classmethod
    def spent(cls, of: str) -> Budget:
        """An empty budget, for a statement that was given up before for lack `of` something."""
        budget = cls()
        budget._given_up = of
        return budget

    @contextmanager
    def applied(self) -> Iterator[None]:
        """Count what this thread spends; inside another budget, only what is left of its time and memory is available.

        Raises:
            Exceeded: it is spent already.
        """
        if self._given_up is not None:
            raise Exceeded(self._given_up)
        until, memory, around = time.thread_time_ns() + self.millis * 1_000_000, self.memory, _current.get()
        if around is not None:
            until, memory = min(until, around._until), min(memory, around._memory_left)  # noqa: SLF001 (its own)
        self._left = self.edges
        self._look_at = self._left - _LOOK_EVERY
        self._until, self._memory_left = until, memory
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
            self.look()

    def hold(self, size: int) -> None:
        """Take bytes from the budget, for anything but edges.

        Raises:
            Exceeded: there is nothing left to take.
        """
        self._memory_left -= size
        if self._memory_left < 0:
            raise Exceeded("memory")

    def look(self) -> None:
        """Check whether the time or the memory is spent.

        Raises:
            Exceeded: one of them is.
        """
        if time.thread_time_ns() > self._until:
            raise Exceeded("time")
        if (self.edges - self._left) * _BYTES_OF_AN_EDGE > self._memory_left:
            raise Exceeded("memory")


_current: ContextVar[Budget | None] = ContextVar("budget", default=None)


def spend(edges: int) -> None:
    """Take from the budget of the current statement, if there is one."""
    budget = _current.get()
    if budget is not None:
        budget.spend(edges)


def hold(size: int) -> None:
    """Take bytes from the budget of the current statement, for anything but edges."""
    budget = _current.get()
    if budget is not None:
        budget.hold(size)


def look() -> None:
    """Check the time of the current statement, in loops that make no edges."""
    budget = _current.get()
    if budget is not None:
        budget.look()
