"""Many small writes in one application: the memory of the driver and of Python, with Headwater and without.

Each arm has a process of its own. The heap is what is alive after a collection. Spark's own history of executions is
kept short, or its growth would be all that is seen.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # so that the file runs by itself

from benchmarks.measure import console, fresh_process, heap_mb, resident_mb, session, settle, tracker_to
from rich.table import Table

ARMS = ("plain", "headwater")
MARKS = (100, 300, 1000)
FLAT = 5.0  # MB more growth than plain Spark has; a choice, about 7 KB a write
SHORT_HISTORY = {
    "spark.sql.ui.retainedExecutions": "20",
    "spark.ui.retainedJobs": "20",
    "spark.ui.retainedStages": "20",
    "spark.ui.retainedTasks": "100",
}


def main() -> None:
    """Run both arms, and print the table; or, with --arm, be one of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--arm", choices=ARMS)
    chosen = parser.parse_args()
    if chosen.arm is None:
        _compare()
        return
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(_run(Path(folder), tracked=chosen.arm == "headwater")))


def _run(folder: Path, *, tracked: bool) -> list[tuple[float, float]]:
    spark = session(folder, SHORT_HISTORY)
    spark.sql("CREATE TABLE numbers (id INT, amount DOUBLE, city STRING) USING parquet")
    tracker = tracker_to(spark, folder / "events.jsonl") if tracked else None
    sizes = []
    for number in range(1, MARKS[-1] + 1):
        frame = spark.sql(f"SELECT city, SUM(amount) AS n{number} FROM numbers WHERE id > {number} GROUP BY city")  # noqa: S608
        frame.write.mode("overwrite").parquet(str(folder / f"out{number % 10}"))
        if number in MARKS:
            settle(spark)
            assert tracker is None or tracker.flush()
            sizes.append((heap_mb(spark), resident_mb()))
    if tracker is not None:
        tracker.stop()
    spark.stop()
    return sizes


def _compare() -> None:
    results: dict[str, list[list[float]]] = {arm: fresh_process(__file__, ["--arm", arm]) for arm in ARMS}
    table = Table("", *(f"{mark:,} writes" for mark in MARKS), f"{MARKS[1]:,} to {MARKS[-1]:,}", title="Memory in MB")
    grown = {}
    for arm, marks in results.items():
        for place, part in enumerate(("heap of the driver", "Python")):
            values = [mark[place] for mark in marks]
            grown[arm, part] = values[-1] - values[1]
            table.add_row(f"{part}, {arm}", *(f"{value:.1f}" for value in values), f"{grown[arm, part]:+.1f}")
    out = console()
    out.print(table)
    for part in ("heap of the driver", "Python"):
        more = grown["headwater", part] - grown["plain", part]
        verdict = "flat" if more <= FLAT else "NOT flat"
        out.print(
            f"The {part}: {verdict} ({more:+.1f} MB more growth than without, over {MARKS[-1] - MARKS[1]} writes)."
        )


if __name__ == "__main__":
    main()
