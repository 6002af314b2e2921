"""A long-running application: thousands of random statements, and memory, threads and what is remembered stay flat.

`python -m tests.truth.programs.soak --statements 2000`
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sized
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from openlineage.client import OpenLineageClient
from openlineage.client.client import Event
from openlineage.client.event_v2 import RunEvent, RunState
from openlineage.client.transport import Transport
from pyspark.sql import SparkSession
from rich.console import Console
from rich.table import Table

from headwater.capture.settings.settings import Settings
from headwater.capture.tracker import Tracker
from headwater.store.transport import StoreConfig, StoreTransport

from .generate import generate
from .run import session
from .running import Run

MOST_GROWTH = 1.1
"""How much higher the last level may be than the first."""
_KEEPS_FEW = {
    # Spark remembers a thousand of each for its page: what it remembers must not grow while we look.
    "spark.sql.ui.retainedExecutions": "20",
    "spark.ui.retainedJobs": "20",
    "spark.ui.retainedStages": "20",
    "spark.ui.retainedTasks": "100",
    "spark.worker.ui.retainedExecutors": "1",
    "spark.sql.streaming.ui.retainedQueries": "2",
    "spark.cleaner.periodicGC.interval": "20s",
    # The same for threads, which wait a minute for the next work.
    "spark.sql.broadcastExchange.maxThreadThreshold": "2",
    "spark.sql.shuffleExchange.maxThreadThreshold": "2",
    "spark.sql.resultQueryStage.maxThreadThreshold": "2",
    "spark.sql.subquery.maxThreadThreshold": "2",
}


class _Counted(Transport):
    """Counts completed runs on their way into the store."""

    kind = "counted"

    def __init__(self, store: str) -> None:
        self.started: set[str] = set()
        self.completed = 0
        self._store = StoreTransport(StoreConfig(store=store))

    def emit(self, event: Event) -> None:
        self._store.emit(event)
        if isinstance(event, RunEvent) and "parent" in (event.run.facets or {}):
            if event.eventType == RunState.START:
                self.started.add(event.run.runId)
            elif event.eventType == RunState.COMPLETE:
                self.started.discard(event.run.runId)
                self.completed += 1

    def close(self, timeout: float = -1) -> bool:
        return self._store.close(timeout)


@dataclass(frozen=True)
class Level:
    """What an application takes after so many statements.

    Attributes:
        remembered: how much the tracker keeps, by where.
        waiting: how much the listener in the driver keeps, by where.
    """

    statements: int
    python_mb: float
    python_threads: int
    heap_mb: float
    jvm_threads: int
    remembered: Mapping[str, int]
    waiting: Mapping[str, int]


class Soak:
    """Runs random programs in one tracked application.

    Args:
        spark: a session of the application.
        folder: an empty folder.
        seed: decides the programs.
    """

    def __init__(self, spark: SparkSession, folder: Path, seed: int) -> None:
        spark.sparkContext.setCheckpointDir(str(folder / "checkpoints"))
        self._spark = spark
        self._folder = folder
        self._seed = seed
        self._transport = _Counted(f"sqlite:///{folder}/lineage.db")
        self._tracker = Tracker(spark, Settings(), OpenLineageClient(transport=self._transport))
        self._numbers = iter(range(1_000_000))
        self.statements = 0
        self.failed = 0
        self.missing: list[str] = []

    def until(self, statements: int) -> Level:
        """Run programs until so many statements have written something."""
        while self.statements < statements:
            self._one(next(self._numbers))
        return self._level()

    def close(self) -> None:
        """Track no more."""
        self._tracker.stop()

    def _one(self, number: int) -> None:
        program = generate(self._seed, number)
        # What cleaning up after the program before has made is none of this one's.
        self._tracker.flush()
        self._transport.started.clear()
        before = self._transport.completed
        with Run(self._spark, program, self._folder / f"run{number}") as run:
            try:
                run.execute()
            except Exception:  # noqa: BLE001 (a random program may fail in any way; the application goes on)
                self.failed += 1
                return
            self.statements += program.completes
            if not self._tracker.flush():
                self.missing.append(f"program {number}: its events did not come in time")
            completed = self._transport.completed - before
        if completed != program.completes or self._transport.started:
            self.missing.append(
                f"program {number}: {completed} of {program.completes} statements completed, "
                f"{len(self._transport.started)} runs are open"
            )

    def _level(self) -> Level:
        gc.collect()
        jvm: Any = self._spark.sparkContext._jvm
        for _ in range(3):  # the collector may leave something to the next time
            jvm.java.lang.System.gc()
            time.sleep(0.5)
        runtime = jvm.java.lang.Runtime.getRuntime()
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        threads = jvm.java.lang.management.ManagementFactory.getThreadMXBean()
        return Level(
            self.statements,
            pages * os.sysconf("SC_PAGE_SIZE") / 1e6,
            # py4j keeps a thread for each connection that a streaming query has called back on, tracked or not.
            sum("(run)" not in thread.name for thread in threading.enumerate()),
            float(runtime.totalMemory() - runtime.freeMemory()) / 1e6,
            int(threads.getThreadCount()),
            self._remembered(),
            self._waiting(),
        )

    def _remembered(self) -> dict[str, int]:
        tracker = self._tracker
        parts = {"tracker": tracker, "executions": tracker._executions, "links": tracker._links}
        return {
            f"{name}.{field}": len(held)
            for name, part in parts.items()
            for field, held in vars(part).items()
            if isinstance(held, Sized) and not isinstance(held, str)
        }

    def _waiting(self) -> dict[str, int]:
        """The sizes of the maps and sets of the listener and of its parts, whatever they have."""
        assert self._tracker._listener is not None
        parts: list[Any] = [self._tracker._listener._listener]
        found: dict[str, int] = {}
        while parts:
            part = parts.pop()
            for field in part.getClass().getDeclaredFields():
                field.setAccessible(True)
                held = field.get(part)
                if isinstance(held, Sized) and not isinstance(held, str):
                    found[str(field.getName())] = len(held)
                elif str(field.getType().getName()).startswith("headwater."):
                    parts.append(held)
        return found


def grown(first: Level, last: Level) -> Iterator[str]:
    """What has grown between two levels, in sentences."""
    for what in ("python_mb", "heap_mb", "python_threads", "jvm_threads"):
        before, after = getattr(first, what), getattr(last, what)
        if after > before * MOST_GROWTH:
            yield f"{what} has grown from {before:.0f} to {after:.0f}"
    for place, count in last.waiting.items():
        if count > max(first.waiting.get(place, 0), 8) * MOST_GROWTH and place not in _BOUNDED:
            yield f"the listener's {place} has grown from {first.waiting.get(place, 0)} to {count}"
    for place, count in last.remembered.items():
        if count > max(first.remembered.get(place, 0), 8) * MOST_GROWTH and not place.startswith("links."):
            yield f"{place} has grown from {first.remembered.get(place, 0)} to {count}"
        if count > _MOST_LINKS:
            yield f"{place} keeps {count}"


_MOST_LINKS = 1000
# What keeps the last thousand on purpose.
_BOUNDED = frozenset({"announcedSaves"})


def main() -> int:
    """Run, and say how it went. The exit code is 1 if something has grown, or an event is missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--statements", type=int, default=2000, metavar="N", help="how many statements (2000)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="decides the programs (1)")
    options = parser.parse_args()
    spark = session(_KEEPS_FEW)
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        soak = Soak(spark, Path(folder), options.seed)
        levels = [soak.until(options.statements * quarter // 4) for quarter in (1, 2, 3, 4)]
        soak.close()
    spark.stop()
    console = Console(width=180)
    console.print(_table(levels))
    console.print(f"{soak.statements} statements in {time.monotonic() - start:.0f} s; {soak.failed} programs failed.")
    problems = [*grown(levels[0], levels[-1]), *soak.missing]
    console.print("\n".join(problems) or "Nothing has grown, and no event is missing.", markup=False)
    return 1 if problems else 0


def _table(levels: list[Level]) -> Table:
    table = Table(
        "statements", "Python, MB", "threads", "heap, MB", "JVM threads", "remembered", "in the listener", box=None
    )
    for level in levels:
        table.add_row(
            str(level.statements),
            f"{level.python_mb:.0f}",
            str(level.python_threads),
            f"{level.heap_mb:.0f}",
            str(level.jvm_threads),
            _told(level.remembered),
            _told(level.waiting),
        )
    return table


def _told(sizes: Mapping[str, int]) -> str:
    return ", ".join(f"{place} {count}" for place, count in sizes.items() if count) or "nothing"


if __name__ == "__main__":
    sys.exit(main())
