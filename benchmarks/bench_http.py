"""The server over HTTP, with PostgreSQL beside it on this machine: events in, one a request, and questions.

PostgreSQL has fsync and synchronous_commit on. The bound is a plain loop that inserts and commits the same raw events,
one a transaction, over as many connections. `--minutes 60` keeps the load up for an hour to watch the memory.

    python benchmarks/bench_http.py --edges 100000 --events 4000
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # so that the file runs by itself

from benchmarks.bench_store_writers import plain_threads, run_in_parallel, runs_of_writer
from benchmarks.history import Warehouse, in_batches
from benchmarks.loaded import VERSIONS_AN_EDGE, Many, load, many_with
from benchmarks.measure import console
from benchmarks.over_http import Connection, Server, path_of, post, served
from benchmarks.stores import Figures, Place, opened, percentile, server, server_cpu
from rich.console import Console
from tests.postgres import Postgres

EVENTS = 20_000
EDGES = 1_000_000
CONNECTIONS = 8
QUESTIONS = 300
IN_BETWEEN = 300
_NAMESPACE = "s3://lake"
_OK, _CREATED = 200, 201


def main() -> None:
    """Measure, and print three tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=EVENTS)
    parser.add_argument("--edges", type=int, default=EDGES)
    parser.add_argument("--questions", type=int, default=QUESTIONS)
    parser.add_argument("--minutes", type=float, default=1.0, help="how long to watch the memory")
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    out = console()
    with server() as running:
        workers = ("--workers", str(given.workers))
        figures = Figures(f"HTTP: one event a request, {CONNECTIONS} connections", out)
        _events(running, given.events, workers, figures, out)
        figures.show()
        figures = Figures(f"HTTP: questions, {given.edges:,} column edges in force", out)
        _questions(running, given.edges, given.questions, workers, figures, out)
        figures.show()
        figures = Figures(f"HTTP: memory, {given.minutes:g} min of load", out)
        _memory(running, given.minutes, workers, figures, out)
        figures.show()


def _events(running: Postgres, events: int, workers: Sequence[str], figures: Figures, out: Console) -> None:
    each = events // CONNECTIONS // 2 * 2
    with out.status("the bound"):
        bound = plain_threads(running.create("bound"), each)
    figures.at_least(f"the bound: a plain loop, {CONNECTIONS} connections", bound, None, "events/s")
    url = running.create("events")
    _know_every_table(url)
    with served(url, *workers) as served_at, out.status("events"):
        figures.at_most("from start to ready", served_at.started_in, 2, "s")
        lists = [list(map(post, runs_of_writer(Warehouse(), first, each))) for first in range(CONNECTIONS)]
        took: list[float] = []
        before = server_cpu(running)
        seconds = run_in_parallel([_writer(served_at.port, requests, took) for requests in lists])
        spent = (server_cpu(running) - before) / events * 1000
        rate = CONNECTIONS * each / seconds
        more = f"{rate / bound:.2f} of the bound; ms of PostgreSQL's CPU an event: {spent:.2f}"
        figures.at_least("events", rate, 1000, "events/s", more)
        figures.at_most("a request, p95", percentile(took, 95), 25, "ms", f"p50 {percentile(took, 50):.1f} ms")
        figures.at_most("memory afterwards", served_at.resident(), 500, "MB")


def _know_every_table(url: str) -> None:
    """As on any day but the first."""
    warehouse = Warehouse()
    with opened(Place("", url)) as store:
        for batch in in_batches(warehouse.day(-1), 2 * warehouse.tables, 500):
            store.ingest(batch)


def _writer(port: int, requests: Sequence[bytes], took: list[float]) -> Callable[[], None]:
    connection = Connection(port)

    def write() -> None:
        for written in requests:
            started = time.perf_counter()
            status, body = connection.send(written)
            took.append((time.perf_counter() - started) * 1000)
            assert status == _CREATED, body

    return write


def _questions(  # noqa: PLR0913, PLR0917  what a benchmark needs
    running: Postgres, edges: int, count: int, workers: Sequence[str], figures: Figures, out: Console
) -> None:
    url = running.create("questions")
    warehouse = many_with(edges)
    with opened(Place("", url)) as store:
        load(store, warehouse, int(edges * VERSIONS_AN_EDGE), out)
        with store.database.alone() as session:  # as autovacuum does a little later
            session.run("VACUUM ANALYZE")
    with served(url, *workers) as served_at, out.status("questions"):
        for name, asked, paths in _kinds(warehouse):
            _ask(served_at, name, asked, list(itertools.islice(paths, count)), figures)
        with _events_beside(served_at.port) as sent:
            columns = list(itertools.islice(_columns(warehouse), count))
            _ask(served_at, f"/column-lineage while {IN_BETWEEN} events/s come in", 50, columns, figures)
        figures.at_least("events that came in meanwhile", sum(sent), IN_BETWEEN, "events/s")
        figures.at_most("memory afterwards", served_at.resident(), 500, "MB")


