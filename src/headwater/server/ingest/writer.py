"""One thread writes: what many requests bring meanwhile goes into the next transaction together."""

import asyncio
import threading
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus

from headwater.server.http.errors import ApiError
from headwater.server.http.metrics import Metrics
from headwater.server.settings.settings import ServerSettings
from headwater.store import Store
from headwater.store.errors import TryAgain, Unavailable
from headwater.store.group_commit import GroupQueue
from headwater.store.ingest.prepared_event import Ready

# In one transaction; what one request brings is never parted.
_MOST_TOGETHER = 2_000
# How long to wait for others, as a part of what the last transaction took, and at most.
_PATIENCE = 0.5
_MOST_PATIENCE = 0.02


@dataclass(slots=True, eq=False)
class _Brought:
    """What one request brings, and who waits for it."""

    events: Sequence[Ready]
    done: "asyncio.Future[int]"


class Writer:
    """Writes the events of requests. When `write` returns, they are on disk."""

    def __init__(self, store: Store, settings: ServerSettings, metrics: Metrics) -> None:
        self._store = store
        self._most = settings.max_queued_events
        self._metrics = metrics
        self._queue = GroupQueue[_Brought](
            lambda brought: len(brought.events), most=_MOST_TOGETHER, patience=_PATIENCE, longest=_MOST_PATIENCE
        )
        self._queued = 0
        self._closing = False
        self._thread: threading.Thread | None = None

    async def write(self, events: Sequence[Ready]) -> int:
        """Store events; returns how many were new.

        Raises:
            ApiError: too many wait already (429), or the server is shutting down (503).
            StoreError: the store cannot be written; none of the events is acknowledged.
        """
        brought = _Brought(events, asyncio.get_running_loop().create_future())
        with self._queue.changed:
            if self._closing:
                raise ApiError(HTTPStatus.SERVICE_UNAVAILABLE, "The server is shutting down.", {"Retry-After": "5"})
            if self._queued and self._queued + len(events) > self._most:
                self._metrics.refused.labels("queued_events").inc()
                said = "The server's queue of events is full: send them again later."
                raise ApiError(HTTPStatus.TOO_MANY_REQUESTS, said, {"Retry-After": "1"})
            self._count(len(events))
            self._queue.put(brought)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="headwater-writer", daemon=True)
                self._thread.start()
        return await brought.done

    def close(self) -> None:
        """Write what waits, and take no more."""
        with self._queue.changed:
            self._closing = True
            self._queue.close()
        if self._thread is not None:
            self._thread.join()

    def _count(self, events: int) -> None:
        self._queued += events
        self._metrics.queued.set(self._queued)

    def _run(self) -> None:
        while group := self._queue.take():
            started = time.monotonic()
            results = self._write(group)
            with self._queue.changed:
                self._count(-sum(len(one.events) for one in group))
                self._queue.ended(group, time.monotonic() - started)
            _tell(group, results)

    def _write(self, group: Sequence[_Brought]) -> Sequence[int | Exception]:
        try:
            return self._commit(group)
        except Exception as error:  # noqa: BLE001  whoever waits is told, and the thread goes on
            self._metrics.failures.inc()
            if len(group) == 1 or isinstance(error, Unavailable | TryAgain):
                return [error] * len(group)
        # One of them is at fault: the others are not to suffer for it.
        return [result for one in group for result in self._write([one])]

    def _commit(self, group: Sequence[_Brought]) -> list[int]:
        self._metrics.batches.observe(sum(len(one.events) for one in group))
        with self._metrics.commits.time():
            return self._store.write([one.events for one in group])


def _tell(group: Sequence[_Brought], results: Sequence[int | Exception]) -> None:
    """Give each its result, in the event loop that it waits in; all of one loop at once."""
    by_loop: defaultdict[asyncio.AbstractEventLoop, list[tuple[_Brought, int | Exception]]] = defaultdict(list)
    for one, result in zip(group, results, strict=True):
        by_loop[one.done.get_loop()].append((one, result))
    for loop, told in by_loop.items():
        if not loop.is_closed():
            loop.call_soon_threadsafe(_settle, told)


def _settle(told: Sequence[tuple[_Brought, int | Exception]]) -> None:
    for one, result in told:
        if one.done.done():
            continue  # its client has gone
        if isinstance(result, Exception):
            one.done.set_exception(result)
        else:
            one.done.set_result(result)
