"""kill -9 of the server and of PostgreSQL, and full disks, under load: nothing acknowledged is lost or doubled."""

from __future__ import annotations

import threading
from typing import Any

import httpx
import pytest
from tests.disks import fill, small_disk
from tests.postgres import Postgres
from tests.server.conftest import Serve, Served
from tests.store.writer_processes import holds, overlapping
from tests.waiting import wait_for

from headwater.store import open_store

PATH = "/api/v1/lineage"


class _Load:
    """Clients that send events one after the other, and note which were acknowledged."""

    def __init__(self, served: Served, events: list[dict[str, Any]], *, again: bool = False) -> None:
        self.acknowledged: list[dict[str, Any]] = []
        self.refused: list[httpx.Response] = []
        self._served = served
        self._again = again
        self._events = iter(events)
        self._lock = threading.Lock()
        self._threads = [threading.Thread(target=self._send) for _ in range(4)]
        for thread in self._threads:
            thread.start()

    def _send(self) -> None:
        with self._served.client() as client:
            while True:
                with self._lock:
                    event = next(self._events, None)
                if event is None:
                    return
                try:
                    answer = client.post(PATH, json=event)
                    while self._again and answer.status_code != 201:
                        self.refused.append(answer)
                        answer = client.post(PATH, json=event)
                except httpx.TransportError:
                    return
                if answer.status_code == 201:
                    self.acknowledged.append(event)
                else:
                    self.refused.append(answer)

    def wait(self) -> None:
        for thread in self._threads:
            thread.join()


def _as_if_nothing_had_happened(url: str, events: list[dict[str, Any]], acknowledged: list[dict[str, Any]]) -> None:
    with open_store(url) as store:
        assert holds(store, acknowledged), "an event was acknowledged and lost"
        store.ingest(events)
        with store.read() as session:
            assert session.rows("SELECT count(*), count(DISTINCT hash) FROM event") == [(len(events), len(events))]


@pytest.mark.parametrize("workers", ["1", "2"])
def test_kill_9_of_the_server_under_load(serve: Serve, any_url: str, workers: str) -> None:
    events = overlapping(400)
    served = serve(any_url, "--workers", workers)
    load = _Load(served, events)
    wait_for("some events", lambda: len(load.acknowledged) >= 60)
    served.kill()
    load.wait()
    assert len(load.acknowledged) < len(events), "it was to be killed before the end"
    again = serve(any_url)
    with again.client() as client:
        assert client.post(f"{PATH}/batch", json=load.acknowledged).json()["duplicates"] == len(load.acknowledged)
    again.stop()
    _as_if_nothing_had_happened(any_url, events, load.acknowledged)


def test_kill_9_of_postgresql_under_load(serve: Serve, durable_server: Postgres) -> None:
    events = overlapping(400)
    url = durable_server.create("killed")
    served = serve(url)
    load = _Load(served, events, again=True)
    wait_for("some events", lambda: len(load.acknowledged) >= 60)
    durable_server.kill()
    try:
        with served.client() as client:
            wait_for("a refusal", lambda: load.refused)
            assert client.get("/livez").status_code == 200
            assert client.get("/readyz").status_code == 503
    finally:
        durable_server.start()
    load.wait()
    for answer in load.refused:
        assert answer.status_code == 503
        assert answer.headers["Retry-After"] == "5"
        assert "of the store postgresql://warehouse@" in answer.json()["message"]
        assert durable_server.password not in answer.text
    assert len(load.acknowledged) == len(events), "those who try again outlive it"
    with served.client() as client:
        assert client.get("/readyz").status_code == 200
    assert durable_server.password not in served.log
    _as_if_nothing_had_happened(url, events, load.acknowledged)


def test_a_full_disk_is_said_and_what_was_acknowledged_is_there(serve: Serve) -> None:
    events = overlapping(1500)
    with small_disk(8) as disk:
        url = f"sqlite:///{disk / 'lineage.db'}"
        served = serve(url)
        ballast = fill(disk, leave=600_000)
        acknowledged: list[dict[str, Any]] = []
        with served.client() as client:
            for event in events:
                answer = client.post(PATH, json=event)
                if answer.status_code != 201:
                    break
                acknowledged.append(event)
            assert answer.status_code == 507
            assert answer.json()["message"].startswith(
                f"Cannot write the store {disk / 'lineage.db'} because the disk is"
            )
            ballast.unlink()
            assert client.post(PATH, json=event).status_code == 201
        assert served.stop() == 0
        _as_if_nothing_had_happened(url, events[: len(acknowledged) + 1], [*acknowledged, event])
