"""Lists and pages of datasets, versions, jobs, runs and events; and what is shown of each."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from fastapi.testclient import TestClient
from tests.server.marquez.conftest import Api

from headwater.server.app import create_app
from headwater.server.settings.settings import ServerSettings

if TYPE_CHECKING:
    from tests.conftest import EventMaker

    from headwater.store import Store


STREAM = {"jobType": {"processingType": "STREAMING", "integration": "FLINK", "jobType": "JOB"}}
JOB = "/namespaces/jobs/jobs/job"


def _names(answer: dict[str, Any], key: str) -> list[str]:
    return [item["name"] for item in answer[key]]


def test_pages_hold_all_and_nothing_twice(api: Api, maker: EventMaker) -> None:
    api.post(*(maker(n, job=f"job{n}", out=f"t{n}") for n in range(5)))
    jobs = [name for offset in (0, 2, 4) for name in _names(api("/jobs", limit=2, offset=offset), "jobs")]
    assert jobs == ["job4", "job3", "job2", "job1", "job0"]
    datasets = [api("/namespaces/lake/datasets", limit=2, offset=offset) for offset in (0, 2, 4)]
    assert [name for page in datasets for name in _names(page, "datasets")] == ["t0", "t1", "t2", "t3", "t4"]
    assert {page["totalCount"] for page in datasets} == {5}
    assert api("/jobs", limit=0)["jobs"] == []


def test_jobs_by_the_state_of_their_last_run(api: Api, maker: EventMaker) -> None:
    for n, ends in enumerate(("COMPLETE", "FAIL", "ABORT", "RUNNING", "OTHER")):
        api.post(maker(2 * n, job=ends, out=None, run="first"), maker(2 * n + 1, ends, job=ends, out=None))
    states = {"COMPLETED": "COMPLETE", "FAILED": "FAIL", "ABORTED": "ABORT", "RUNNING": "RUNNING", "NEW": "OTHER"}
    for state, job in states.items():
        page = api("/jobs", lastRunStates=state)
        assert (_names(page, "jobs"), page["totalCount"]) == ([job], 1), state
        assert page["jobs"][0]["latestRun"]["state"] == state
    two = api("/jobs?lastRunStates=FAILED&lastRunStates=NEW")
    assert _names(two, "jobs") == ["OTHER", "FAIL"]


def test_a_late_start_does_not_reopen_a_run(api: Api, maker: EventMaker) -> None:
    api.post(maker(5, run="r"), maker(1, "START", run="r"))
    run = api(f"/jobs/runs/{maker.run_id('r')}")
    assert (run["state"], run["startedAt"], run["endedAt"], run["durationMs"]) == (
        "COMPLETED",
        "2026-01-01T00:01:00Z",
        "2026-01-01T00:05:00Z",
        240_000,
    )


def test_a_job_shows_its_ten_latest_runs_the_last_one_first(api: Api, maker: EventMaker) -> None:
    api.post(*(maker(n, run=f"r{n}") for n in range(12)))
    job = api(JOB)
    assert [run["id"] for run in job["latestRuns"]] == [maker.run_id(f"r{n}") for n in range(11, 1, -1)]
    assert job["latestRun"] == job["latestRuns"][0]
    runs = api(f"{JOB}/runs", limit=3, offset=1)
    assert [run["id"] for run in runs["runs"]] == [maker.run_id(f"r{n}") for n in (10, 9, 8)]
    assert runs["totalCount"] == 12


def test_ids_of_versions_are_the_same_everywhere(api: Api, maker: EventMaker) -> None:
    api.post(maker(1, job="load", out="orders"), maker(2, out="out", run="r", reads=["orders"]))
    run = api(f"/jobs/runs/{maker.run_id('r')}")
    (read,), (written,) = run["inputDatasetVersions"], run["outputDatasetVersions"]
    assert read["datasetVersionId"]["version"] == api("/namespaces/lake/datasets/orders")["currentVersion"]
    version = written["datasetVersionId"]["version"]
    assert api(f"/namespaces/lake/datasets/out/versions/{version}")["createdByRun"]["id"] == run["id"]
    assert f"dataset:lake:out#{version}" in api.graph("/lineage", f"dataset:lake:out#{version}")
    assert run["jobVersion"]["version"] == api(JOB)["currentVersion"]
    assert api(f"{JOB}/versions/{run['jobVersion']['version']}")["latestRun"]["id"] == run["id"]


def test_a_job_that_reads_other_datasets_is_another_version(api: Api, maker: EventMaker) -> None:
    api.post(maker(1, reads=["a"]), maker(2, reads=["a"]), maker(3, reads=["b"]))
    last, first = api(f"{JOB}/versions")["versions"]
    assert (last["inputs"], first["inputs"]) == (
        [{"namespace": "lake", "name": "b"}],
        [{"namespace": "lake", "name": "a"}],
    )
    assert first["latestRun"]["id"] == maker.run_id("job 2")
    assert first["createdAt"] == "2026-01-01T00:01:00Z"


def test_a_version_has_the_schema_of_its_own_run(api: Api, maker: EventMaker) -> None:
    api.post(maker(1, schema={"a": "int"}), maker(2, schema={"a": "text", "b": "int"}))
    last, first = api("/namespaces/lake/datasets/out/versions")["versions"]
    assert [(field["name"], field["type"]) for field in first["fields"]] == [("a", "int")]
    assert [(field["name"], field["type"]) for field in last["fields"]] == [("a", "text"), ("b", "int")]
    assert first["currentSchemaVersion"] != last["currentSchemaVersion"]


def test_a_declared_version_has_its_own_facets(api: Api) -> None:
    lineage = {"fields": {"a": {"inputFields": [{"namespace": "lake", "name": "s", "field": "x"}]}}}
    dataset = {"namespace": "lake", "name": "view", "facets": {"columnLineage": lineage}}
    api.post({"eventTime": "2026-01-01T00:00:00Z", "dataset": dataset})
    (version,) = api("/namespaces/lake/datasets/view/versions")["versions"]
    assert (version["createdByRun"], version["facets"]) == (None, {"columnLineage": lineage})


def test_facets_of_a_dataset_are_the_last_of_each(api: Api, maker: EventMaker) -> None:
    facets = {"documentation": {"description": "first"}, "custom": {"n": 1}}
    api.post(maker(1, facets=facets), maker(2, facets={"custom": {"n": 2}}))
    dataset = api("/namespaces/lake/datasets/out")
    assert (dataset["facets"], dataset["description"]) == ({**facets, "custom": {"n": 2}}, "first")
    api.post(maker(3, facets={"custom": {"_deleted": True}}))
    assert api("/namespaces/lake/datasets/out")["facets"] == {"documentation": facets["documentation"]}


def test_facets_of_a_run_come_from_all_its_events(api: Api, maker: EventMaker) -> None:
    start, end = maker(1, "START", run="r"), maker(2, run="r")
    for event, name in ((start, "one"), (end, "two")):
        run: Any = event["run"]
        run["facets"] = {name: {"n": 1}}
    api.post(start, end)
    assert api(f"/jobs/runs/{maker.run_id('r')}/facets", type="run")["facets"] == {"one": {"n": 1}, "two": {"n": 1}}


def test_facets_that_are_not_as_expected_are_shown_as_they_are(api: Api, maker: EventMaker) -> None:
    event: Any = maker(1, run="r", facets={"headwater_registered": {"type": "FILE", "physicalName": 7}})
    event["run"]["facets"] = {"headwater_args": {"args": [1]}, "nominalTime": {"nominalStartTime": "noon"}}
    event["job"]["facets"] = {"custom": {"deep": [{"n": 1}]}}
    api.post(event)
    run = api(f"/jobs/runs/{maker.run_id('r')}")
    assert (run["facets"], run["args"], run["nominalStartTime"]) == (event["run"]["facets"], {}, None)
    dataset = api("/namespaces/lake/datasets/out")
    assert (dataset["type"], dataset["physicalName"]) == ("DB_TABLE", "out")
    assert api(JOB)["facets"] == event["job"]["facets"]


def test_a_streaming_run_shows_its_last_writes(api: Api, maker: EventMaker) -> None:
    for minute in range(3):
        event = maker(minute, "RUNNING", run="stream")
        job: Any = event["job"]
        job["facets"] = STREAM
        api.post(event)
    run = api(f"/jobs/runs/{maker.run_id('stream')}")
    (written,) = run["outputDatasetVersions"]
    assert written["datasetVersionId"]["version"] == api("/namespaces/lake/datasets/out")["currentVersion"]
    assert (run["state"], run["endedAt"], api(JOB)["type"]) == ("RUNNING", None, "STREAM")
    assert api("/namespaces/lake/datasets/out/versions", limit=1)["totalCount"] == 3


def test_a_parent_is_shown_and_is_there_itself(api: Api, maker: EventMaker) -> None:
    event: Any = maker(1, parent="app")
    event["run"]["facets"]["parent"]["job"] = {"namespace": "jobs", "name": "app"}
    api.post(event)
    assert api(JOB)["parentJobName"] == "app"
    app = api("/namespaces/jobs/jobs/app")
    assert (app["createdAt"], app["latestRun"], app["latestRuns"]) == ("2026-01-01T00:01:00Z", None, None)
    assert api(f"/jobs/runs/{maker.run_id('app')}")["state"] == "NEW"


def test_events_between_times_in_both_orders(api: Api, maker: EventMaker) -> None:
    events = [maker(n) for n in range(4)]
    api.post(*events)
    page = api("/events/lineage", limit=2, offset=1)
    assert (page["totalCount"], page["events"]) == (4, [events[2], events[1]])
    between = api(
        "/events/lineage", after="2026-01-01T00:01:00Z", before="2026-01-01T00:03:00+00:00", sortDirection="asc"
    )
    assert (between["totalCount"], between["events"]) == (2, events[1:3])
    assert api("/events/lineage?before=&after=")["totalCount"] == 4


def test_marquez_list_of_events_is_of_runs_alone_and_another_has_all(api: Api, maker: EventMaker) -> None:
    """Marquez's web app shows `run.runId` and `job.name` of every event that it gets."""
    runs = [maker(n) for n in range(3)]
    about = {"eventTime": "2026-01-01T00:01:30Z", "producer": "https://example.com"}
    declared = [
        {**about, "schemaURL": "https://x/#/$defs/DatasetEvent", "dataset": {"namespace": "lake", "name": "d"}},
        {**about, "schemaURL": "https://x/#/$defs/JobEvent", "job": {"namespace": "jobs", "name": "j"}},
    ]
    api.post(*runs, *declared)
    api("/namespaces/lake/datasets/out", "DELETE")  # which is an event about the dataset
    api("/namespaces/jobs/jobs/j", "DELETE")
    page = api("/events/lineage", limit=2, offset=1, sortDirection="asc")
    assert (page["totalCount"], page["events"]) == (3, runs[1:])
    assert api("/events/lineage", after="2026-01-01T00:01:10Z", before="2026-01-01T00:02:00Z")["totalCount"] == 0
    everything = api("/events", sortDirection="asc")
    assert everything["totalCount"] == len(everything["events"]) == 3 + 2 + 2
    assert [event for event in everything["events"] if event in declared] == everything["events"][2:4]
    assert api("/events/jobs")["totalCount"] == 3 + 1 + 1


