"""What people do by hand: deleting, tagging, describing; and that it outlives a rebuild and not a purge."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

from tests.secret_corpus import S

from headwater import connect

if TYPE_CHECKING:
    from tests.conftest import EventMaker
    from tests.server.marquez.conftest import Api

    from headwater.store import Store

OUT = "/namespaces/lake/datasets/out"
JOB = "/namespaces/jobs/jobs/job"


def _names(answer: dict[str, Any], key: str) -> list[str]:
    return [item["name"] for item in answer[key]]


def _late(event: dict[str, Any]) -> dict[str, Any]:
    """The event, later than now by less than clocks may differ."""
    return {**event, "eventTime": f"{datetime.now(timezone.utc) + timedelta(hours=1):%Y-%m-%dT%H:%M:%SZ}"}


def test_a_deleted_dataset_is_hidden_until_a_later_event_names_it(api: Api, maker: EventMaker) -> None:
    api.post(maker(1, columns={"a": ["s.x"]}))
    assert api(OUT, "DELETE")["name"] == "out"
    api(OUT, status=404)
    api(OUT, "DELETE", status=404)
    listed = api("/namespaces/lake/datasets")
    assert (listed["totalCount"], _names(listed, "datasets")) == (1, ["s"])
    assert api("/search", q="out")["results"] == []
    api.post(maker(2, run="late arrival", columns={"a": ["s.x"]}))
    api(OUT, status=404)
    api.post(_late(maker(3, run="again", columns={"a": ["s.y"]})))
    assert api(OUT)["columnLineage"][0]["inputFields"][0]["field"] == "y"


def test_a_deleted_job_bridges_no_graph_of_now_and_is_still_there_before(
    api: Api, maker: EventMaker, any_store: Store
) -> None:
    api.post(
        maker(1, job="load", out="orders", columns={"id": ["raw.id"]}, reads=["raw"]),
        maker(2, job="build", out="out", columns={"a": ["orders.id"]}, reads=["orders"]),
    )
    assert "dataset:lake:raw" in api.graph("/lineage", "dataset:lake:out")
    api("/namespaces/jobs/jobs/load", "DELETE")
    api("/namespaces/jobs/jobs/load", status=404)
    assert _names(api("/jobs"), "jobs") == ["build"]
    graph = api.graph("/lineage", "dataset:lake:out")
    assert not graph.keys() & {"job:jobs:load", "dataset:lake:raw"}
    assert api.graph("/column-lineage", "datasetField:lake:orders:id") == {}
    before = connect(any_store.url).upstream("lake/orders", "id", as_of=maker.us(5))
    assert [node.field.name for node in before.nodes] == ["orders", "raw"]
    version = api("/namespaces/lake/datasets/out")["currentVersion"]
    assert "job:jobs:load" in api.graph("/lineage", f"dataset:lake:out#{version}")


def test_a_version_of_a_deleted_dataset_is_still_known(api: Api, maker: EventMaker) -> None:
    api.post(maker(1, columns={"a": ["s.x"]}, reads=["s"]))
    version = api(OUT)["currentVersion"]
    before = api.graph("/lineage", f"dataset:lake:out#{version}").keys()
    columns = api.graph("/column-lineage", f"datasetField:lake:out:a#{version}").keys()
    api(OUT, "DELETE")
    assert api.graph("/lineage", f"dataset:lake:out#{version}").keys() == before
    assert api.graph("/column-lineage", f"datasetField:lake:out:a#{version}").keys() == columns
    api("/column-lineage", status=404, nodeId="datasetField:lake:out:a")


def test_what_is_registered_is_seen_again_also_where_clocks_are_ahead(api: Api, maker: EventMaker) -> None:
    api.post(_late(maker(1, schema={"a": "int"})))
    api(OUT, "DELETE")
    api(JOB, "DELETE")
    body = {"type": "DB_TABLE", "physicalName": "out", "sourceName": "db"}
    registered = api(OUT, "PUT", body=body)
    assert [field["name"] for field in registered["fields"]] == ["a"]
    api(JOB, "PUT", body={"type": "SERVICE", "outputs": [{"namespace": "lake", "name": "out"}]})
    assert api(OUT)["name"] == "out"
    assert "job:jobs:job" in api.graph("/lineage", "job:jobs:job")


def test_what_is_done_by_hand_and_events_do_not_hinder_each_other(api: Api, maker: EventMaker) -> None:
    api.post(maker(0, schema={"a": "int"}))

    def by_hand(turn: int) -> None:
        api(f"{OUT}/tags/t{turn}", "POST")
        api(
            f"/namespaces/lake/datasets/d{turn}",
            "PUT",
            body={"type": "DB_TABLE", "physicalName": "d", "sourceName": "db"},
        )

    def events(turn: int) -> None:
        api.post(*(maker(turn * 10 + n, job=f"job{turn}", out=f"o{turn}", schema={"a": "int"}) for n in range(5)))

    with ThreadPoolExecutor(6) as pool:
        for done in [pool.submit(work, turn) for turn in range(6) for work in (by_hand, events)]:
            done.result()
    assert len(api(OUT)["tags"]) == 6
    assert api("/namespaces/lake/datasets")["totalCount"] == 13
    assert api("/events", limit=0)["totalCount"] == 1 + 6 * 5 + 6


def test_a_deleted_namespace_takes_all_in_it_along(api: Api, maker: EventMaker) -> None:
    api.post(maker(1, columns={"a": ["s.x"]}))
    assert api("/namespaces/lake", "DELETE")["isHidden"] is True
    api("/namespaces/lake", status=404)
    api("/namespaces/lake/datasets", status=404)
    api(OUT, status=404)
    assert _names(api("/namespaces"), "namespaces") == ["default", "jobs"]
    api.post(_late(maker(2, columns={"a": ["s.x"]})))
    assert "lake" in _names(api("/namespaces"), "namespaces")
    assert _names(api("/namespaces/lake/datasets"), "datasets") == ["out"]


def test_a_described_namespace_is_seen_again(api: Api, maker: EventMaker) -> None:
    api.post(maker(1))
    api("/namespaces/lake", "DELETE")
    api("/namespaces/lake", "PUT", body={"ownerName": "me"})
    assert (api("/namespaces/lake")["ownerName"], api("/namespaces/lake")["isHidden"]) == ("me", False)


def test_tags_of_events_and_by_hand_stand_together(api: Api, maker: EventMaker) -> None:
    tags = [{"key": "PII", "value": "true", "source": "x", "field": "a"}, {"key": "tier", "value": "1", "source": "x"}]
    api.post(maker(1, schema={"a": "int", "b": "int"}, facets={"tags": {"tags": tags}}))
    dataset = api(OUT)
    assert (dataset["tags"], [field["tags"] for field in dataset["fields"]]) == (["tier:1"], [["PII"], []])
    api(f"{OUT}/tags/GOLD", "POST")
    assert api(f"{OUT}/tags/tier:1", "DELETE")["tags"] == ["GOLD"]
    assert api(f"{OUT}/fields/a/tags/PII", "DELETE")["fields"][0]["tags"] == []
    assert api(f"{OUT}/fields/b/tags/KEY", "POST")["fields"][1]["tags"] == ["KEY"]
    api(f"{OUT}/fields/c/tags/KEY", "POST", status=404)
    assert api(f"{JOB}/tags/GOLD", "POST")["tags"] == ["GOLD"]
    assert api(f"{JOB}/tags/GOLD", "DELETE")["tags"] == []
    assert _names(api("/tags"), "tags") == ["GOLD", "KEY", "PII", "tier:1"]


def test_a_rebuild_keeps_what_was_done_by_hand(api: Api, maker: EventMaker, any_store: Store) -> None:
    api.post(maker(1, schema={"a": "int"}), maker(2, job="gone", out="other"))
    api(f"{OUT}/tags/GOLD", "POST")
    api("/namespaces/jobs/jobs/gone", "DELETE")
    api("/sources/db", "PUT", body={"type": "mysql", "connectionUrl": "mysql://h"})
    before = [api(path) for path in (OUT, "/jobs", "/sources", "/namespaces", "/tags")]
    any_store.rebuild()
    assert [api(path) for path in (OUT, "/jobs", "/sources", "/namespaces", "/tags")] == before


def test_a_purge_takes_what_was_done_by_hand_along(api: Api, maker: EventMaker, any_store: Store) -> None:
    api.post(maker(1, schema={"a": "int"}))
    for path in (f"{OUT}/tags/GOLD", f"{OUT}/fields/a/tags/GOLD", f"{JOB}/tags/of%20Ada"):
        api(path, "POST")
    api("/tags/GOLD", "PUT", body={"description": "said Ada"})
    api("/namespaces/lake", "PUT", body={"ownerName": "Ada", "description": "Ada's"})
    any_store.purge_dataset("lake", "out")
    any_store.purge_text("Ada")
    with any_store.read() as session:
        assert session.rows("SELECT count(*) FROM tagged") == [(0,)]
        texts = session.rows("SELECT description FROM tag UNION SELECT owner FROM namespace")
    assert not any("ada" in text.casefold() for (text,) in texts)
    api.post(maker(2, schema={"a": "int"}))
    assert api(OUT)["tags"] == []


def test_a_source_shows_no_password(api: Api, maker: EventMaker) -> None:
    api.post(maker(1, facets={"dataSource": {"name": "db", "uri": "postgresql://me:hunter2@host/db"}}))
    (source,) = api("/sources")["sources"]
    assert (source["type"], source["connectionUrl"]) == ("POSTGRESQL", "postgresql://***@host/db")


def test_a_run_that_was_announced_begins_with_its_start(api: Api, maker: EventMaker) -> None:
    for minute, type_ in ((1, "OTHER"), (2, "START"), (3, "RUNNING"), (4, "COMPLETE")):
        api.post(maker(minute, type_, run="announced", out=None))
    run = api(f"/jobs/runs/{maker.run_id('announced')}")
    assert (run["createdAt"], run["startedAt"]) == ("2026-01-01T00:01:00Z", "2026-01-01T00:02:00Z")
    assert (run["endedAt"], run["durationMs"]) == ("2026-01-01T00:04:00Z", 120_000)


def test_a_call_is_also_kept_as_it_came_where_the_store_keeps_secrets(api: Api, any_store: Store) -> None:
    any_store.keep_secrets = True
    body = {"type": "BATCH", "inputs": [], "outputs": [], "location": f"https://jane:{S}@git.example/org/repo.git"}
    api(JOB, "PUT", body=body)
    assert S in json.dumps(list(any_store.events()))
    assert S not in json.dumps([api("/events"), api(JOB)])
