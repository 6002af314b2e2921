"""Work that several threads bring at once, done together: one of them does it for all that wait."""

import threading
import time
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar, cast

from headwater.store.errors import StoreError

T = TypeVar("T")
R = TypeVar("R")
_INTERRUPTED = "The thread that wrote for this one was interrupted: try again."
# How long to wait for others, as a part of what the work took the last time.
_PATIENCE = 0.25


class _Brought(Generic[T, R]):
    """What one thread brings, and what became of it; the thread waits until it is `called`."""

    __slots__ = ("called", "done", "error", "items", "result")

    def __init__(self, items: Sequence[T]) -> None:
        self.items = items
        self.called = threading.Lock()
        self.called.acquire()
        self.done = False
        self.result: R | None = None
        self.error: BaseException | None = None


class Together(Generic[T, R]):
    """Calls a function with what threads bring; who comes while it runs shares the next call.

    Where threads came together before, the next call waits a little for those whose last one has just ended.

    >>> add_up = Together(lambda brought: [sum(items) for items in brought], most=1000)
    >>> add_up([1, 2, 3])
    6

    Args:
        work: takes what each thread brings, and returns a result for each. What it raises, all of them raise.
        most: how many items to take together; one thread's are never parted.
    """

    def __init__(self, work: Callable[[list[Sequence[T]]], Sequence[R]], most: int) -> None:
        self._work = work
        self._most = most
        self._lock = threading.Lock()
        self._came = threading.Condition(self._lock)
        self._waiting: list[_Brought[T, R]] = []
        self._busy = False
        self._expected = 1
        self._patience = 0.0

    def __call__(self, items: Sequence[T]) -> R:
        """Have items worked on; returns when that is done."""
        mine: _Brought[T, R] = _Brought(items)
        with self._lock:
            self._waiting.append(mine)
            leading = not self._busy
            self._busy = True
            if len(self._waiting) == self._expected:
                self._came.notify()
        if not leading:
            # Called when it is done, or when it is this thread's turn: it has waited the longest then.
            mine.called.acquire()
        if not mine.done:
            self._do(self._next_group())
        if mine.error is not None:
            raise mine.error
        return cast("R", mine.result)

    def _next_group(self) -> list[_Brought[T, R]]:
        with self._lock:
            self._came.wait_for(lambda: len(self._waiting) >= self._expected, self._patience)
            group = [self._waiting.pop(0)]
            size = len(group[0].items)
            while self._waiting and size + len(self._waiting[0].items) <= self._most:
                size += len(self._waiting[0].items)
                group.append(self._waiting.pop(0))
            return group

    def _do(self, group: Sequence[_Brought[T, R]]) -> None:
        started = time.monotonic()
        try:
            results = self._work([one.items for one in group])
            for one, result in zip(group, results, strict=True):
                one.result = result
        except BaseException as error:
            for one in group:
                one.error = error if isinstance(error, Exception) else StoreError(_INTERRUPTED)
            if not isinstance(error, Exception):
                raise
        finally:
            self._end(group, time.monotonic() - started)

    def _end(self, group: Sequence[_Brought[T, R]], took: float) -> None:
        """Let those go whose items are done, and one of those who wait begin."""
        with self._lock:
            self._expected = len(group) + len(self._waiting)
            self._patience = took * _PATIENCE if self._expected > 1 else 0.0
            self._busy = bool(self._waiting)
            following = self._waiting[:1]
        for one in group:
            one.done = True
            one.called.release()
        for one in following:
            one.called.release()
