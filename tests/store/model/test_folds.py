"""The folds by themselves: what events say together, and what writes keep in force."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.store.db.codes import FOREVER
from headwater.store.model.folds import Effect, Interval, Keeper, Outcome, Write, effects, intervals
from headwater.store.model.order import stamp, stamp_us

# --- what events say together ----------------------------------------------------------------------------------------

_SAYS_NOTHING = Outcome().then(said=0, mapping=None, lifecycle=None, partial=0, renamed=None)
_FULL = Outcome(said=1, mapping=7, lifecycle="RENAME", partial=1, renamed=4)


def then(outcome: Outcome, *, said: int = 0, mapping: int | None = None, partial: int = 0) -> Outcome:
    return outcome.then(said=said, mapping=mapping, lifecycle=None, partial=partial, renamed=None)


def test_what_an_event_does_not_speak_of_stays() -> None:
    assert Outcome() == _SAYS_NOTHING == Outcome(0, None, "", 0, None)
    assert then(_FULL) == _FULL


def test_of_each_thing_the_last_word_counts() -> None:
    assert then(_FULL, said=1, mapping=8) == replace(_FULL, mapping=8)
    assert then(_FULL, said=1) == replace(_FULL, mapping=None)
    assert then(Outcome(), said=1, mapping=8) == Outcome(said=1, mapping=8)
    assert then(Outcome(), partial=1) == Outcome(partial=1)


def test_what_is_taken_back_is_no_longer_said() -> None:
    assert then(_FULL, said=-1) == replace(_FULL, said=0, mapping=None)
    assert then(_FULL, partial=-1) == replace(_FULL, partial=0)


def test_a_rename_maps_where_nothing_is_said_of_columns() -> None:
    assert then(Outcome(), mapping=5) == Outcome(said=0, mapping=5)


def test_a_lifecycle_brings_the_name_before_or_none() -> None:
    dropped = _FULL.then(said=0, mapping=None, lifecycle="DROP", partial=0, renamed=None)

    assert (dropped.lifecycle, dropped.renamed) == ("DROP", None)


@pytest.mark.parametrize(
    ("lifecycle", "whole", "removal"),
    [
        ("OVERWRITE", True, False),
        ("RENAME", True, False),
        ("DROP", True, True),
        ("TRUNCATE", True, True),
        ("CREATE", False, False),
        ("", False, False),
    ],
)
def test_what_becomes_of_the_rows_before(lifecycle: str, whole: bool, removal: bool) -> None:  # noqa: FBT001
    outcome = Outcome(lifecycle=lifecycle)

    assert (outcome.whole, outcome.removal) == (whole, removal)
    assert not Outcome(lifecycle=lifecycle, partial=1).whole


# --- what is in force ------------------------------------------------------------------------------------------------


def write(us: int, mapping: int | None = None, *, removal: bool = False, ended: int | None = None) -> Write:
    ender = None if ended is None else stamp(ended, 3, b"")
    return Write(stamp(us, 3, b""), us, mapping, None, removal, ender)


def kept(*writes: Write, before: int | None = None, until: int = FOREVER) -> list[tuple[int, int | None, int | None]]:
    found = intervals(writes, effects(writes, before), until)
    return [(one.from_us, None if one.until_us == FOREVER else one.until_us, one.mapping) for one in found]


def test_a_mapping_goes_on_until_another_is_said() -> None:
    assert effects([write(1), write(2, 7), write(3), write(4, 8)], before=6) == [
        Effect(6, carried=True),
        Effect(7, carried=False),
        Effect(7, carried=True),
        Effect(8, carried=False),
    ]
    assert effects([write(1)]) == [Effect(None, carried=False)]


def test_after_a_removal_nothing_goes_on() -> None:
    assert effects([write(1, 7), write(2, removal=True), write(3)]) == [
        Effect(7, carried=False),
        Effect(None, carried=False),
        Effect(None, carried=False),
    ]


def test_writes_that_say_the_same_are_one_interval() -> None:
    assert kept(write(1, 7), write(2, 7), write(3)) == [(1, None, 7)]
    assert kept(write(1, 7), write(2, 8), write(3, 7)) == [(1, 2, 7), (2, 3, 8), (3, None, 7)]
    assert kept(write(1, 7), write(2, 7, ended=5), write(8, 7)) == [(1, 5, 7), (8, None, 7)], "there is a gap"


def test_other_inputs_are_another_interval() -> None:
    first, second = write(1, 7), replace(write(2, 7), inputs=3)

    assert intervals([first, second], effects([first, second])) == [
        Interval(1, 2, 7, None),
        Interval(2, FOREVER, 7, 3),
    ]


def test_a_write_ends_with_its_ender_or_with_the_next() -> None:
    assert kept(write(1, 7, ended=3), write(5, 8)) == [(1, 3, 7), (5, None, 8)]
    assert kept(write(1, 7, ended=9), write(5, 8)) == [(1, 5, 7), (5, None, 8)]
    assert kept(write(1, 7), until=4) == [(1, 4, 7)]
    assert kept(write(1, 7), write(1, 8)) == [(1, None, 8)], "of one moment the last counts"


def test_a_removal_keeps_nothing_in_force_unless_it_says_something() -> None:
    assert kept(write(1, 7), write(2, removal=True), write(3, 8)) == [(1, 2, 7), (3, None, 8)]
    assert kept(write(1, 7), write(2, 9, removal=True)) == [(1, 2, 7), (2, None, 9)]


_WRITES = st.lists(
    st.tuples(st.integers(0, 20), st.sampled_from([None, 7, 8]), st.booleans(), st.none() | st.integers(0, 25)),
    min_size=1,
    max_size=8,
)


@given(_WRITES, st.integers(1, 21))
def test_a_slot_goes_on_where_it_was_left(drawn: list[tuple[int, int | None, bool, int | None]], since: int) -> None:
    """As the pipeline does: with the last write before a moment, and what was in force until then."""
    writes = [
        write(us, mapping, removal=removal, ended=None if ended is None else max(us, ended))
        for us, mapping, removal, ended in sorted(drawn, key=lambda one: one[0])
    ]
    in_effect = effects(writes)
    place = sum(one.us < since for one in writes)
    before = intervals(writes[:place], in_effect[:place], since) if place else []
    begun = next((one for one in before if one.until_us == since), None)

    keeper = Keeper(begun, writes[place - 1].us if place else 0)
    after = [one for one in before if one is not begun]
    rest = list(zip(writes[place:], in_effect[place:], strict=True))
    ends = [*(one.us for one, _ in rest), FOREVER]
    if begun is not None:
        ender = writes[place - 1].ender
        after += keeper.end(ends[0] if ender is None else min(ends[0], stamp_us(ender)))
    for (one, effect), following in zip(rest, ends[1:], strict=True):
        keeper.begin(one.us, effect.mapping, one.inputs, removal=one.removal)
        after += keeper.end(following if one.ender is None else min(following, stamp_us(one.ender)))
    after += keeper.rest()

    assert after == intervals(writes, in_effect)
    assert list(keeper.rest()) == []