def test_jobs_come_by_their_last_event(api: Api, maker: EventMaker) -> None:
    child = maker(5, job="child", run="child", parent="of the parent")
    child["run"]["facets"]["parent"]["job"] = {"namespace": "jobs", "name": "parent"}  # type: ignore[index]
    api.post(*(maker(n, job=f"job{n}", out=f"t{n}") for n in range(3)), child, maker(9, job="job0", out="t0"))
    jobs = api("/jobs")["jobs"]
    assert [job["name"] for job in jobs] == ["job0", "parent", "child", "job2", "job1"]
    assert [job["updatedAt"] for job in jobs] == sorted((job["updatedAt"] for job in jobs), reverse=True)
    assert _names(api("/jobs", limit=1), "jobs") == ["job0"]
    assert _names(api("/namespaces/jobs/jobs", limit=2, offset=1), "jobs") == ["parent", "child"]
    assert _names(api("/jobs", limit=1, lastRunStates="COMPLETED"), "jobs") == ["job0"]


def test_tags_that_came_with_events_are_listed(api: Api, maker: EventMaker) -> None:
    tags = [{"key": "PII", "value": "true", "field": "a"}, {"key": "tier", "value": "1"}]
    event = maker(1, schema={"a": "int"}, facets={"tags": {"tags": tags}})
    event["job"] = {"namespace": "jobs", "name": "job", "facets": {"tags": {"tags": [{"key": "nightly"}]}}}
    api.post(event)
    api("/tags/PII", "PUT", body={"description": "personal"})
    api("/namespaces/lake/datasets/out/tags/GOLD", "POST")
    nothing = {"description": None}
    assert api("/tags")["tags"] == [
        {"name": "GOLD", **nothing},
        {"name": "PII", "description": "personal"},
        {"name": "nightly", **nothing},
        {"name": "tier:1", **nothing},
    ]
    # What events no longer state is in use no more; what people took away may be given again.
    api.post(maker(2, schema={"a": "int"}, facets={"tags": {"tags": tags[:1]}}))
    api("/namespaces/jobs/jobs/job/tags/nightly", "DELETE")
    assert [tag["name"] for tag in api("/tags")["tags"]] == ["GOLD", "PII", "nightly"]


