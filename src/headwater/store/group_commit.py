"""Group commit: what several callers bring at once is written in one transaction, and one flush to disk."""

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar, cast

from headwater.common.errors import StoreError

T = TypeVar("T")
R = TypeVar("R")
_INTERRUPTED = "The write was interrupted: try again."


class GroupQueue(Generic[T]):
    """What waits to be written, taken in groups.

    Where callers came together before, the next group waits a little for those whose last one has just ended.

    >>> queue = GroupQueue[str](len, most=5)
    >>> for text in ("ab", "cd", "ef"):
    ...     queue.put(text)
    >>> queue.take(), queue.take()
    (['ab', 'cd'], ['ef'])

    Args:
        size: how large something is.
        most: how much to take together; what one caller brings is never parted.
        patience: how long to wait for others, as a part of what the last group took.
        longest: and at most, in seconds.
    """

    def __init__(
        self, size: Callable[[T], int], *, most: int, patience: float = 0.25, longest: float = math.inf
    ) -> None:
        self.changed = threading.Condition()
        self._size = size
        self._most = most
        self._patience = patience
        self._longest = longest
        self._items: deque[T] = deque()
        self._expected = 1
        self._wait = 0.0
        self._closed = False

    def put(self, item: T) -> None:
        """Bring something."""
        with self.changed:
            self._items.append(item)
            self.changed.notify()

    def take(self) -> list[T]:
        """The next group; waits until there is one. Nothing, once the queue is closed and empty."""
        with self.changed:
            self.changed.wait_for(lambda: self._items or self._closed)
            self.changed.wait_for(lambda: len(self._items) >= self._expected or self._closed, self._wait)
            group: list[T] = []
            size = 0
            while self._items and (not group or size + self._size(self._items[0]) <= self._most):
                group.append(self._items.popleft())
                size += self._size(group[-1])
            return group

    def rest(self) -> list[T]:
        """All that waits, whatever its size: for where there is no point in trying."""
        with self.changed:
            rest = list(self._items)
            self._items.clear()
            return rest

    def ended(self, group: Sequence[T], took: float) -> T | None:
        """Note that a group is written: its callers are likely to bring more at once. Gives who waits the longest."""
        with self.changed:
            self._expected = len(group) + len(self._items)
            self._wait = min(took * self._patience, self._longest) if self._expected > 1 else 0.0
            return self._items[0] if self._items else None

    def close(self) -> None:
        """Take what is there, and wait for no more."""
        with self.changed:
            self._closed = True
            self.changed.notify_all()


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


class GroupCommit(Generic[T, R]):
    """Calls a function with what threads bring; who comes while it runs shares the next call.

    >>> add_up = GroupCommit(lambda brought: [sum(items) for items in brought], most=1000)
    >>> add_up([1, 2, 3])
    6

    Args:
        work: takes what each thread brings, and returns a result for each. What it raises, all of them raise.
        most: how many items to take together; one thread's are never parted.
    """

    def __init__(self, work: Callable[[list[Sequence[T]]], Sequence[R]], most: int) -> None:
        self._work = work
        self._queue = GroupQueue[_Brought[T, R]](lambda brought: len(brought.items), most=most)
        self._busy = False

    def __call__(self, items: Sequence[T]) -> R:
        """Have items worked on; returns when that is done."""
        mine: _Brought[T, R] = _Brought(items)
        with self._queue.changed:
            self._queue.put(mine)
            leading = not self._busy
            self._busy = True
        if not leading:
            # Called when it is done, or when it is this thread's turn: it has waited the longest then.
            mine.called.acquire()
        if not mine.done:
            self._do(self._queue.take())
        if mine.error is not None:
            raise mine.error
        return cast("R", mine.result)

    def _do(self, group: Sequence[_Brought[T, R]]) -> None:
        started = time.monotonic()
        try:
            results = self._work([call.items for call in group])
            for call, result in zip(group, results, strict=True):
                call.result = result
        except BaseException as error:
            for call in group:
                call.error = error if isinstance(error, Exception) else StoreError(_INTERRUPTED)
            if not isinstance(error, Exception):
                raise
        finally:
            self._end(group, time.monotonic() - started)

    def _end(self, group: Sequence[_Brought[T, R]], took: float) -> None:
        """Let those go whose items are done, and one of those who wait begin."""
        with self._queue.changed:
            following = self._queue.ended(group, took)
            self._busy = following is not None
        for call in group:
            call.done = True
            call.called.release()
        if following is not None:
            following.called.release()
