"""A server with events of today and Marquez's web app in front of it, until standard input ends.

HEADWATER_MARQUEZ names the folder `web` of Marquez's sources, in which the app is built. Says as a line of JSON where
the app is, whose own server hands the API on.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headwater.store import open_store
from tests.food_delivery import events as food_delivery
from tests.page_servers import odd_events, start_server
from tests.page_story import couriers
from tests.waiting import wait_for

if TYPE_CHECKING:
    from collections.abc import Iterable

_ABOUT = {"producer": "https://example.com/food-delivery"}
_SPEC = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/"
_RESTAURANTS = {"namespace": "file", "name": "/food/landing/restaurants"}


def main() -> None:
    """Fill a store, serve it with the app in front, and wait."""
    app = Path(os.environ["HEADWATER_MARQUEZ"])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with open_store(str(folder / "marquez.db")) as store:
            store.ingest(_until_now([*food_delivery(), *couriers(), *odd_events(), *_more()]))
        server, url = start_server(folder, "marquez")
        port = _free_port()
        host = re.sub(r"^https?://", "", url)
        front = subprocess.Popen(
            ["node", "setupProxy.js"],
            cwd=app,
            env={
                **os.environ,
                "MARQUEZ_HOST": host.rpartition(":")[0],
                "MARQUEZ_PORT": host.rpartition(":")[2],
                "WEB_PORT": str(port),
            },
            stdout=(folder / "app.log").open("wb"),
            stderr=subprocess.STDOUT,
        )
        wait_for("Marquez's web app", lambda: _listens(port))
        sys.stdout.write(json.dumps({"marquez": f"http://127.0.0.1:{port}"}) + "\n")
        sys.stdout.flush()
        sys.stdin.read()
        for process in (front, server):
            process.terminate()
        for process in (front, server):
            process.wait(30)


def _until_now(events: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The events, all as much later as it takes for the last of them to happen a minute ago."""
    listed = [json.loads(json.dumps(event)) for event in events]
    times = [datetime.fromisoformat(event["eventTime"].replace("Z", "+00:00")) for event in listed]
    later = datetime.now(timezone.utc) - timedelta(minutes=1) - max(times)
    for event, time in zip(listed, times, strict=True):
        event["eventTime"] = (time + later).isoformat()
    return listed


def _more() -> list[dict[str, Any]]:
    """What the others lack: runs in every state, events without a run, one too large to be shown, what tests found."""
    declared = {"facets": {"documentation": {"description": "Where food comes from."}}}
    checks = [
        {"assertion": "not_null", "column": "id", "success": True},
        {"assertion": "unique", "column": "id", "success": False},
    ]
    found = {"inputFacets": {"dataQualityAssertions": {"assertions": checks}}}
    quality = {"facets": {"dataQualityAssertions": {"assertions": checks}, "schema": {"fields": [{"name": "id"}]}}}
    texts = {f"text{number}": {"text": "x" * 10_000} for number in range(60)}
    return [
        {
            **_ABOUT,
            "eventTime": "2025-05-14T09:00:00Z",
            "schemaURL": f"{_SPEC}DatasetEvent",
            "dataset": {**_RESTAURANTS, **declared},
        },
        {
            **_ABOUT,
            "eventTime": "2025-05-14T09:00:00Z",
            "schemaURL": f"{_SPEC}JobEvent",
            "job": {"namespace": "food_delivery", "name": "declared"},
            "inputs": [_RESTAURANTS],
        },
        _run("ABORT", "aborted", 20),
        _run("START", "running", 21),
        _run("COMPLETE", "large", 22, run={"facets": texts}),
        _run("COMPLETE", "menus", 23, inputs=[{**_RESTAURANTS, **quality, **found}]),
    ]


def _run(kind: str, job: str, minute: int, run: dict[str, Any] | None = None, **parts: Any) -> dict[str, Any]:  # noqa: ANN401  JSON
    return {
        **_ABOUT,
        "eventType": kind,
        "eventTime": f"2025-05-14T09:{minute}:00Z",
        "run": {"runId": f"00000000-0000-4000-8000-0000000002{minute}", **(run or {})},
        "job": {"namespace": "food_delivery", "name": job},
        **parts,
    }


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


if __name__ == "__main__":
    main()
