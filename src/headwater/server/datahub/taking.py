"""Changes of DataHub on their way into the store: one thread brings them in, what came meanwhile goes together."""

import itertools
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from http import HTTPStatus
from typing import Any, TypeAlias

import anyio
import anyio.to_thread

from headwater.datahub.imports.builder import Located
from headwater.datahub.imports.ingest import Importer, Refused
from headwater.datahub.naming.datasets import Naming
from headwater.server.datahub.received import Received, receive
from headwater.server.http.errors import ApiError
from headwater.server.http.metrics import Metrics
from headwater.server.settings.settings import ServerSettings
from headwater.store import Store, StoreError
from headwater.store.group_commit import GroupCommit

# In one call of the importer; what one request brings is never parted.
_MOST_TOGETHER = 1_000
# How many requests wait in threads; the others wait before them.
_THREADS = 32
Told: TypeAlias = list[Refused] | Exception


class Taker:
    """Takes what requests bring. When `take` returns, what it does not refuse is on disk."""

    def __init__(self, store: Store, naming: Naming, settings: ServerSettings, metrics: Metrics) -> None:
        self.naming = naming
        self._settings = settings
        self._metrics = metrics
        self._importer = Importer(store, naming)
        self._together: GroupCommit[Located, Told] = GroupCommit(self._bring_in, _MOST_TOGETHER)
        self._threads = anyio.CapacityLimiter(_THREADS)
        self._requests = itertools.count()
        self._lock = threading.Lock()
        self._last_us = 0
        self._queued = 0

    async def take(self, read: Callable[[], Iterable[Any]]) -> Received:
        """Take the records that a request holds; those that cannot be used are refused, and the rest is kept.

        Args:
            read: gives the records; called in a thread.

        Raises:
            ApiError: too many changes wait already (429).
            DataHubError: the request as a whole is none.
            StoreError: the store cannot be written; nothing is acknowledged.
        """
        return await anyio.to_thread.run_sync(self._take, read, limiter=self._threads)

    def _take(self, read: Callable[[], Iterable[Any]]) -> Received:
        key = str(next(self._requests))
        found = receive(read(), self._now(), self._settings.max_json_depth, key)
        self._metrics.rejected.inc(len(found.refused))
        if not found.changes:
            return found
        self._count(len(found.changes))
        try:
            told = self._together(found.changes)
        finally:
            self._count(-len(found.changes))
        if isinstance(told, Exception):
            raise told
        found.refused += [found.refusal(one.place.line, one.reason) for one in told]
        self._metrics.rejected.inc(len(told))
        return found

    def _now(self) -> int:
        """The time of what does not say when it was: later than that of all before."""
        with self._lock:
            self._last_us = max(self._last_us + 1, time.time_ns() // 1000)
            return self._last_us

    def _count(self, changes: int) -> None:
        with self._lock:
            if changes > 0 and self._queued and self._queued + changes > self._settings.max_queued_events:
                self._metrics.refused.labels("queued_events").inc()
                said = "The server's queue of changes is full: send them again later."
                raise ApiError(HTTPStatus.TOO_MANY_REQUESTS, said, {"Retry-After": "1"})
            self._queued += changes

    def _bring_in(self, brought: Sequence[Sequence[Located]]) -> list[Told]:
        """Bring in what several requests hold; what each is told is by its own key."""
        try:
            done = self._importer.take([change for changes in brought for change in changes])
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001  whoever waits is told, and the others are not to suffer for it
            if len(brought) == 1:
                return [error]
            return [told for changes in brought for told in self._bring_in([changes])]
        self._metrics.accepted.inc(done.events)
        by_request: dict[str, list[Refused]] = defaultdict(list)
        for one in done.refused:
            by_request[one.place.file].append(one)
        return [by_request[changes[0].place.file] for changes in brought]
