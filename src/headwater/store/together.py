"""Work that several threads bring at once, done together: one of them does it for all that wait."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar, cast

from headwater.store.errors import StoreError

T = TypeVar("T")
R = TypeVar("R")
_INTERRUPTED = "The thread that wrote for this one was interrupted: try again."
# How long to wait for others, as a part of what the work took the last time.
_PATIENCE = 0.25


@dataclass(slots=True, eq=False)
class _Brought(Generic[T, R]):
    """What one thread brings, and what became of it."""

    items: Sequence[T]
    done: bool = False
    result: R | None = None
    error: BaseException | None = None


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
        self._turn = threading.Condition(self._lock)
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
            self._came.notify()
        while group := self._wait_for_turn(mine):
            self._do(group)
        if mine.error is not None:
            raise mine.error
        return cast("R", mine.result)

    def _wait_for_turn(self, mine: _Brought[T, R]) -> list[_Brought[T, R]]:
        """What this thread has to do now, for itself and others; nothing, once its own is done."""
        with self._lock:
            while self._busy and not mine.done:
                self._turn.wait()
            if mine.done:
                return []
            self._busy = True
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
            with self._lock:
                for one in group:
                    one.done = True
                self._expected = len(group) + len(self._waiting)
                self._patience = (time.monotonic() - started) * _PATIENCE if self._expected > 1 else 0.0
                self._busy = False
                self._turn.notify_all()
