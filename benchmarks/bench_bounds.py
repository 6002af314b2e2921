"""Programs that once took a driver down: what Headwater adds to them, and how large its events are, beside plain Spark.

Each program runs in a process of its own, once plain and once tracked: the time until everything is sent, the CPU time
of Python and of the listeners, the most memory that Python had, and the largest event. At the end, a tracked
application that does nothing for a while: Python's share of a core.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # so that the file runs by itself

from benchmarks.measure import aside_seconds, console, facets, fresh_process, session, settle, tracker_to
from rich.table import Table

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

ARMS = ("plain", "tracked")
IDLE_SECONDS = 60
IDLE_SHARE = 0.05
LARGEST_EVENT = 5.0  # MB
MOST_MEMORY = 100.0  # MB more than plain


def main() -> None:
    """Run every program both ways, and print the table; or, with --arm, be one of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--arm", choices=ARMS)
    parser.add_argument("--program", choices=[*PROGRAMS, "idle"])
    chosen = parser.parse_args()
    if chosen.arm is None:
        sys.exit(_compare())
    with tempfile.TemporaryDirectory() as folder:
        run = _idle if chosen.program == "idle" else _run
        print(json.dumps(run(Path(folder), chosen.program, tracked=chosen.arm == "tracked")))


def _source(spark: SparkSession, folder: Path, *names: str) -> DataFrame:
    spark.range(3).selectExpr(*(f"CAST(id AS DOUBLE) AS {name}" for name in names)).write.parquet(str(folder / "in"))
    return spark.read.parquet(str(folder / "in"))


def _reuse(steps: int) -> Callable[[SparkSession, Path], DataFrame]:
    """Each step uses the result of the one before twice."""

    def program(spark: SparkSession, folder: Path) -> DataFrame:
        frame = _source(spark, folder, "score", *(f"f{n}" for n in range(steps)))
        for step in range(steps):
            frame = frame.withColumn("score", frame["score"] + frame[f"f{step}"] * frame["score"])
        return frame

    return program


def _whole_rows(width: int) -> Callable[[SparkSession, Path], DataFrame]:
    """Code over whole rows: nobody knows which column goes where."""

    def program(spark: SparkSession, folder: Path) -> DataFrame:
        frame = _source(spark, folder, *(f"c{n}" for n in range(width)))
        return frame.mapInPandas(lambda batches: batches, frame.schema)

    return program


def _conditions(width: int) -> Callable[[SparkSession, Path], DataFrame]:
    """One condition over all columns, for each of them."""

    def program(spark: SparkSession, folder: Path) -> DataFrame:
        names = [f"c{n}" for n in range(width)]
        frame = _source(spark, folder, *names)
        every = ", ".join(names)
        return frame.selectExpr(
            *(f"CASE WHEN coalesce({every}) > {n} THEN {name} END AS {name}" for n, name in enumerate(names))
        )

    return program


PROGRAMS: dict[str, Callable[[SparkSession, Path], DataFrame]] = {
    "reuse, 24 steps": _reuse(24),
    "reuse, 60 steps": _reuse(60),
    "mapInPandas, 1,000 columns": _whole_rows(1000),
    "conditions over 300 columns": _conditions(300),
}


def _run(folder: Path, program: str, *, tracked: bool) -> dict[str, float]:
    spark = session(folder)
    events = folder / "events.jsonl"
    frame = PROGRAMS[program](spark, folder)
    tracker = tracker_to(spark, events) if tracked else None
    settle(spark)
    began, spent = time.monotonic(), aside_seconds(spark)
    frame.write.parquet(str(folder / "out"))
    settle(spark)
    assert tracker is None or tracker.flush(600)
    figures = {
        "seconds": time.monotonic() - began,
        "cpu": aside_seconds(spark) - spent,
        "mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3,
        "event": 0.0,
        "edges": 0.0,
    }
    if tracker is not None:
        tracker.stop()
        figures["event"] = max(len(line) for line in events.read_text(encoding="utf-8").splitlines()) / 1e6
        facet: dict[str, Any] = facets(events, "out")
        by_column = sum(len(part["inputFields"]) for part in facet["fields"].values())
        figures["edges"] = by_column + len(facet.get("dataset", ()))
    spark.stop()
    return figures


def _idle(folder: Path, _program: str, *, tracked: bool) -> dict[str, float]:
    spark = session(folder)
    tracker = tracker_to(spark, folder / "events.jsonl") if tracked else None
    time.sleep(5)  # the start is work
    spent = time.process_time()
    time.sleep(IDLE_SECONDS)
    share = (time.process_time() - spent) / IDLE_SECONDS
    if tracker is not None:
        tracker.stop()
    spark.stop()
    return {"share": share}


def _compare() -> int:
    out = console()
    table = Table(
        "program", "plain s", "tracked s", "listeners and Python, CPU s", "Python MB, plain", "tracked",
        "largest event MB", "edges",
        title="A write until all is sent",
    )  # fmt: skip
    missed = []
    for program in PROGRAMS:
        plain, tracked = (fresh_process(__file__, ["--arm", arm, "--program", program]) for arm in ARMS)
        table.add_row(
            program, f"{plain['seconds']:.1f}", f"{tracked['seconds']:.1f}",
            f"{plain['cpu']:.2f} → {tracked['cpu']:.2f}",
            f"{plain['mb']:.0f}", f"{tracked['mb']:.0f}", f"{tracked['event']:.2f}", f"{tracked['edges']:.0f}",
        )  # fmt: skip
        if tracked["event"] > LARGEST_EVENT or tracked["mb"] - plain["mb"] > MOST_MEMORY:
            missed.append(program)
    out.print(table)
    share = fresh_process(__file__, ["--arm", "tracked", "--program", "idle"])["share"]
    out.print(f"Idle for {IDLE_SECONDS} s: Python takes {share:.2%} of a core (at most {IDLE_SHARE:.0%}).")
    if share > IDLE_SHARE:
        missed.append("idle")
    if missed:
        out.print(f"[red]Over the bounds: {', '.join(missed)}")
    return 1 if missed else 0


if __name__ == "__main__":
    main()
