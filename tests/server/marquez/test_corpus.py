"""What Marquez's own tests say of requests, status codes and node ids: the cases that the store's test leaves."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tests.conftest import EventMaker
    from tests.server.marquez.conftest import Api

REPO = Path(__file__).resolve().parents[3]
DOC = REPO / "docs" / "differences-marquez.md"
CORPUS = Path(os.environ.get("HEADWATER_CORPUS") or REPO.parent / "shared" / "corpus") / "marquez.jsonl"
if not CORPUS.is_file():
    pytest.skip("needs the corpus: set HEADWATER_CORPUS to the folder of marquez.jsonl", allow_module_level=True)

CASES = {case["id"]: case for case in map(json.loads, CORPUS.read_text(encoding="utf-8").splitlines())}
LEFT = set(
    re.findall(r"^- `([^`]+)`", DOC.read_text(encoding="utf-8").partition("## Left to the HTTP API")[2], re.MULTILINE)
)
PRODUCER = {"_producer": "https://example.com", "_schemaURL": "https://example.com/facet.json"}


def _event(**parts: Any) -> dict[str, Any]:  # noqa: ANN401  JSON
    return {
        "eventType": "COMPLETE",
        "eventTime": "2026-01-01T00:00:00Z",
        "producer": "https://example.com",
        "run": {"runId": str(uuid4())},
        "job": {"namespace": "ns", "name": "job"},
        **parts,
    }


def _named(namespace: str) -> dict[str, Any]:
    facet = {"documentation": {**PRODUCER, "description": f"of {namespace}"}}
    return {"namespace": namespace, "name": "public.orders", "facets": facet}


# An event of the kind that each case is about.
SENT: Mapping[str, dict[str, Any]] = {
    "http-201-event_simple": _event(
        run={"runId": str(uuid4()), "facets": {"custom": {**PRODUCER, "some": 1}}},
        job={"namespace": "ns", "name": "job", "facets": {"sql": {**PRODUCER, "query": "select 1"}}},
        inputs=[_named("in")],
        outputs=[_named("out")],
    ),
    "http-201-event_required_only": _event(),
    "http-201-event_namespace_naming": _event(
        job={"namespace": "my-owner@team", "name": "job"},
        inputs=[_named("s3://bucket"), _named("arn:aws:rds:us-east-1:1234:db")],
        outputs=[_named("postgres://host:5432")],
    ),
    "http-201-null_nominal_end_time": _event(
        run={
            "runId": str(uuid4()),
            "facets": {"nominalTime": {**PRODUCER, "nominalStartTime": "2026-01-01T00:00:00Z", "nominalEndTime": None}},
        },
    ),
}


@pytest.mark.parametrize("case", sorted(SENT))
def test_facets_are_read_back_as_they_were_sent(api: Api, case: str) -> None:
    event = SENT[case]
    api.post(event)
    run, job = event["run"], event["job"]
    answer = api(f"/jobs/runs/{run['runId']}/facets", type="run")
    assert answer == {"runId": run["runId"], "facets": run.get("facets", {})}
    assert api(f"/jobs/runs/{run['runId']}/facets", type="job")["facets"] == job.get("facets", {})
    for dataset in (*event.get("inputs", ()), *event.get("outputs", ())):
        namespace = dataset["namespace"].replace("/", "%2F")
        assert api(f"/namespaces/{namespace}/datasets/{dataset['name']}")["facets"] == dataset["facets"]


def test_a_version_and_downstream_together_are_refused(api: Api, maker: EventMaker) -> None:
    case = CASES["cl-api-version-and-downstream"]
    query, expected = case["request"]["query"], case["expected"]
    refused = api("/column-lineage", status=expected["status"], **query)
    assert expected["reason"] in refused["message"]
    api.post(maker(1, columns={"a": ["s.x"]}))
    version = api("/namespaces/lake/datasets/out")["currentVersion"]
    node = f"dataset:lake:out#{version}"
    refused = api("/column-lineage", status=400, nodeId=node, withDownstream="true")
    assert expected["reason"] in refused["message"]


@pytest.mark.parametrize("case", sorted(case for case in LEFT if case.startswith("nodeid-")))
def test_a_node_id_leads_to_the_names_in_it(api: Api, case: str) -> None:
    text, expected = CASES[case]["request"]["parse"], CASES[case]["expected"]
    node, _, version = text.partition("#") if "parts" in expected else (text, "", "")
    kind = node.partition(":")[0]
    parts = expected.get("parts") or RIGHT[text]
    namespace, name, *rest = parts
    column = rest[0] if rest else "a"
    lineage = {"fields": {column: {"inputFields": [{"namespace": "s", "name": "s", "field": "x"}]}}}
    output = {"namespace": namespace, "name": name, "facets": {"columnLineage": lineage}}
    job = {"namespace": namespace, "name": name} if kind == "job" else {"namespace": "ns", "name": "job"}
    api.post(_event(job=job, outputs=[output]))
    answer: Callable[..., dict[str, Any]] = api.graph
    if version:
        known = api(f"/namespaces/{namespace.replace('/', '%2F')}/datasets/{name.replace('/', '%2F')}")[
            "currentVersion"
        ]
        assert f"{node}#{known}" in answer("/column-lineage", f"{node}#{known}")
        api("/column-lineage", status=404, nodeId=text)
    elif kind == "datasetField":
        assert node in answer("/column-lineage", node)
    else:
        assert node in answer("/lineage", node)


# Where Marquez finds other names, or none: those that are meant.
RIGHT = {
    "dataset:arn:aws:glue:us-east-1:123456789012:table/db/t": ("arn:aws:glue:us-east-1:123456789012", "table/db/t"),
    "dataset:ns:tbl#1": ("ns", "tbl#1"),
    "dataset:s3://bucket:2024/01": ("s3://bucket", "2024/01"),
}


def test_a_deleted_dataset_is_absent_and_does_not_bridge(api: Api, maker: EventMaker) -> None:
    api.post(
        maker(1, job="writeJob", out="commonDataset", reads=["in"]),
        maker(2, job="readJob", out="outputData", reads=["commonDataset"]),
    )
    api("/namespaces/lake/datasets/commonDataset", "DELETE")
    graph = api.graph("/lineage", "job:jobs:writeJob", depth=2)
    assert not graph.keys() & {"dataset:lake:commonDataset", "job:jobs:readJob", "dataset:lake:outputData"}
    assert "dataset:lake:commonDataset" not in api.graph("/lineage", "job:jobs:readJob", depth=2)
    assert CASES["ln-deleted-dataset"]["expected"]["commonDataset"] == "absent but traversal still crosses it"


def test_every_case_that_is_left_is_run() -> None:
    run = {*SENT, "cl-api-version-and-downstream", "ln-deleted-dataset"}
    assert run | {case for case in LEFT if case.startswith("nodeid-")} == LEFT
