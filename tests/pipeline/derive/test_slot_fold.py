"""Following slots write by write, from the first or from where they were left, is what the rules of time say."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from headwater.pipeline.derive.slot_fold import END, SLOT, TAIL, VERSION, VERSION_COLUMNS, WRITE, follow_slots
from headwater.store.db.codes import FOREVER
from headwater.store.model.folds import DECLARED, Interval, Write, effects, intervals
from headwater.store.model.order import stamp

_DATASET = 7
_TYPES = {
    **dict(VERSION_COLUMNS),
    "part": pa.int64(),
    "what": pa.int32(),
    "fresh": pa.int32(),
    "old_mapping": pa.int64(),
    "from_us": pa.int64(),
}


@dataclass(frozen=True)
class _Happened:
    """A write of a job to the dataset, or the end of its slot."""

    us: int
    place: int
    job: int
    mapping: int | None
    inputs: int | None
    lifecycle: str

    @property
    def stamp(self) -> bytes:
        return stamp(self.us, 3, bytes([self.place]))


_WHOLE = {"OVERWRITE", "DROP"}
_happened = st.builds(
    _Happened,
    us=st.integers(1, 6),
    place=st.just(0),
    job=st.integers(DECLARED, 3),
    mapping=st.sampled_from([None, 1, 2]),
    inputs=st.sampled_from([None, 5]),
    lifecycle=st.sampled_from(["", "", "OVERWRITE", "DROP", "END"]),
)


def _expected(story: list[_Happened]) -> set[tuple[int, Interval]]:
    """By the store's functions, slot by slot: of each write, what ends it before its slot's next one."""
    found = set()
    for job in {one.job for one in story if one.lifecycle != "END"}:
        own = [one for one in story if one.job == job and one.lifecycle != "END"]
        writes = [
            Write(one.stamp, one.us, one.mapping, one.inputs, one.lifecycle == "DROP", _ender(story, one, own))
            for one in own
        ]
        found |= {(job, interval) for interval in intervals(writes, effects(writes))}
    return found


def _ender(story: list[_Happened], write: _Happened, own: list[_Happened]) -> bytes | None:
    following = next((one.stamp for one in own if one.stamp > write.stamp), b"\xff")
    ends = (
        one.stamp
        for one in story
        if write.stamp < one.stamp < following
        and not (write.job == DECLARED and one.lifecycle == "DROP")
        and ((one.lifecycle in _WHOLE and one.job != write.job) or (one.lifecycle == "END" and one.job == write.job))
    )
    return next(ends, None)


def _row(one: _Happened) -> dict[str, Any]:
    return {
        "dataset": _DATASET, "part": 0, "what": END if one.lifecycle == "END" else WRITE, "job": one.job, "us": one.us,
        "stamp": one.stamp, "mapping": one.mapping, "inputs": one.inputs, "removal": int(one.lifecycle == "DROP"),
        "whole": int(one.lifecycle in _WHOLE), "fresh": 1, "lifecycle": one.lifecycle,
    }  # fmt: skip


def _followed(rows: list[dict[str, Any]], size: int) -> list[dict[str, Any]]:
    schema = pa.schema(list(_TYPES.items()))
    batches = (pa.RecordBatch.from_pylist(rows[at : at + size], schema) for at in range(0, len(rows), size))
    return [row for batch in follow_slots(batches) for row in batch.to_pylist()]


def _slots(rows: list[dict[str, Any]]) -> set[tuple[int, Interval]]:
    return {
        (row["job"], Interval(row["us"], row["until_us"], row["mapping"], row["inputs"]))
        for row in rows
        if row["what"] == SLOT
    }


def _story(happened: list[_Happened]) -> list[_Happened]:
    ordered = sorted(happened, key=lambda one: one.us)
    return [replace(one, place=place) for place, one in enumerate(ordered)]


@settings(max_examples=300)
@given(happened=st.lists(_happened, max_size=12), size=st.integers(1, 4))
def test_writes_and_ends_in_order_give_the_intervals_of_the_rules(happened: list[_Happened], size: int) -> None:
    story = _story(happened)
    assert _slots(_followed([_row(one) for one in story], size)) == _expected(story)


@settings(max_examples=300)
@given(happened=st.lists(_happened, max_size=12), moment=st.integers(1, 6))
def test_going_on_from_tails_gives_what_following_from_the_first_write_gives(
    happened: list[_Happened], moment: int
) -> None:
    story = _story(happened)
    before = _followed([_row(one) for one in story if one.us <= moment], 100)
    open_slots = {job: interval for job, interval in _slots(before) if interval.until_us == FOREVER}
    tails = [
        {
            **row,
            "part": 0,
            "what": TAIL,
            "from_us": open_slots[row["job"]].from_us if row["job"] in open_slots else None,
        }
        for row in before
        if row["what"] == TAIL
    ]
    after = _followed([*tails, *(_row(one) for one in story if one.us > moment)], 100)
    closed = {(job, interval) for job, interval in _slots(before) if interval.until_us != FOREVER}
    assert closed | _slots(after) == _expected(story)


def test_a_version_tells_whether_its_effect_is_another_than_before() -> None:
    first, second = _Happened(1, 0, 1, 5, None, ""), _Happened(2, 1, 1, None, None, "")
    rows = [{**_row(first), "fresh": 1}, {**_row(second), "fresh": 0, "old_mapping": None, "carried": 0}]
    versions = [row for row in _followed(rows, 10) if row["what"] == VERSION]
    assert [(row["mapping"], row["carried"], row["fresh"]) for row in versions] == [(5, 0, 1), (5, 1, 2)]


def test_what_one_event_says_of_two_jobs_is_in_force_whichever_is_read_first() -> None:
    """One overwrites the dataset, and the same event says what another job feeds into it."""
    both = [_Happened(2, 7, 1, 1, None, "OVERWRITE"), _Happened(2, 7, 2, None, None, "")]
    assert both[0].stamp == both[1].stamp
    before = _Happened(1, 0, 3, 1, None, "")
    for story in (both, both[::-1]):
        held = {(job, slot.until_us) for job, slot in _slots(_followed([_row(one) for one in (before, *story)], 10))}
        assert held == {(1, FOREVER), (2, FOREVER), (3, 2)}
