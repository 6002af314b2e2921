"""What operators look at: health, metrics, the log; and what browsers are told."""

from __future__ import annotations

import json
import logging
import re
import sqlite3
from typing import TYPE_CHECKING

import psycopg
import pytest
from fastapi.testclient import TestClient

from headwater.server.app import create_app
from headwater.server.http.logs import JsonLines, TextLines
from headwater.server.settings.settings import ServerSettings

if TYPE_CHECKING:
    from tests.conftest import EventMaker

    from headwater.store import Store

INGEST = "/api/v1/lineage"


def test_a_store_of_a_newer_version_makes_the_server_not_ready_and_leaves_it_alive(
    client: TestClient, any_url: str
) -> None:
    assert (client.get("/readyz").status_code, client.get("/readyz").json()) == (200, {"status": "ok"})
    if any_url.startswith("sqlite"):
        connection = sqlite3.connect(any_url.removeprefix("sqlite:///"))
        connection.execute("PRAGMA user_version = 999")
        connection.close()
    else:
        with psycopg.connect(any_url) as server:
            server.execute("UPDATE meta SET value = '999' WHERE key = 'version'")
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["status"] == "unavailable"
    assert "written by a newer Headwater" in answer.json()["message"]
    assert "Kept-Secret" not in answer.text
    assert client.get("/livez").json() == {"status": "ok"}


def test_health_is_readiness_under_another_name(client: TestClient, any_url: str) -> None:
    assert (client.get("/health").status_code, client.get("/health").json()) == (200, {"status": "ok"})
    if any_url.startswith("sqlite"):
        connection = sqlite3.connect(any_url.removeprefix("sqlite:///"))
        connection.execute("PRAGMA user_version = 999")
        connection.close()
        assert (client.get("/health").status_code, client.get("/health").json()) == (503, client.get("/readyz").json())


def test_metrics_count_events_and_requests_by_route(client: TestClient, maker: EventMaker) -> None:
    client.post(INGEST, json=maker(1))
    client.post(INGEST + "/", json=maker(1))
    client.post(INGEST, json={})
    client.post(INGEST + "/batch", json=[maker(2), maker(1), {}])
    client.get("/a/path/that/nobody/has")
    client.get("/api/v1/namespaces")
    text = client.get("/metrics").text
    for line in (
        'headwater_events_total{result="accepted"} 2.0',
        'headwater_events_total{result="duplicate"} 2.0',
        'headwater_events_total{result="rejected"} 2.0',
        'headwater_request_seconds_count{method="POST",route="/api/v1/lineage",status="201"} 2.0',
        'headwater_request_seconds_count{method="POST",route="/api/v1/lineage",status="422"} 1.0',
        'headwater_request_seconds_count{method="POST",route="/api/v1/lineage/batch",status="207"} 1.0',
        'headwater_request_seconds_count{method="GET",route="none",status="404"} 1.0',
        'headwater_request_seconds_count{method="GET",route="/api/v1/namespaces",status="200"} 1.0',
        "headwater_commit_seconds_count 3.0",
        "headwater_batch_events_sum 4.0",
        "headwater_queued_events 0.0",
        "headwater_bytes_in_flight 0.0",
    ):
        assert f"\n{line}\n" in text


@pytest.mark.parametrize(
    ("given", "own"),
    [("a-1.B_c", True), ("x" * 64, True), ("x" * 65, False), ("a b", False), ('"', False), ("", False)],
)
def test_a_request_has_an_id_which_is_the_clients_if_that_is_sane(store: Store, given: str, own: bool) -> None:  # noqa: FBT001
    with TestClient(create_app(store)) as client:
        answer = client.get("/livez", headers={"X-Request-ID": given})
    assert (answer.headers["X-Request-ID"] == given) is own
    assert re.fullmatch(r"[A-Za-z0-9._-]{1,64}", answer.headers["X-Request-ID"])


