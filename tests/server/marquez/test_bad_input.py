"""Bad input gets a 4xx in Marquez's error shape, with the field and the reason; never a 5xx, never HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.conftest import EventMaker
    from tests.server.marquez.conftest import Api

NODE = "dataset:lake:out"
UUID = "01900000-0000-7000-8000-000000000009"
REFUSED: list[tuple[str, dict[str, object], str]] = [
    (path, {"nodeId": NODE, "depth": depth}, "depth")
    for path in ("/lineage", "/column-lineage")
    for depth in (-1, 1001, 10**30, "abc", "", "1.5")
]
REFUSED += [
    (path, {"nodeId": text}, "nodeId")
    for path in ("/lineage", "/column-lineage")
    for text in ("", "dataset", "dataset:", "dataset:x", "job:", "run:", "run:7", "table:a:b", ":::", "datasetField")
]
REFUSED += [
    ("/lineage", {}, "nodeId"),
    ("/column-lineage", {"nodeId": "datasetField:a:b"}, "nodeId"),
    ("/column-lineage", {"nodeId": "datasetField:" + ":" * 2000}, "nodeId"),
    ("/column-lineage", {"nodeId": NODE, "withDownstream": "maybe"}, "withDownstream"),
    ("/column-lineage", {"nodeId": "job:jobs:job", "column": "a"}, "column"),
    ("/jobs", {"limit": -1}, "limit"),
    ("/jobs", {"limit": 10**9}, "limit"),
    ("/jobs", {"offset": -1}, "offset"),
    ("/jobs", {"offset": 2**63}, "offset"),
    ("/jobs", {"lastRunStates": "ASLEEP"}, "lastRunStates"),
    (f"/jobs/runs/{UUID}/facets", {}, "type"),
    (f"/jobs/runs/{UUID}/facets", {"type": "dataset"}, "type"),
    ("/runlineage/upstream", {}, "runId"),
    ("/events/lineage", {"before": "yesterday"}, "before"),
    ("/events/lineage", {"after": "2026-01-01T00:00:00"}, "after"),
    ("/events/lineage", {"before": "9999-12-31T23:59:59-23:00"}, "before"),
    ("/events/lineage", {"sortDirection": "up"}, "sortDirection"),
    ("/search", {}, "q"),
    ("/search", {"q": ""}, "q"),
    ("/search", {"q": "x", "filter": "COLUMN"}, "filter"),
    ("/search", {"q": "x", "before": "31.12.2026"}, "before"),
    ("/search", {"q": "x", "limit": 10**6}, "limit"),
    ("/stats/jobs", {"period": "YEAR"}, "period"),
    ("/stats/jobs", {"timezone": "Mars/Base"}, "timezone"),
    ("/stats/jobs", {"timezone": "../../etc/passwd"}, "timezone"),
]
MISSING = [
    ("/lineage?nodeId=dataset:lake:nothing", "Dataset 'nothing' not found."),
    ("/lineage?nodeId=job:jobs:nothing", "Job 'nothing' not found."),
    ("/column-lineage?nodeId=datasetField:lake:out:nothing", "Could not find node"),
    (
        "/column-lineage?nodeId=dataset:lake:out&column=nothing",
        "No column 'nothing' in lake/out, whose columns no event lists: ask about the whole dataset",
    ),
    ("/lineage?nodeId=dataset:lake:out%23notuuid", "No version of lake/out matches 'notuuid'"),
    (f"/lineage?nodeId=dataset:lake:out:{UUID}", f"No version of lake/out matches '{UUID}'"),
    ("/namespaces/nowhere", "Namespace 'nowhere' not found."),
    ("/namespaces/nowhere/datasets", "Namespace 'nowhere' not found."),
    ("/namespaces/nowhere/jobs", "Namespace 'nowhere' not found."),
    ("/namespaces/lake/datasets/nothing", "Dataset 'nothing' not found."),
    (f"/namespaces/lake/datasets/out/versions/{UUID}", f"No version of lake/out matches '{UUID}'"),
    ("/namespaces/jobs/jobs/nothing", "Job 'nothing' not found."),
    ("/namespaces/jobs/jobs/nothing/runs", "Job 'nothing' not found."),
    (f"/namespaces/jobs/jobs/job/versions/{UUID}", f"Job version '{UUID}' not found."),
    (f"/jobs/runs/{UUID}", f"Run '{UUID}' not found."),
    (f"/runlineage/upstream?runId={UUID}", f"Run '{UUID}' not found."),
    ("/jobs/runs/7", "Run '7' not found."),
    ("/jobs/runs/7/facets?type=run", "Run '7' not found."),
    ("/runlineage/upstream?runId=x", "Run 'x' not found."),
    ("/sources/nothing", "Source 'nothing' not found."),
]
WRITES: list[tuple[str, str, object]] = [
    ("PUT", "/namespaces/ns", {}),
    ("PUT", "/namespaces/ns", {"ownerName": ""}),
    ("PUT", "/namespaces/ns", {"ownerName": "a\x00b"}),
    ("PUT", "/namespaces/ns", []),
    ("PUT", "/sources/db", {"type": "POSTGRESQL"}),
    ("PUT", "/namespaces/ns/datasets/d", {"type": "FILE", "physicalName": "d", "sourceName": "db"}),
    ("PUT", "/namespaces/ns/datasets/d", {"type": "DB_TABLE", "physicalName": "d", "sourceName": "db", "fields": [{}]}),
    ("PUT", "/namespaces/ns/jobs/j", {"type": "BATCH", "inputs": [{"name": "x"}]}),
    ("PUT", "/namespaces/ns/jobs/j", {"type": "BATCH", "runId": ""}),
    ("POST", "/namespaces/jobs/jobs/job/runs", {"id": "7"}),
    ("POST", "/namespaces/jobs/jobs/job/runs", {"nominalStartTime": "noon"}),
    ("PUT", "/tags/PII", {"description": 7}),
]


@pytest.fixture
def filled(api: Api, maker: EventMaker) -> Api:
    api.post(maker(1, columns={"a": ["s.x"]}))
    return api


def test_a_parameter_that_is_wrong_is_named(filled: Api) -> None:
    for path, query, field in REFUSED:
        answer = filled.answer(path, "GET", body=None, **query)
        assert answer.status_code == 400, (path, query, answer.text)
        problem: dict[str, Any] = answer.json()
        assert problem.keys() == {"code", "message"}
        assert problem["code"] == 400
        assert field in problem["message"].partition(":")[0], (path, query)


def test_the_limit_of_the_depth_is_said(filled: Api) -> None:
    assert "1000" in filled("/lineage", status=400, nodeId=NODE, depth=5000)["message"]


def test_what_is_not_there_is_said(filled: Api) -> None:
    for path, message in MISSING:
        assert filled(path, status=404) == {"code": 404, "message": message}


def test_what_cannot_be_written_leaves_nothing(filled: Api) -> None:
    lists = ("namespaces", "jobs", "sources", "tags", "events/lineage")
    before = [filled(f"/{name}") for name in lists]
    for method, path, body in WRITES:
        answer = filled.answer(path, method, body=body)
        assert answer.status_code == 400, (path, body, answer.text)
        assert answer.json().keys() == {"code", "message"}
    assert [filled(f"/{name}") for name in lists] == before


def test_marking_a_run_needs_a_run_and_a_time(filled: Api) -> None:
    assert filled(f"/jobs/runs/{UUID}/start", "POST", status=404)["message"] == f"Run '{UUID}' not found."
    run = filled("/namespaces/jobs/jobs/job/runs")["runs"][0]["id"]
    assert "at" in filled(f"/jobs/runs/{run}/fail?at=noon", "POST", status=400)["message"]
    assert "at" in filled(f"/jobs/runs/{run}/fail?at=0001-01-01T00:00:00%2B14:00", "POST", status=400)["message"]
    filled(f"/jobs/runs/{run}/explode", "POST", status=404)


@pytest.mark.parametrize("content", [b"{", b"\xff", b'{"ownerName": "\\ud800"}', b""])
def test_a_body_that_is_no_json_or_no_text_is_refused(filled: Api, content: bytes) -> None:
    answer = filled.client.put("/api/v1/namespaces/ns", content=content, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (400, 400)
