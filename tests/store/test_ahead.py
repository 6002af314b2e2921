"""Events that lie ahead of the clock are stored as any others, and said: once for each job, and in the counts."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import pytest

from headwater.common.errors import StoreError
from headwater.store import open_store
from headwater.store.db.clock import DEFAULT_TOLERANCE, TOLERANCE_VARIABLE, Clock

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import EventMaker
    from tests.store.conftest import View

    from headwater.store import Store

_HOUR = 60


def _at(store: Store, minute: int, maker: EventMaker, tolerance: float = 0) -> Store:
    """The same store, asked at a minute."""
    return open_store(store.url, clock=Clock(tolerance, lambda: maker.us(minute)))


def test_what_lies_ahead_is_logged_once_for_each_job(
    any_store: Store, maker: EventMaker, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "headwater"), _at(any_store, _HOUR, maker) as store:
        store.ingest([maker(minute, job="late\nWARNING forged") for minute in (1, 61, 62)])
        store.ingest([maker(63, job="late\nWARNING forged"), maker(64, job="other")])
    assert [record.message for record in caplog.records] == [
        f'The clock that sends events of "jobs/{job}" is ahead: eventTime 2026-01-01T01:0{minute}:00Z is more than 0 s'
        " ahead of the clock: it is stored, and counts from then on. Correct that clock."
        for job, minute in (("late\\nWARNING forged", 1), ("other", 4))
    ]


def test_however_many_jobs_there_are_the_log_stays_short(
    store: Store, maker: EventMaker, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "headwater"), _at(store, _HOUR, maker) as late:
        result = late.ingest([maker(61, job=f"job {number}", out=None) for number in range(150)])
    assert (result.accepted, result.ahead) == (150, 150)
    assert len(caplog.records) == 101
    assert "no further one" in caplog.records[-1].message


def test_stats_count_what_lies_ahead_until_the_clock_has_passed_it(any_store: Store, maker: EventMaker) -> None:
    events = [maker(1, columns={"a": ["in.x"]}), maker(61, columns={"b": ["in.x", "in.y"]}), maker(62, job="other")]
    any_store.ingest(events)
    with _at(any_store, _HOUR, maker) as store:
        stats = store.stats()
        assert (stats.events, stats.events_ahead, stats.edges_in_force) == (3, 2, 1)
        assert stats.last_event == "2026-01-01T00:01:00.000000Z"
        assert stats.last_event_ahead == "2026-01-01T01:02:00.000000Z"
    with _at(any_store, 62, maker) as store:
        stats = store.stats()
        assert (stats.events_ahead, stats.edges_in_force, stats.last_event_ahead) == (0, 2, None)
        assert stats.last_event == "2026-01-01T01:02:00.000000Z"


def test_a_tolerance_decides_from_when_on_events_lie_ahead(store: Store, maker: EventMaker) -> None:
    with _at(store, _HOUR, maker, tolerance=120) as tolerant:
        assert tolerant.ingest([maker(62)]).ahead == 0
        assert tolerant.ingest([maker(63), maker(64)]).ahead == 2


def test_what_is_stored_does_not_depend_on_the_clock(
    tmp_path: Path, maker: EventMaker, natural_view: Callable[[Store], View]
) -> None:
    events = [maker(1, schema={"a": "int"}), maker(61, schema={"b": "int"}), maker(2, lifecycle="OVERWRITE")]
    views = []
    for minute in (0, _HOUR, 10 * _HOUR):
        with open_store(str(tmp_path / f"{minute}.db"), clock=Clock(0, lambda at=minute: maker.us(at))) as store:  # type: ignore[misc]
            store.ingest(events)
            views.append(natural_view(store))
            store.rebuild()
            views.append(natural_view(store))
    assert all(view == views[0] for view in views)


def test_retention_keeps_what_is_known_now_beside_what_lies_ahead(any_store: Store, maker: EventMaker) -> None:
    """Of events that say the same the last one is kept: the last by now, too."""
    any_store.ingest([maker(1, run="one"), maker(2, run="two"), maker(61, run="three")])
    with _at(any_store, _HOUR, maker) as store:
        store.vacuum(keep_raw_days=0)
        assert [event["eventTime"][14:16] for event in store.events()] == ["02", "01"]


@pytest.mark.parametrize("text", ["soon", "-1", "nan", "inf", "1e300"])
def test_a_tolerance_that_is_none_is_refused_by_name(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TOLERANCE_VARIABLE, text)
    with pytest.raises(StoreError, match=rf"{TOLERANCE_VARIABLE} is not a number of seconds, 0 or more: '{text}'"):
        open_store(str(tmp_path / "lineage.db"))


def test_the_environment_sets_the_tolerance_of_every_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert open_store(str(tmp_path / "lineage.db")).clock.tolerance == DEFAULT_TOLERANCE
    monkeypatch.setenv(TOLERANCE_VARIABLE, "90")
    assert open_store(str(tmp_path / "lineage.db")).clock.tolerance == 90
