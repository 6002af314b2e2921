"""What Marquez's own tests say of versions, runs and lineage, beside Headwater's answers.

Where the two differ, docs/differences-marquez.md says why. What it lists is compared with what is found: a difference
that it does not list fails, and so does one that it lists and that is gone.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias
from uuid import UUID

import pytest
from tests.ask import ask, tables

from headwater.query.graph.answer import Answer, Direction, TableAnswer
from headwater.query.search.resolve import UnknownName
from headwater.store import Store

REPO = Path(__file__).resolve().parents[2]
DOC = REPO / "docs" / "differences-marquez.md"
CORPUS = Path(os.environ.get("HEADWATER_CORPUS") or REPO.parent / "shared" / "corpus") / "marquez.jsonl"
if not CORPUS.is_file():
    pytest.skip("needs the corpus: set HEADWATER_CORPUS to the folder of marquez.jsonl", allow_module_level=True)

CASES = {case["id"]: case for case in map(json.loads, CORPUS.read_text(encoding="utf-8").splitlines())}
_UP, _DOWN = Direction
_STREAMING = {"jobType": {"processingType": "STREAMING", "integration": "FLINK", "jobType": "JOB"}}

Event: TypeAlias = "dict[str, Any]"
# What a case is compared by: whether Headwater answers as Marquez does. Its own answer is asserted in the function.
Check: TypeAlias = "Callable[[Store, Mapping[str, Any]], bool]"
CHECKS: dict[str, Check] = {}


def case(*ids: str) -> Callable[[Check], Check]:
    """Name the cases that a function is for."""

    def add(check: Check) -> Check:
        CHECKS.update(dict.fromkeys(ids, check))
        return check

    return add


def _listed() -> tuple[set[str], set[str]]:
    """The cases that the document has as differences, and those it leaves to the HTTP API."""
    sections = {part.partition("\n")[0]: part for part in DOC.read_text(encoding="utf-8").split("\n## ")}
    stay = re.findall(r"^\| `([^`]+)` \|", sections["Differences that stay"], re.MULTILINE)
    return set(stay), set(re.findall(r"^- `([^`]+)`", sections["Left to the HTTP API"], re.MULTILINE))


DIFFERENCES, LEFT = _listed()


# Columns.


def _asked(store: Store, example: Mapping[str, Any], **options: Any) -> list[Answer]:  # noqa: ANN401  passed on
    """The answers to a request: upstream, and downstream if wanted, of each dataset or field that it is about."""
    query = example["request"]["query"]
    kind, namespace, name, *field = query["nodeId"].partition("#")[0].split(":")
    names = _outputs(store, f"{namespace}/{name}") if kind == "job" else [f"{namespace}/{name}"]
    options = {"depth": query["depth"], **options}
    directions = Direction if query["withDownstream"] else (_UP,)
    return [ask(store, direction, dataset, *field, **options) for dataset in names for direction in directions]


def _outputs(store: Store, job: str) -> list[str]:
    with store.read() as session:
        return [node.name.full for node in tables(session, _DOWN, job=job, depth=1).nodes if node.distance == 1]


def _fields(answers: Sequence[Answer]) -> set[tuple[str, str | None]]:
    return {(node.field.name, node.field.field) for answer in answers for node in answer.nodes}


def _inputs(answers: Sequence[Answer], field: str) -> set[str | None]:
    return {edge.origin.field for answer in answers for edge in answer.edges if edge.destination.field == field}


@case("cl-api-dataset", "cl-api-field", "cl-api-downstream-job")
def _graph(store: Store, example: Mapping[str, Any]) -> bool:
    fields, expected = _fields(_asked(store, example)), example["expected"]
    names = {field for _, field in fields}
    assert names >= {"col_a", "col_b", "col_c"}
    return len(fields) == expected["graph_size"] and names >= {
        *expected.get("fields", ()),
        *expected.get("contains", ()),
    }


@case("cl-by-job")
def _by_job(store: Store, example: Mapping[str, Any]) -> bool:
    other = {"request": example["expected"]["equals_request"]}
    assert len(_fields(_asked(store, example))) == 4
    return _fields(_asked(store, example)) == _fields(_asked(store, other))


@case("cl-chain")
def _chain(store: Store, example: Mapping[str, Any]) -> bool:
    (answer,) = _asked(store, example)
    inputs: dict[str, list[list[str | None]]] = {}
    for edge in answer.edges:
        to, origin = f"{edge.destination.name}.{edge.destination.field}", edge.origin
        assert [step.type for step in edge.transformations] == ["DIRECT"]
        for step in edge.transformations:
            inputs.setdefault(to, []).append([origin.name, origin.field, step.description, step.subtype])
    return bool({to: sorted(of) for to, of in inputs.items()} == example["expected"]["nodes_with_inputs"])


@case("cl-depth-20-vs-1")
def _depth(store: Store, example: Mapping[str, Any]) -> bool:
    near, far = (
        {edge.destination for answer in _asked(store, example, depth=depth) for edge in answer.edges}
        for depth in (1, 20)
    )
    return (len(near), len(far)) == (
        example["expected"]["output_nodes_with_inputFields"],
        example["expected"]["at_depth_20"],
    )


@case("cl-downstream")
def _downstream(store: Store, example: Mapping[str, Any]) -> bool:
    answers, expected = _asked(store, example), example["expected"]
    names = {field for _, field in _fields(answers)}
    return names >= set(expected["contains_fields"]) and len(_inputs(answers, "col_c")) == 2


@case("cl-known-field-no-upstream", "cl-none-for-source", "cl-null-type")
def _without_error(store: Store, example: Mapping[str, Any]) -> bool:
    (answer,) = _asked(store, example)
    edges = example["expected"].get("graph_size", example["expected"].get("rows"))
    return edges is None or len(answer.edges) == edges


@case("cl-unknown-dataset", "cl-unknown-field")
def _unknown(store: Store, example: Mapping[str, Any]) -> bool:
    with pytest.raises(UnknownName):
        _asked(store, example)
    return bool(example["expected"]["status"] == 404)


@case("cl-two-writers", "cl-two-writers-dataset-endpoint")
def _two_writers(store: Store, example: Mapping[str, Any]) -> bool:
    inputs = _inputs([ask(store, _UP, "namespace/dataset_b")], "col_c")
    assert inputs == {"col_a", "col_b"}
    expected = example["expected"]
    return bool(
        len(inputs) == expected.get("columnLineage[0].inputFields_size", len(expected.get("union_of_inputs", ())))
    )


@case("cl-upsert-empty", "cl-upsert-two-inputs")
def _upsert(store: Store, example: Mapping[str, Any]) -> bool:
    inputs = ["in.x", "in.y"][: example["expected"]["rows"]]
    store.ingest([_event(1, outputs={"out": {"a": inputs}})])
    return bool(len(ask(store, _UP, "ns/out").edges) == example["expected"]["rows"])


@case("cl-point-in-time-3-versions")
def _point_in_time(store: Store, example: Mapping[str, Any]) -> bool:
    (_, second, _) = _versions(store, "dataset_b")
    answers = _asked(store, example, version=second)
    assert len(_fields(answers)) == example["expected"]["graph_size"]
    read = {node.field.version for node in answers[0].nodes if node.field.name == "dataset_a"}
    assert {node.field.version for node in answers[0].nodes if node.field.name == "dataset_b"} == {second}
    assert {edge.job.name for edge in answers[0].edges if edge.job} == {"job_x2"}
    return None not in read


@case("ing-cl-stored", "ing-cl-output-no-schema")
def _stored(store: Store, example: Mapping[str, Any]) -> bool:
    (edge,) = ask(store, _UP, "namespace/dataset", "output_column").edges
    assert (edge.origin.namespace, edge.origin.name, edge.origin.field) == ("input-ns", "input-ds", "in_f")
    return bool(example["expected"]["rows"] == 1)


@case("quirk-depth1-downstream")
def _both_ways_at_depth_1(store: Store, example: Mapping[str, Any]) -> bool:
    up, down = _asked(store, example)
    assert (len(up.edges), len(down.edges)) == (2, 1)
    return False


@case("quirk-dropped-dependency-stays")
def _dropped(store: Store, _example: Mapping[str, Any]) -> bool:
    store.ingest([_event(1, outputs={"b": {"c": ["a.x", "a.y"]}}), _event(2, outputs={"b": {"c": ["a.x"]}})])
    first, second = _versions(store, "b")
    assert _inputs([ask(store, _UP, "ns/b", "c")], "c") == {"x"}
    assert _inputs([ask(store, _UP, "ns/b", "c", version=second)], "c") == {"x"}
    assert _inputs([ask(store, _UP, "ns/b", "c", version=first)], "c") == {"x", "y"}
    return False


@case("quirk-two-node-cycle")
def _cycle(store: Store, _example: Mapping[str, Any]) -> bool:
    store.ingest([_event(1, "j1", outputs={"x": {"x": ["y.y"]}}), _event(2, "j2", outputs={"y": {"y": ["x.x"]}})])
    edges = ask(store, _UP, "ns/x", "x").edges
    assert {(edge.origin.name, edge.destination.name) for edge in edges} == {("y", "x"), ("x", "y")}
    return False


# Versions and runs.


def _event(  # noqa: PLR0913  the parts of an event
    minute: int,
    job: str = "job",
    type: str = "COMPLETE",  # noqa: A002  as OpenLineage calls it
    *,
    run: int | None = None,
    inputs: Sequence[str] = (),
    outputs: Mapping[str, Mapping[str, Sequence[str]] | None] | None = None,
    facets: Mapping[str, Any] | None = None,
    job_facets: Mapping[str, Any] | None = None,
) -> Event:
    def dataset(name: str, columns: Mapping[str, Sequence[str]] | None = None) -> Event:
        item: Event = {"namespace": "ns", "name": name, "facets": dict(facets or {})}
        if columns is not None:
            fields = {
                column: {"inputFields": [_field(*source.split(".")) for source in sources]}
                for column, sources in columns.items()
            }
            item["facets"]["columnLineage"] = {"fields": fields}
        return item

    return {
        "eventType": type,
        "eventTime": f"2024-01-01T00:{minute:02}:00Z",
        "run": {"runId": str(UUID(int=minute if run is None else run))},
        "job": {"namespace": "ns", "name": job, "facets": dict(job_facets or {})},
        "inputs": [dataset(name) for name in inputs],
        "outputs": [dataset(name, columns) for name, columns in (outputs or {}).items()],
    }


def _field(dataset: str, field: str) -> Event:
    return {"namespace": "ns", "name": dataset, "field": field}


def _versions(store: Store, dataset: str) -> list[str]:
    """The versions of a dataset, the oldest first."""
    with store.read() as session:
        rows = session.rows(
            "SELECT version.us, version.uuid FROM version JOIN dataset ON dataset.id = version.dataset"
            " WHERE dataset.name = :name",
            name=dataset,
        )
    return [str(UUID(bytes=bytes(uuid))) for _, uuid in sorted(rows)]


def _consumed(store: Store, dataset: str, source: str) -> set[str | None]:
    """The versions of a source that the last version of a dataset was made from."""
    answer = ask(store, _UP, f"ns/{dataset}", version=_versions(store, dataset)[-1], depth=1)
    return {node.field.version for node in answer.nodes if node.field.name == source}


@case("ing-cl-second-run-new-version")
def _second_run(store: Store, _example: Mapping[str, Any]) -> bool:
    store.ingest(
        [
            _event(1, outputs={"b": {"c": ["a.x"]}}),
            _event(2, outputs={"b": {"c": ["a.y"]}}),
            _event(3, "reader", inputs=["b"], outputs={"d": {"e": ["b.c"]}}),
        ]
    )
    return _consumed(store, "d", "b") == {_versions(store, "b")[1]}


@case("ing-each-write-new-version-same-schema-version")
def _each_write(store: Store, example: Mapping[str, Any]) -> bool:
    schema = {"schema": {"fields": [{"name": "c", "type": "int"}]}}
    reads = [
        _event(minute, f"reader{minute}", inputs=["b"], outputs={f"d{minute}": {"e": ["b.c"]}}) for minute in (2, 5)
    ]
    store.ingest([*(_event(minute, outputs={"b": {"c": ["a.x"]}}, facets=schema) for minute in (1, 3, 4)), *reads])
    versions = _versions(store, "b")
    assert (_consumed(store, "d2", "b"), _consumed(store, "d5", "b")) == ({versions[0]}, {versions[2]})
    with store.read() as session:
        schemas = session.rows("SELECT count(*) FROM schema")[0][0]
    expected = example["expected"]
    return (len(versions), schemas) == (expected["distinct_dataset_versions"], expected["distinct_schema_versions"])


@case("ing-current-version-only-on-complete")
def _only_on_complete(store: Store, _example: Mapping[str, Any]) -> bool:
    store.ingest([_event(1, type="RUNNING", run=1, outputs={"b": {"c": ["a.x"]}})])
    assert _versions(store, "b") == []
    store.ingest([_event(2, run=1, outputs={"b": {"c": ["a.x"]}})])
    store.ingest([_event(3, "reader", inputs=["b"], outputs={"d": {"e": ["b.c"]}})])
    (first,) = _versions(store, "b")
    assert _consumed(store, "d", "b") == {first}
    refused = store.ingest([_event(4, type="FAILED", run=2, outputs={"b": {"c": ["a.y"]}})])
    assert [item.field for item in refused.rejected] == ["eventType"]
    store.ingest([_event(5, type="FAIL", run=3, outputs={"b": {"c": ["a.y"]}})])
    return _versions(store, "b") == [first]


@case("ing-input-only-creates-version")
def _input_only(store: Store, example: Mapping[str, Any]) -> bool:
    store.ingest([_event(1, type="RUNNING", inputs=["a"])])
    return bool(bool(_versions(store, "a")) == example["expected"]["present"])


@case("ing-lifecycle")
def _lifecycle(store: Store, example: Mapping[str, Any]) -> bool:
    state = {"lifecycleStateChange": {"lifecycleStateChange": "TRUNCATE"}}
    store.ingest([_event(1, outputs={"b": None}, facets=state)])
    with store.read() as session:
        return session.rows("SELECT lifecycle FROM version") == [(example["expected"]["value"],)]


@case("ing-streaming-version-on-running")
def _streaming(store: Store, _example: Mapping[str, Any]) -> bool:
    store.ingest(
        [_event(1, "stream", "RUNNING", run=1, inputs=["a"], outputs={"b": {"c": ["a.x"]}}, job_facets=_STREAMING)]
    )
    (first,) = _versions(store, "b")
    store.ingest([_event(2, "stream", run=1, job_facets=_STREAMING)])
    return _versions(store, "b") == [first]


@case("http-dataset-event")
def _dataset_event(store: Store, _example: Mapping[str, Any]) -> bool:
    schema = {"schema": {"fields": [{"name": "c", "type": "int"}]}}
    dataset = {"namespace": "ns", "name": "b", "facets": schema}
    assert store.ingest([{"eventTime": "2024-01-01T00:00:00Z", "dataset": dataset}]).accepted == 1
    with store.read() as session:
        assert session.rows("SELECT path, type FROM field") == [("c", "int")]
    return len(_versions(store, "b")) >= 1


@case("http-job-event")
def _job_event(store: Store, _example: Mapping[str, Any]) -> bool:
    event = _event(1, inputs=["a"], outputs={"b": None})
    del event["run"], event["eventType"]
    event["schemaURL"] = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/JobEvent"
    assert store.ingest([event]).accepted == 1
    with store.read() as session:
        assert session.rows("SELECT count(*) FROM run") == [(0,)]
    return _tables(store, "b") == {"b", "job", "a"}


@case("http-422-0", "http-422-2", "http-422-3", "http-bad-time", "http-400-bad-namespace")
def _refused(store: Store, example: Mapping[str, Any]) -> bool:
    event = _event(1, inputs=["a"])
    field = {
        "http-422-0": ("inputs", 0, "name"),
        "http-422-2": ("job", "name"),
        "http-422-3": ("run", "runId"),
        "http-bad-time": ("eventTime",),
        "http-400-bad-namespace": ("inputs", 0, "namespace"),
    }[example["id"]]
    holder: Any = event
    for part in field[:-1]:
        holder = holder[part]
    holder[field[-1]] = {"http-bad-time": "2021-11-03", "http-400-bad-namespace": "🌊"}.get(example["id"])
    result = store.ingest([event])
    return [item.field.replace("[0]", "") for item in result.rejected] == [".".join(str(p) for p in field if p != 0)]


# Tables and jobs.


def _tables(store: Store, start: str, *, depth: int | None = None) -> set[str]:
    """All that is upstream and downstream of a dataset."""
    return {node.name.name for answer in _both(store, start, depth) for node in answer.nodes}


def _both(store: Store, start: str, depth: int | None = None) -> Iterator[TableAnswer]:
    with store.read() as session:
        for direction in Direction:
            yield tables(session, direction, f"ns/{start}", depth=depth)


@case("ln-start-inputs-complete-outputs-rerun")
def _rerun(store: Store, example: Mapping[str, Any]) -> bool:
    for run in (1, 3):
        store.ingest(
            [_event(run, type="START", run=run, inputs=["in"]), _event(run + 1, run=run, outputs={"out": None})]
        )
    assert _tables(store, "in") == {"in", "job", "out"}
    return (
        _tables(store, "in") == _tables(store, "out") and len(_tables(store, "in")) == example["expected"]["graph_size"]
    )


@case("ln-streaming-complete-empty")
def _stream_ended(store: Store, example: Mapping[str, Any]) -> bool:
    running = _event(1, "stream", "RUNNING", run=1, inputs=["in"], outputs={"out": None}, job_facets=_STREAMING)
    store.ingest([running, _event(2, "stream", run=1, job_facets=_STREAMING)])
    return bool(len(_tables(store, "out")) == example["expected"]["graph_size"])


@case("ln-streaming-running")
def _stream_running(store: Store, example: Mapping[str, Any]) -> bool:
    running = _event(2, "stream", "RUNNING", inputs=["in"], outputs={"out": None}, job_facets=_STREAMING)
    store.ingest([_event(1, "before", outputs={"in": None}), running, _event(3, "after", inputs=["out"])])
    return bool(len(_tables(store, "in")) == example["expected"]["graph_size"])


@case("ln-symlink")
def _symlink(store: Store, example: Mapping[str, Any]) -> bool:
    links = {"symlinks": {"identifiers": [{"namespace": "ns", "name": "symlink", "type": "TABLE"}]}}
    store.ingest([_event(1, "job1", inputs=["main"], facets=links), _event(2, "job2", inputs=["symlink"])])
    assert _tables(store, "symlink") >= {"main"}
    return bool(len(_tables(store, "symlink")) == example["expected"]["graph_size"])


@case("ln-job-version-no-io", "ln-latest-job-version-only")
def _later_run(store: Store, example: Mapping[str, Any]) -> bool:
    other = {"ln-job-version-no-io": {}, "ln-latest-job-version-only": {"c": None}}[example["id"]]
    store.ingest([_event(1, inputs=["a"], outputs={"b": None}), _event(2, outputs=other)])
    with store.read() as session:
        names = {node.name.name for node in tables(session, _DOWN, job="ns/job", depth=1).nodes}
    assert names == {"job", "b", *other}
    return names == {"job", *other}


@case("ln-dataset-entry-prefers-recent-writer")
def _writers(store: Store, _example: Mapping[str, Any]) -> bool:
    store.ingest([_event(1, "older", outputs={"b": None}), _event(2, "newer", outputs={"b": None})])
    with store.read() as session:
        names = {node.name.name for node in tables(session, _UP, "ns/b").nodes}
    assert names == {"b", "older", "newer"}
    return names == {"b", "newer"}


@case("ln-fanout-depth2")
def _fan_out(store: Store, example: Mapping[str, Any]) -> bool:
    events = [_event(1, "write", outputs={"common": None})]
    for number in range(20):
        events += [
            _event(2, f"read{number}", run=100 + number, inputs=["common"], outputs={f"out{number}": None}),
            _event(3, f"down{number}", run=200 + number, inputs=[f"out{number}"], outputs={f"far{number}": None}),
        ]
    events += [_event(4, "final", inputs=["far0"]), _event(5, "write", outputs={"common": None})]
    for number in range(5):
        events += [
            _event(6, f"more{number}", run=300 + number, inputs=["common"], outputs={f"third{number}": None}),
            _event(7, f"last{number}", run=400 + number, inputs=[f"third{number}"]),
        ]
    store.ingest(events)
    with store.read() as session:
        # From job to job is one there, and two here, where every edge counts.
        answer = tables(session, _DOWN, job="ns/write", depth=5)
    names = {node.name.name for node in answer.nodes}
    assert "final" not in names
    (written,) = [edge for edge in answer.edges if edge.origin[1].name == "write"]
    assert written.run == str(UUID(int=5))
    expected = example["expected"]
    out = [edge for edge in answer.edges if edge.origin[1].name == "common"]
    return (len(names), len(out)) == (expected["graph_size"], expected["commonDataset_outEdges"])


def test_every_case_is_run_or_left_to_the_api() -> None:
    assert CHECKS.keys() | LEFT == CASES.keys()
    assert CHECKS.keys() & LEFT == set()
    assert CHECKS.keys() >= DIFFERENCES


@pytest.mark.parametrize("id_", sorted(CHECKS))
def test_case(any_store: Store, id_: str) -> None:
    example = CASES[id_]
    any_store.ingest([event for event in example["events"] if isinstance(event, dict)])
    assert CHECKS[id_](any_store, example) == (id_ not in DIFFERENCES)