def test_runs_behind_a_run(api: Api, maker: EventMaker) -> None:
    api.post(
        maker(1, job="load", out="orders", run="first", reads=["raw"]),
        maker(2, out="out", run="second", reads=["orders", "raw"]),
    )
    second, first = api("/runlineage/upstream", runId=maker.run_id("second"))["runs"]
    (read,) = second["inputs"]
    assert (read["name"], read["producedByRunId"]) == ("orders", maker.run_id("first"))
    assert (first["run"]["id"], first["inputs"]) == (maker.run_id("first"), [])
    assert len(api("/runlineage/upstream", runId=maker.run_id("second"), depth=0)["runs"]) == 1


def test_runs_behind_a_run_that_are_cut_say_so(any_store: Store, maker: EventMaker) -> None:
    with TestClient(create_app(any_store, ServerSettings(allow_open=True, max_result_nodes=1))) as client:
        api = Api(client)
        api.post(maker(1, out="orders", run="first"), maker(2, out="out", run="second", reads=["orders"]))
        cut = api("/runlineage/upstream", runId=maker.run_id("second"))
        near = api("/runlineage/upstream", runId=maker.run_id("second"), depth=0)
    assert (len(cut["runs"]), cut["partial"]) == (1, True)
    assert (len(near["runs"]), "partial" in near) == (1, False)


