"""Work that ends, whatever it is: on a thread of its own, which is given up when it takes too long.

The rules count what they spend (`headwater.rules.plan.budget`), and end by themselves when there is nothing left. That
bounds all that they make; a loop that makes nothing, or something that waits for an answer that never comes, counts
nothing. So a statement is worked on beside the tracker's own thread, which looks after it: what takes more time of the
processor than its budget has, or for long none at all, is ended from outside, and what cannot be ended is left behind.
The statements after it go on.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from headwater.rules.plan.budget import Budget, Exceeded
from headwater.rules.plan.sources import forget

_LOOK_SECONDS = 0.5
# How many looks in a row may see no progress. A thread that only waits for its turn gets one in between; and while
# somebody keeps all of Python waiting, nobody looks.
_IDLE_LOOKS = 20
# How much more than its budget it may take: the answer by tables comes after that.
_GRACE_SECONDS = 2.0
_ENOUGH_CPU = 0.001
# How many times more of the clock's time than of the processor's a thread may take, where only the clock can be asked.
_WALL = 6

_T = TypeVar("_T")


class Stuck(Exception):  # noqa: N818 (it says how it is)
    """Something did not end, and was left behind."""


def bounded(work: Callable[[Budget], _T], budget: Budget) -> _T:
    """Do something within a budget, whose end is seen to; if it is stuck, once more with the budget spent.

    Args:
        work: what there is to do. It catches `Exceeded`, and gives a cheaper answer then.
        budget: what it may cost.

    Raises:
        Stuck: even the cheaper answer has no end.
    """
    try:
        return _within(lambda: work(budget), budget)
    except (Stuck, Exceeded):
        return _within(lambda: work(Budget.spent("time")), budget)


def _within(work: Callable[[], _T], budget: Budget) -> _T:
    thread = _Work(work)
    thread.start()
    try:
        if not thread.ends(budget.millis / 1000 + _GRACE_SECONDS):
            thread.interrupt()
            thread.over.wait(_GRACE_SECONDS)
    except BaseException:  # whoever waits for it does so no longer
        thread.interrupt()
        raise
    return thread.outcome()


class _Work(threading.Thread, Generic[_T]):
    """The thread that does it."""

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
        """Do it, and keep what comes of it."""
        try:
            if hasattr(time, "pthread_getcpuclockid"):
                # Asked from inside: the number of a thread that is gone must not be asked about.
                self._clock = time.pthread_getcpuclockid(threading.get_ident())
            try:
                self._result.append(self._work())
            except BaseException as error:  # noqa: BLE001 (whoever waits for it gets it)
                self._error = error
            forget()
            self._close()
        except Exceeded as late:  # it came when all was done
            self._error = late
        finally:
            self.over.set()

    def _close(self) -> None:
        """From here on nothing is raised from outside: the thread's end is none of ours."""
        with self._closing:
            self._open = False
        _raise_in(threading.get_ident(), None)

    def ends(self, seconds: float) -> bool:
        """Wait for the end; False if it takes more of the processor than so many seconds, or nothing for very long."""
        idle, used = 0, 0.0
        while not self.over.wait(_LOOK_SECONDS):
            now = self._used()
            idle = idle + 1 if now - used < _ENOUGH_CPU else 0
            used = now
            if used > seconds or idle > _IDLE_LOOKS:
                return False
        return True

    def _used(self) -> float:
        """How much time of the processor it has taken; where nobody can tell, a part of the time that went by."""
        try:
            return (time.monotonic() - self._began) / _WALL if self._clock is None else time.clock_gettime(self._clock)
        except OSError:  # it has just ended
            return 0.0

    def interrupt(self) -> None:
        """Raise `Exceeded` in it, as soon as it runs Python again. It has nothing open that would have to be closed."""
        if self._closing.acquire(timeout=_LOOK_SECONDS):
            try:
                if self._open and self.ident is not None:
                    _raise_in(self.ident, _OutOfTime)
            finally:
                self._closing.release()

    def outcome(self) -> _T:
        """What came of it.

        Raises:
            Stuck: nothing did.
        """
        if not self.over.is_set():
            raise Stuck("Analyzing a statement took too long and was stopped")
        if self._error is not None:
            raise self._error
        return self._result[0]


def _raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Raise an exception in another thread, or take back one that was not raised yet; only CPython can."""
    api: Any = getattr(ctypes, "pythonapi", None)
    if api is not None:
        api.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), None if error is None else ctypes.py_object(error))


class _OutOfTime(Exceeded):
    """`Exceeded` as it is raised from outside, where nobody can give it a text."""

    def __init__(self) -> None:
        super().__init__("time")
