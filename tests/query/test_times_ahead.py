"""A question about a moment that lies ahead is answered with what is known now, and the answer says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from headwater.client.local import StoredLineage
from headwater.common.codec import plain
from headwater.query.graph.answer import Moment
from headwater.query.names import read_question

if TYPE_CHECKING:
    from tests.conftest import EventMaker

    from headwater.store import Store

_ASKED: dict[str, dict[str, Any]] = {
    "upstream": {"column": "a"},
    "downstream": {},
    "roots": {"column": "a"},
    "impact": {"column": "a"},
    "pii": {},
}


def _moments(value: object) -> list[Any]:
    if isinstance(value, dict):
        own = [value["ahead"]] if "ahead" in value else []
        return own + [found for inner in value.values() for found in _moments(inner)]
    return [found for inner in value for found in _moments(inner)] if isinstance(value, list) else []


@pytest.mark.parametrize("name", _ASKED)
@pytest.mark.parametrize(
    ("times", "expected"),
    [
        ({"as_of": "9000-01-01"}, True),
        ({"since": "2026-01-01", "until": "9000-01-01"}, True),
        ({"since": "9000-01-01"}, True),
        ({"as_of": "2026-01-02"}, False),
        ({}, False),
    ],
)
def test_every_answer_says_that_its_moment_lies_ahead(
    store: Store, maker: EventMaker, name: str, times: dict[str, str], *, expected: bool
) -> None:
    store.ingest([maker(1, columns={"a": ["in.x"]}, schema={"a": "int"})])
    answer = StoredLineage(store).ask(read_question(name, {"dataset": "out", **_ASKED[name], **times}))
    assert set(_moments(plain(answer))) == {expected}


def test_a_diff_says_which_of_its_moments_lies_ahead(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(1, columns={"a": ["in.x"]})])
    answer = StoredLineage(store).diff("out", since="2026-01-02", until="9000-01-01")
    assert (answer.before.ahead, answer.after.ahead) == (False, True)


def test_a_moment_is_itself_whoever_looks_at_it() -> None:
    assert plain(Moment.at(5)) == {"since": 5, "until": 5, "version": None, "ahead": False, "next_us": None}