def test_search_by_a_part_of_a_name_by_day_and_kind(api: Api, maker: EventMaker) -> None:
    api.post(maker(1, job="Daily_Orders", out="ORDERS_7"), maker(2, job="x", out="100%_orders"))
    matches = api("/search", q="orders")
    assert [hit["name"] for hit in matches["results"]] == ["100%_orders", "Daily_Orders", "ORDERS_7"]
    assert api("/search", q="orders", sort="UPDATE_AT")["results"][0]["name"] == "100%_orders"
    assert [hit["type"] for hit in api("/search", q="orders", filter="JOB")["results"]] == ["JOB"]
    assert [hit["name"] for hit in api("/search", q="%_")["results"]] == ["100%_orders"]
    assert api("/search", q="orders", namespace="elsewhere")["results"] == []
    assert api("/search", q="orders", before="2026-01-01")["totalCount"] == 0
    assert api("/search", q="orders", after="2026-01-01", before="2026-01-02")["totalCount"] == 3


def test_counts_are_of_whole_days_and_hours(api: Api, maker: EventMaker) -> None:
    api.post(maker(1))
    for kind, least in (("jobs", 1), ("datasets", 1), ("sources", 0)):
        assert [interval["count"] for interval in api(f"/stats/{kind}", period="WEEK")][-1] == least
    hours = api("/stats/lineage-events", period="DAY", timezone="Asia/Kolkata")
    assert len(hours) == 24
    assert all(interval["endInterval"] == after["startInterval"] for interval, after in pairwise(hours))
    assert hours[0].keys() == {"startInterval", "endInterval", "fail", "start", "complete", "abort"}
