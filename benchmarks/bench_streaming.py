"""Micro-batches with and without Headwater: how much later a batch is over.

One streaming query writes rows as parquet, as fast as it can, for a number of batches; plain and tracked take turns in
one process. Spark itself says how long each batch took.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1]))  # so that the file runs by itself

from benchmarks.measure import console, facets, session, tracker_to
from rich.table import Table

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

BATCHES = 60
ROUNDS = 5
TARGET = 5.0


def main() -> None:
    """Measure, and print the table."""
    out = console()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        spark = session(folder, {"spark.sql.streaming.numRecentProgressUpdates": str(BATCHES * 2)})
        _batches(spark, folder / "warm_up")
        plain, tracked = list[float](), list[float]()
        for number in range(ROUNDS):
            plain += _batches(spark, folder / f"plain{number}")
            events = folder / f"events{number}.jsonl"
            tracker = tracker_to(spark, events)
            tracked += _batches(spark, folder / f"tracked{number}")
            tracker.stop()
            assert set(facets(events, f"tracked{number}").get("fields", {})) == {"twice", "name"}
        spark.stop()
    table = Table(
        "milliseconds a batch", "median", "95th percentile", title=f"{ROUNDS} rounds of {BATCHES} micro-batches each"
    )
    for arm, spent in (("plain", plain), ("tracked", tracked)):
        table.add_row(arm, f"{statistics.median(spent):.0f}", f"{_95th(spent):.0f}")
    out.print(table)
    added = _95th(tracked) - _95th(plain)
    out.print(
        f"Added to a batch: {statistics.median(tracked) - statistics.median(plain):+.1f} ms at the median,"
        f" {added:+.1f} ms at the 95th percentile (wanted: at most {TARGET})."
    )


def _batches(spark: SparkSession, target: Path) -> list[float]:
    """How long each batch of a new query took, in milliseconds."""
    source = spark.readStream.format("rate-micro-batch").option("rowsPerBatch", "10").load()
    writer = source.selectExpr("value * 2 AS twice", "CAST(timestamp AS STRING) AS name").writeStream
    query = writer.option("checkpointLocation", f"{target}_checkpoint").start(str(target))
    while len(query.recentProgress) < BATCHES:
        query.awaitTermination(1)
    query.stop()
    done = [progress for progress in query.recentProgress if progress["numInputRows"] > 0]
    # The first ones compile.
    return [float(progress["durationMs"]["triggerExecution"]) for progress in done[5:BATCHES]]


def _95th(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


if __name__ == "__main__":
    main()
