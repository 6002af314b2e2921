"""`GET /lineage`: datasets and jobs around a node, and what a version was made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.conftest import EventMaker
    from tests.server.marquez.conftest import Api


def _versions(api: Api, dataset: str) -> list[str]:
    """The versions of a dataset, the oldest first."""
    versions = api(f"/namespaces/lake/datasets/{dataset}/versions")["versions"]
    return [version["version"] for version in reversed(versions)]


def _days(api: Api, maker: EventMaker) -> None:
    """Two days: on the second, `out` is made from another table."""
    api.post(
        maker(1, job="load", out="orders", columns={"id": ["raw.id"]}, reads=["raw"]),
        maker(2, job="build", out="out", columns={"a": ["orders.id"]}, reads=["orders"]),
        maker(11, job="load", out="orders", columns={"id": ["raw.id"]}, reads=["raw"]),
        maker(12, job="other", out="sales", columns={"n": ["raw.n"]}, reads=["raw"]),
        maker(13, job="build", out="out", columns={"a": ["sales.n"]}, reads=["sales"]),
    )


def test_a_graph_goes_both_ways_and_its_edges_meet_at_its_nodes(api: Api, maker: EventMaker) -> None:
    api.post(
        maker(1, job="load", out="orders", reads=["raw"]),
        maker(2, job="build", out="out", reads=["orders"]),
    )
    graph = api.graph("/lineage", "dataset:lake:orders")
    assert list(graph) == [
        "dataset:lake:orders",
        "dataset:lake:out",
        "dataset:lake:raw",
        "job:jobs:build",
        "job:jobs:load",
    ]
    into, out_of = (graph["dataset:lake:orders"][key] for key in ("inEdges", "outEdges"))
    assert into == [{"origin": "job:jobs:load", "destination": "dataset:lake:orders"}]
    assert out_of == [{"origin": "dataset:lake:orders", "destination": "job:jobs:build"}]
    assert graph["job:jobs:load"]["data"]["inputs"] == [{"namespace": "lake", "name": "raw"}]


def test_depth_counts_jobs(api: Api, maker: EventMaker) -> None:
    api.post(*(maker(n, job=f"job{n}", out=f"t{n}", reads=[f"t{n - 1}"]) for n in range(1, 6)))
    jobs = [key for key in api.graph("/lineage", "job:jobs:job3", depth=1) if key.startswith("job:")]
    assert jobs == ["job:jobs:job2", "job:jobs:job3", "job:jobs:job4"]
    nearest = api.graph("/lineage", "dataset:lake:t3", depth=0)
    assert list(nearest) == [
        "dataset:lake:t2",
        "dataset:lake:t3",
        "dataset:lake:t4",
        "job:jobs:job3",
        "job:jobs:job4",
    ]


def test_a_job_that_only_reads_is_after_what_it_reads(api: Api, maker: EventMaker) -> None:
    api.post(maker(1, job="load", out="orders"), maker(2, job="report", out=None, reads=["orders"]))
    assert "job:jobs:report" in api.graph("/lineage", "dataset:lake:orders")


def test_datasets_say_what_feeds_their_columns(api: Api, maker: EventMaker) -> None:
    api.post(
        maker(1, columns={"total": ["orders.amount AGGREGATION"], "id": ["orders.id"]}, rows=["orders.day FILTER"])
    )
    columns = api.graph("/lineage", "dataset:lake:out")["dataset:lake:out"]["data"]["columnLineage"]
    assert columns["total"] == {
        "inputFields": [
            {"namespace": "lake", "name": "orders", "field": "amount"},
        ],
        "transformationDescription": "of amount",
        "transformationType": "AGGREGATION",
    }
    assert [item["field"] for item in columns["id"]["inputFields"]] == ["id"]


def test_a_version_shows_what_it_was_made_of_and_nothing_after_it(api: Api, maker: EventMaker) -> None:
    _days(api, maker)
    first, second = _versions(api, "out")
    (old_orders, _), (sales,) = _versions(api, "orders"), _versions(api, "sales")
    for node_id in (f"dataset:lake:out:{first}", f"dataset:lake:out#{first}"):
        graph = api.graph("/lineage", node_id)
        assert list(graph) == [
            f"dataset:lake:orders#{old_orders}",
            f"dataset:lake:out#{first}",
            "dataset:lake:raw",
            "job:jobs:build",
            "job:jobs:load",
        ]
        assert graph[f"dataset:lake:out#{first}"]["data"]["version"] == first
        assert graph[f"dataset:lake:out#{first}"]["data"]["columnLineage"]["a"]["inputFields"][0]["name"] == "orders"
        assert graph["job:jobs:build"]["data"]["latestRun"]["id"] == maker.run_id("build 2")
    later = api.graph("/lineage", f"dataset:lake:out#{second}")
    assert f"dataset:lake:sales#{sales}" in later
    assert not any(":orders" in key for key in later)
    upstream_of_orders = api.graph("/lineage", f"dataset:lake:orders#{old_orders}")
    assert not any(":out" in key for key in upstream_of_orders)


def test_a_version_is_found_by_what_its_own_system_calls_it(api: Api, maker: EventMaker) -> None:
    api.post(maker(1, columns={"a": ["s.x"]}, facets={"version": {"datasetVersion": "5511"}}))
    (version,) = _versions(api, "out")
    for node_id in ("dataset:lake:out#5511", "dataset:lake:out:5511"):
        assert f"dataset:lake:out#{version}" in api.graph("/lineage", node_id)


def test_provenance_crosses_jobs_that_say_nothing_of_columns(api: Api, maker: EventMaker) -> None:
    api.post(
        maker(1, job="load", out="orders", columns={"id": ["raw.id"]}, reads=["raw"]),
        maker(2, job="copy", out="copied", reads=["orders"]),
    )
    (version,) = _versions(api, "copied")
    (orders,) = _versions(api, "orders")
    graph = api.graph("/lineage", f"dataset:lake:copied#{version}")
    assert graph[f"dataset:lake:orders#{orders}"]["data"]["columnLineage"]["id"]["inputFields"][0]["name"] == "raw"
    assert "job:jobs:load" in graph
    near = api.graph("/lineage", f"dataset:lake:copied#{version}", depth=0)
    assert "dataset:lake:raw" not in near


def test_what_was_read_by_another_name_is_the_version_behind_it(api: Api, maker: EventMaker) -> None:
    link = {"symlinks": {"identifiers": [{"namespace": "lake", "name": "by_name", "type": "TABLE"}]}}
    api.post(maker(1, job="load", out="orders", facets=link), maker(2, out="out", reads=["by_name"]))
    (version,), (orders,) = _versions(api, "out"), _versions(api, "orders")
    assert list(api.graph("/lineage", f"dataset:lake:out#{version}")) == [
        f"dataset:lake:orders#{orders}",
        f"dataset:lake:out#{version}",
        "job:jobs:job",
        "job:jobs:load",
    ]


def test_a_run_that_has_not_completed_shows_what_it_read(api: Api, maker: EventMaker) -> None:
    api.post(maker(1, job="load", out="orders"), maker(2, "START", run="r", out="out", reads=["orders"]))
    graph = api.graph("/lineage", f"dataset:lake:out:{maker.run_id('r')}")
    assert f"dataset:lake:orders#{_versions(api, 'orders')[0]}" in graph


def test_a_cut_graph_says_that_it_is_one(api: Api, maker: EventMaker, monkeypatch: pytest.MonkeyPatch) -> None:
    api.post(maker(1, reads=["a", "b", "c", "d"]))
    whole: dict[str, Any] = api("/lineage", nodeId="dataset:lake:out")
    assert "partial" not in whole
    app: Any = api.client.app
    settings = app.state.questions.settings
    monkeypatch.setattr(app.state.questions, "settings", settings.__class__(allow_open=True, max_result_nodes=3))
    cut: dict[str, Any] = api("/lineage", nodeId="dataset:lake:out")
    assert cut["partial"] is True
    assert len(cut["graph"]) < len(whole["graph"])


def _job_versions(api: Api, job: str) -> list[str]:
    """The versions of a job, the oldest first."""
    versions = api(f"/namespaces/jobs/jobs/{job}/versions")["versions"]
    return [version["version"] for version in reversed(versions)]


def test_a_version_of_a_job_shows_what_it_read_and_wrote(api: Api, maker: EventMaker) -> None:
    _days(api, maker)
    first, second = _job_versions(api, "build")
    old_out, new_out = _versions(api, "out")
    (old_orders, _), (sales,) = _versions(api, "orders"), _versions(api, "sales")
    graph = api.graph("/lineage", f"job:jobs:build#{first}")
    assert list(graph) == [
        f"dataset:lake:orders#{old_orders}",
        f"dataset:lake:out#{old_out}",
        "dataset:lake:raw",
        "job:jobs:build",
        "job:jobs:load",
    ]
    assert graph["job:jobs:build"]["data"]["latestRun"]["id"] == maker.run_id("build 2")
    later = api.graph("/lineage", f"job:jobs:build#{second}")
    assert {f"dataset:lake:sales#{sales}", f"dataset:lake:out#{new_out}"} <= later.keys()
    assert not any(":orders" in key for key in later)


def test_a_version_of_a_job_that_only_reads(api: Api, maker: EventMaker) -> None:
    api.post(
        maker(1, job="load", out="orders"),
        maker(2, job="report", out=None, reads=["orders"]),
        maker(3, job="report", out=None, reads=["raw"]),
    )
    first, second = _job_versions(api, "report")
    (orders,) = _versions(api, "orders")
    assert list(api.graph("/lineage", f"job:jobs:report#{first}")) == [
        f"dataset:lake:orders#{orders}",
        "job:jobs:report",
    ]
    assert list(api.graph("/lineage", f"job:jobs:report#{second}")) == ["dataset:lake:raw", "job:jobs:report"]


def test_columns_of_a_version_of_a_job(api: Api, maker: EventMaker) -> None:
    _days(api, maker)
    first, second = _job_versions(api, "build")
    assert any(":orders:id#" in key for key in api.graph("/column-lineage", f"job:jobs:build#{first}"))
    later = api.graph("/column-lineage", f"job:jobs:build#{second}")
    assert any(":sales:n#" in key for key in later)
    assert not any(":orders:" in key for key in later)


def test_a_very_wide_dataset_has_an_answer(api: Api, maker: EventMaker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Columns alone would fill an answer: half of it is for what they lead to, and it says what to do."""
    app: Any = api.client.app
    settings = app.state.questions.settings
    monkeypatch.setattr(app.state.questions, "settings", settings.__class__(allow_open=True, max_result_nodes=40))
    wide: dict[str, Any] = maker(1, columns={f"z{number}": [f"in.c{number}"] for number in range(100)})
    wide["outputs"][0]["facets"]["schema"] = {
        "fields": [{"name": f"a{number}"} for number in range(100)] + [{"name": f"z{number}"} for number in range(100)]
    }
    api.post(wide)
    answer = api("/column-lineage", nodeId="dataset:lake:out", withDownstream="true")
    assert answer["partial"] is True
    assert "max_result_nodes" in answer["hint"]
    assert len(answer["graph"]) == 40
    assert sum(len(node["inEdges"]) for node in answer["graph"]) >= 20
    around = api("/lineage", nodeId="dataset:lake:out")
    assert {node["type"] for node in around["graph"]} == {"DATASET", "JOB"}
    for question in ("upstream", "downstream", "roots"):
        reply = api(f"/questions/{question}", dataset="lake/out", column="*", limit=40)
        assert reply["answer"]["partial"] is True
    assert api("/questions/upstream", dataset="lake/out", column="*", limit=40)["answer"]["edges"]
