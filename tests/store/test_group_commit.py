"""Threads that come at once share a call; each gets its own result, and all get to know what went wrong."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Sequence
from types import SimpleNamespace

import pytest
from tests.waiting import wait_for

from headwater.common.errors import StoreError
from headwater.store import group_commit
from headwater.store.group_commit import GroupCommit


def _in_threads(commit: GroupCommit[int, int], lists: Sequence[Sequence[int]]) -> list[int | BaseException]:
    results: list[int | BaseException] = [0] * len(lists)

    def call(place: int) -> None:
        try:
            results[place] = commit(lists[place])
        except BaseException as error:  # noqa: BLE001  it is what is looked at
            results[place] = error

    threads = [threading.Thread(target=call, args=(place,)) for place in range(len(lists))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def _sums(calls: list[int], threads: int) -> GroupCommit[int, int]:
    """Sums, and notes how many threads share each call; the first call goes on when all threads have come."""

    def work(brought: list[Sequence[int]]) -> list[int]:
        calls.append(len(brought))
        if len(calls) == 1:
            wait_for("all threads", lambda: len(brought) + len(commit._queue._items) == threads)
        return [sum(items) for items in brought]

    commit = GroupCommit(work, most=100)
    return commit


def test_who_comes_while_it_runs_shares_the_next_call() -> None:
    calls: list[int] = []
    assert _in_threads(_sums(calls, 8), [[number] for number in range(8)]) == list(range(8))
    assert sum(calls) == 8
    assert len(calls) <= 2


def test_a_call_takes_no_more_than_it_may_and_never_parts_what_one_brings() -> None:
    calls: list[int] = []
    assert _in_threads(_sums(calls, 5), [[1] * 60] * 4 + [[1] * 300]) == [60] * 4 + [300]
    assert calls == [1] * 5


def test_threads_that_come_again_and_again_stay_together(monkeypatch: pytest.MonkeyPatch) -> None:
    # By this clock every call takes eight seconds, a quarter of which the next one waits for those who come again.
    monkeypatch.setattr(group_commit, "time", SimpleNamespace(monotonic=itertools.count(step=8).__next__))
    calls: list[int] = []
    commit = _sums(calls, 6)

    def come() -> None:
        for _ in range(5):
            commit([1])

    threads = [threading.Thread(target=come) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(calls) == 30
    assert len(calls) <= 10, "each call was to serve most of the threads"


def test_what_goes_wrong_all_get_to_know_and_the_next_call_works() -> None:
    def work(brought: list[Sequence[int]]) -> list[int]:
        if any(0 in items for items in brought):
            raise StoreError("no")
        return [sum(items) for items in brought]

    commit = GroupCommit(work, most=100)
    with pytest.raises(StoreError, match="no"):
        commit([0])
    assert commit([1, 2]) == 3


def test_who_is_interrupted_leaves_the_others_an_error_and_the_way_free() -> None:
    started = threading.Event()

    def work(brought: list[Sequence[int]]) -> list[int]:
        if started.is_set():
            return [sum(items) for items in brought]
        started.set()
        raise KeyboardInterrupt

    commit = GroupCommit(work, most=100)
    with pytest.raises(KeyboardInterrupt):
        commit([0])
    assert commit([4]) == 4
