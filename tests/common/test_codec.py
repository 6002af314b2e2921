"""Answers go over the wire and come back the same."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.question_strategies import questions

from headwater.common.codec import NotUnderstood, json_text, plain, typed
from headwater.query.catalog.details import DatasetDetails, JobDetails
from headwater.query.catalog.listing import EventsPage, NamesPage
from headwater.query.catalog.outlines import Outlines
from headwater.query.catalog.overview import Overview
from headwater.query.catalog.runs import RunDetails, RunsPage, VersionsPage
from headwater.query.changes.diff import Diff
from headwater.query.changes.history import History
from headwater.query.graph.answer import Answer, Direction, Moment, TableAnswer, TableKind, TableName, TableNode
from headwater.query.lineage.impact import Impact
from headwater.query.lineage.roots import Roots
from headwater.query.names import (
    QUESTIONS,
    answer_text,
    name_of,
    read_answer,
    read_question,
    write_answer,
    written,
)
from headwater.query.privacy.pii import Pii
from headwater.query.search.fuzzy import Hit, SearchResult
from headwater.query.search.matching import Match
from headwater.query.search.spelling import How
from headwater.store import IngestResult, Stats
from headwater.store.db.codes import What

_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
_SCORES = st.floats(allow_nan=False)
_MATCHES = st.builds(Match, st.text(), st.text(), st.sampled_from(What), st.sampled_from(How), _SCORES)
_HITS = st.builds(Hit, score=_SCORES, matches=st.lists(_MATCHES, max_size=3).map(tuple))
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


def _tuples(kind: Any) -> st.SearchStrategy[Any]:  # noqa: ANN401  as typing has it
    """Tuples of a type, none long: a tuple in a tuple in a tuple is soon a thousand values, and shows no more."""
    parts = get_args(kind)
    if parts[-1] is Ellipsis:
        return st.lists(st.from_type(parts[0]), max_size=2).map(tuple)
    return st.tuples(*map(st.from_type, parts))


st.register_type_strategy(tuple, _tuples)
_EVENTS = st.lists(st.dictionaries(st.text(), _JSON, max_size=3), max_size=3)
_ANSWERS: dict[type, st.SearchStrategy[Any]] = {
    **{kind: st.from_type(kind) for kind in (Answer, TableAnswer, Impact, Roots, Pii, Diff, History, NamesPage, Stats)},
    **{kind: st.from_type(kind) for kind in (DatasetDetails, JobDetails, VersionsPage, RunsPage, RunDetails)},
    **{kind: st.from_type(kind) for kind in (Outlines, Overview)},
    SearchResult: st.builds(SearchResult, hits=st.lists(_HITS, max_size=3).map(tuple)),
    EventsPage: st.builds(EventsPage, events=_EVENTS.map(tuple)),
}


def test_every_kind_of_answer_is_tested_here() -> None:
    assert {kind for named in QUESTIONS.values() for kind in named.answers} == set(_ANSWERS)


@pytest.mark.parametrize("kind", _ANSWERS)
def test_an_answer_comes_back_equal(kind: type) -> None:
    @settings(max_examples=40, suppress_health_check=_SLOW)
    @given(answer=_ANSWERS[kind])
    def comes_back(answer: object) -> None:
        back = read_answer(json.loads(json.dumps(write_answer(answer))))
        assert back == answer
        assert type(back) is kind
        assert repr(back) == repr(answer)

    comes_back()


@pytest.mark.parametrize("kind", _ANSWERS)
def test_the_text_of_an_answer_is_that_of_its_json(kind: type) -> None:
    @settings(max_examples=40, suppress_health_check=_SLOW)
    @given(answer=_ANSWERS[kind])
    def is_the_same(answer: Any) -> None:  # noqa: ANN401  of any kind
        assert answer_text(answer) == json.dumps(write_answer(answer), separators=(",", ":"))

    is_the_same()


def test_a_record_that_comes_twice_is_written_twice() -> None:
    name = TableName("a", 'b"\u00e9\x7f')
    text = '{"namespace":"a","name":"b\\"\\u00e9\\u007f"}'
    assert json_text(name) == text
    node = TableNode(TableKind.DATASET, name, 1)
    answer = TableAnswer(Direction.UPSTREAM, name, Moment(), (node, node), ())
    assert json_text(answer).count(text) == 3


@settings(max_examples=200)
@given(question=questions())
def test_a_question_comes_back_equal(question: Any) -> None:  # noqa: ANN401  of any kind
    assert read_question(name_of(question), json.loads(json.dumps(written(question)))) == question


@given(result=st.from_type(IngestResult))
def test_what_became_of_events_comes_back_equal(result: IngestResult) -> None:
    assert typed(IngestResult, json.loads(json.dumps(plain(result)))) == result


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (None, "None is not a TableName"),
        ({"namespace": "a"}, "TableName has no name"),
        ({"namespace": "a", "name": 1}, "1 is not a str"),
        ({"namespace": None, "name": "b"}, "None is not a str"),
    ],
)
def test_what_is_no_value_of_the_type_is_refused(document: object, said: str) -> None:
    with pytest.raises(NotUnderstood, match=said):
        typed(TableName, document)


@pytest.mark.parametrize(
    "change",
    [
        {"direction": "sideways"},
        {"nodes": {}},
        {"nodes": [{"kind": "JOB"}]},
        {"partial": 1},
        {"edges": [{"origin": ["JOB"], "destination": ["JOB", {"namespace": "a", "name": "b"}], "run": None}]},
    ],
)
def test_one_wrong_part_is_enough_to_refuse_an_answer(change: dict[str, object]) -> None:
    root = {"namespace": "a", "name": "b"}
    whole = {"direction": "upstream", "root": root, "moment": {}, "nodes": [], "edges": []}
    assert typed(TableAnswer, whole).root == TableName("a", "b")
    with pytest.raises(NotUnderstood):
        typed(TableAnswer, {**whole, **change})
