"""Paths and their quoting."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwater.common.column_path import ancestors, join_path, normal_path, split_path


@given(st.lists(st.text(alphabet="ab.` ", max_size=4), min_size=1, max_size=4).map(tuple))
def test_what_was_joined_is_split_again(segments: tuple[str, ...]) -> None:
    assert split_path(join_path(segments)) == segments


@given(st.text(alphabet="ab.` ", max_size=10))
def test_any_text_has_one_normal_form(text: str) -> None:
    assert normal_path(normal_path(text)) == normal_path(text)


@pytest.mark.parametrize(
    ("path", "segments"),
    [
        ("a.b", ("a", "b")),
        ("`a.b`.c", ("a.b", "c")),
        ("`a``b`", ("a`b",)),
        ("`open", ("`open",)),
        ("a`b.c", ("a`b", "c")),
        ("`a`b.c", ("`a`b", "c")),
    ],
)
def test_backticks_quote_whole_segments_only(path: str, segments: tuple[str, ...]) -> None:
    assert split_path(path) == segments


def test_ancestors_know_quotes() -> None:
    assert ancestors("`a.b`.c.d") == ["`a.b`", "`a.b`.c"]
