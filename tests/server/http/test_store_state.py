"""That a store fails is said once, and so is that it works again; a wait for it ends when it stands still."""

from __future__ import annotations

import asyncio
import logging
from types import SimpleNamespace
from typing import Any

import pytest

from headwater.server.http.store_state import StoreState, answer_of
from headwater.store.errors import Cancelled, Full, TryAgain, Unavailable
from headwater.store.store import Use


class _Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def _said(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str]]:
    return [(record.levelname, f"{record.getMessage()} {vars(record)['facts']}") for record in caplog.records]


def test_an_outage_is_logged_once_with_each_of_its_reasons(caplog: pytest.LogCaptureFixture) -> None:
    clock = _Clock()
    state = StoreState(clock)
    with caplog.at_level(logging.INFO, "headwater.server"):
        state(Use.WRITE, None)
        for _ in range(50):
            state(Use.WRITE, Full("the disk is full"))
            state(Use.READ, None)
            state(Use.WRITE, Unavailable("it is locked"))
        assert _said(caplog) == [
            ("ERROR", "The store cannot be written {'use': 'write', 'reason': 'the disk is full'}"),
            ("ERROR", "The store cannot be written {'use': 'write', 'reason': 'it is locked'}"),
        ]
        caplog.clear()
        state(Use.WRITE, None)  # one between others that fail
        assert _said(caplog) == []
        clock.now += 10
        state(Use.WRITE, None)
        state(Use.WRITE, None)
        assert _said(caplog) == [
            ("WARNING", "The store can be written again {'use': 'write', 'failures': 100, 'seconds': 10.0}")
        ]
        caplog.clear()
        state(Use.WRITE, Full("the disk is full"))
        assert len(_said(caplog)) == 1


def test_reasons_that_differ_each_time_do_not_fill_the_log(caplog: pytest.LogCaptureFixture) -> None:
    state = StoreState(_Clock())
    with caplog.at_level(logging.INFO, "headwater.server"):
        for number in range(100):
            state(Use.READ, Unavailable(f"connection {number} was lost"))
    assert len(_said(caplog)) == 10


def test_questions_that_are_ended_and_transactions_that_meet_are_no_outage(caplog: pytest.LogCaptureFixture) -> None:
    state = StoreState(_Clock())
    with caplog.at_level(logging.INFO, "headwater.server"):
        state(Use.READ, Cancelled("ended"))
        state(Use.WRITE, TryAgain("met another"))
    assert _said(caplog) == []


def test_a_write_is_waited_for_as_long_as_the_store_comes_on() -> None:
    class Moving:
        """Comes on with the write for the first few times that it is looked at."""

        looked = 0

        @property
        def moved(self) -> float:
            self.looked += 1
            loop = asyncio.get_running_loop()
            return loop.time() if self.looked < 4 else 0.0

    async def main() -> None:
        database = Moving()
        store: Any = SimpleNamespace(database=database)
        work = asyncio.get_running_loop().create_future()
        with pytest.raises(Unavailable, match="has not come on with a write"):
            await answer_of(work, store, 0.01)
        assert database.looked >= 4
        work.set_result(7)
        assert await answer_of(work, store, 0.01) == 7

    asyncio.run(main())
