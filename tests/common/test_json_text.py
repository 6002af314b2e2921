"""JSON is read as Python's own reads it, also where something faster reads it first."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fuzz.events import EXAMPLES, TEXTS, changed, written

from headwater.common.json_text import DECODER, read_json

if TYPE_CHECKING:
    from collections.abc import Callable

_BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"
_DIGITS = st.text("0123456789", min_size=1, max_size=40)
_NUMBERS = st.tuples(
    st.sampled_from(["", "-", "+"]),
    _DIGITS,
    st.sampled_from(["", "."]),
    st.just("") | _DIGITS,
    st.sampled_from(["", "e", "E", "e-", "E+"]),
    st.just("") | st.integers(0, 400).map(str),
).map("".join)


def _slowly(text: bytes) -> object:
    return DECODER.decode(text.decode().removeprefix(_BOM))


def _seen(read: Callable[[bytes], object], text: bytes) -> object:
    """What comes of a text, the types and signs of numbers and the order of keys included; or what is wrong with it."""
    try:
        return repr(read(text))
    except RecursionError:
        return "too deep"
    except ValueError as error:
        return type(error), str(error)


@pytest.mark.parametrize("seed", range(4))
def test_events_are_read_alike_whatever_is_wrong_with_them(seed: int) -> None:
    random = Random(seed)  # noqa: S311  data
    for _ in range(100):
        text = written(changed(random.choice(EXAMPLES), random), random)
        assert _seen(read_json, text) == _seen(_slowly, text)


@settings(max_examples=400, deadline=None)
@given(_NUMBERS | st.floats().map(repr) | st.integers().map(str))
def test_numbers_are_read_alike(number: str) -> None:
    for text in (number.encode(), b'{"a": [%b]}' % number.encode()):
        assert _seen(read_json, text) == _seen(_slowly, text)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=12) | st.text('"\\u0dDd8aé€😀\t\x7f', max_size=12).map(str.encode))
def test_texts_are_read_alike(inside: bytes) -> None:
    for text in (b'"%b"' % inside, b'{"%b": 1, "a": {"%b": []}, "a": 2}' % (inside, inside)):
        assert _seen(read_json, text) == _seen(_slowly, text)


@pytest.mark.parametrize("digits", [4_300, 4_301, 100_000])
def test_numbers_of_many_digits_are_refused_alike(digits: int) -> None:
    for text in (b"7" * digits, b"-" + b"7" * digits, b"0." + b"7" * digits, b"7" * digits + b"e-1"):
        assert _seen(read_json, text) == _seen(_slowly, text)


def test_odd_words_are_read_alike() -> None:
    for word in TEXTS:
        for ascii_only in (True, False):
            text = json.dumps({"a": word}, ensure_ascii=ascii_only).encode(errors="surrogatepass")
            assert _seen(read_json, text) == _seen(_slowly, text)
