"""Random histories: few names and few moments, so that what happens to one thing meets what happens to another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias
from uuid import NAMESPACE_URL, uuid5

from hypothesis import strategies as st

Event: TypeAlias = "dict[str, Any]"

# The last one is more than a day after the others: what has completed before is closed by then.
_MOMENTS = [*(f"2026-01-01T00:0{minute}:00Z" for minute in range(3)), "2026-01-03T00:03:00Z"]
_RUNS = ("one", "two", "three")
_SCHEMAS = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/"


def _named(name: str, **more: object) -> Event:
    return {"namespace": "lake", "name": name, **more}


def _source(text: str) -> Event:
    """`dataset.field SUBTYPE text`: where a column comes from."""
    place, subtype, description = (*text.split(" ", 2), "IDENTITY", "")[:3]
    name, _, field = place.partition(".")
    kind = "INDIRECT" if subtype in {"FILTER", "JOIN"} else "DIRECT"
    step = {"type": kind, "subtype": subtype, "description": description, "masking": False}
    return _named(name, field=field, transformations=[step])


def _lineage(fields: Mapping[str, Sequence[str]], rows: Sequence[str] = ()) -> Event:
    facets: Event = {"fields": {name: {"inputFields": [_source(text) for text in of]} for name, of in fields.items()}}
    return {**facets, "dataset": [_source(text) for text in rows]} if rows else facets


# Two that differ in a literal only are one mapping, whose text is that of the earliest event.
_LINEAGE = [
    None,
    None,
    _lineage({}),
    _lineage({"a": ["in.x"]}),
    _lineage({"a": ["in.x TRANSFORMATION x + 1"]}),
    _lineage({"a": ["in.x TRANSFORMATION x + 2"]}),
    _lineage({"A": ["in.X"], "a.b": ["other.c.d"]}),
    _lineage({"a": ["in.y AGGREGATION", "out.a"], "b": []}, ["in.z FILTER"]),
    {"_deleted": True},
]
# Now and then what is taken from a view, in place of what is behind it.
_BY_VIEWS = [
    *[None] * 8,
    {**_lineage({"a": ["view.n"]}), "views": [_named("view")]},
    {**_lineage({"a": []}), "views": [_named("view"), _named("other")]},
    {"_deleted": True},
]
# Rows that are counted, for a column or for all.
_ROW_FACETS = [
    *[None] * 6,
    {"fields": {"a": [_named("in")], "b": [_named("other"), _named("in")]}},
    {"dataset": [_named("in")], "byViews": {"fields": {"b": [_named("view")]}}},
    {"_deleted": True},
]
_SCHEMA_FACETS = [
    None,
    {"fields": [{"name": "a", "type": "int"}]},
    {"fields": [{"name": "a", "type": "string", "description": "the first one"}, {"name": "b", "type": "int"}]},
    {"fields": [{"name": "c", "type": "struct", "fields": [{"name": "d", "type": "int"}]}, {"name": "A"}]},
    {"_deleted": True},
]
_API = {"type": "JOB", "namespace": "jobs", "name": "api"}
_STATED: list[Event | None] = [
    None,
    None,
    None,
    {"inputs": []},
    {"inputs": [_named("in", type="DATASET")]},
    {"inputs": [_API, {"type": "JOB"}], "fields": {"a": {"inputs": [_named("other", type="DATASET", field="a")]}}},
]
_ENTRIES: list[list[Event]] = [
    [],
    [],
    [],
    [_named("out", type="DATASET", inputs=[_named("in", type="DATASET")])],
    [{"type": "JOB", "inputs": [_named("other", type="DATASET")]}, _named("other", type="DATASET", inputs=[_API])],
    [{**_API, "inputs": [_named("in", type="DATASET")]}, _named("out", type="DATASET", inputs=[])],
]
_LIFECYCLES = [None, None, None, "OVERWRITE", "DROP", "TRUNCATE", "CREATE", "ALTER", "RENAME"]
_NOTES = [
    {},
    {},
    {"ownership": {"owners": [{"name": "ann", "type": "MAINTAINER"}]}},
    {"ownership": {"owners": [{"name": "bob"}]}, "documentation": {"description": "all that was ordered"}},
    {"tags": {"tags": [{"key": "pii", "value": "true", "source": "USER"}]}, "odd": {"x": 1}},
]
_LINKS = [None, None, None, ["view"], ["view", "alias"], ["out"]]


@st.composite
def _facets(draw: st.DrawFn) -> Event:
    """The facets of a dataset, wherever it stands."""
    facets: Event = dict(draw(st.sampled_from(_NOTES)))
    for name, values in (
        ("columnLineage", _LINEAGE),
        ("lineage", _STATED),
        ("schema", _SCHEMA_FACETS),
        ("headwater_views", _BY_VIEWS),
        ("headwater_rows", _ROW_FACETS),
    ):
        if (facet := draw(st.sampled_from(values))) is not None:
            facets[name] = facet
    if links := draw(st.sampled_from(_LINKS)):
        facets["symlinks"] = {"identifiers": [_named(name, type="TABLE") for name in links]}
    if version := draw(st.sampled_from([None, None, "1", "2"])):
        facets["version"] = {"datasetVersion": version}
    if state := draw(st.sampled_from(_LIFECYCLES)):
        change: Event = {"lifecycleStateChange": state}
        if state == "RENAME":
            change["previousIdentifier"] = _named(draw(st.sampled_from(["in", "other", "out"])))
        facets["lifecycleStateChange"] = change
    return facets


@st.composite
def _datasets(draw: st.DrawFn, names: Sequence[str], role: str) -> list[Event]:
    datasets = []
    for name in draw(st.lists(st.sampled_from(names), max_size=2)):
        dataset = _named(name, facets=draw(_facets()))
        if role == "output" and draw(st.integers(0, 7)) == 0:
            dataset["outputFacets"] = {"subset": {"outputCondition": {"type": "partition", "partitions": []}}}
        if role == "input" and draw(st.integers(0, 7)) == 0:
            dataset["inputFacets"] = {"headwater_behindViews": {"views": [_named("view")]}, "inputStatistics": {}}
        datasets.append(dataset)
    return datasets


@st.composite
def _job(draw: st.DrawFn) -> Event:
    name = draw(st.sampled_from(["daily", "daily", "hourly", "stream"]))
    streaming = (name == "stream") != (draw(st.integers(0, 15)) == 0)
    facets: Event = dict(draw(st.sampled_from(_NOTES)))
    if streaming:
        facets["jobType"] = {"processingType": "STREAMING", "integration": "SPARK", "jobType": "JOB"}
    if entries := draw(st.sampled_from(_ENTRIES)):
        facets["lineage"] = {"entries": entries}
    return {"namespace": "jobs", "name": name, "facets": facets}


@st.composite
def _event(draw: st.DrawFn) -> Event:
    kind = draw(st.sampled_from(["RunEvent"] * 8 + ["JobEvent", "DatasetEvent"]))
    event: Event = {
        "eventTime": draw(st.sampled_from(_MOMENTS)),
        "producer": "https://example.com/tests",
        "schemaURL": _SCHEMAS + kind,
    }
    if kind == "DatasetEvent":
        name = draw(st.sampled_from(["out", "other", "view"]))
        return {**event, "dataset": _named(name, facets=draw(_facets()))}
    event["job"] = draw(_job())
    event["inputs"] = draw(_datasets(("in", "in", "other", "view"), "input"))
    event["outputs"] = draw(_datasets(("out", "out", "out", "other"), "output"))
    if kind == "RunEvent":
        event["eventType"] = draw(st.sampled_from(["START", "RUNNING", "OTHER", "COMPLETE", "COMPLETE", "FAIL"]))
        event["run"] = {"runId": _run_id(draw(st.sampled_from(_RUNS)))}
        if parent := draw(st.sampled_from([None, None, None, *_RUNS])):
            event["run"]["facets"] = {
                "parent": {"run": {"runId": _run_id(parent)}, "job": {"namespace": "jobs", "name": "above"}}
            }
    return event


def _run_id(name: str) -> str:
    return str(uuid5(NAMESPACE_URL, name))


def histories(longest: int = 9) -> st.SearchStrategy[list[Event]]:
    """Lists of events of all kinds."""
    return st.lists(_event(), min_size=1, max_size=longest)
