"""Lineage of tables: datasets and jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.ask import tables

from headwater.query.graph.answer import Direction, TableAnswer, TableKind, TableName
from headwater.query.lineage import tables as walks
from headwater.query.search.resolve import AmbiguousName, UnknownName
from headwater.store.reads import slots

if TYPE_CHECKING:
    from tests.conftest import EventMaker

    from headwater.store import Store

UP, DOWN = Direction.UPSTREAM, Direction.DOWNSTREAM


def _ask(store: Store, direction: Direction, dataset: str | None = None, **options: Any) -> TableAnswer:  # noqa: ANN401  any of the question's
    with store.read() as session:
        return tables(session, direction, dataset, **options)


def _nodes(answer: TableAnswer) -> dict[str, int]:
    return {_short(node.kind, node.name): node.distance for node in answer.nodes}


def _edges(answer: TableAnswer) -> list[str]:
    return sorted(f"{_short(*edge.origin)} -> {_short(*edge.destination)}" for edge in answer.edges)


def _short(kind: TableKind, name: TableName) -> str:
    return f"[{name.name}]" if kind is TableKind.JOB else name.name


def _chain(store: Store, maker: EventMaker) -> None:
    store.ingest(
        [
            maker(1, job="clean", out="clean", reads=["raw", "codes"]),
            maker(2, job="sum", out="totals", reads=["clean"]),
            maker(3, job="mail", out="letters", reads=["totals", "people"]),
        ]
    )


def test_upstream_goes_from_datasets_to_the_jobs_that_write_them_and_on(any_store: Store, maker: EventMaker) -> None:
    _chain(any_store, maker)
    answer = _ask(any_store, UP, "totals")
    assert _nodes(answer) == {"totals": 0, "[sum]": 1, "clean": 2, "[clean]": 3, "codes": 4, "raw": 4}
    assert _edges(answer) == [
        "[clean] -> clean",
        "[sum] -> totals",
        "clean -> [sum]",
        "codes -> [clean]",
        "raw -> [clean]",
    ]
    assert {edge.run for edge in answer.edges} == {maker.run_id("clean 1"), maker.run_id("sum 2")}


def test_downstream_goes_from_datasets_to_the_jobs_that_read_them_and_on(any_store: Store, maker: EventMaker) -> None:
    _chain(any_store, maker)
    answer = _ask(any_store, DOWN, "clean")
    assert _nodes(answer) == {"clean": 0, "[sum]": 1, "totals": 2, "[mail]": 3, "letters": 4}


def test_from_a_job(any_store: Store, maker: EventMaker) -> None:
    _chain(any_store, maker)
    assert _nodes(_ask(any_store, UP, job="sum")) == {"[sum]": 0, "clean": 1, "[clean]": 2, "codes": 3, "raw": 3}
    answer = _ask(any_store, DOWN, job="jobs/sum")
    assert _nodes(answer) == {"[sum]": 0, "totals": 1, "[mail]": 2, "letters": 3}
    assert answer.root == TableName("jobs", "sum")
    with pytest.raises(UnknownName) as caught:
        _ask(any_store, UP, job="sums")
    assert caught.value.candidates == ("jobs/sum",)
    with pytest.raises(ValueError, match="dataset or a job"):
        _ask(any_store, UP)


def test_depth_counts_every_edge(any_store: Store, maker: EventMaker) -> None:
    _chain(any_store, maker)
    for depth in range(5):
        answers = _nodes(_ask(any_store, UP, "totals", depth=depth))
        assert answers == {name: far for name, far in _nodes(_ask(any_store, UP, "totals")).items() if far <= depth}


def test_of_a_job_only_what_it_read_for_that_output(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            maker(1, job="copy", out="a2", reads=["a1"]),
            maker(2, job="copy", out="b2", reads=["b1"]),
        ]
    )
    assert _nodes(_ask(any_store, UP, "a2")) == {"a2": 0, "[copy]": 1, "a1": 2}
    assert _nodes(_ask(any_store, DOWN, "b1")) == {"b1": 0, "[copy]": 1, "b2": 2}


def test_at_other_moments(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest([maker(10, reads=["x"]), maker(20, reads=["y"])])
    assert set(_nodes(_ask(any_store, UP, "out"))) == {"out", "[job]", "y"}
    assert set(_nodes(_ask(any_store, UP, "out", as_of=maker.us(15)))) == {"out", "[job]", "x"}
    assert set(_nodes(_ask(any_store, UP, "out", as_of=maker.us(5)))) == {"out"}
    both = _ask(any_store, UP, "out", since=maker.us(15), until=maker.us(25))
    assert set(_nodes(both)) == {"out", "[job]", "x", "y"}
    assert set(_nodes(_ask(any_store, UP, "out", contents=True))) == {"out", "[job]", "x", "y"}
    assert set(_nodes(_ask(any_store, DOWN, "x"))) == {"x"}
    assert set(_nodes(_ask(any_store, DOWN, "x", as_of=maker.us(15)))) == {"x", "[job]", "out"}


def test_namespaces_and_limit(any_store: Store, maker: EventMaker) -> None:
    _chain(any_store, maker)
    far = maker(4, job="far", out="raw", reads=["source"])
    far["inputs"][0]["namespace"] = "elsewhere"  # type: ignore[index]
    any_store.ingest([far])
    assert "source" in _nodes(_ask(any_store, UP, "totals"))
    assert "source" not in _nodes(_ask(any_store, UP, "totals", namespaces=["lake"]))
    whole = _ask(any_store, UP, "totals")
    for limit in range(1, len(whole.nodes)):
        answer = _ask(any_store, UP, "totals", limit=limit)
        assert (answer.nodes, answer.partial) == (whole.nodes[:limit], True)
        there = {(node.kind, node.name) for node in answer.nodes}
        assert all({edge.origin, edge.destination} <= there for edge in answer.edges)
    assert _ask(any_store, UP, "totals", limit=len(whole.nodes)) == whole


def test_rule_9_aliases_and_renames(any_store: Store, maker: EventMaker) -> None:
    alias = {"symlinks": {"identifiers": [{"namespace": "lake", "name": "table", "type": "TABLE"}]}}
    previous = {"namespace": "lake", "name": "end"}
    renamed = {"lifecycleStateChange": {"lifecycleStateChange": "RENAME", "previousIdentifier": previous}}
    any_store.ingest(
        [
            maker(1, job="one", out="path", reads=["in"], facets=alias),
            maker(2, job="two", out="end", reads=["table"]),
            maker(3, job="move", out="moved", facets=renamed),
        ]
    )
    # The dataset goes on under its new name, and the old one leads to it.
    now = {"moved": 0, "[two]": 1, "path": 2, "[one]": 3, "in": 4}
    assert _nodes(_ask(any_store, UP, "moved")) == _nodes(_ask(any_store, UP, "end")) == now
    assert _nodes(_ask(any_store, DOWN, "in")) == {"in": 0, "[one]": 1, "path": 2, "[two]": 3, "moved": 4}
    assert _nodes(_ask(any_store, UP, "end", as_of=maker.us(2))) == {
        "end": 0,
        "[two]": 1,
        "path": 2,
        "[one]": 3,
        "in": 4,
    }
    assert _nodes(_ask(any_store, DOWN, "path", as_of=maker.us(2))) == {"path": 0, "[two]": 1, "end": 2}
    assert _nodes(_ask(any_store, DOWN, "end")) == {"moved": 0}
    assert _nodes(_ask(any_store, UP, "table")) == {"path": 0, "[one]": 1, "in": 2}


def test_rule_9_who_read_the_old_name_before_a_new_table_took_it_reads_both(
    any_store: Store, maker: EventMaker
) -> None:
    previous = {"namespace": "lake", "name": "old"}
    renamed = {"lifecycleStateChange": {"lifecycleStateChange": "RENAME", "previousIdentifier": previous}}
    any_store.ingest(
        [
            maker(1, job="write", out="old", reads=["in"]),
            maker(2, job="early", out="first", reads=["old"]),
            maker(3, job="move", out="new", facets=renamed),
            maker(4, job="again", out="old", reads=["other"]),
            maker(5, job="late", out="last", reads=["old"]),
        ]
    )
    assert _nodes(_ask(any_store, DOWN, "in")) == {"in": 0, "[write]": 1, "new": 2, "[early]": 3, "first": 4}
    assert set(_nodes(_ask(any_store, UP, "first"))) == {
        *("first", "[early]", "old", "[again]", "other", "new", "[write]", "in"),
    }
    assert set(_nodes(_ask(any_store, UP, "last"))) == {"last", "[late]", "old", "[again]", "other"}


def _application(maker: EventMaker) -> list[dict[str, object]]:
    """An application with two executions, which hand a dataset on; a job beside it reads what they write."""
    return [
        maker(1, "START", run="app", job="app", out=None),
        maker(2, run="one", job="app.one", parent="app", out="mid", reads=["in"]),
        maker(3, run="two", job="app.two", parent="one", out="end", reads=["mid"]),
        maker(4, run="app", job="app", out=None),
        maker(5, job="report", out="page", reads=["end"]),
    ]


def test_executions_are_shown_as_their_application(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(_application(maker))
    assert set(_nodes(_ask(any_store, UP, "page"))) == {
        "page",
        "[report]",
        "end",
        "[app.two]",
        "mid",
        "[app.one]",
        "in",
    }
    answer = _ask(any_store, UP, "page", collapse=True)
    assert _nodes(answer) == {"page": 0, "[report]": 1, "end": 2, "[app]": 3, "mid": 4, "in": 6}
    assert _edges(answer) == [
        "[app] -> end",
        "[app] -> mid",
        "[report] -> page",
        "end -> [report]",
        "in -> [app]",
        "mid -> [app]",
    ]
    assert {edge.run for edge in answer.edges} == {maker.run_id("app"), maker.run_id("report 5")}


def test_an_application_by_its_name_has_what_its_executions_read_and_write(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(_application(maker))
    assert _nodes(_ask(any_store, DOWN, job="app")) == {"[app]": 0}
    assert _nodes(_ask(any_store, DOWN, job="app", collapse=True)) == {
        "[app]": 0,
        "end": 1,
        "mid": 1,
        "[report]": 2,
        "page": 3,
    }


def test_what_a_dataset_declares_needs_no_job(any_store: Store, maker: EventMaker) -> None:
    event = maker(1, columns={"a": ["in.x"]})
    dataset = event["outputs"][0]  # type: ignore[index]
    any_store.ingest([{"eventTime": event["eventTime"], "schemaURL": "x#/$defs/DatasetEvent", "dataset": dataset}])
    assert not [node for node in _ask(any_store, UP, "out").nodes if node.kind is TableKind.JOB]


def test_an_ambiguous_job(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest([maker(1, job="a.load"), maker(2, job="b.load")])
    with pytest.raises(AmbiguousName, match="2 jobs"):
        _ask(any_store, UP, job="load")


def test_a_job_that_only_reads_is_there_until_it_reads_something_else(any_store: Store, maker: EventMaker) -> None:
    _chain(any_store, maker)
    any_store.ingest([maker(4, job="report", out=None, reads=["totals", "people"])])
    assert _nodes(_ask(any_store, DOWN, "totals")) == {"totals": 0, "[mail]": 1, "[report]": 1, "letters": 2}
    answer = _ask(any_store, UP, job="report", depth=1)
    assert _nodes(answer) == {"[report]": 0, "people": 1, "totals": 1}
    assert _edges(answer) == ["people -> [report]", "totals -> [report]"]
    assert {edge.run for edge in answer.edges} == {maker.run_id("report 4")}
    assert _nodes(_ask(any_store, DOWN, job="report")) == {"[report]": 0}
    any_store.ingest([maker(6, job="report", out=None, reads=["people"])])
    assert "[report]" not in _nodes(_ask(any_store, DOWN, "totals"))
    assert "[report]" in _nodes(_ask(any_store, DOWN, "people"))
    assert "[report]" in _nodes(_ask(any_store, DOWN, "totals", as_of=maker.us(5)))


@pytest.mark.parametrize("ahead", [1, 3, 100])
@pytest.mark.parametrize("options", [{}, {"contents": True}, {"since": 0}, {"depth": 9}])
def test_what_is_read_ahead_changes_no_answer(
    any_store: Store, maker: EventMaker, monkeypatch: pytest.MonkeyPatch, ahead: int, options: dict[str, Any]
) -> None:
    any_store.ingest(
        [
            *(maker(n, job=f"job{n}", out=f"t{n}", reads=[f"t{n - 1}", f"t{n // 2}"]) for n in range(1, 12)),
            maker(12, job="only reads", out=None, reads=["t3"]),
        ]
    )
    asked = [(UP, {"dataset": "t11"}), (DOWN, {"dataset": "t0"}), (DOWN, {"job": "job2"})]
    answers = []
    for most in (0, ahead):
        monkeypatch.setattr(walks, "_AHEAD", most)
        answers.append([_ask(any_store, direction, **start, **options) for direction, start in asked])
    assert answers[0] == answers[1]
    assert len(answers[0][1].nodes) > 8
    # So much lies beyond that nothing is read ahead.
    monkeypatch.setattr(slots, "MOST_AHEAD", 5)
    assert [_ask(any_store, direction, **start, **options) for direction, start in asked] == answers[0]
