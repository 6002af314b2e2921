"""Names of any characters, in every path and query."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

if TYPE_CHECKING:
    from tests.server.marquez.conftest import Api

NAMES = [
    "arn:aws:glue:eu-west-1:123:table/db/t",
    "s3://bucket:2024/x",
    "100%25 of %2F",
    "a#b#6e7c99e8-5e30-4edc-9062-e2c4b0621758",
    "name:6e7c99e8-5e30-4edc-9062-e2c4b0621758",
    "🌊 Grüße/\\?&=+;",
    "struct<a:bigint,b:string>",
    " spaces ",
    "n" * 2000,
    "é/:%" * 500,
]


def _event(name: str) -> dict[str, Any]:
    lineage = {"fields": {name: {"inputFields": [{"namespace": "in", "name": name, "field": "x"}]}}}
    return {
        "eventType": "COMPLETE",
        "eventTime": "2026-01-01T00:00:00Z",
        "run": {"runId": "01900000-0000-7000-8000-000000000009"},
        "job": {"namespace": name, "name": name},
        "inputs": [{"namespace": "in", "name": name}],
        "outputs": [
            {
                "namespace": name,
                "name": name,
                "facets": {
                    "columnLineage": lineage,
                    "schema": {"fields": [{"name": name, "type": "t"}]},
                    "dataSource": {"name": name, "uri": "db://x"},
                },
            }
        ],
    }


@pytest.mark.parametrize("name", NAMES)
def test_every_path_and_query_takes_the_name(api: Api, name: str) -> None:
    api.post(_event(name))
    part = quote(name, safe="")
    dataset, job = f"/namespaces/{part}/datasets/{part}", f"/namespaces/{part}/jobs/{part}"
    for path in ("", "/datasets", "/jobs"):
        assert api(f"/namespaces/{part}{path}")
    shown = api(dataset)
    assert (shown["name"], shown["sourceName"], len(shown["fields"])) == (name, name, 1)
    assert api(f"{dataset}/") == shown
    version = shown["currentVersion"]
    assert api(f"{dataset}/versions/{version}")["name"] == name
    assert api(job)["name"] == name
    assert api(f"{job}/runs")["totalCount"] == 1
    assert api(f"/sources/{part}")["name"] == name
    assert api(f"{dataset}/tags/{part}", "POST")["tags"] == [name]
    assert api(f"{dataset}/fields/{part}/tags/{part}", "POST")["fields"][0]["tags"] == [name]
    assert api(f"{job}/tags/{part}", "POST")["tags"] == [name]
    assert api(f"/tags/{part}", "PUT", body={"description": name})["name"] == name
    assert {hit["type"] for hit in api("/search", q=name, namespace=name)["results"]} == {"DATASET", "JOB"}
    assert api(f"/events/{part}")["totalCount"] == 1
    node, of_job = f"dataset:{name}:{name}", f"job:{name}:{name}"
    assert (
        {node, of_job, f"dataset:in:{name}"}
        == api.graph("/lineage", node).keys()
        == api.graph("/lineage", of_job).keys()
    )
    assert f"{node}#{version}" in api.graph("/lineage", f"{node}#{version}")
    assert f"{node}#{version}" in api.graph("/lineage", f"{node}:{version}")
    column = shown["fields"][0]["name"]
    assert node in api.graph("/column-lineage", node, column=column)
    assert api.graph("/column-lineage", of_job).keys() == api.graph("/column-lineage", node).keys()
    assert api(dataset, "DELETE")["deleted"] is True
    api(dataset, status=404)


def test_a_field_with_colons_is_found_by_its_node_id(api: Api) -> None:
    name = "a:b:c"
    api.post(_event(name))
    graph = api.graph("/column-lineage", f"datasetField:{name}:{name}:{name}")
    assert f"datasetField:{name}:{name}:{name}" in graph


def test_a_node_id_that_may_be_two_datasets_names_both(api: Api) -> None:
    for minute, (namespace, name) in enumerate((("a", "b:c"), ("a:b", "c"))):
        api.post(
            {
                "eventTime": f"2026-01-01T00:0{minute}:00Z",
                "dataset": {"namespace": namespace, "name": name},
            }
        )
    message = api("/lineage", status=400, nodeId="dataset:a:b:c")["message"]
    assert message == "nodeId: 'dataset:a:b:c' is ambiguous: 'b:c' in 'a' and 'c' in 'a:b'"
