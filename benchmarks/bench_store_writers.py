"""One event a transaction, by eight writers at once, on PostgreSQL; beside it the bound.

PostgreSQL runs on this machine with fsync and synchronous_commit on. The bound is a plain loop that inserts and commits
the same raw events, one a transaction, over eight connections. CPU time is that of all writers and of the server.

    python benchmarks/bench_store_writers.py --events 4000
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # so that the file runs by itself

import psycopg
from benchmarks.history import Warehouse, in_batches
from benchmarks.measure import console
from benchmarks.stores import Figures, Place, opened, server, server_cpu
from rich.console import Console

EVENTS = 20_000
WRITERS = 8


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=EVENTS)
    parser.add_argument("--writer", nargs=3, metavar=("URL", "FIRST", "COUNT"), help="for its own use")
    given = parser.parse_args()
    if given.writer:
        url, first, count = given.writer
        _write(url, int(first), int(count))
        return
    out = console()
    figures = Figures("store: one event a transaction, fsync on", out)
    with server() as running:
        _singly(Place("PostgreSQL", "", running), given.events, figures, out)
    figures.show()


def _write(url: str, first: int, count: int) -> None:
    """One of several writers, in a process of its own: waits for a line, writes, and says how long it took."""
    from headwater.store import open_store  # noqa: PLC0415  the import is not part of what is measured

    warehouse = Warehouse()
    events = runs_of_writer(warehouse, first, count)
    with open_store(url) as store:
        store.ingest(())
        print("ready", flush=True)
        sys.stdin.readline()
        before = time.process_time()
        for event in events:
            store.ingest((event,))
        print(time.process_time() - before)


def runs_of_writer(warehouse: Warehouse, first: int, count: int) -> list[dict[str, Any]]:
    """The runs of one of several writers: each writes its own, on tables that all of them read and write."""
    events = []
    for number in range(count // 2):
        day, table = divmod(first + WRITERS * number, warehouse.tables)
        events += [warehouse.start(table, day), warehouse.complete(table, day)]
    return events


def _singly(place: Place, events: int, figures: Figures, out: Console) -> None:
    """One event a transaction, by eight writers at once; and the same raw events by a plain loop."""
    assert place.server
    each = events // WRITERS // 2 * 2
    bounds = {}
    for how, run in (("threads", plain_threads), ("processes", _plain_processes)):
        with out.status(f"the bound, {WRITERS} {how}"):
            bounds[how] = run(place.server.create(f"bound_{how}"), each)
    bound = max(bounds.values())
    shown = ", ".join(f"{how} {rate:,.0f}" for how, rate in bounds.items())
    figures.at_least(f"the bound: a plain loop, {WRITERS} connections", bound, None, "events/s", shown)
    for how, write in (("threads", _store_threads), ("processes", _store_processes)):
        url = place.server.create(f"singly_{how}")
        with out.status(f"one at a time, {WRITERS} {how}"):
            with opened(Place("", url)) as store:  # every table known before, as on any day but the first
                warehouse = Warehouse()
                for batch in in_batches(warehouse.day(-1), 2 * warehouse.tables, 500):
                    store.ingest(batch)
            before = server_cpu(place.server)
            rate, own = write(url, each)
            served = server_cpu(place.server) - before
        spent = [f"{name} {part / each / WRITERS * 1000:.2f}" for name, part in (("Python", own), ("server", served))]
        cpu = f"{rate / bound:.2f} of the bound; ms of CPU an event: {', '.join(spent)}"
        figures.at_least(f"{place.name}: one at a time, {WRITERS} {how}", rate, 1200, "events/s", cpu)


def run_in_parallel(tasks: Sequence[Callable[[], None]]) -> float:
    """Seconds until all of them, started together, are done."""
    failures: list[BaseException] = []

    def run(task: Callable[[], None]) -> None:
        try:
            task()
        except BaseException as failure:  # noqa: BLE001  raised again below
            failures.append(failure)

    threads = [threading.Thread(target=run, args=(task,)) for task in tasks]
    started = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    return time.perf_counter() - started


def _store_threads(url: str, each: int) -> tuple[float, float]:
    """Events a second, and the CPU time of the writers."""
    warehouse = Warehouse()
    lists = [runs_of_writer(warehouse, first, each) for first in range(WRITERS)]
    with opened(Place("", url)) as store:

        def writer(events: Sequence[dict[str, Any]]) -> Callable[[], None]:
            def write() -> None:
                for event in events:
                    store.ingest((event,))

            return write

        before = time.process_time()
        rate = WRITERS * each / run_in_parallel([writer(events) for events in lists])
        return rate, time.process_time() - before


def _store_processes(url: str, each: int) -> tuple[float, float]:
    """Events a second, and the CPU time of the writers."""
    command = [sys.executable, __file__, "--writer", url]
    writers = [
        subprocess.Popen([*command, str(first), str(each)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for first in range(WRITERS)
    ]
    took, outputs = _run_writers(writers)
    return WRITERS * each / took, sum(map(float, outputs))


def _run_writers(writers: Sequence[subprocess.Popen[str]]) -> tuple[float, list[str]]:
    """Seconds until all of them are done, and the last thing that each says."""
    for writer in writers:
        assert writer.stdout
        assert writer.stdout.readline() == "ready\n"
    started = time.perf_counter()
    for writer in writers:
        assert writer.stdin
        writer.stdin.write("go\n")
        writer.stdin.flush()
    outputs = [writer.communicate()[0] for writer in writers]
    assert not any(writer.returncode for writer in writers)
    return time.perf_counter() - started, outputs


_PLAIN = """
import json, sys, psycopg
sys.path.insert(0, sys.argv[4])
from benchmarks.bench_store_writers import runs_of_writer
from benchmarks.history import Warehouse
lines = [json.dumps(event) for event in runs_of_writer(Warehouse(), int(sys.argv[2]), int(sys.argv[3]))]
with psycopg.connect(sys.argv[1], autocommit=True) as connection:
    print("ready", flush=True)
    sys.stdin.readline()
    for line in lines:
        connection.execute("INSERT INTO raw (event) VALUES (%s)", [line])
"""


def _prepare_plain(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE raw (id bigserial PRIMARY KEY, event text NOT NULL)")


def plain_threads(url: str, each: int) -> float:
    """The bound: events a second of a plain loop."""
    _prepare_plain(url)
    warehouse = Warehouse()

    def writer(first: int) -> Callable[[], None]:
        lines = [json.dumps(event) for event in runs_of_writer(warehouse, first, each)]
        connection = psycopg.connect(url, autocommit=True)

        def run() -> None:
            with connection:
                for line in lines:
                    connection.execute("INSERT INTO raw (event) VALUES (%s)", [line])

        return run

    return WRITERS * each / run_in_parallel([writer(first) for first in range(WRITERS)])


def _plain_processes(url: str, each: int) -> float:
    _prepare_plain(url)
    root = str(Path(__file__).parents[1])
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", _PLAIN, url, str(first), str(each), root],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        for first in range(WRITERS)
    ]  # fmt: skip
    return WRITERS * each / _run_writers(writers)[0]


if __name__ == "__main__":
    main()
