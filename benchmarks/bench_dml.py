"""What lineage costs over MERGE, UPDATE, DELETE and INSERT into Iceberg tables: plain Spark, the jar, Headwater.

Each arm has a process of its own, and the arms take turns. CPU time is that of the driver's JVM and of Python together.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # so that the file runs by itself

from benchmarks.bench_queries import ARMS, arm_settings
from benchmarks.measure import console, cpu_seconds, fresh_process, session, settle
from rich.table import Table

from headwater import track

REPEAT = 10
STATEMENTS = {
    "INSERT": "INSERT INTO lake.db.orders SELECT id, amount + 1, city FROM changes",
    "UPDATE": "UPDATE lake.db.orders SET amount = amount * 2 WHERE id > 3 AND city <> 'Rome'",
    "DELETE": "DELETE FROM lake.db.orders WHERE amount > 10 AND id % 2 = 1",
    "MERGE": """MERGE INTO lake.db.orders t USING changes s ON t.id = s.id
        WHEN MATCHED AND s.amount < 0 THEN DELETE
        WHEN MATCHED THEN UPDATE SET amount = s.amount + t.amount, city = upper(s.city)
        WHEN NOT MATCHED THEN INSERT (id, amount, city) VALUES (s.id, s.amount * 2, s.city)""",
}


def main() -> None:
    """Run all arms in turns, and print the table; or, with --arm, be one of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--arm", choices=ARMS)
    chosen = parser.parse_args()
    if chosen.arm is None:
        _compare(chosen.rounds)
        return
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(_run(chosen.arm, Path(folder))))


def _run(arm: str, folder: Path) -> dict[str, float]:
    spark = session(folder, _settings(arm, folder))
    spark.sql("CREATE TABLE changes (id INT, amount INT, city STRING) USING parquet")
    spark.sql("INSERT INTO changes VALUES (1, 2, 'Rome'), (2, 3, 'Oslo')")
    spark.sql("CREATE TABLE lake.db.orders (id INT, amount INT, city STRING) USING iceberg")
    tracker = track(spark) if arm == "headwater" else None
    spent = {}
    for name, statement in {"warm up": STATEMENTS["MERGE"], **STATEMENTS}.items():
        spark.sql(statement)
        before = cpu_seconds(spark)
        for _ in range(REPEAT):
            spark.sql(statement)
        settle(spark)
        assert tracker is None or tracker.flush()
        spent[name] = (cpu_seconds(spark) - before) / REPEAT
    del spent["warm up"]
    if tracker is not None:
        tracker.stop()
    spark.stop()
    return spent


def _settings(arm: str, folder: Path) -> dict[str, str]:
    from pyspark import __version__ as version  # noqa: PLC0415 (as late as Spark itself)

    iceberg = "4.1_2.13:1.12.0" if version.startswith("4.") else "3.5_2.12:1.10.0"
    settings = arm_settings(arm, folder / "events.jsonl")
    packages = f"org.apache.iceberg:iceberg-spark-runtime-{iceberg}"
    return {
        **settings,
        "spark.jars.packages": ",".join(filter(None, (packages, settings.get("spark.jars.packages")))),
        "spark.sql.extensions": "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
        "spark.sql.catalog.lake": "org.apache.iceberg.spark.SparkCatalog",
        "spark.sql.catalog.lake.type": "hadoop",
        "spark.sql.catalog.lake.warehouse": str(folder / "lake"),
    }


def _compare(rounds: int) -> None:
    out = console()
    results: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for number in range(rounds):
        for arm in (*ARMS[number % len(ARMS) :], *ARMS[: number % len(ARMS)]):
            results[arm].append(fresh_process(__file__, ["--arm", arm]))
    middle = {
        arm: {name: statistics.median(run[name] for run in runs) for name in STATEMENTS}
        for arm, runs in results.items()
    }
    table = Table("CPU ms a statement", *STATEMENTS, "added, all four", title=f"Iceberg, {rounds} rounds")
    added = {}
    for arm in ARMS:
        added[arm] = sum(middle[arm].values()) - sum(middle["plain"].values())
        cells = [f"{middle[arm][name] * 1000:.0f}" for name in STATEMENTS]
        table.add_row(arm, *cells, f"{added[arm] * 1000:+.0f}")
    out.print(table)
    out.print(f"Headwater adds {added['headwater'] / added['jar']:.2f} of what the jar adds.")


if __name__ == "__main__":
    main()