def test_a_request_is_one_line_of_the_log(store: Store, maker: EventMaker, caplog: pytest.LogCaptureFixture) -> None:
    with TestClient(create_app(store)) as client, caplog.at_level(logging.INFO, "headwater.server"):
        client.post(INGEST, json=maker(1), headers={"X-Request-ID": "one"})
        client.get("/livez?secret=Not-To-Be-Seen")
    line, other = [json.loads(JsonLines().format(record)) for record in caplog.records]
    assert line.keys() == {
        "time", "level", "message", "request_id", "method", "route", "status", "ms", "bytes_in", "bytes_out",
        "client",
    }  # fmt: skip
    assert (line["request_id"], line["method"], line["route"], line["status"]) == ("one", "POST", INGEST, 201)
    assert line["bytes_in"] > 100
    assert (other["route"], other["status"]) == ("/livez", 200)
    assert "Not-To-Be-Seen" not in caplog.text
    text = TextLines().format(caplog.records[0])
    assert " INFO    request request_id=one method=POST route=/api/v1/lineage status=201 " in text


def test_a_fault_of_ours_is_logged_and_answered_without_its_trace(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    app = create_app(store)

    @app.get("/fault")
    async def fault() -> None:
        raise ZeroDivisionError("postgresql://jane:Kept-Secret@db/x")

    with TestClient(app) as client, caplog.at_level(logging.INFO, "headwater.server"):
        answer = client.get("/fault", headers={"X-Request-ID": "here"})
    assert (answer.status_code, answer.json()["code"]) == (500, 500)
    assert "request id here" in answer.json()["message"]
    assert "ZeroDivision" not in answer.text
    written = JsonLines().format(caplog.records[0])
    assert "ZeroDivisionError" in written
    assert "Kept-Secret" not in written
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_browsers_are_told_to_keep_to_this_server(store: Store) -> None:
    with TestClient(create_app(store)) as client:
        for path in ("/docs", "/livez", "/nowhere", "/metrics"):
            headers = client.get(path).headers
            assert headers["X-Content-Type-Options"] == "nosniff"
            assert "default-src 'self'" in headers["Content-Security-Policy"]
            assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
            assert "Access-Control-Allow-Origin" not in headers
            assert "Server" not in headers


def test_the_page_of_the_interface_loads_from_here_only(store: Store) -> None:
    with TestClient(
        create_app(store, ServerSettings(allow_open=True, root_path="/lineage")), root_path="/lineage"
    ) as client:
        page = client.get("/lineage/docs")
        links = re.findall(r'(?:src|href|data-openapi)="([^"]+)"', page.text)
        assert links == [
            "/lineage/docs/docs.css",
            "/lineage/docs/docs.js",
            "/lineage/openapi.json",
            "/lineage/openapi.json",
        ]
        assert {client.get(link).status_code for link in links} == {200}
        for link in ("/lineage/docs", *links[:2]):
            assert "//" not in re.sub(r"^ *// .*$", "", client.get(link).text, flags=re.MULTILINE)
        assert "<script>" not in page.text


def test_the_interface_is_described(store: Store) -> None:
    with TestClient(create_app(store)) as client:
        paths = client.get("/openapi.json").json()["paths"]
    assert {"/api/v1/lineage", "/api/v1/lineage/batch", "/livez", "/readyz", "/metrics"} <= paths.keys()
    batch = paths["/api/v1/lineage/batch"]["post"]
    assert batch["requestBody"]["content"].keys() == {"application/json", "application/x-ndjson"}
    assert {"201", "207", "400", "413", "415", "422", "429", "503"} <= batch["responses"].keys()


def test_other_origins_are_let_in_only_where_they_are_named(store: Store) -> None:
    preflight = {"Origin": "https://a.example", "Access-Control-Request-Method": "POST"}
    with TestClient(create_app(store)) as client:
        assert "Access-Control-Allow-Origin" not in client.options(INGEST, headers=preflight).headers
    settings = ServerSettings(allow_open=True, cors_origins=("https://a.example",))
    with TestClient(create_app(store, settings)) as client:
        answer = client.options(INGEST, headers=preflight)
        assert (answer.status_code, answer.headers["Access-Control-Allow-Origin"]) == (200, "https://a.example")
        other = client.options(INGEST, headers={**preflight, "Origin": "https://b.example"})
        assert "Access-Control-Allow-Origin" not in other.headers
