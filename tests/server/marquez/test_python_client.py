"""Marquez's own Python client against a real server: each of its methods."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
import requests
from marquez_client import MarquezClient  # type: ignore[import-untyped]
from marquez_client.errors import APIError  # type: ignore[import-untyped]
from marquez_client.models import DatasetId, DatasetType, JobType  # type: ignore[import-untyped]

if TYPE_CHECKING:
    from tests.conftest import EventMaker

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::deprecation.UnsupportedWarning")

NAMESPACE = "s3://bucket:2024/x"


class Calling(MarquezClient):  # type: ignore[misc]
    """Notes which methods were called."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.called: set[str] = set()

    def __getattribute__(self, name: str) -> Any:  # noqa: ANN401  whatever the client has
        if not name.startswith("_") and name != "called":
            self.called.add(name)
        return super().__getattribute__(name)


@pytest.fixture
def client(address: str) -> Calling:
    return Calling(address)


def test_every_method(client: Calling, address: str, maker: EventMaker) -> None:
    namespace = client.create_namespace(NAMESPACE, "me", "where it all is")
    assert (namespace["ownerName"], client.get_namespace(NAMESPACE)) == ("me", namespace)
    assert NAMESPACE in {item["name"] for item in client.list_namespaces()["namespaces"]}

    source = client.create_source("db", "postgresql", "postgresql://host:5432/db", "the database")
    assert (client.get_source("db"), client.list_sources()["sources"]) == (source, [source])

    fields = [{"name": "id", "type": "INTEGER", "tags": ["KEY"]}, {"name": "email", "type": "TEXT"}]
    orders = client.create_dataset(
        NAMESPACE, "orders", DatasetType.DB_TABLE, "public.orders", "db", "all orders", fields=fields, tags=["GOLD"]
    )
    assert (orders["physicalName"], orders["sourceName"], orders["tags"]) == ("public.orders", "db", ["GOLD"])
    assert [(field["name"], field["type"], field["tags"]) for field in orders["fields"]] == [
        ("id", "INTEGER", ["KEY"]),
        ("email", "TEXT", []),
    ]
    topic = client.create_dataset(
        NAMESPACE, "topic", DatasetType.STREAM, "topic", "db", schema_location="http://registry/topic"
    )
    assert topic["type"] == "STREAM"
    assert client.get_dataset(NAMESPACE, "orders") == orders
    assert [item["name"] for item in client.list_datasets(NAMESPACE)["datasets"]] == ["orders", "topic"]
    assert "PII" in client.tag_dataset(NAMESPACE, "orders", "PII")["tags"]
    assert client.tag_dataset_field(NAMESPACE, "orders", "email", "PII")["fields"][1]["tags"] == ["PII"]
    assert client.create_tag("PII", "personal")["name"] == "PII"
    assert {tag["name"]: tag["description"] for tag in client.list_tags()["tags"]}["PII"] == "personal"

    job = client.create_job(
        NAMESPACE,
        "daily/build",
        JobType.BATCH,
        location="https://code/build.sql",
        inputs=[DatasetId(NAMESPACE, "orders")],
        outputs=[DatasetId(NAMESPACE, "out")],
        description="builds",
        context={"sql": "select 1"},
    )
    assert (job["location"], job["description"], job["type"]) == ("https://code/build.sql", "builds", "BATCH")
    assert (job["inputs"], job["outputs"]) == (
        [{"namespace": NAMESPACE, "name": "orders"}],
        [{"namespace": NAMESPACE, "name": "out"}],
    )
    assert job["facets"]["sql"]["query"] == "select 1"
    assert client.get_job(NAMESPACE, "daily/build") == job
    assert [item["name"] for item in client.list_jobs(NAMESPACE)["jobs"]] == ["daily/build"]

    run_id = client.create_job_run(
        NAMESPACE, "daily/build", run_args={"day": "1"}, nominal_start_time="2026-01-01T00:00:00Z"
    )["id"]
    run = client.get_job_run(run_id)
    assert (run["state"], run["args"]["day"], run["nominalStartTime"]) == ("NEW", "1", "2026-01-01T00:00:00Z")
    assert client.mark_job_run_as_started(run_id)["state"] == "RUNNING"
    assert client.mark_job_run_as_completed(run_id)["state"] == "COMPLETED"
    for mark, state in ((client.mark_job_run_as_failed, "FAILED"), (client.mark_job_run_as_aborted, "ABORTED")):
        other = client.create_job_run(NAMESPACE, "daily/build", run_id=str(uuid4()))["id"]
        assert mark(other, "2026-01-01T01:00:00+00:00")["state"] == state
    assert client.list_job_runs(NAMESPACE, "daily/build")["totalCount"] == 3

    event: Any = maker(1, columns={"a": ["orders.id"]}, reads=["orders"])
    assert requests.post(f"{address}/api/v1/lineage", json=event, timeout=30).status_code == 201
    (version,) = client.list_dataset_versions("lake", "out")["versions"]
    assert client.get_dataset_version("lake", "out", version["version"]) == version
    by_field = client.get_column_lineage_by_dataset_field("lake", "out", "a", with_downstream=True)
    assert len(by_field["graph"]) == 2
    assert client.get_column_lineage_by_dataset("lake", "out") == client.get_column_lineage_by_job("jobs", "job")
    versioned = client.get_column_lineage_by_dataset("lake", "out", version=version["version"])
    assert versioned["graph"][-1]["id"].endswith(version["version"])
    assert event in client.list_events()["events"]
    assert client.list_events("jobs")["events"] == [event]

    methods = {name for name, _ in inspect.getmembers(MarquezClient, inspect.isfunction) if not name.startswith("_")}
    assert client.called == methods


def test_what_is_missing_is_an_error_of_the_client(client: Calling) -> None:
    with pytest.raises(APIError):
        client.get_dataset("nowhere", "nothing")


def test_a_run_that_writes_by_the_older_calls_makes_a_version(client: Calling) -> None:
    client.create_source("db", "postgresql", "postgresql://host:5432/db")
    client.create_job("ns", "build", JobType.BATCH, inputs=[], outputs=[DatasetId("ns", "out")])
    run = client.create_job_run("ns", "build")["id"]
    client.mark_job_run_as_started(run)
    client.create_dataset("ns", "out", DatasetType.DB_TABLE, "out", "db", run_id=run)
    client.mark_job_run_as_completed(run)
    written = [version["createdByRun"] for version in client.list_dataset_versions("ns", "out")["versions"]]
    assert written[0]["id"] == run
