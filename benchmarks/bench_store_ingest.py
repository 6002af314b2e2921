"""How fast the store takes batches of events, what they cost, how much room they need; on PostgreSQL and on SQLite.

PostgreSQL runs on this machine with fsync and synchronous_commit on. CPU time is that of this Python and of all of the
server's processes.

    python benchmarks/bench_store_ingest.py --events 20000
"""

from __future__ import annotations

import argparse
import io
import itertools
import json
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # so that the file runs by itself

from benchmarks.history import Warehouse, in_batches
from benchmarks.measure import console
from benchmarks.stores import DATABASES, Figures, Place, Size, opened, places, progress, remove, size, timed
from rich.console import Console

from headwater.cli.store.event_lines import raw_lines
from headwater.cli.store.loading import load_in_processes

EVENTS = 200_000
BATCH = 500
CHUNK = 5_000
PROCESSES = 2


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=EVENTS)
    parser.add_argument("--databases", nargs="+", default=DATABASES, choices=DATABASES)
    parser.add_argument(
        "--dated", type=int, default=Warehouse.dated, help="of a hundred jobs, with the day as a literal"
    )
    given = parser.parse_args()
    out = console()
    figures = Figures(f"store: batches of {BATCH}, {given.events:,} events of daily runs", out)
    with places(given.databases) as make:
        for place in make("batches"):
            _batches(place, given.events, Warehouse(dated=given.dated), figures, out)
            remove(place)
        for place in make("processes"):
            _processes(place, given.events, Warehouse(dated=given.dated), figures, out)
            remove(place)
    figures.show()


def _batches(place: Place, events: int, warehouse: Warehouse, figures: Figures, out: Console) -> None:
    """Ingest in batches; only the store's part is on the clock, the events are made beside it."""
    quarter = max(CHUNK, events // 4 // CHUNK * CHUNK)
    seconds, own, served, done = 0.0, 0.0, 0.0, 0
    sizes: list[tuple[Size, Size]] = []
    with opened(place) as store, progress(out) as bar:
        task = bar.add_task(place.name, total=events)
        for batch in in_batches(itertools.chain.from_iterable(map(warehouse.day, itertools.count())), events, CHUNK):
            batches = [batch[first : first + BATCH] for first in range(0, len(batch), BATCH)]
            before, started = place.cpu(), time.perf_counter()
            # As `headwater ingest` does it: one batch is read while another is written.
            results = list(store.ingest_many(batches))
            seconds += time.perf_counter() - started
            after = place.cpu()
            assert sum(result.accepted for result in results) == len(batch)
            own, served = own + after[0] - before[0], served + after[1] - before[1]
            done += len(batch)
            if done in {quarter, events}:
                sizes.append((size(place, compact=False), size(place, compact=True)))
            bar.advance(task, len(batch))
        more = f"{warehouse.dated} % of jobs have the day in their texts"
        figures.at_least(f"{place.name}: ingest", done / seconds, 3000 if place.server else 2000, "events/s", more)
        cpu = f"Python {own / done * 1000:.3f}, server {served / done * 1000:.3f}"
        figures.at_most(f"{place.name}: CPU an event", (own + served) / done * 1000, None, "ms", cpu)
        for how, first, last in zip(("as it grew", "packed by VACUUM"), *sizes, strict=True):
            runs = (done - quarter) / 2
            raw = (last.raw - first.raw) / runs
            derived = (last.total - first.total) / runs - raw
            beside = f"beside {raw:.0f} of raw events"
            figures.at_most(f"{place.name}: a repeated run, {how}", derived, 1000, "bytes", beside)
        figures.at_least(f"{place.name}: rebuild", done / timed(store.rebuild), 5000, "events/s")


def _processes(place: Place, events: int, warehouse: Warehouse, figures: Figures, out: Console) -> None:
    """The same as `headwater ingest --jobs` does it: a file, read, checked and written by several processes."""
    with tempfile.TemporaryFile() as written, progress(out) as bar:
        task = bar.add_task("a file of events", total=events)
        for batch in in_batches(itertools.chain.from_iterable(map(warehouse.day, itertools.count())), events, CHUNK):
            written.writelines(json.dumps(event).encode() + b"\n" for event in batch)
            bar.advance(task, len(batch))
        written.seek(0)
        task = bar.add_task(f"{place.name}, {PROCESSES} processes", total=events)
        with opened(place) as store:
            store.prepare()
        lines = raw_lines(io.BufferedReader(written.raw))
        stored, started = 0, time.perf_counter()
        for loaded in load_in_processes(place.url, PROCESSES, iter(lambda: list(itertools.islice(lines, BATCH)), [])):
            stored += loaded.accepted
            bar.update(task, completed=stored)
        seconds = time.perf_counter() - started
    assert stored == events
    asked = 3000 if place.server else 2000
    more = "from a file, with the start of the processes"
    figures.at_least(f"{place.name}: ingest --jobs {PROCESSES}", events / seconds, asked, "events/s", more)


if __name__ == "__main__":
    main()
