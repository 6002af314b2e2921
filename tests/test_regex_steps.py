"""The counter of the steps of regular expressions: it matches as `re` does, and what goes back too often is found."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.capture.jvm import datasets
from headwater.rules.operators import relations
from headwater.rules.plan import sql_tokens
from tests.regex_steps import CountedPattern
from tests.work import MOST

PATTERNS = [
    re.compile(r"(a|ab)*?c(?<=c)d{2,3}|(?!b)[^a-c]+$|\bx?"),
    sql_tokens._TOKEN,
    relations._PART,
    relations._BETWEEN,
    datasets._VALUE,
]


@given(st.sampled_from(PATTERNS), st.text("'\"`/*-[].:?aAbcdefx1 \n\\;", max_size=12))
def test_a_match_ends_where_it_ends_for_re(pattern: re.Pattern[str], text: str) -> None:
    match = pattern.match(text)

    assert CountedPattern(pattern)._run(text, 0) == (None if match is None else match.end())


@pytest.mark.parametrize(
    ("pattern", "piece", "linear"),
    [
        (r"/\*.*?;|.", "/*", False),
        (r"/\*.*?(?:;|$)|.", "/*", True),
        (r"\s+x", " ", False),
        (r"\s+x", " x", True),
        (r"\w+=", "a", False),
        (r"\w+=?", "a", True),
    ],
)
def test_what_is_not_linear_is_found(pattern: str, piece: str, *, linear: bool) -> None:
    def steps(size: int) -> int:
        counted = CountedPattern(re.compile(pattern, re.DOTALL))
        list(counted.finditer(piece * size))
        return counted.steps

    assert (steps(400) <= MOST * steps(200)) is linear
