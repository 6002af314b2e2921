"""What steps do to masking: they compose along a path, in whatever parts the path comes."""

from __future__ import annotations

from itertools import product

import pytest

from headwater.common.masking import EFFECTS, Masking, Passage, read_masking, state_after, then


def test_steps_compose_in_any_grouping() -> None:
    for first, second, third in product(EFFECTS, repeat=3):
        assert then(then(first, second), third) == then(first, then(second, third))


def test_a_path_does_the_same_as_its_steps_one_after_the_other() -> None:
    states = {state_after(Masking.NONE, effect) for effect in EFFECTS}
    for state, first, second in product(states, EFFECTS, EFFECTS):
        assert state_after(state, then(first, second)) == state_after(state_after(state, first), second)


def test_nothing_undoes_what_is_irreversible_or_partial() -> None:
    for effect in EFFECTS:
        assert then(Masking.IRREVERSIBLE, effect) == Masking.IRREVERSIBLE
        assert then(Masking.PARTIAL, effect).masks


def test_whether_a_value_is_masked_follows_from_the_passages_alone() -> None:
    for path in product(EFFECTS, repeat=3):
        state, masked, for_good = Masking.NONE, False, False
        for effect in path:
            state = state_after(state, effect)
            passage = effect.passage
            for_good = for_good or passage is Passage.FOR_GOOD
            masked = passage is Passage.MASKS or (masked and passage is not Passage.UNMASKS)
        assert state.masks == (masked or for_good)


def test_every_effect_is_read_back_as_it_was_written() -> None:
    assert len({effect.words for effect in EFFECTS}) == len(EFFECTS)
    for effect in EFFECTS:
        assert read_masking(effect.words, masks=effect.masks) == effect


@pytest.mark.parametrize(
    ("words", "masks", "expected"),
    [
        (None, True, Masking.UNKNOWN),
        (None, False, Masking.NONE),
        ("", True, Masking.UNKNOWN),
        ("a later version's word", True, Masking.UNKNOWN),
        (["keyed"], True, Masking.UNKNOWN),
        ("unmask", True, Masking.UNKNOWN),
        # `masking` decides whether it masks: others read nothing else.
        ("irreversible", False, Masking.NONE),
        ("keyed may-unmask", False, Masking.MAY_UNMASK),
    ],
)
def test_what_other_producers_say_is_taken_with_care(words: object, masks: bool, expected: Masking) -> None:  # noqa: FBT001
    assert read_masking(words, masks=masks) == expected
