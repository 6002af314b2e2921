"""What a server knows of its store: whether it can be used, said once in the log; and waits for it that end."""

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from headwater.server.http.logs import note
from headwater.store import Store, StoreError
from headwater.store.errors import Cancelled, TryAgain, Unavailable
from headwater.store.store import Use

T = TypeVar("T")
# One transaction that succeeds between others that do not is no end of what is wrong.
_QUIET_SECONDS = 5.0
# Of one outage, each reason is logged once; these are more than there are.
_MOST_REASONS = 10
_DONE: Mapping[Use, str] = {Use.READ: "read", Use.WRITE: "written"}


@dataclass(slots=True)
class _Outage:
    """Since when transactions of one kind fail, and why."""

    began: float
    last: float
    count: int = 0
    reasons: list[str] = field(default_factory=list)


class StoreState:
    """Whether a store can be read and written, by how its transactions end; the log learns when that changes.

    Args:
        now: the clock.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._outages: dict[Use, _Outage] = {}

    def __call__(self, use: Use, error: StoreError | None) -> None:
        """Take in how a transaction ended."""
        if error is None:
            if self._outages:
                self._succeeded(use)
        elif not isinstance(error, Cancelled | TryAgain):
            self._failed(use, str(error))

    def _failed(self, use: Use, reason: str) -> None:
        with self._lock:
            outage = self._outages.setdefault(use, _Outage(self._now(), self._now()))
            outage.last = self._now()
            outage.count += 1
            if reason in outage.reasons or len(outage.reasons) >= _MOST_REASONS:
                return
            outage.reasons.append(reason)
        note(logging.ERROR, f"The store cannot be {_DONE[use]}", {"use": use.value, "reason": reason})

    def _succeeded(self, use: Use) -> None:
        with self._lock:
            outage = self._outages.get(use)
            if outage is None or self._now() - outage.last < _QUIET_SECONDS:
                return
            del self._outages[use]
        seconds = round(self._now() - outage.began, 1)
        facts = {"use": use.value, "failures": outage.count, "seconds": seconds}
        note(logging.WARNING, f"The store can be {_DONE[use]} again", facts)


async def answer_of(work: "asyncio.Future[T]", store: Store, seconds: float) -> T:
    """The answer of work that writes to the store; waits for as long as the store comes on with what it writes.

    Raises:
        Unavailable: it has not come on for so many seconds. What becomes of the work is unknown.
    """
    began = time.monotonic()
    wait = seconds
    while True:
        await asyncio.wait({work}, timeout=wait)
        if work.done():
            return work.result()
        wait = max(began, store.database.moved) + seconds - time.monotonic()
        if wait <= 0:
            raise Unavailable(
                f"The store {store.database} has not come on with a write for {seconds:g} seconds: check its disk, then"
                " try again."
            )
