"""An event of the year 9999 is not what is current or last in Marquez's endpoints; asked for itself it is there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from fastapi.testclient import TestClient
    from tests.conftest import EventMaker

_NOW = "2026-01-01T00:02:00Z"
_AHEAD = "9999-12-31T00:00:00Z"
_DATASET = "/api/v1/namespaces/lake/datasets/out"
_JOB = "/api/v1/namespaces/jobs/jobs/job"


@pytest.fixture
def ahead(client: TestClient, maker: EventMaker) -> str:
    """A run that ended, and after it, by what it says, one of the year 9999; the latter's id."""
    owners = {"ownership": {"owners": [{"name": "nobody"}]}, "documentation": {"description": "of another time"}}
    later = {
        **maker(1, run="ahead", columns={"b": ["other.y"]}, schema={"b": "int"}, reads=["other"], facets=owners),
        "eventTime": _AHEAD,
    }
    only = {**maker(1, run="only", job="only ahead", out="only ahead"), "eventTime": _AHEAD}
    first = maker(2, run="now", columns={"a": ["in.x"]}, schema={"a": "string"}, reads=["in"])
    for event in (later, only, first):
        assert client.post("/api/v1/lineage", json=event).status_code == 201
    return maker.run_id("ahead")


def _get(client: TestClient, url: str) -> Any:  # noqa: ANN401  JSON
    answer = client.get(url)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_the_dataset_is_as_it_is_now(client: TestClient, maker: EventMaker, ahead: str) -> None:
    dataset = _get(client, _DATASET)
    assert (dataset["updatedAt"], dataset["lastModifiedAt"]) == (_NOW, _NOW)
    assert [(field["name"], field["type"]) for field in dataset["fields"]] == [("a", "string")]
    assert dataset["description"] is None
    assert "ownership" not in dataset["facets"]
    versions = _get(client, f"{_DATASET}/versions")
    assert versions["totalCount"] == 1
    assert versions["versions"][0]["version"] == dataset["currentVersion"]
    assert versions["versions"][0]["createdByRun"]["id"] == maker.run_id("now") != ahead


def test_the_job_is_as_it_is_now(client: TestClient, maker: EventMaker, ahead: str) -> None:
    job = _get(client, _JOB)
    assert (job["latestRun"]["id"], job["updatedAt"]) == (maker.run_id("now"), _NOW)
    assert ([item["name"] for item in job["inputs"]], [item["name"] for item in job["outputs"]]) == (["in"], ["out"])
    runs = _get(client, f"{_JOB}/runs")
    assert ([run["id"] for run in runs["runs"]], runs["totalCount"]) == ([maker.run_id("now")], 1)
    assert _get(client, f"/api/v1/jobs/runs/{ahead}")["endedAt"] == _AHEAD


@pytest.mark.usefixtures("ahead")
def test_lists_and_graphs_have_what_is_there_now(client: TestClient) -> None:
    assert [item["name"] for item in _get(client, "/api/v1/namespaces/lake/datasets")["datasets"]] == ["in", "out"]
    assert [item["name"] for item in _get(client, "/api/v1/namespaces/jobs/jobs")["jobs"]] == ["job"]
    graph = _get(client, "/api/v1/lineage?nodeId=dataset:lake:out")["graph"]
    assert {node["id"] for node in graph} == {"dataset:lake:out", "dataset:lake:in", "job:jobs:job"}
    columns = _get(client, "/api/v1/column-lineage?nodeId=datasetField:lake:out:a")["graph"]
    assert {node["id"] for node in columns} == {"datasetField:lake:out:a", "datasetField:lake:in:x"}


@pytest.mark.usefixtures("ahead")
def test_raw_events_ahead_are_there_for_who_asks_for_their_time(client: TestClient) -> None:
    now = _get(client, "/api/v1/events/lineage")
    assert ([event["eventTime"] for event in now["events"]], now["totalCount"]) == ([_NOW], 1)
    assert _get(client, "/api/v1/events/lineage?before=9999-12-31T12:00:00Z")["totalCount"] == 3


@pytest.mark.usefixtures("ahead")
def test_what_is_deleted_ends_now_although_events_of_it_lie_ahead(client: TestClient) -> None:
    assert client.delete(_DATASET).status_code == 200
    assert client.get(_DATASET).status_code == 404
    assert client.delete(_JOB).status_code == 200
    assert client.get(_JOB).status_code == 404
    assert _get(client, "/api/v1/namespaces/jobs/jobs")["jobs"] == []


def test_a_run_that_ends_ahead_is_running(client: TestClient, maker: EventMaker) -> None:
    client.post("/api/v1/lineage", json=maker(1, "START", run="one"))
    client.post("/api/v1/lineage", json={**maker(2, run="one"), "eventTime": _AHEAD})
    run = _get(client, f"/api/v1/jobs/runs/{maker.run_id('one')}")
    assert (run["state"], run["endedAt"]) == ("RUNNING", None)
    job = _get(client, _JOB)
    assert job["latestRun"]["state"] == "RUNNING"
    assert [item["name"] for item in _get(client, "/api/v1/jobs?lastRunStates=RUNNING")["jobs"]] == ["job"]
    assert _get(client, "/api/v1/jobs?lastRunStates=COMPLETED")["jobs"] == []
