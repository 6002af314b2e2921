"""One thread writes events: those of concurrent requests in one transaction (group commit)."""

import asyncio
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus

from headwater.common.groups import lists_by_key
from headwater.server.http.errors import ApiError
from headwater.server.http.metrics import Metrics
from headwater.server.http.store_state import answer_of
from headwater.server.settings.settings import ServerSettings
from headwater.store import Store
from headwater.store.errors import TryAgain, Unavailable
from headwater.store.group_commit import GroupQueue
from headwater.store.ingest.prepared_event import Ready

# In one transaction; the events of one request stay together.
_MOST_IN_A_GROUP = 2_000
# How long to wait for more requests: a share of the time of the last transaction, up to a limit.
_PATIENCE = 0.5
_MOST_PATIENCE = 0.02


@dataclass(slots=True, eq=False)
class _Request:
    """The events of one request, and the future it waits for."""

    events: Sequence[Ready]
    done: "asyncio.Future[int]"


class Writer:
    """Writes the events of requests. When `write` returns, they are on disk."""

    def __init__(self, store: Store, settings: ServerSettings, metrics: Metrics) -> None:
        self._store = store
        self._most = settings.max_queued_events
        self._limit = settings.write_limit
        self._metrics = metrics
        self._queue = GroupQueue[_Request](
            lambda request: len(request.events), most=_MOST_IN_A_GROUP, patience=_PATIENCE, longest=_MOST_PATIENCE
        )
        self._queued = 0
        self._closing = False
        self._thread: threading.Thread | None = None

    async def write(self, events: Sequence[Ready]) -> int:
        """Store events; returns how many were new.

        Raises:
            ApiError: the queue is full (429), or the server is shutting down (503).
            StoreError: the store cannot be written, or does not come on; none of the events is acknowledged.
        """
        request = _Request(events, asyncio.get_running_loop().create_future())
        with self._queue.changed:
            if self._closing:
                raise ApiError(HTTPStatus.SERVICE_UNAVAILABLE, "The server is shutting down.", {"Retry-After": "5"})
            if self._queued and self._queued + len(events) > self._most:
                self._metrics.refused.labels("queued_events").inc()
                message = "The server's queue of events is full: send them again later."
                raise ApiError(HTTPStatus.TOO_MANY_REQUESTS, message, {"Retry-After": "1"})
            self._count(len(events))
            self._queue.put(request)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="headwater-writer", daemon=True)
                self._thread.start()
        try:
            return await answer_of(request.done, self._store, self._limit)
        finally:
            # Who waits no longer is told nothing, whatever becomes of the events.
            request.done.cancel()

    def close(self) -> None:
        """Write the queued events, and accept no more."""
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
            results = list(self._write(group))
            if isinstance(results[-1], Unavailable):
                # Those who came in the meantime have waited for as long, and would wait for as long again.
                late = self._queue.rest()
                group += late
                results += [results[-1]] * len(late)
            with self._queue.changed:
                self._count(-sum(len(request.events) for request in group))
                self._queue.ended(group, time.monotonic() - started)
            _resolve_all(group, results)

    def _write(self, group: Sequence[_Request]) -> Sequence[int | Exception]:
        try:
            return self._commit(group)
        except Exception as error:  # noqa: BLE001  the requests get the error, and the thread goes on
            self._metrics.failures.inc()
            if len(group) == 1 or isinstance(error, Unavailable | TryAgain):
                return [error] * len(group)
        # One request is at fault: write each by itself, so that the others succeed.
        return [result for request in group for result in self._write([request])]

    def _commit(self, group: Sequence[_Request]) -> list[int]:
        self._metrics.batches.observe(sum(len(request.events) for request in group))
        with self._metrics.commits.time():
            return self._store.write([request.events for request in group])


def _resolve_all(group: Sequence[_Request], results: Sequence[int | Exception]) -> None:
    """Resolve the futures of requests, each in its own event loop; one call per loop."""
    by_loop = lists_by_key((pair[0].done.get_loop(), pair) for pair in zip(group, results, strict=True))
    for loop, settled in by_loop.items():
        if not loop.is_closed():
            loop.call_soon_threadsafe(_settle, settled)


def _settle(results: Sequence[tuple[_Request, int | Exception]]) -> None:
    for request, result in results:
        if request.done.done():
            continue  # the client disconnected
        if isinstance(result, Exception):
            request.done.set_exception(result)
        else:
            request.done.set_result(result)
