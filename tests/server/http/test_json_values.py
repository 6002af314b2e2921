"""Values are counted before JSON is read: none is missed, whatever the pieces."""

from __future__ import annotations

import itertools
import json
from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st

from headwater.server.http.json_values import _TEXT, ValueCounter, _outside_texts

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(0, 9) | st.text('"\\,[{}]\n\0aé€😀', max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text('"\\,[', max_size=3), inner, max_size=4),
    max_leaves=20,
)


def _counted(text: bytes, *cuts: int) -> int:
    counter = ValueCounter()
    places = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts)})
    for first, last in itertools.pairwise(places):
        counter.feed(text[first:last])
    return counter.count


def _containers(value: object) -> int:
    if isinstance(value, dict):
        return 1 + max(len(value) - 1, 0) + sum(map(_containers, value.values()))
    if isinstance(value, list):
        return 1 + max(len(value) - 1, 0) + sum(map(_containers, value))
    return 0


@settings(max_examples=150, deadline=None)
@given(JSON, st.lists(st.integers(0, 10**6), max_size=4), st.sampled_from([(True, None), (False, None), (False, 1)]))
def test_every_value_is_counted_and_no_text(value: object, cuts: list[int], written: tuple[bool, int | None]) -> None:
    text = json.dumps(value, ensure_ascii=written[0], indent=written[1]).encode()
    assert _counted(text, *cuts) == _containers(value)


@settings(max_examples=300, deadline=None)
@given(st.text('"\\\\,[]{}:1 \n', max_size=30), st.lists(st.integers(0, 100), max_size=3))
def test_of_lines_that_are_no_json_nothing_is_missed_that_reading_them_makes(text: str, cuts: list[int]) -> None:
    made = 0

    def count(_pairs: object) -> None:
        nonlocal made
        made += 1

    for line in text.split("\n"):
        with suppress(ValueError):
            json.loads(line, object_pairs_hook=count)
    assert _counted(text.encode(), *cuts) >= made


@settings(max_examples=300, deadline=None)
@given(st.text('",[]{}:1 \n', max_size=40))
def test_what_stands_outside_of_texts_is_what_is_left_without_them(piece: str) -> None:
    assert _outside_texts(piece.encode()) == _TEXT.sub(b"", piece.encode())


def test_the_lists_behind_a_line_that_opens_a_text_are_counted() -> None:
    assert _counted(b'"\n[[],[],[]]') == 6
    assert _counted(b'"\\\n[[],[],[]]') == 6
    assert _counted(b'"\\\n[[],[],[]]', 2) == 6


def test_the_width_of_characters_is_that_of_pythons_texts() -> None:
    widths = []
    for text in ("a", "é", "€", "😀"):
        counter = ValueCounter()
        counter.feed(json.dumps(text, ensure_ascii=False).encode())
        widths.append(counter.text_width)
    assert widths == [1, 2, 2, 4]