def _kinds(warehouse: Many) -> Iterator[tuple[str, float, Iterator[str]]]:
    jobs = itertools.repeat(path_of("/api/v1/jobs", limit=25))
    yield "/column-lineage of a column, depth 20", 15, _columns(warehouse)
    yield "/questions/upstream of a column, depth 20", 15, _upstream(warehouse)
    yield "/lineage of a dataset, depth 20", 100, _tables(warehouse)
    yield f"/jobs?limit=25 of {warehouse.tables:,} jobs", 30, jobs


def _columns(warehouse: Many) -> Iterator[str]:
    for table, column in _sampled_columns(warehouse):
        node = f"datasetField:{_NAMESPACE}:{warehouse.name(table)}:{column}"
        yield path_of("/api/v1/column-lineage", nodeId=node, depth=20)


def _upstream(warehouse: Many) -> Iterator[str]:
    for table, column in _sampled_columns(warehouse):
        dataset = f"{_NAMESPACE}/{warehouse.name(table)}"
        yield path_of("/api/v1/questions/upstream", dataset=dataset, column=column, depth=20)


def _tables(warehouse: Many) -> Iterator[str]:
    for table, _ in _sampled_columns(warehouse):
        yield path_of("/api/v1/lineage", nodeId=f"dataset:{_NAMESPACE}:{warehouse.name(table)}", depth=20)


def _sampled_columns(warehouse: Many) -> Iterator[tuple[int, str]]:
    chance = random.Random(3)  # noqa: S311  questions, no secret
    while True:
        yield chance.randrange(warehouse.tables), f"c{chance.randrange(warehouse.columns):02}"


def _ask(served_at: Server, name: str, asked: float, paths: Sequence[str], figures: Figures) -> None:
    connection = Connection(served_at.port)
    took: list[float] = []
    sizes: list[int] = []
    for place, path in enumerate(paths):
        started = time.perf_counter()
        status, body = connection.ask("GET", path)
        passed = (time.perf_counter() - started) * 1000
        assert status == _OK, body
        # The first ones are not counted: a server that has been asked before has its tables in memory.
        if place >= len(paths) // 4:
            took.append(passed)
            sizes.append(len(body))
    more = f"p50 {percentile(took, 50):.1f}, max {max(took):.1f} ms; answers of {percentile(sizes, 50) / 1000:.0f} kB"
    figures.at_most(f"{name}, p95", percentile(took, 95), asked, "ms", more)


@contextmanager
def _events_beside(port: int) -> Iterator[list[float]]:
    """So many events a second while the block runs, over several connections; afterwards, how many there were."""
    stop = threading.Event()
    sent = [0.0] * CONNECTIONS

    def send(place: int) -> None:
        connection = Connection(port)
        warehouse = Warehouse(dated=0, seed=9 + place)
        started = time.perf_counter()
        for number, event in enumerate(itertools.chain.from_iterable(map(warehouse.day, itertools.count())), 1):
            status, body = connection.send(post(event))
            assert status == _CREATED, body
            passed = time.perf_counter() - started
            sent[place] = number / passed
            if stop.wait(max(0.0, number * CONNECTIONS / IN_BETWEEN - passed)):
                return

    threads = [threading.Thread(target=send, args=(place,)) for place in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    time.sleep(3)  # until the tables are known
    try:
        yield sent
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def _memory(running: Postgres, minutes: float, workers: Sequence[str], figures: Figures, out: Console) -> None:
    """Events and questions together, for some time: what the server holds after a quarter of it, and at the end."""
    url = running.create("memory")
    _know_every_table(url)
    warehouse = Warehouse()
    until = time.monotonic() + minutes * 60

    def load_it(number: int) -> None:
        connection = Connection(served_at.port)
        node = f"dataset:{_NAMESPACE}:{warehouse.name(number)}"
        question = path_of("/api/v1/lineage", nodeId=node, depth=20)
        for day in itertools.count():
            for table in range(number, warehouse.tables, CONNECTIONS):
                for event in (warehouse.start(table, day), warehouse.complete(table, day)):
                    assert connection.send(post(event))[0] == _CREATED
                assert connection.ask("GET", question)[0] == _OK
                if time.monotonic() > until:
                    return

    with served(url, *workers) as served_at, out.status("memory"):
        threads = [threading.Thread(target=load_it, args=(number,)) for number in range(CONNECTIONS)]
        for thread in threads:
            thread.start()
        time.sleep(minutes * 15)
        first = served_at.resident()
        for thread in threads:
            thread.join()
        last = served_at.resident()
    figures.at_most("memory at the end", last, 500, "MB", f"{first:.0f} after a quarter of the time")


if __name__ == "__main__":
    main()
