"""A store that hangs under a server: every request is answered, it is said once in the log, and a stop ends."""

from __future__ import annotations

import json
import sqlite3
import threading
from typing import TYPE_CHECKING, Any

import httpx
import psycopg
import pytest
from tests.server.conftest import Serve, Served
from tests.waiting import SECONDS, wait_for

from headwater.server.serving import UNFINISHED
from headwater.store import open_store

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import EventMaker
    from tests.postgres import Postgres

PATH = "/api/v1/lineage"
_QUICK = {"HEADWATER_STORE_TIMEOUT": "1", "HEADWATER_QUERY_TIMEOUT": "4", "HEADWATER_SHUTDOWN_GRACE": "2"}


def _lines(served: Served, message: str) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in served.log.splitlines()]
    return [line for line in lines if message in line["message"]]


def _at_once(served: Served, requests: list[tuple[str, str, object]]) -> list[httpx.Response]:
    """The answers to requests that are sent at the same time."""
    answers: list[httpx.Response] = []

    def send(method: str, path: str, body: object) -> None:
        with served.client() as client:
            answers.append(client.request(method, path, json=body))

    threads = [threading.Thread(target=send, args=request) for request in requests]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def test_a_database_server_that_hangs(serve: Serve, durable_server: Postgres, maker: EventMaker) -> None:
    url = durable_server.create("hanging")
    served = serve(url, "--log-format", "json", environment=_QUICK)
    events = [("POST", PATH, maker(minute)) for minute in range(2, 14)]
    with served.client() as client:
        assert client.post(PATH, json=maker(1)).status_code == 201
        assert client.get("/readyz").status_code == 200
        with durable_server.hanging():
            answers = _at_once(
                served,
                [
                    *events,
                    *[("GET", "/api/v1/namespaces", None)] * 4,
                    *[("PUT", "/api/v1/namespaces/a", {"ownerName": "me"})] * 4,
                    ("POST", "/aspects?action=ingestProposal", _proposal()),
                ],
            )
            assert {answer.status_code for answer in answers} <= {503, 504}
            for answer in answers:
                if answer.status_code == 503:
                    assert answer.headers["Retry-After"] == "5"
                assert durable_server.password not in answer.text
            assert client.get("/livez").status_code == 200
            ready = client.get("/readyz")
            assert ready.status_code == 503
            assert ready.json()["message"]
            assert client.get("/metrics").status_code == 200
        wait_for("the server", lambda: client.get("/readyz").status_code == 200)
        for _, path, event in events:
            assert client.post(path, json=event).status_code == 201
    assert served.stop() == 0
    with open_store(url) as store, store.read() as session:
        assert session.rows("SELECT count(*), count(DISTINCT hash) FROM event") == [(13, 13)]
    outages = _lines(served, "The store cannot be written")
    assert 1 <= len(outages) <= 3, "each reason is said once, not with each request"
    assert {line["level"] for line in outages} == {"error"}
    assert all("postgresql://warehouse@" in line["reason"] for line in outages)
    assert durable_server.password not in served.log


def _proposal() -> dict[str, object]:
    aspect = {"value": json.dumps({"description": "x"}), "contentType": "application/json"}
    return {
        "proposal": {
            "entityType": "dataset",
            "entityUrn": "urn:li:dataset:(urn:li:dataPlatform:hive,db.t,PROD)",
            "aspectName": "editableDatasetProperties",
            "changeType": "UPSERT",
            "aspect": aspect,
        }
    }


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_stop_ends_while_the_database_server_hangs(
    serve: Serve, durable_server: Postgres, maker: EventMaker, workers: str
) -> None:
    url = durable_server.create(f"stopping{workers}")
    # So that only the stop can end the request.
    environment = {**_QUICK, "HEADWATER_STORE_TIMEOUT": "100000"}
    served = serve(url, "--workers", workers, environment=environment)
    with served.client() as client:
        assert client.post(PATH, json=maker(1)).status_code == 201
    waiting = threading.Thread(target=_send, args=(served, maker(2)))
    with psycopg.connect(url) as other:
        # The write waits before the server hangs: else the request may wait for the tokens, and never come so far.
        other.execute("LOCK TABLE event")
        waiting.start()
        wait_for("the write", lambda: b"headwater_queued_events 1.0" in _metrics(served))
        with durable_server.hanging():
            assert served.stop() == UNFINISHED
            waiting.join(SECONDS)
    assert "Stopped while the store did not answer" in served.log


def _send(served: Served, event: object) -> None:
    with served.client() as client:
        try:
            answer = client.post(PATH, json=event)
        except httpx.TransportError:
            return
        assert answer.status_code != 201


def _metrics(served: Served) -> bytes:
    with served.client() as client:
        return client.get("/metrics").content


def test_a_file_that_another_process_holds(serve: Serve, tmp_path: Path, maker: EventMaker) -> None:
    path = tmp_path / "x.db"
    served = serve(f"sqlite:///{path}", "--log-format", "json", environment=_QUICK)
    with served.client() as client:
        assert client.post(PATH, json=maker(1)).status_code == 201
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        answers = _at_once(served, [("POST", PATH, maker(minute)) for minute in range(2, 10)])
        assert {answer.status_code for answer in answers} == {503}
        assert {answer.headers["Retry-After"] for answer in answers} == {"5"}
        assert client.get("/api/v1/namespaces").status_code == 200, "a writer does not hinder readers"
        assert client.get("/readyz").status_code == 503
        other.execute("ROLLBACK")
        other.close()
        assert client.post(PATH, json=maker(2)).status_code == 201
        wait_for("it to be ready", lambda: client.get("/readyz").status_code == 200)
    assert served.stop() == 0
    (line,) = _lines(served, "The store cannot be written")
    assert (line["level"], line["use"]) == ("error", "write")
    assert "locked by another process" in line["reason"]


def test_a_server_on_a_store_that_others_upgraded_writes_no_more(serve: Serve, any_url: str, maker: EventMaker) -> None:
    served = serve(any_url, environment=_QUICK)
    with served.client() as client:
        assert client.post(PATH, json=maker(1)).status_code == 201
        if any_url.startswith("sqlite"):
            newer = sqlite3.connect(any_url.removeprefix("sqlite:///"), isolation_level=None)
            newer.execute("PRAGMA user_version = 999")
            newer.close()
        else:
            with psycopg.connect(any_url) as server:
                server.execute("UPDATE meta SET value = '999' WHERE key = 'version'")
        for method, path, body in (
            ("POST", PATH, maker(2)),
            ("POST", f"{PATH}/batch", [maker(2)]),
            ("GET", "/api/v1/namespaces", None),
            ("PUT", "/api/v1/namespaces/a", {"ownerName": "me"}),
            ("POST", "/aspects?action=ingestProposal", _proposal()),
            ("GET", "/readyz", None),
        ):
            answer = client.request(method, path, json=body)
            assert (answer.status_code, "newer Headwater" in answer.json()["message"]) == (503, True), path
    assert served.log.count("The store cannot be written") == 1
