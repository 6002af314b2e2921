"""What is known of a run, by itself."""

from __future__ import annotations

from itertools import permutations

from headwater.openlineage.model.event import EventType
from headwater.store.timeline.runs import Run

_START = Run(first_us=5, job=1, job_stamp=b"a", parent=8, parent_stamp=b"a")
_FAILED = Run(first_us=9, job=2, job_stamp=b"c", end_type=4, end_stamp=b"c")
_DONE = Run(first_us=7, job=3, job_stamp=b"b", parent=9, parent_stamp=b"b", end_type=3, end_stamp=b"b", streaming=1)


def test_of_each_thing_the_greatest_stamp_counts_in_any_order() -> None:
    for first, second, third in permutations([_START, _FAILED, _DONE]):
        assert first.merge(second).merge(third) == Run(
            first_us=5,
            job=2,
            job_stamp=b"c",
            parent=9,
            parent_stamp=b"b",
            end_type=4,
            end_stamp=b"c",
            streaming=1,
        )


def test_what_says_nothing_changes_nothing() -> None:
    assert Run().merge(_DONE) == _DONE.merge(Run()) == _DONE.merge(_DONE) == _DONE
    assert Run().merge(Run()) == Run()


def test_what_ended_or_is_streaming_may_have_written() -> None:
    assert Run(end_type=EventType.COMPLETE).may_write
    assert Run(end_type=EventType.FAIL).may_write, "after it completed"
    assert Run(streaming=1).may_write
    assert not Run().may_write


def test_a_stamp_that_is_the_same_is_written_once() -> None:
    assert Run(1, 2, b"s", 3, b"s", 4, b"s", 1).row() == (1, 2, None, 3, None, 4, b"s", 1)
    assert Run(1, 2, b"j", 3, b"p", 4, b"e", 0).row() == (1, 2, b"j", 3, b"p", 4, b"e", 0)
