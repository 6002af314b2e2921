"""Provenance of a version: the versions that its run read, and so on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest
from tests.ask import ask

from headwater.query.graph.answer import Answer, Direction, FieldName, Moment
from headwater.query.search.resolve import UnknownName

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tests.conftest import EventMaker

    from headwater.store import Store

    Calls = Callable[[FieldName], str]

UP, DOWN = Direction.UPSTREAM, Direction.DOWNSTREAM


def _versions(store: Store) -> dict[str, str]:
    """What our UUIDs of versions stand for: `dataset@minute`."""
    with store.read() as session:
        rows = session.rows(
            "SELECT version.uuid, dataset.name, version.us FROM version JOIN dataset ON dataset.id = version.dataset"
        )
    start = 1_767_225_600_000_000  # 2026-01-01T00:00:00Z
    return {str(UUID(bytes=bytes(uuid))): f"{name}@{(us - start) // 60_000_000}" for uuid, name, us in rows}


def _distances(store: Store, answer: Answer) -> dict[str, int]:
    """Columns with their versions, and their distances."""
    called = _versions(store)
    return {_call(node.field, called): node.distance for node in answer.nodes}


def _edges(store: Store, answer: Answer) -> list[str]:
    called = _versions(store)
    return sorted(f"{_call(edge.origin, called)} -> {_call(edge.destination, called)}" for edge in answer.edges)


def _call(name: FieldName, called: Mapping[str, str]) -> str:
    place = called.get(name.version, name.version) if name.version else name.name
    return f"{place}.{name.field or '*'}"


def _run(  # noqa: PLR0913  the parts of a run
    maker: EventMaker, start: int, end: int, *, job: str, out: str, columns: dict[str, list[str]]
) -> list[dict[str, object]]:
    """A run that reads at its START and writes at its COMPLETE."""
    run = f"{job} {start}"
    return [maker(start, "START", run=run, job=job, out=None), maker(end, run=run, job=job, out=out, columns=columns)]


def test_rule_6_a_run_read_the_versions_in_force_when_it_began(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            *_run(maker, 1, 2, job="one", out="mid", columns={"m": ["in.x"]}),
            *_run(maker, 3, 9, job="two", out="end", columns={"e": ["mid.m"]}),
            *_run(maker, 4, 5, job="one", out="mid", columns={"m": ["in.y"]}),  # too late for the run above
            *_run(maker, 10, 11, job="two", out="end", columns={"e": ["mid.m"]}),
        ]
    )
    first = ask(any_store, UP, "end", "e", version=maker.run_id("two 3"))
    assert _distances(any_store, first) == {"end@9.e": 0, "mid@2.m": 1, "in.x": 2}
    assert _edges(any_store, first) == ["in.x -> mid@2.m", "mid@2.m -> end@9.e"]
    second = ask(any_store, UP, "end", "e", version=maker.run_id("two 10"))
    assert _distances(any_store, second) == {"end@11.e": 0, "mid@5.m": 1, "in.y": 2}


def test_a_late_producer_changes_what_was_read(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(_run(maker, 5, 6, job="two", out="end", columns={"e": ["mid.m"]}))
    run = maker.run_id("two 5")
    assert _distances(any_store, ask(any_store, UP, "end", "e", version=run)) == {"end@6.e": 0, "mid.m": 1}
    any_store.ingest(_run(maker, 1, 2, job="one", out="mid", columns={"m": ["in.x"]}))
    assert _distances(any_store, ask(any_store, UP, "end", "e", version=run)) == {"end@6.e": 0, "mid@2.m": 1, "in.x": 2}


def test_rule_6_all_that_stands_beside_each_other_was_read(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            maker(1, job="one", out="mid", columns={"m": ["in.x"]}),
            maker(2, job="two", out="mid", columns={"m": ["in.y"]}),
            maker(3, job="end", out="end", columns={"e": ["mid.m"]}),
        ]
    )
    answer = ask(any_store, UP, "end", "e", version=maker.run_id("end 3"))
    assert _distances(any_store, answer) == {"end@3.e": 0, "mid@1.m": 1, "mid@2.m": 1, "in.x": 2, "in.y": 2}
    assert all(edge.assumed for edge in answer.edges if edge.destination.name == "end")
    # Of what nobody wrote no version is assumed.
    assert not any(edge.assumed for edge in answer.edges if edge.destination.name == "mid")


def test_rule_6_a_run_did_not_read_its_own_version(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            maker(1, job="first", out="t", columns={"a": ["in.x"]}),
            # Its only event is both when it reads and when it writes; and it ends what was there before.
            maker(2, job="merge", out="t", columns={"a": ["t.a", "in.y"]}, lifecycle="OVERWRITE"),
            maker(3, job="merge", out="t", columns={"a": ["t.a", "in.y"]}, lifecycle="OVERWRITE"),
        ]
    )
    answer = ask(any_store, UP, "t", "a", version=maker.run_id("merge 3"))
    assert _distances(any_store, answer) == {"t@3.a": 0, "t@2.a": 1, "in.y": 1, "t@1.a": 2, "in.x": 3}


def _named(event: dict[str, Any], version: str, side: str = "outputs") -> dict[str, object]:
    event[side][0].setdefault("facets", {})["version"] = {"datasetVersion": version}
    return event


def test_rule_6_a_version_facet_says_what_was_read(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            _named(maker(1, job="one", out="mid", columns={"m": ["in.x"]}), "snapshot 1"),
            _named(maker(2, job="one", out="mid", columns={"m": ["in.y"]}), "snapshot 2"),
            _named(
                maker(3, job="end", out="end", columns={"e": ["mid.m"]}, reads=["mid"]), "snapshot 1", side="inputs"
            ),
            _named(maker(4, job="end", out="end", columns={"e": ["mid.m"]}, reads=["mid"]), "unheard of", "inputs"),
        ]
    )
    exact = ask(any_store, UP, "end", "e", version=maker.run_id("end 3"))
    assert _distances(any_store, exact) == {"end@3.e": 0, "mid@1.m": 1, "in.x": 2}
    assert not any(edge.assumed for edge in exact.edges)
    assumed = ask(any_store, UP, "end", "e", version=maker.run_id("end 4"))
    assert _distances(any_store, assumed) == {"end@4.e": 0, "mid@2.m": 1, "in.y": 2}
    assert [edge.assumed for edge in assumed.edges if edge.destination.name == "end"] == [True]


def test_a_version_by_its_uuid_its_facet_or_its_run(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            _named(maker(1, columns={"a": ["in.x"]}), "one"),
            _named(maker(2, columns={"a": ["in.y"]}), "two"),
        ]
    )
    (uuid,) = [uuid for uuid, name in _versions(any_store).items() if name == "out@1"]
    answers = [ask(any_store, UP, "out", "a", version=text) for text in (uuid, "one", maker.run_id("job 1"))]
    assert _distances(any_store, answers[0]) == {"out@1.a": 0, "in.x": 1}
    assert answers[0] == answers[1] == answers[2]
    assert answers[0].moment == Moment(maker.us(1), maker.us(1), uuid)
    assert answers[0].root == FieldName("lake", "out", "a", uuid)


def test_a_version_that_is_not_there_gets_those_in_force(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest([maker(1, columns={"a": ["in.x"]}), maker(2, columns={"a": ["in.x"]})])
    with pytest.raises(UnknownName, match="No version of lake/out matches 'three'") as caught:
        ask(any_store, UP, "out", "a", version="three")
    called = _versions(any_store)
    assert [called[uuid] for uuid in caught.value.candidates] == ["out@2"]


@pytest.mark.parametrize("end", [[], [(3, "FAIL")], [(3, "ABORT")]])
def test_rule_3_what_an_unfinished_or_failed_run_says_is_provisional(
    any_store: Store, maker: EventMaker, end: list[tuple[int, str]]
) -> None:
    any_store.ingest(
        [
            maker(0, job="in", out="in", columns={"x": ["source.s"]}),
            maker(1, "START", run="r", columns={"a": ["in.x"], "b": ["in.z"]}),
            maker(2, "RUNNING", run="r", columns={"a": ["in.x"]}),
            *(maker(minute, kind, run="r") for minute, kind in end),
        ]
    )
    run = maker.run_id("r")
    answer = ask(any_store, UP, "out", "a", version=run)
    assert answer.provisional
    assert _distances(any_store, answer) == {f"{run}.a": 0, "in@0.x": 1, "source.s": 2}
    assert {edge.run for edge in answer.edges} == {run, maker.run_id("in 0")}
    assert not ask(any_store, UP, "in", "x", version=maker.run_id("in 0")).provisional
    assert not [node for node in ask(any_store, UP, "out", "a").nodes if node.distance]


def test_a_run_that_does_not_write_the_dataset_has_no_version_of_it(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest([maker(1, columns={"a": ["in.x"]}), maker(2, "START", run="r", out="other")])
    with pytest.raises(UnknownName):
        ask(any_store, UP, "out", "a", version=maker.run_id("r"))


def test_rule_7_a_version_without_a_facet_has_the_mapping_carried_over(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest([maker(1, columns={"a": ["in.x"]}), maker(2, run="silent")])
    answer = ask(any_store, UP, "out", "a", version=maker.run_id("silent"))
    assert _distances(any_store, answer) == {"out@2.a": 0, "in.x": 1}
    assert [edge.carried for edge in answer.edges] == [True]


def test_rule_12_rows_of_a_version_are_read_once(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            maker(1, job="one", out="mid", columns={"m": ["in.x"], "n": ["in.y"]}, rows=["in.day FILTER"]),
            maker(2, job="end", out="end", columns={"e": ["mid.m", "mid.n"]}),
        ]
    )
    answer = ask(any_store, UP, "end", "e", version=maker.run_id("end 2"))
    assert _edges(any_store, answer) == [
        "in.day -> mid@1.*",
        "in.x -> mid@1.m",
        "in.y -> mid@1.n",
        "mid@1.m -> end@2.e",
        "mid@1.n -> end@2.e",
    ]
    kinds = {node.field.field: node.kind.name for node in answer.nodes}
    assert (kinds["day"], kinds["x"]) == ("INDIRECT", "IDENTITY")
    direct = ask(any_store, UP, "end", "e", version=maker.run_id("end 2"), direct=True)
    assert "in.day -> mid@1.*" not in _edges(any_store, direct)


def test_rule_9_a_version_written_by_the_physical_name_was_read_by_the_alias(
    any_store: Store, maker: EventMaker
) -> None:
    alias = {"symlinks": {"identifiers": [{"namespace": "lake", "name": "table", "type": "TABLE"}]}}
    previous = {"namespace": "lake", "name": "end"}
    renamed = {"lifecycleStateChange": {"lifecycleStateChange": "RENAME", "previousIdentifier": previous}}
    any_store.ingest(
        [
            maker(1, job="one", out="path", columns={"m": ["in.x"]}, facets=alias),
            maker(2, job="end", out="end", columns={"e": ["table.m"]}),
            maker(3, job="move", out="moved", facets=renamed, schema={"e": "int"}),
        ]
    )
    answer = ask(any_store, UP, "moved", "e", version=maker.run_id("move 3"))
    assert _distances(any_store, answer) == {"moved@3.e": 0, "end@2.e": 1, "path@1.m": 2, "in.x": 3}


def test_all_columns_of_a_version_with_depth_namespaces_and_limit(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest(
        [
            maker(1, job="one", out="mid", columns={"m": ["in.x"], "n": ["in.y"]}),
            maker(2, job="end", out="end", columns={"e": ["mid.m"], "f": ["mid.n"]}, schema={"e": "int", "g": "int"}),
        ]
    )
    run = maker.run_id("end 2")
    whole = ask(any_store, UP, "end", version=run)
    assert (whole.root.field, len(whole.nodes)) == (None, 7)
    assert set(_distances(any_store, ask(any_store, UP, "end", version=run, depth=1))) == {
        "end@2.e",
        "end@2.f",
        "end@2.g",
        "mid@1.m",
        "mid@1.n",
    }
    for limit in (2, 4, 6):
        answer = ask(any_store, UP, "end", version=run, limit=limit)
        assert (answer.nodes, answer.partial) == (whole.nodes[:limit], True)
    assert len(ask(any_store, UP, "end", version=run, namespaces=["elsewhere"]).nodes) == 3


def test_rule_4_a_streaming_run_has_a_version_for_each_time(any_store: Store, maker: EventMaker) -> None:
    def streaming(event: dict[str, Any]) -> dict[str, object]:
        event["job"]["facets"] = {"jobType": {"processingType": "STREAMING", "integration": "SPARK"}}
        return event

    any_store.ingest(
        [
            streaming(maker(1, "START", run="s", job="stream", out=None)),
            maker(2, job="one", out="mid", columns={"m": ["in.x"]}),
            streaming(maker(3, "RUNNING", run="s", job="stream", columns={"a": ["mid.m"]})),
            maker(4, job="one", out="mid", columns={"m": ["in.y"]}),
            streaming(maker(5, "RUNNING", run="s", job="stream", columns={"a": ["mid.m"]})),
        ]
    )
    by_name = {name: uuid for uuid, name in _versions(any_store).items()}
    first = ask(any_store, UP, "out", "a", version=by_name["out@3"])
    assert _distances(any_store, first) == {"out@3.a": 0, "mid@2.m": 1, "in.x": 2}
    last = ask(any_store, UP, "out", "a", version=maker.run_id("s"))
    assert _distances(any_store, last) == {"out@5.a": 0, "mid@4.m": 1, "in.y": 2}


def test_downstream_of_a_version_is_refused(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest([maker(1, columns={"a": ["in.x"]})])
    with pytest.raises(ValueError, match="upstream"):
        ask(any_store, DOWN, "out", "a", version=maker.run_id("job 1"))
