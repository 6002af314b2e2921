"""The pipeline on local[2]: events from gzip files to lake tables, a lake into PostgreSQL, a day over a year.

Each run is a process of its own, so that its memory is its own; only the day over a year comes after another day in its
process, as in a stream, so that Spark's start is not in it. The year has 1.8 million events and takes the most time:
`--no-year` leaves it out.
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

from headwater.lake.session.session import LOCAL, SETTINGS
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


def main() -> None:
    """Measure, and print a table; or, with --run, be the process that runs the pipeline once."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=EVENTS)
    parser.add_argument("--small", type=int, default=SMALL)
    parser.add_argument("--no-year", action="store_true", help="no day over a year; the smaller lake into PostgreSQL")
    parser.add_argument("--run", nargs="+", metavar="LAKE FILES", help=argparse.SUPPRESS)
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
    rates = {size: report["read"] / _spent(report) for size, report in sizes.items()}
    for size, report in sizes.items():
        more = f"{report['read']:,} events, {report['bytes'] / report['read'] / 1000:.1f} kB each"
        figures.at_least(f"about {size:,} events to lake tables", rates[size], RATE, "events/s", more)
        python = f"{report['live_mb']:.0f} MB in use at the end; and Python {report['python_mb']:.0f} MB"
        figures.at_most(f"{size:,} within a driver's heap of", report["driver_mb"], DRIVER_MB, "MB", python)
    more_an_event = (rates[chosen.small] / rates[chosen.events] - 1) * 100
    figures.at_most(
        f"seconds an event, {chosen.small:,} to {chosen.events:,}", max(0.0, more_an_event), GROWTH, "% more"
    )
    lake = str(folder / f"lake{chosen.events}")
    if not chosen.no_year:
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
    summary = _written(settings, in_files(settings, files, FILES))
    report: dict[str, Any] = fresh_process(__file__, ["--run", str(folder / f"lake{events}"), str(files)])
    return {**report, "bytes": summary.counts["json_bytes"]}


def _year(folder: Path, figures: Figures) -> str:
    """A day over a year, whose lake stays."""
    settings = Settings(datasets=TABLES, days=YEAR, columns=20)
    share = (YEAR - 2) / YEAR
    whole = in_files(settings, folder / "year", FILES)
    _written(settings, [Part(part.first * share, part.until * share, part.path) for part in whole])
    names = ("last-but-one", "last")
    for name, day in zip(names, (YEAR - 2, YEAR - 1), strict=True):
        _written(settings, [Part(day, day + 1, folder / name / "events.jsonl.gz")])
    lake = str(folder / "lakeyear")
    full = fresh_process(__file__, ["--run", lake, str(folder / "year")])
    day = fresh_process(__file__, ["--run", lake, *(str(folder / name) for name in names)])
    spent, first, of_all = (_spent(report) for report in (day, day["first"], full))
    more = f"{day['read']:,} events in {spent:.0f} s ({first:.0f} s the day before, right after Spark's start)"
    more += f" over {full['read']:,} in {of_all:.0f} s"
    figures.at_most("a day over a year, of the full run", spent / of_all * 100, SHARE, "%", more)
    figures.at_least("the year to lake tables", full["read"] / of_all, RATE, "events/s")
    return lake


def _written(settings: Settings, parts: Sequence[Part]) -> Summary:
    total = Summary()
    for summary in write_files(settings, parts, jobs=2):
        total.merge(summary)
    return total


def _spent(report: dict[str, Any]) -> float:
    return float(sum(report["seconds"].values()))


def _stages(sizes: dict[int, dict[str, Any]], out: Console) -> None:
    stages = list(dict.fromkeys(stage for report in sizes.values() for stage in report["seconds"]))
    table = Table("events", *stages, title="seconds of each stage")
    for report in sizes.values():
        table.add_row(f"{report['read']:,}", *(f"{report['seconds'].get(stage, 0):.1f}" for stage in stages))
    out.print(table)


def _run(lake: str, *names: str) -> dict[str, Any]:
    """Run the pipeline over some files, and then over others; the report of the last, with the first one's in it."""
    from headwater.lake.lake import Lake  # noqa: PLC0415  after --help
    from headwater.pipeline.land.land import land  # noqa: PLC0415
    from headwater.pipeline.run import run_once  # noqa: PLC0415
    from headwater.pipeline.stages import Stages  # noqa: PLC0415

    begun = time.monotonic()
    spark = _session(Path(lake).parent)
    started = time.monotonic() - begun
    reports = []
    for files in names:
        stages = Stages()
        with stages("land"):
            landed = land(spark, [files])
        report = run_once(spark, Lake.open(spark, lake), landed, stages=stages)
        assert not report.bad
        reports.append({**report.counts(), "seconds": dict(stages.seconds)})
    last = {**reports[-1], "first": reports[0], "start": started, **_heap_mb(spark)}
    spark.stop()
    return {**last, "python_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000}


def _load(lake: str, url: str) -> dict[str, Any]:
    from headwater.pipeline.load.load import load  # noqa: PLC0415  after --help

    spark = _session(Path(lake).parent)
    spark.range(1).count()  # Spark has started
    with open_store(url) as store:
        begun = time.perf_counter()
        loaded = load(spark, store, lake)
        seconds = time.perf_counter() - begun
    spark.stop()
    return {"events": loaded.accepted, "seconds": seconds}


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
