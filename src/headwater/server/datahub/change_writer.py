"""Writes the changes that DataHub's clients send: those of concurrent requests in one group."""

import asyncio
import itertools
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from http import HTTPStatus
from typing import Any, TypeAlias

import anyio

from headwater.common.groups import lists_by_key
from headwater.datahub.imports.builder import Located
from headwater.datahub.imports.ingest import Importer, Refused
from headwater.datahub.naming.datasets import Naming
from headwater.server.datahub.change_requests import Received, receive
from headwater.server.http.errors import ApiError
from headwater.server.http.metrics import Metrics
from headwater.server.http.store_state import answer_of
from headwater.server.http.threads import in_thread
from headwater.server.settings.settings import ServerSettings
from headwater.store import Store, StoreError
from headwater.store.group_commit import GroupCommit

# In one call of the importer; the changes of one request stay together.
_MOST_IN_A_GROUP = 1_000
# How many requests wait in threads; others wait for a thread.
_THREADS = 32
Outcome: TypeAlias = list[Refused] | Exception


class ChangeWriter:
    """Writes the changes of requests. When `write` returns, all changes that it does not refuse are on disk."""

    def __init__(self, store: Store, naming: Naming, settings: ServerSettings, metrics: Metrics) -> None:
        self.naming = naming
        self._settings = settings
        self._metrics = metrics
        self._store = store
        self._importer = Importer(store, naming)
        self._group_commit: GroupCommit[Located, Outcome] = GroupCommit(self._import, _MOST_IN_A_GROUP)
        self._threads = anyio.CapacityLimiter(_THREADS)
        self._requests = itertools.count()
        self._lock = threading.Lock()
        self._last_us = 0
        self._queued = 0

    async def write(self, read: Callable[[], Iterable[Any]]) -> Received:
        """Write the changes in a request's records, and refuse those that cannot be used.

        Args:
            read: returns the records; called in a thread.

        Raises:
            ApiError: too many changes wait already (429).
            DataHubError: the request as a whole is invalid.
            StoreError: the store cannot be written, or does not come on; nothing is acknowledged.
        """
        begun = threading.Event()

        def work() -> Received:
            begun.set()
            return self._write(read)

        writing = asyncio.ensure_future(in_thread(work, self._threads))
        writing.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody may wait for it any more
        try:
            return await answer_of(writing, self._store, self._settings.write_limit)
        finally:
            # What has begun keeps its thread; what has not is to let go of the body that it came with.
            if not begun.is_set():
                writing.cancel()

    def _write(self, read: Callable[[], Iterable[Any]]) -> Received:
        key = str(next(self._requests))
        received = receive(read(), self._now(), self._settings.max_json_depth, key)
        self._metrics.rejected.inc(len(received.refused))
        if not received.changes:
            return received
        self._count(len(received.changes))
        try:
            outcome = self._group_commit(received.changes)
        finally:
            self._count(-len(received.changes))
        if isinstance(outcome, Exception):
            raise outcome
        received.refused += [received.refusal(refused.place.line, refused.reason) for refused in outcome]
        self._metrics.rejected.inc(len(outcome))
        return received

    def _now(self) -> int:
        """The time of changes that name none: later than all before."""
        with self._lock:
            self._last_us = max(self._last_us + 1, time.time_ns() // 1000)
            return self._last_us

    def _count(self, changes: int) -> None:
        with self._lock:
            if changes > 0 and self._queued and self._queued + changes > self._settings.max_queued_events:
                self._metrics.refused.labels("queued_events").inc()
                message = "The server's queue of changes is full: send them again later."
                raise ApiError(HTTPStatus.TOO_MANY_REQUESTS, message, {"Retry-After": "1"})
            self._queued += changes

    def _import(self, requests: Sequence[Sequence[Located]]) -> list[Outcome]:
        """Import the changes of several requests; returns the refused ones of each."""
        try:
            done = self._importer.take([change for changes in requests for change in changes])
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001  its own request gets the error, and the others still succeed
            if len(requests) == 1:
                return [error]
            return [outcome for changes in requests for outcome in self._import([changes])]
        self._metrics.accepted.inc(done.events)
        by_request = lists_by_key((refused.place.file, refused) for refused in done.refused)
        return [by_request[changes[0].place.file] for changes in requests]
