"""Wide tables: 1,000 to 10,000 columns through three projections, written as parquet, with and without Headwater.

CPU time of the driver's JVM and of Python together, in one process, plain and tracked in turns. The difference of two
long writes is noisy, so the parts of Headwater's own work are timed one by one as well.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1]))  # so that the file runs by itself

from benchmarks.measure import console, cpu_seconds, facets, session, settle, tracker_to
from benchmarks.parts import PARTS, Parts
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

WIDTHS = (1000, 3000, 10_000)
ROUNDS = 3
TARGET = 3.0


def main() -> None:
    """Measure, and print two tables."""
    out = console()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        spark = session(folder, {"spark.driver.memory": "6g"})
        frames = {width: _wide(spark, folder, width) for width in WIDTHS}
        added = _added(spark, folder, frames, out)
        _say(out, "A tracked write, measured as the difference", added)
        _parts(spark, frames, out)
        spark.stop()


def _wide(spark: SparkSession, folder: Path, width: int) -> DataFrame:
    source = folder / f"in{width}"
    source.mkdir()
    frame = spark.read.schema(", ".join(f"c{n} INT" for n in range(width))).parquet(str(source))
    for step in range(3):
        frame = frame.selectExpr(*(f"c{n} + {step} AS c{n}" for n in range(width)))
    return frame


def _added(spark: SparkSession, folder: Path, frames: dict[int, DataFrame], out: Console) -> dict[int, float]:
    added = {}
    table = Table(
        "columns", "plain s", "tracked s", "added s", "in the facet", title="A write, CPU s, median of rounds"
    )
    for width, frame in frames.items():
        plain, tracked = [], []
        for number in range(ROUNDS + 1):  # the first is for warming up
            plain.append(_write(spark, frame, folder / "plain"))
            events = folder / f"events{width}_{number}.jsonl"
            tracker = tracker_to(spark, events)
            assert tracker.flush()
            before = cpu_seconds(spark)
            _write(spark, frame, folder / f"tracked{width}")
            assert tracker.flush(600)
            tracked.append(cpu_seconds(spark) - before)
            tracker.stop()
        seconds = facets(events, f"tracked{width}").get("fields", {})
        assert set(seconds) == set(frame.columns), f"{len(seconds)} of {width} columns"
        assert all(value["inputFields"] for value in seconds.values())
        without, with_ = statistics.median(plain[1:]), statistics.median(tracked[1:])
        added[width] = with_ - without
        table.add_row(
            f"{width:,}",
            f"{without:.2f}",
            f"{with_:.2f}",
            f"{with_ - without:.2f}",
            f"all {len(seconds):,}, with inputs",
        )
    out.print(table)
    return added


def _write(spark: SparkSession, frame: DataFrame, target: Path) -> float:
    before = cpu_seconds(spark)
    frame.write.mode("overwrite").parquet(str(target))
    settle(spark)
    return cpu_seconds(spark) - before


def _parts(spark: SparkSession, frames: dict[int, DataFrame], out: Console) -> None:
    parts = Parts(spark)
    table = Table("columns", "nodes", *PARTS, "sum s", "µs a column", title="Headwater's own work, CPU s, best of 3")
    sums = {}
    for width, frame in frames.items():
        plan = frame._jdf.queryExecution().analyzed()  # noqa: SLF001
        runs = [parts.time(plan) for _ in range(3)]
        best = {part: min(spent[part] for _, spent in runs) for part in PARTS}
        sums[width] = sum(best.values())
        cells = [f"{best[part]:.3f}" for part in PARTS]
        table.add_row(
            *(f"{width:,}", f"{runs[0][0]:,}", *cells, f"{sums[width]:.2f}", f"{sums[width] / width * 1e6:.0f}")
        )
    out.print(table)
    _say(out, "The sum of the parts, without START and what the collector does meanwhile", sums)


def _say(out: Console, label: str, spent: dict[int, float]) -> None:
    least, most = WIDTHS[0], WIDTHS[-1]
    ratio = (spent[most] / most) / (spent[least] / least)
    out.print(
        f"{label}: {spent[most]:.2f} s for {most:,} columns (wanted: at most {TARGET});"
        f" a column costs {ratio:.2f} times what it does among {least:,} (linear: 1)."
    )


if __name__ == "__main__":
    main()
