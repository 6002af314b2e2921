"""The lineage facet states what a dataset is made of by itself: A → C and B → D is not A, B → C, D."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.ask import impact, tables

from headwater.query.graph.answer import Direction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.conftest import EventMaker

    from headwater.store import Store

Json = dict[str, Any]


def _source(name: str, **more: object) -> Json:
    return {"namespace": "lake", "name": name, "type": "DATASET", **more}


def _job(name: str | None = None, **more: object) -> Json:
    return {"type": "JOB", **({"namespace": "jobs", "name": name} if name else {}), **more}


def _event(minute: int, maker: EventMaker, outputs: dict[str, Json], entries: Sequence[Json] = ()) -> Json:
    event: Json = maker(minute, job="both", out=None, reads=["A", "B"])
    event["outputs"] = [{"namespace": "lake", "name": name, "facets": facets} for name, facets in outputs.items()]
    if entries:
        event["job"]["facets"] = {"lineage": {"entries": list(entries)}}
    return event


def _edges(store: Store, direction: Direction, dataset: str | None = None, **options: object) -> list[str]:
    with store.read() as session:
        answer = tables(session, direction, dataset, **options)
    return sorted(f"{edge.origin[1].name} -> {edge.destination[1].name}" for edge in answer.edges)


_AS_FACETS = {"C": {"lineage": {"inputs": [_source("A")]}}, "D": {"lineage": {"inputs": [_source("B")]}}}
_AS_ENTRIES = [_source("C", inputs=[_source("A")]), _source("D", inputs=[_source("B")])]
_BY_FIELDS = [
    _source("C", fields={"c": {"inputs": [_source("A", field="a")]}}),
    _source("D", fields={"d": {"inputs": [_source("B", field="b")]}}),
]
_COLUMN_LINEAGE = {"fields": {"c": {"inputFields": [{"namespace": "lake", "name": "A", "field": "a"}]}}}


@pytest.mark.parametrize(
    ("outputs", "entries"),
    [
        (_AS_FACETS, []),
        ({"C": {}, "D": {}}, _AS_ENTRIES),
        ({"C": {}, "D": {}}, _BY_FIELDS),
        ({}, _BY_FIELDS),
        ({"C": {"columnLineage": _COLUMN_LINEAGE}, "D": {}}, _AS_ENTRIES),
    ],
    ids=[
        "facets of datasets",
        "entries of the job",
        "fields alone",
        "outputs in entries alone",
        "beside columnLineage",
    ],
)
def test_each_output_is_made_of_what_is_stated_for_it(
    any_store: Store, maker: EventMaker, outputs: dict[str, Json], entries: list[Json]
) -> None:
    any_store.ingest([_event(1, maker, outputs, entries)])
    assert _edges(any_store, Direction.DOWNSTREAM, "A") == ["A -> both", "both -> C"]
    assert _edges(any_store, Direction.UPSTREAM, "D") == ["B -> both", "both -> D"]
    with any_store.read() as session:
        assert [
            entry.dataset for entry in impact(session, "B").unknown if entry.dataset and entry.dataset.name == "C"
        ] == []


def test_an_output_without_a_statement_may_be_made_of_all_inputs(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest([_event(1, maker, {"C": {}, "D": {}}, _AS_ENTRIES[:1])])
    assert _edges(any_store, Direction.UPSTREAM, "C") == ["A -> both", "both -> C"]
    assert _edges(any_store, Direction.UPSTREAM, "D") == ["A -> both", "B -> both", "both -> D"]


def test_no_inputs_are_a_statement_and_no_facet_is_none(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest([_event(1, maker, {"C": {"lineage": {"inputs": []}}, "D": {"lineage": {}}})])
    assert _edges(any_store, Direction.UPSTREAM, "C") == ["both -> C"]
    assert _edges(any_store, Direction.UPSTREAM, "D") == ["A -> both", "B -> both", "both -> D"]


def test_the_last_statement_counts(any_store: Store, maker: EventMaker) -> None:
    first = _event(1, maker, {"C": {"lineage": {"inputs": [_source("A")]}}})
    last = _event(2, maker, {"C": {"lineage": {"inputs": [_source("B")]}}})
    first["eventType"], last["run"] = "RUNNING", first["run"]
    any_store.ingest([last, first])
    assert _edges(any_store, Direction.UPSTREAM, "C") == ["B -> both", "both -> C"]


def test_an_input_that_no_output_is_made_of_is_read_by_the_job(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest([_event(1, maker, {"C": {"lineage": {"inputs": [_source("A")]}}})])
    assert _edges(any_store, Direction.DOWNSTREAM, "B") == ["B -> both"]


def test_an_entry_of_the_job_itself_is_what_it_reads(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest([_event(1, maker, {}, [*_AS_ENTRIES, _job(inputs=[_source("E")])])])
    assert _edges(any_store, Direction.DOWNSTREAM, "E") == ["E -> both"]


def test_another_job_that_is_an_input_feeds_the_dataset(any_store: Store, maker: EventMaker) -> None:
    entry = _source("C", inputs=[_source("A"), _job("api"), _job()])
    any_store.ingest([_event(1, maker, {}, [entry, _job("api", inputs=[_source("X")])])])
    assert _edges(any_store, Direction.UPSTREAM, "C") == ["A -> both", "X -> api", "api -> C", "both -> C"]
    assert _edges(any_store, Direction.DOWNSTREAM, "X") == ["X -> api", "api -> C"]
    assert _edges(any_store, Direction.DOWNSTREAM, job="api") == ["api -> C"]
    with any_store.read() as session:
        unknown = impact(session, "X").unknown
    assert [(entry.job and entry.job.name, entry.dataset and entry.dataset.name) for entry in unknown] == [("api", "C")]


def test_another_job_that_feeds_nothing_only_reads(any_store: Store, maker: EventMaker) -> None:
    any_store.ingest([_event(1, maker, {}, [*_AS_ENTRIES, _job("api", inputs=[_source("X")])])])
    assert _edges(any_store, Direction.DOWNSTREAM, "X") == ["X -> api"]


def test_another_job_feeds_a_dataset_that_states_it_itself(any_store: Store) -> None:
    event = {
        "eventTime": "2026-01-01T00:00:00Z",
        "schemaURL": "https://openlineage.io/spec/2-0-2/x#/$defs/DatasetEvent",
    }
    dataset = {"namespace": "lake", "name": "C", "facets": {"lineage": {"inputs": [_source("A"), _job("api")]}}}
    any_store.ingest([{**event, "dataset": dataset}])
    assert _edges(any_store, Direction.UPSTREAM, "C") == ["A -> C", "api -> C"]
