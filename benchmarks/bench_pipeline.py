"""The pipeline on local[2]: events from gzip files to lake tables, a lake into PostgreSQL, a day over a year.

Each run is a process of its own, so that the peak of its memory is its own. `--year` also makes a year of 2 million
events, which takes long.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # so that the file runs by itself

from benchmarks.measure import console, fresh_process, jvm_of, session
from benchmarks.stores import Figures, server
from rich.table import Table

from headwater.pipeline.session import LOCAL, SETTINGS
from headwater.simulate import Settings
from headwater.simulate.parts import Part, in_files
from headwater.simulate.summary import Summary
from headwater.simulate.writing import write_files
from headwater.store import open_store

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import SparkSession
    from rich.console import Console

EVENTS, SMALL = 500_000, 100_000
FILES = 16
TABLES = 2_700
YEAR = 365
_EVENTS_A_DAY = 4_850  # of so many tables
RATE, GROWTH, DRIVER_MB, LOAD_RATE, SHARE = 3_000, 15, 1_000, 15_000, 5
_HEAP = "900m"
_STARTING = {"start"}  # what takes time before the first event


def main() -> None:
    """Measure, and print a table; or, with --run, be the process that runs the pipeline once."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=EVENTS)
    parser.add_argument("--small", type=int, default=SMALL)
    parser.add_argument("--year", action="store_true", help="also a day over a year, and the year into PostgreSQL")
    parser.add_argument("--run", nargs=2, metavar=("FILES", "LAKE"), help=argparse.SUPPRESS)
    parser.add_argument("--load", nargs=2, metavar=("LAKE", "URL"), help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.run:
        print(json.dumps(_run(*chosen.run)))
    elif chosen.load:
        print(json.dumps(_load(*chosen.load)))
    else:
        with tempfile.TemporaryDirectory(prefix="headwater-bench-") as name:
            _all(Path(name), chosen, console())


def _all(folder: Path, chosen: argparse.Namespace, out: Console) -> None:
    figures = Figures(f"the pipeline on local[2], from {FILES} gzip files", out)
    sizes = {size: _measured(folder, size) for size in (chosen.small, chosen.events)}
    rates = {size: found["read"] / _spent(found) for size, found in sizes.items()}
    for size, found in sizes.items():
        more = f"{found['read']:,} events, {found['bytes'] / found['read'] / 1000:.1f} kB each"
        figures.at_least(f"about {size:,} events to lake tables", rates[size], RATE, "events/s", more)
        python = f"{found['live_mb']:.0f} MB in use at the end; and Python {found['python_mb']:.0f} MB"
        figures.at_most(f"driver's heap with {size:,}", found["driver_mb"], DRIVER_MB, "MB", python)
    more_an_event = (rates[chosen.small] / rates[chosen.events] - 1) * 100
    figures.at_most(
        f"seconds an event, {chosen.small:,} to {chosen.events:,}", max(0.0, more_an_event), GROWTH, "% more"
    )
    lake = str(folder / f"lake{chosen.events}")
    if chosen.year:
        lake = _year(folder, figures)
    with server() as running:
        loaded = fresh_process(__file__, ["--load", lake, running.create("loaded")])
    figures.at_least("a lake into PostgreSQL", loaded["events"] / loaded["seconds"], LOAD_RATE, "events/s")
    figures.show()
    _stages(sizes, out)


def _measured(folder: Path, events: int) -> dict[str, Any]:
    """The report of a run over so many events."""
    settings = Settings(datasets=TABLES, days=max(1, round(events / _EVENTS_A_DAY)), columns=20)
    files = folder / f"events{events}"
    made = _written(settings, in_files(settings, files, FILES))
    found: dict[str, Any] = fresh_process(__file__, ["--run", str(files), str(folder / f"lake{events}")])
    return {**found, "bytes": made.counts["json_bytes"]}


def _year(folder: Path, figures: Figures) -> str:
    """A day over a year, whose lake stays."""
    settings = Settings(datasets=TABLES, days=YEAR, columns=20)
    whole = in_files(settings, folder / "year", FILES)
    days = [Part(part.first * (YEAR - 1) / YEAR, part.until * (YEAR - 1) / YEAR, part.path) for part in whole]
    _written(settings, days)
    _written(settings, [Part(YEAR - 1, YEAR, folder / "day" / "events.jsonl.gz")])
    lake = str(folder / "lakeyear")
    full, day = (fresh_process(__file__, ["--run", str(folder / name), lake]) for name in ("year", "day"))
    share = _spent(day) / _spent(full) * 100
    more = f"{day['read']:,} events in {_spent(day):.0f} s over {full['read']:,} in {_spent(full):.0f} s"
    figures.at_most("a day over a year, of the full run", share, SHARE, "%", more)
    return lake


def _written(settings: Settings, parts: Sequence[Part]) -> Summary:
    total = Summary()
    for summary in write_files(settings, parts, jobs=2):
        total.merge(summary)
    return total


def _spent(found: dict[str, Any]) -> float:
    return float(sum(seconds for stage, seconds in found["seconds"].items() if stage not in _STARTING))


def _stages(sizes: dict[int, dict[str, Any]], out: Console) -> None:
    stages = list(dict.fromkeys(stage for found in sizes.values() for stage in found["seconds"]))
    table = Table("events", *stages, title="seconds of each stage")
    for found in sizes.values():
        table.add_row(f"{found['read']:,}", *(f"{found['seconds'].get(stage, 0):.1f}" for stage in stages))
    out.print(table)


def _run(files: str, lake: str) -> dict[str, Any]:
    from headwater.pipeline.lake import Lake  # noqa: PLC0415  after --help
    from headwater.pipeline.land import land  # noqa: PLC0415
    from headwater.pipeline.running import run_once  # noqa: PLC0415
    from headwater.pipeline.stages import Stages  # noqa: PLC0415

    stages = Stages()
    with stages("start"):
        spark = _session(Path(lake).parent)
        opened = Lake.open(spark, lake)
    with stages("land"):
        landed = land(spark, [files])
    report = run_once(spark, opened, landed, stages=stages)
    assert not report.bad
    found = {**report.counts(), "seconds": dict(stages.seconds), **_heap_mb(spark)}
    spark.stop()
    return {**found, "python_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000}


def _load(lake: str, url: str) -> dict[str, Any]:
    from headwater.pipeline.load import load  # noqa: PLC0415  after --help

    spark = _session(Path(lake).parent)
    spark.range(1).count()  # Spark has started
    with open_store(url) as store:
        begun = time.perf_counter()
        loaded = load(spark, store, lake)
        taken = time.perf_counter() - begun
    spark.stop()
    return {"events": loaded.accepted, "seconds": taken}


def _session(folder: Path) -> SparkSession:
    own = {"spark.master": "local[2]", "spark.driver.memory": _HEAP, "spark.sql.shuffle.partitions": "4"}
    return session(folder, {**SETTINGS, **LOCAL, **own})


def _heap_mb(spark: SparkSession) -> dict[str, float]:
    """The most that the driver's heap may hold, and what is in it at the end; on local[2] its workers share it."""
    jvm = jvm_of(spark)
    jvm.System.gc()
    runtime = jvm.java.lang.Runtime.getRuntime()
    return {"driver_mb": runtime.maxMemory() / 1e6, "live_mb": (runtime.totalMemory() - runtime.freeMemory()) / 1e6}


if __name__ == "__main__":
    main()
