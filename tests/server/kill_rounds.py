"""Ends a server by kill -9 under load, again and again, and holds the store to what one ingest makes of the events.

    python -m tests.server.kill_rounds --database sqlite --kills 200

Each round starts a server on the same store, sends it events from several clients at once, and kills it at a random
moment. On PostgreSQL, every third round kills all processes of the database instead, and every sixth both. At the end,
every event that was acknowledged must be there; and when all that were sent have been sent once more, the store must be
the one that a single ingest of them makes.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import os
import random
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import NAMESPACE_URL, uuid5

import httpx
from tests.postgres import Postgres, running_postgres
from tests.store.conftest import view_by_names
from tests.store.writer_processes import holds, overlapping
from tests.waiting import SECONDS, wait_for

from headwater.server.serving import serve
from headwater.server.settings.settings import ServerSettings
from headwater.store import open_store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.connection import Connection

_PATH = "/api/v1/lineage"
_CLIENTS = 4
_RUNS_IN_A_BLOCK = 40
# A round is killed so long after its first acknowledgement, at most.
_LONGEST = 0.4
_AT_A_TIME = 500
# They have imported all that a server needs before they begin: a round takes less time to start than to be killed.
_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload(["headwater.server.serving", "headwater.server.app"])


def _block(number: int) -> list[dict[str, Any]]:
    """A history of its own: its runs, jobs and datasets meet each other, and none of another block."""
    events = overlapping(_RUNS_IN_A_BLOCK, seed=number)
    for event in events:
        runs = [event["run"], *(parent["run"] for parent in event["run"]["facets"].values())]
        for run in {id(run): run for run in runs}.values():
            run["runId"] = str(uuid5(NAMESPACE_URL, f"{number} {run['runId']}"))
        event["job"]["namespace"] = f"jobs {number}"
        for dataset in (*event["inputs"], *event["outputs"]):
            dataset["namespace"] = f"lake {number}"
    return [json.loads(json.dumps(event)) for event in events]


def _serve(store: str, told: Connection, log: str) -> None:
    """A server in a process of its own, as `headwater serve` runs it."""
    os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), sys.stderr.fileno())
    settings = ServerSettings(store=store, port=0, log_level="error", store_timeout=5)
    serve(settings, told.send)


class _Rounds:
    """The clients, and what they know."""

    def __init__(self, url: str, folder: Path, chance: random.Random, postgres: Postgres | None) -> None:
        self.sent: list[dict[str, Any]] = []
        self.acknowledged: list[dict[str, Any]] = []
        self._url = url
        self._log = str(folder / "log")
        self._chance = chance
        self._postgres = postgres
        self._lock = threading.Lock()
        self._events = self._all()
        self._over = threading.Event()

    def kill_once(self, number: int) -> None:
        """Start a server, load it, and end it."""
        process, address = self._start()
        self._over.clear()
        before = len(self.acknowledged)
        clients = [threading.Thread(target=self._send, args=(address,), daemon=True) for _ in range(_CLIENTS)]
        for client in clients:
            client.start()
        wait_for("the first event", lambda: len(self.acknowledged) > before)
        time.sleep(self._chance.uniform(0, _LONGEST))
        if self._postgres is not None and number % 3 == 0:
            self._postgres.kill()
            if number % 6 == 0:
                process.kill()
            self._postgres.start()
        self._over.set()
        process.kill()
        for client in clients:
            client.join()
        process.join()
        process.close()

    def _start(self) -> tuple[Any, str]:
        told, tells = _PROCESSES.Pipe(duplex=False)
        process: Any = _PROCESSES.Process(target=_serve, args=(self._url, tells, self._log))
        process.start()
        tells.close()
        said: list[str] = []
        while not said or not said[-1].startswith("access"):
            assert told.poll(SECONDS), Path(self._log).read_text(encoding="utf-8")
            said.append(told.recv())
        address = said[0].split()[-1]
        return process, address

    def _all(self) -> Iterator[dict[str, Any]]:
        number = 0
        while True:
            yield from _block(number)
            number += 1

    def _send(self, address: str) -> None:
        """Send one event after the other until the server is gone; a refusal is tried again."""
        with httpx.Client(base_url=address, timeout=SECONDS, trust_env=False) as client:
            event: dict[str, Any] | None = None
            while True:
                if event is None:
                    with self._lock:
                        event = next(self._events)
                        self.sent.append(event)
                try:
                    status = client.post(_PATH, json=event).status_code
                except httpx.TransportError:
                    if self._over.is_set():
                        return
                    time.sleep(0.01)
                    continue
                assert status in {201, 503}, status
                if status == 201:
                    with self._lock:
                        self.acknowledged.append(event)
                    event = None


def run(database: str, kills: int, seed: int, seconds: float = math.inf) -> str:
    """Do it; returns what there is to say, and fails where an event is lost or the store is another one."""
    chance = random.Random(seed)  # noqa: S311  moments, no secret
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="headwater-kills-")))
        postgres = stack.enter_context(running_postgres(durable=True, databases=())) if database != "sqlite" else None
        url = postgres.create("killed") if postgres else f"sqlite:///{folder}/killed.db"
        rounds = _Rounds(url, folder, chance, postgres)
        began = time.monotonic()
        for number in range(1, kills + 1):
            rounds.kill_once(number)
            done = number
            if number % 20 == 0:
                _say(f"{database}: {number} kills, {len(rounds.acknowledged)} events acknowledged")
            if time.monotonic() - began > seconds:
                break
        with open_store(url) as store, open_store(str(folder / "alone.db")) as alone:
            assert holds(store, rounds.acknowledged), "an event was acknowledged and lost"
            for first in range(0, len(rounds.sent), _AT_A_TIME):
                store.ingest(rounds.sent[first : first + _AT_A_TIME])
                alone.ingest(rounds.sent[first : first + _AT_A_TIME])
            assert view_by_names(store) == view_by_names(alone), "the store differs from one ingest of its events"
            if postgres is None:
                with store.read() as session:
                    assert session.rows("PRAGMA integrity_check") == [("ok",)]
    return (
        f"{database}: {done} kills, {len(rounds.acknowledged)} events acknowledged, 0 lost;"
        f" the store equals one ingest of the {len(rounds.sent)} events sent"
    )


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), action="append")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=math.inf, help="kill no more after so many, for each database")
    asked = parser.parse_args()
    for database in asked.database or ("sqlite", "postgresql"):
        _say(run(database, asked.kills, asked.seed, asked.seconds))


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
