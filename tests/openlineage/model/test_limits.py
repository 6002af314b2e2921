"""What is beyond a limit is refused, with the limit and the field by name; what is just below it is taken."""

from __future__ import annotations

from typing import Any

import pytest
from openlineage.client.event_v2 import RunState
from tests.work import MOST, work

from headwater.openlineage.build.events import Application
from headwater.openlineage.model import limits
from headwater.openlineage.model.event import BadEvent, RunEvent
from headwater.openlineage.model.parse import parse_event
from headwater.openlineage.naming.datasets import Catalog
from headwater.rules.plan.tree import Dataset

_RUN = "3f5e83fa-3480-44ff-99c5-ff943904e5e8"
_CATALOG = Catalog("file:/warehouse")
_LONG = "x" * limits.LONGEST_NAME
_SOURCE = {"namespace": "lake", "name": "orders", "field": "id"}


def _event(**changes: object) -> dict[str, Any]:
    return {
        "eventType": "COMPLETE", "eventTime": "2026-01-01T00:00:00Z",
        "run": {"runId": _RUN}, "job": {"namespace": "shop", "name": "daily"},
    } | changes  # fmt: skip


def _job(namespace: str, name: str) -> dict[str, Any]:
    return _event(job={"namespace": namespace, "name": name})


def _output(**changes: object) -> dict[str, Any]:
    return _event(outputs=[{"namespace": "lake", "name": "sales"} | changes])


def _schema(*fields: dict[str, Any]) -> dict[str, Any]:
    return _output(facets={"schema": {"fields": list(fields)}})


def _columns(*names: str) -> dict[str, Any]:
    return _schema(*({"name": name} for name in names))


def _lineage(fields: dict[str, Any]) -> dict[str, Any]:
    return _output(facets={"columnLineage": {"fields": fields}})


def _spellings(count: int) -> list[str]:
    return [f"{number:04b}".replace("0", "a").replace("1", "A") for number in range(count)]


def _nested(path: str, **changes: object) -> dict[str, Any]:
    return _lineage({path: {"inputFields": [_SOURCE | changes]}})


EVENTS = {
    "a job's name": (_job("shop", _LONG), _job("shop", f"{_LONG}x"), "job.name: has 4,001 characters; the limit is"),
    "a namespace": (_job(_LONG, "daily"), _job(f"{_LONG}x", "daily"), "job.namespace: has 4,001 characters"),
    "a dataset's name": (_output(name=_LONG), _output(name=f"{_LONG}x"), "outputs[0].name: has 4,001 characters"),
    "a column": (_columns(_LONG), _columns(f"{_LONG}x"), "fields.name: has 4,001 characters"),
    "a column's path": (
        _schema({"name": "s" * 2000, "fields": [{"name": "x" * 1999}]}),
        _schema({"name": "s" * 2000, "fields": [{"name": "x" * 2000}]}),
        "schema.fields.fields.name: has 4,001 characters",
    ),
    "a column of lineage": (_nested(_LONG), _nested(f"{_LONG}x"), "has 4,001 characters; the limit is 4,000"),
    "a source of lineage": (_nested("x", field=_LONG), _nested("x", field=f"{_LONG}x"), "[0].field: has 4,001"),
    "the name of a facet": (_output(facets={_LONG: {}}), _output(facets={f"{_LONG}x": {}}), "facets: has 4,001 char"),
    "facets": (
        _output(facets={f"f{number}": {} for number in range(1000)}),
        _output(facets={f"f{number}": {} for number in range(1001)}),
        "outputs[0].facets: has 1,001 facets; the limit is 1,000",
    ),
    "levels": (_nested(".".join("a" * 100)), _nested(".".join("a" * 101)), "nested 101 levels deep; the limit is 100"),
    "spellings": (_columns(*_spellings(10)), _columns(*_spellings(11)), "11 columns that differ from 'aaaa' in upper"),
}  # fmt: skip


@pytest.mark.parametrize("name", EVENTS)
def test_what_is_beyond_a_limit_is_refused_by_name(name: str) -> None:
    below, beyond, reason = EVENTS[name]
    parse_event(below)
    with pytest.raises(BadEvent) as refused:
        parse_event(_event() | beyond)
    assert reason in str(refused.value)


