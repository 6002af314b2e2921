"""What tracking costs: the same small writes with and without it, in turns, in one Spark; and what reading a plan does.

CPU time is that of the driver's JVM and of Python together. Run it with `make bench`.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # so that the file runs by itself

from benchmarks.measure import console, cpu_seconds, session
from rich.console import Console
from rich.table import Table

from headwater.capture.jvm.bridge import read_plan
from headwater.capture.jvm.decode import decode
from headwater.capture.settings.client import make_client
from headwater.capture.settings.settings import Settings
from headwater.capture.tracker import Tracker
from headwater.rules.operators.analysis import Analysis

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

ROUNDS = 7
WRITES = 20
QUERY = """
SELECT c.city, SUM(o.amount * (1 - o.discount)) AS revenue, COUNT(DISTINCT o.customer) AS guests
FROM orders o JOIN customers c ON o.customer = c.id
WHERE o.amount > 0
GROUP BY c.city
"""


def main() -> None:
    """Measure, and print two tables."""
    out = console()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        spark = session(folder)
        _tables(spark, folder)
        _cost_of_tracking(spark, folder, out)
        _cost_of_reading(spark, out)
        spark.stop()


def _tables(spark: SparkSession, folder: Path) -> None:
    orders = "id INT, customer INT, amount DOUBLE, discount DOUBLE"
    for name, schema in (("orders", orders), ("customers", "id INT, city STRING")):
        (folder / name).mkdir()
        spark.read.schema(schema).parquet(str(folder / name)).createOrReplaceTempView(name)


def _write_all(spark: SparkSession, folder: Path) -> None:
    for number in range(WRITES):
        spark.sql(QUERY).write.mode("overwrite").parquet(str(folder / f"out{number}"))


def _cost_of_tracking(spark: SparkSession, folder: Path, out: Console) -> None:
    for _ in range(3):
        _write_all(spark, folder)
    plain, tracked = [], []
    for number in range(ROUNDS):
        before = cpu_seconds(spark)
        _write_all(spark, folder)
        plain.append(cpu_seconds(spark) - before)
        tracker = Tracker(spark, Settings(), make_client(None, f"sqlite:///{folder / f'lineage{number}.db'}"))
        tracker.flush()
        before = cpu_seconds(spark)
        _write_all(spark, folder)
        tracker.flush()
        tracked.append(cpu_seconds(spark) - before)
        tracker.stop()
    ratio = statistics.median(with_ / without for with_, without in zip(tracked, plain, strict=True))
    table = Table("CPU of JVM and Python", "median s", title=f"{WRITES} small writes, {ROUNDS} rounds, store included")
    table.add_row("plain Spark", f"{statistics.median(plain):.2f}")
    table.add_row("tracked", f"{statistics.median(tracked):.2f}")
    table.add_row("ratio, round by round", f"{ratio:.2f}")
    added = (statistics.median(tracked) - statistics.median(plain)) / WRITES * 1000
    table.add_row("added for one write", f"{added:.1f} ms")
    out.print(table)


def _cost_of_reading(spark: SparkSession, out: Console) -> None:
    table = Table("plan", "Spark builds it", "read in the JVM, sent and parsed", "rules", "read + rules / build")
    for width in (10, 100, 1000):
        started = time.perf_counter()
        frame = _wide(spark, width)
        built = time.perf_counter() - started
        analyzed = frame._jdf.queryExecution().analyzed()  # noqa: SLF001
        read = _best(lambda analyzed=analyzed: read_plan(spark, analyzed))
        plan = decode(read_plan(spark, analyzed))
        rules = _best(lambda plan=plan: Analysis().relation(plan))
        table.add_row(
            f"{width} columns, 6 projections",
            f"{built * 1000:.0f} ms",
            f"{read * 1000:.1f} ms",
            f"{rules * 1000:.1f} ms",
            f"{(read + rules) / built:.3f}",
        )
    out.print(table)


def _wide(spark: SparkSession, width: int) -> DataFrame:
    frame = spark.range(1).selectExpr(*(f"id AS c{n}" for n in range(width)))
    for step in range(6):
        frame = frame.selectExpr(*(f"c{n} + {step} AS c{n}" for n in range(width)))
    frame._jdf.queryExecution().analyzed()  # noqa: SLF001
    return frame


def _best(call: Any, times: int = 5) -> float:  # noqa: ANN401
    seconds = []
    for _ in range(times):
        started = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - started)
    return min(seconds)


if __name__ == "__main__":
    main()
