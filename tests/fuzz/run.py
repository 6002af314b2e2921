"""`make fuzz N=100000 SEED=1`: a server, many odd requests, and what it made of them.

At the end, everything that it took in is exported and ingested into an empty store, which must then be equal.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import tempfile
import time
from contextlib import nullcontext
from itertools import islice, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

import httpx

from headwater.store import Rejected, open_store
from tests.fuzz.campaign import send_all
from tests.fuzz.requests import Requests, generated_by_schemathesis
from tests.postgres import running_postgres
from tests.server.conftest import Served
from tests.waiting import SECONDS

if TYPE_CHECKING:
    from collections.abc import Sequence

# Of so many requests, one is made by schemathesis: those take long to make.
_BY_SCHEMATHESIS = 100
_MODES = 2


def main(arguments: Sequence[str]) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--connections", type=int, default=4)
    parser.add_argument("--postgresql", action="store_true", help="on PostgreSQL instead of SQLite")
    parser.add_argument("--seconds", type=float, default=10.0, help="what takes longer counts as a hang")
    parser.add_argument("--only", type=int, help="only the request with this number, as it came before")
    options = parser.parse_args(arguments)
    # The server ends with this process, also where that is told to stop.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    began = time.monotonic()
    with (
        tempfile.TemporaryDirectory(prefix="headwater-fuzz-") as folder,
        running_postgres() if options.postgresql else nullcontext() as postgres,
    ):
        url = postgres.store_url("shop") if postgres else f"sqlite:///{folder}/store.db"
        server = Served(["--store", url, "--log-level", "warning"], Path(folder), os.environ, "").wait()
        try:
            page = httpx.get(f"{server.url}/openapi.json", trust_env=False, timeout=SECONDS).json()
            operations = sum(len(methods) for methods in page["paths"].values())
            examples = options.requests // _BY_SCHEMATHESIS // operations // _MODES
            generated = [*generated_by_schemathesis(page, examples, options.seed)] if examples else []
            print(f"{len(generated)} requests by schemathesis made in {time.monotonic() - began:.0f} s", flush=True)
            numbers = range(options.requests) if options.only is None else [options.only]
            requests = Requests(page, options.seed, generated)
            outcome = send_all(server.url, requests, numbers, connections=options.connections, seconds=options.seconds)
            print(outcome.text(), flush=True)
            server.stop()
            traces = server.log.count("Traceback")
            print(f"{traces} traces in the server's log; {time.monotonic() - began:.0f} s in all.", flush=True)
            for trace in server.log.split("Traceback")[1:6]:
                print("…", *trace.strip().splitlines()[-14:], sep="\n")
        finally:
            server.kill()
        same = _is_same_again(url, folder)
    return 0 if same and not outcome.failures and not traces else 1


def _is_same_again(url: str, folder: str) -> bool:
    """Whether the exported events make an equal store."""
    accepted = 0
    rejected: list[Rejected] = []
    with open_store(url) as store, open_store(f"{folder}/again.db") as again:
        events = (json.loads(json.dumps(event)) for event in store.events())
        while batch := list(islice(events, 1_000)):
            result = again.ingest(batch)
            accepted += result.accepted
            rejected += result.rejected
        same = all(one == other for one, other in zip_longest(store.events(), again.events()))
    outcome = "the same" if same else "DIFFERENT"
    print(f"{accepted} events exported and ingested again, {len(rejected)} rejected; {outcome}.")
    for refused in rejected[:5]:
        print(f"  {refused}")
    return same and not rejected


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
