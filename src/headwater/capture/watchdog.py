"""A watchdog: work runs on a thread of its own, which is abandoned if it takes too long.

The rules count what they spend (`headwater.rules.plan.budget`), and stop when nothing is left. That bounds everything
that they make; but a loop that makes nothing, or a wait for an answer that never comes, spends nothing. So each
statement is analyzed on a thread beside the tracker's, which watches it: if it takes more CPU time than its budget, or
none at all for long, it is interrupted from outside, and abandoned if that does not end it. The next statements go on.

An interrupt may come at any moment. So the work changes nothing that others use: what it remembers for later statements
it writes into a branch of its own, which the caller takes over when the work is done.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from headwater.rules.plan.budget import Budget, Exceeded
from headwater.rules.plan.sources import forget
from headwater.rules.session.links import Links

_LOOK_SECONDS = 0.5
# How many looks in a row may see no progress. A thread that only waits for its turn makes some in between; and while
# something blocks all of Python, nobody looks.
_IDLE_LOOKS = 20
# The time beyond the budget for the answer by tables, which comes after it.
_GRACE_SECONDS = 2.0
_ENOUGH_CPU = 0.001
# The assumed ratio of wall-clock to CPU time, where the CPU time of a thread is not available.
_WALL = 6

_T = TypeVar("_T")


class Stuck(Exception):  # noqa: N818 (it names the condition)
    """Work did not end, and was abandoned."""


def bounded(work: Callable[[Budget], _T], budget: Budget) -> _T:
    """Run work within a budget; if it gets stuck, run it once more with the budget spent.

    Args:
        work: the work. It catches `Exceeded`, and returns a cheaper answer then.
        budget: what it may cost.

    Raises:
        Stuck: even the cheaper answer does not end.
    """
    try:
        return _within(lambda: work(budget), budget)
    except (Stuck, Exceeded):
        return _within(lambda: work(Budget.spent("time")), budget)


def bounded_with_links(work: Callable[[Links, Budget], _T], links: Links, budget: Budget) -> tuple[_T, Links]:
    """Run work that adds to the links, within a budget; `links` themselves stay as they are.

    Returns:
        Its result, and the links after it.

    Raises:
        Stuck: even the cheaper answer does not end.
    """

    def attempt(left: Budget) -> tuple[_T, Links]:
        branch = links.branch()
        return work(branch, left), branch

    return bounded(attempt, budget)


def _within(work: Callable[[], _T], budget: Budget) -> _T:
    thread = _Work(work)
    thread.start()
    try:
        if not thread.ends(budget.millis / 1000 + _GRACE_SECONDS):
            thread.interrupt()
            thread.over.wait(_GRACE_SECONDS)
    except BaseException:  # the caller no longer waits for it
        thread.interrupt()
        raise
    return thread.outcome()


class _Work(threading.Thread, Generic[_T]):
    """The thread that does the work."""

    def __init__(self, work: Callable[[], _T]) -> None:
        super().__init__(name="headwater-lineage", daemon=True)
        self.over = threading.Event()
        self._work = work
        self._began = time.monotonic()
        self._clock: int | None = None
        self._result: list[_T] = []
        self._error: BaseException | None = None
        self._open = True
        self._closing = threading.Lock()

    def run(self) -> None:
        """Do the work, and keep its result."""
        try:
            if hasattr(time, "pthread_getcpuclockid"):
                # Only from inside: the clock of a thread that has ended must not be looked up.
                self._clock = time.pthread_getcpuclockid(threading.get_ident())
            try:
                self._result.append(self._work())
            except BaseException as error:  # noqa: BLE001 (`outcome` raises it)
                self._error = error
            forget()
            self._close()
        except Exceeded as late:  # raised after the work was done
            self._error = late
        finally:
            self.over.set()

    def _close(self) -> None:
        """Allow no interrupt from here on: the thread's own shutdown must not be interrupted."""
        with self._closing:
            self._open = False
        _raise_in(threading.get_ident(), None)

    def ends(self, seconds: float) -> bool:
        """Wait for the end; False if it takes more CPU time than this, or none for very long."""
        idle, used = 0, 0.0
        while not self.over.wait(_LOOK_SECONDS):
            now = self._used()
            idle = idle + 1 if now - used < _ENOUGH_CPU else 0
            used = now
            if used > seconds or idle > _IDLE_LOOKS:
                return False
        return True

    def _used(self) -> float:
        """The CPU time it has taken; where that is not available, a fraction of the elapsed time."""
        try:
            return (time.monotonic() - self._began) / _WALL if self._clock is None else time.clock_gettime(self._clock)
        except OSError:  # the thread has just ended
            return 0.0

    def interrupt(self) -> None:
        """Raise `Exceeded` in the thread as soon as it runs Python again. It has nothing open that must be closed."""
        if self._closing.acquire(timeout=_LOOK_SECONDS):
            try:
                if self._open and self.ident is not None:
                    _raise_in(self.ident, _OutOfTime)
            finally:
                self._closing.release()

    def outcome(self) -> _T:
        """The result of the work.

        Raises:
            Stuck: the work has not ended.
        """
        if not self.over.is_set():
            raise Stuck("Analyzing a statement took too long and was stopped")
        if self._error is not None:
            raise self._error
        return self._result[0]


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Raise an exception in another thread, or withdraw a pending one; CPython only."""
    api: Any = getattr(ctypes, "pythonapi", None)
    if api is not None:
        api.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), None if error is None else ctypes.py_object(error))


class _OutOfTime(Exceeded):
    """`Exceeded`, raised from outside, where it takes no arguments."""

    def __init__(self) -> None:
        super().__init__("time")
