"""Servers for the page's tests, on free ports, until standard input ends; says where they are, as a line of JSON."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.neighbourhood import Neighbourhood

from headwater.simulate import History, Settings
from headwater.store import open_store
from headwater.store.tokens import Scope, create_token
from tests.food_delivery import events as food_delivery
from tests.page_story import couriers

if TYPE_CHECKING:
    from collections.abc import Iterator

PROGRAM = [sys.executable, "-c", "from headwater.cli import main; main()"]
LONG = "warehouse/" + "a_name_that_never_ends_" * 13
ODD_NAMES = (LONG[:300], "/سوق/الطلبات", "<img src=x onerror=alert(1)>")


def odd_events() -> list[dict[str, object]]:
    """Names that break pages which are not careful: very long, from right to left, markup; and what went wrong."""
    return [*(_odd(place, name) for place, name in enumerate(ODD_NAMES)), _opaque(), _failing()]


def _odd(place: int, name: str) -> dict[str, object]:
    markup = "<script>alert('x')</script>"
    fields = [{"name": "مبلغ", "type": "double"}, {"name": "<b>bold</b>", "type": "string", "description": markup}]
    read = {"namespace": "file", "name": "/food/landing/orders"}
    lineage = {field["name"]: {"inputFields": [{**read, "field": "id"}]} for field in fields}
    facets = {"schema": {"fields": fields}, "columnLineage": {"fields": lineage}}
    return {
        "eventType": "COMPLETE",
        "eventTime": f"2025-05-14T08:0{place}:00Z",
        "producer": "https://example.com/odd",
        "run": {"runId": f"00000000-0000-4000-8000-00000000000{place}"},
        "job": {"namespace": "odd", "name": f"job {name}"},
        "inputs": [read],
        "outputs": [{"namespace": "file", "name": name, "facets": facets}],
    }


def _event(minute: int, job: str, kind: str, **parts: object) -> dict[str, object]:
    run = {"runId": f"00000000-0000-4000-8000-0000000001{minute}"}
    return {
        "eventType": kind,
        "eventTime": f"2025-05-14T09:{minute}:00Z",
        "producer": "https://example.com/odd",
        "run": {**run, "facets": parts.pop("run_facets", {})},
        "job": {"namespace": "odd", "name": job, "facets": {"sql": {"query": "SELECT 1"}}},
        **parts,
    }


def _opaque() -> dict[str, object]:
    street = {"name": "street", "type": "string"}
    fields = [{"name": "id", "type": "bigint"}, {"name": "address", "type": "struct", "fields": [street]}]
    facets = {
        "schema": {"fields": fields},
        "tags": {"tags": [{"key": "pii", "value": "true", "source": "USER", "field": "address"}]},
        "symlinks": {"identifiers": [{"namespace": "catalog", "name": "db.opaque", "type": "TABLE"}]},
    }
    written = {"namespace": "file", "name": "/food/opaque", "facets": facets}
    capture = {"headwater_capture": {"opaque": {"ScalaUDF": 2}}}
    return _event(10, "opaque", "COMPLETE", run_facets=capture, outputs=[written])


def _failing() -> dict[str, object]:
    error = {"message": "No space left on device", "programmingLanguage": "JVM", "stackTrace": "at Disk.write"}
    return _event(11, "failing", "FAIL", run_facets={"errorMessage": error})


def simulated(settings: Settings) -> Iterator[dict[str, object]]:
    """All events of a simulated history."""
    history = History(settings)
    for day in range(settings.days):
        yield from (json.loads(line.text) for line in history.lines(day))


def start_server(folder: Path, name: str) -> tuple[subprocess.Popen[str], str]:
    """Serve the store `name`.db of a folder; returns the process, and where it is."""
    log = (folder / f"{name}.log").open("wb")
    process = subprocess.Popen(
        [*PROGRAM, "serve", "--port", "0", "--store", str(folder / f"{name}.db")],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
    )
    said = process.stdout.readline() if process.stdout else ""
    result = re.search(r"https?://\S+", said)
    if result is None:
        raise RuntimeError((folder / f"{name}.log").read_text(encoding="utf-8"))
    return process, result[0]


def main() -> None:
    """Fill the stores, serve them, and wait."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with open_store(str(folder / "food.db")) as store:
            store.ingest([*food_delivery(), *couriers(), *odd_events()])
        with open_store(str(folder / "simulated.db")) as store:
            store.ingest(list(simulated(Settings(datasets=60, days=6, failures=0.1))))
        with open_store(str(folder / "large.db")) as store:
            store.ingest(list(Neighbourhood().events()))
        with open_store(str(folder / "guarded.db")) as store:
            store.ingest(food_delivery())
            token = store.transact(lambda session: create_token(session, "page", Scope.READ, time.time_ns() // 1000))
        started = {one: start_server(folder, one) for one in ("food", "simulated", "large", "guarded", "empty")}
        places = {one: url for one, (_, url) in started.items()}
        sys.stdout.write(json.dumps({**places, "token": token}) + "\n")
        sys.stdout.flush()
        sys.stdin.read()
        for process, _ in started.values():
            process.terminate()
        for process, _ in started.values():
            process.wait(30)


if __name__ == "__main__":
    main()
