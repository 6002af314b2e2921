"""One writer for all requests: they share transactions, and none suffers for another."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

import pytest

from headwater.common.errors import StoreError
from headwater.server.http.errors import ApiError
from headwater.server.http.metrics import Metrics
from headwater.server.ingest.writer import Writer
from headwater.server.settings.settings import ServerSettings
from headwater.store.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Sequence


class _Commits:
    """In the place of a store: notes what is written together, and waits before each transaction until it may."""

    def __init__(self, **errors: Exception) -> None:
        self.groups: list[list[str]] = []
        self.may = threading.Event()
        self._errors = errors

    def write(self, brought: Sequence[Sequence[str]]) -> list[int]:
        self.may.wait(60)
        group = [event for events in brought for event in events]
        self.groups.append(group)
        for event in group:
            if event in self._errors:
                raise self._errors[event]
        return [len(events) for events in brought]


def _writer(commits: _Commits, most: int = 100) -> Writer:
    store: Any = commits
    return Writer(store, ServerSettings(max_queued_events=most), Metrics())


async def _write(writer: Writer, *events: str) -> object:
    ready: Any = events
    try:
        return await writer.write(ready)
    except (StoreError, ApiError, ValueError) as error:
        return error


async def _busy(commits: _Commits, writer: Writer) -> asyncio.Task[object]:
    """A request whose transaction has begun, so that others wait for the next."""
    first = asyncio.ensure_future(_write(writer, "first"))
    while writer._queue._items or not writer._thread:  # noqa: ASYNC110  a thread does it
        await asyncio.sleep(0.001)
    assert not commits.groups
    return first


def test_what_comes_during_a_transaction_goes_into_the_next_together() -> None:
    async def main() -> None:
        commits = _Commits()
        writer = _writer(commits)
        first = await _busy(commits, writer)
        others = asyncio.gather(*(_write(writer, name, name) for name in "abcde"))
        await asyncio.sleep(0)
        commits.may.set()
        assert await first == 1
        assert await others == [2, 2, 2, 2, 2]
        assert commits.groups == [["first"], [*"aabbccddee"]]
        writer.close()

    asyncio.run(main())


def test_an_event_that_the_database_refuses_fails_alone() -> None:
    async def main() -> None:
        bad = StoreError("cannot store all characters")
        commits = _Commits(b=bad, d=ValueError("a fault of ours"))
        writer = _writer(commits)
        first = await _busy(commits, writer)
        others = asyncio.gather(*(_write(writer, name) for name in "abcd"))
        await asyncio.sleep(0)
        commits.may.set()
        await first
        assert [1, bad, 1] == (await others)[:3]
        assert isinstance((await others)[3], ValueError)
        writer.close()

    asyncio.run(main())


def test_a_store_that_is_away_is_asked_once_for_all() -> None:
    async def main() -> None:
        away = Unavailable("cannot be reached")
        commits = _Commits(a=away)
        writer = _writer(commits)
        first = await _busy(commits, writer)
        others = asyncio.gather(*(_write(writer, name) for name in "abc"))
        await asyncio.sleep(0)
        commits.may.set()
        await first
        assert await others == [away, away, away]
        assert len(commits.groups) == 2
        assert await _write(writer, "later") == 1
        writer.close()

    asyncio.run(main())


def test_more_than_may_wait_is_refused_at_once_and_what_waits_is_written() -> None:
    async def main() -> None:
        commits = _Commits()
        writer = _writer(commits, most=3)
        first = await _busy(commits, writer)
        second = asyncio.ensure_future(_write(writer, "a", "b"))
        await asyncio.sleep(0)
        refused = await _write(writer, "c")
        assert isinstance(refused, ApiError)
        assert (refused.status, refused.headers) == (429, {"Retry-After": "1"})
        commits.may.set()
        assert [await first, await second, await _write(writer, "c")] == [1, 2, 1]
        writer.close()

    asyncio.run(main())


def test_at_the_end_what_waits_is_written_and_no_more_taken() -> None:
    async def main() -> None:
        commits = _Commits()
        writer = _writer(commits)
        first = await _busy(commits, writer)
        second = asyncio.ensure_future(_write(writer, "a"))
        await asyncio.sleep(0)
        commits.may.set()
        await asyncio.to_thread(writer.close)
        assert [await first, await second] == [1, 1]
        refused = await _write(writer, "b")
        assert isinstance(refused, ApiError)
        assert refused.status == 503

    asyncio.run(main())


def test_a_request_that_went_away_does_not_disturb_the_others() -> None:
    async def main() -> None:
        commits = _Commits()
        writer = _writer(commits)
        first = await _busy(commits, writer)
        disconnected, stays = (asyncio.ensure_future(_write(writer, name)) for name in "ab")
        await asyncio.sleep(0)
        disconnected.cancel()
        commits.may.set()
        assert [await first, await stays] == [1, 1]
        with pytest.raises(asyncio.CancelledError):
            await disconnected
        writer.close()

    asyncio.run(main())


def test_who_waits_while_the_store_is_away_is_refused_with_those_before() -> None:
    """Each group would wait for as long again."""

    async def main() -> None:
        away = Unavailable("does not answer")
        commits = _Commits(first=away)
        writer = _writer(commits)
        first = await _busy(commits, writer)
        others = asyncio.gather(*(_write(writer, name) for name in "abc"))
        await asyncio.sleep(0)
        commits.may.set()
        assert await first is away
        assert await others == [away, away, away]
        assert commits.groups == [["first"]]
        assert await _write(writer, "later") == 1
        writer.close()

    asyncio.run(main())