@pytest.mark.parametrize(
    ("limit", "event", "reason"),
    [
        ("MOST_COLUMNS", _nested("a.b.c.d"), "The event has 11 columns, each counted once for every level"),
        ("MOST_COLUMN_TEXT", _nested("a.b.c.d"), "The columns of the event have names of 30 characters"),
    ],
)
def test_structs_around_a_column_count_as_well(
    limit: str, event: dict[str, Any], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    parse_event(event)
    monkeypatch.setattr(limits, limit, 10)
    with pytest.raises(BadEvent) as refused:
        parse_event(event)
    assert reason in str(refused.value)
    assert "the limit is 10" in str(refused.value)


def test_many_datasets_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("headwater.openlineage.model.parse.MOST_DATASETS", 2)
    inputs = [{"namespace": "lake", "name": f"t{number}"} for number in range(3)]
    parse_event(_event(inputs=inputs[:2]))
    with pytest.raises(BadEvent, match=r"inputs: has 3 datasets; the limit is 2"):
        parse_event(_event(inputs=inputs))


def test_a_long_description_is_cut_with_a_mark() -> None:
    event = parse_event(_schema({"name": "a", "description": "x" * 200_000}, {"name": "b", "description": "short"}))
    assert isinstance(event, RunEvent)
    long, short = event.outputs[0].schema or ()
    assert (len(long.description), long.description[-2:], short.description) == (limits.LONGEST_TEXT, "x…", "short")


def test_a_text_for_very_many_inputs_is_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """One deprecated text is that of every input of its column."""
    monkeypatch.setattr("headwater.openlineage.model.parse_facets.MOST_EDGE_TEXT", 10_000)
    sources = [_SOURCE | {"field": f"c{number}"} for number in range(100)]
    event = parse_event(_lineage({"x": {"inputFields": sources, "transformationDescription": "because " * 50}}))
    assert isinstance(event, RunEvent)
    lineage = event.outputs[0].lineage
    assert lineage is not None
    assert {len(edge.description) for edge in lineage.edges} == {limits.SHORT_TEXT}


def test_an_error_names_a_long_field_by_its_beginning() -> None:
    with pytest.raises(BadEvent) as refused:
        parse_event(_lineage({"x" * 1_000_000: {"inputFields": []}}))
    assert len(str(refused.value)) < 700


def test_our_own_names_are_within_the_limit() -> None:
    location, application = f"s3://lake/{'x' * 10_000}", Application("n" * 5_000, "a" * 5_000, _RUN, "4.1.4", _CATALOG)
    first, other = (_CATALOG.name(Dataset(location + end)) for end in ("a", "b"))
    assert first is not None
    assert other is not None
    assert first != other
    event = application.event(RunState.COMPLETE, 0)
    assert {len(name) for name in (first.name, other.name, event.job.namespace, event.job.name)} == {
        limits.LONGEST_NAME
    }


def test_mentions_of_a_dataset_are_united_at_once() -> None:
    """One after the other, each would copy what those before it say."""

    def lines(size: int) -> float:
        fields = [{"name": f"c{size}_{number}"} for number in range(size)]
        lineage = {f"c{size}_{number}": {"inputFields": [_SOURCE]} for number in range(size)}
        facets = {"schema": {"fields": fields}, "columnLineage": {"fields": lineage}}
        outputs: list[dict[str, Any]] = [{"namespace": "lake", "name": "sales", "facets": facets}]
        outputs += [
            {"namespace": "lake", "name": "sales", "facets": {"schema": {"fields": [{"name": f"d{size}_{number}"}]}}}
            for number in range(size)
        ]
        entry = {"type": "DATASET", "namespace": "lake", "name": "sales"}
        job = {"namespace": "shop", "name": "daily", "facets": {"lineage": {"entries": [entry] * size}}}
        return work(lambda: parse_event(_event(outputs=outputs, job=job)))

    lines(2)
    assert lines(400) / lines(200) <= MOST
