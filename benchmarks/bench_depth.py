"""Deep plans: chains of withColumn, unions of many branches, and synthetic trees without Spark.

What is deeper needs a deeper stack in Spark itself, hence a process with -Xss64m. CPU time of the driver's JVM and of
Python together.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import partial, reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # so that the file runs by itself

from benchmarks.measure import console, cpu_seconds, facets, fresh_process, session, settle, tracker_to
from benchmarks.parts import PARTS, Parts, timed
from benchmarks.synthetic import SHAPES
from rich.console import Console
from rich.table import Table

from headwater.capture.jvm.decode import decode
from headwater.rules.statements.lineage import lineage_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SIZES = (1000, 3000, 10_000)
COLUMNS = 10
DEEP_STACK = "-Xss64m"


def main() -> None:
    """Measure, and print two tables; or, with --deep, be the process with the deep stack."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deep", action="store_true")
    chosen = parser.parse_args()
    if chosen.deep:
        print(json.dumps(_measured(DEEP, DEEP_STACK)))
        return
    out = console()
    _synthetic(out)
    rows = [[*row, "the default"] for row in _measured(USUAL)]
    rows += [[*row, DEEP_STACK] for row in fresh_process(__file__, ["--deep"])]
    table = Table("plan", "nodes", "plain write s", "tracked s", *PARTS, "sum s", "µs a node", "stack", title="CPU s")
    for row in rows:
        table.add_row(*row)
    out.print(table)


def _measured(shapes: Mapping[str, Callable[[SparkSession], DataFrame]], stack: str = "") -> list[list[str]]:
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        spark = session(folder, {"spark.driver.extraJavaOptions": stack} if stack else None)
        spark.sql(f"CREATE TABLE numbers ({', '.join(f'c{n} BIGINT' for n in range(COLUMNS))}) USING parquet")
        parts = Parts(spark)
        for number, (shape, make) in enumerate(shapes.items()):
            frame = make(spark)
            plain, tracked = _write_twice(spark, frame, folder, f"out{number}")
            plan = frame._jdf.queryExecution().analyzed()  # noqa: SLF001
            nodes, spent = min((parts.time(plan) for _ in range(3)), key=lambda run: sum(run[1].values()))
            total = sum(spent.values())
            cells = [f"{spent[part]:.3f}" for part in PARTS]
            rows.append(
                [
                    shape,
                    f"{nodes:,}",
                    f"{plain:.2f}",
                    f"{tracked:.2f}",
                    *cells,
                    f"{total:.2f}",
                    f"{total / nodes * 1e6:.0f}",
                ]
            )
        spark.stop()
    return rows


def _write_twice(spark: SparkSession, frame: DataFrame, folder: Path, name: str) -> tuple[float, float]:
    """The CPU seconds of a plain and of a tracked write; the facet is complete, or it fails here."""
    frame.write.mode("overwrite").parquet(str(folder / name))  # for warming up
    before = cpu_seconds(spark)
    frame.write.mode("overwrite").parquet(str(folder / name))
    settle(spark)
    plain = cpu_seconds(spark) - before
    events = folder / f"{name}.jsonl"
    tracker = tracker_to(spark, events)
    before = cpu_seconds(spark)
    frame.write.mode("overwrite").parquet(str(folder / name))
    assert tracker.flush(600)
    tracked = cpu_seconds(spark) - before
    tracker.stop()
    fields = facets(events, name).get("fields", {})
    assert set(fields) == set(frame.columns), f"{len(fields)} of {len(frame.columns)} columns"
    assert all(field["inputFields"] for field in fields.values())
    return plain, tracked


def _chain(spark: SparkSession, length: int) -> DataFrame:
    """Ten columns, changed in turn."""
    frame = spark.table("numbers")
    for number in range(length):
        name = f"c{number % COLUMNS}"
        frame = frame.withColumn(name, frame[name] + number)
    return frame


def _union(spark: SparkSession, branches: int) -> DataFrame:
    parts = [spark.table("numbers").selectExpr(*_shifted(number)) for number in range(branches)]
    return reduce(lambda left, other: left.union(other), parts)


def _union_in_sql(spark: SparkSession, branches: int) -> DataFrame:
    return spark.sql(" UNION ALL ".join(f"SELECT {', '.join(_shifted(n))} FROM numbers" for n in range(branches)))  # noqa: S608


def _shifted(number: int) -> list[str]:
    return [f"c{n} + {number} AS c{n}" for n in range(COLUMNS)]


# A UNION ALL in SQL is as deep as it is long: nothing flattens it before the optimizer does.
USUAL = {"500 withColumns": partial(_chain, length=500), "a union of 500 branches": partial(_union, branches=500)}
DEEP = {
    "2,000 withColumns": partial(_chain, length=2000),
    "a UNION ALL of 500 branches in SQL": partial(_union_in_sql, branches=500),
}


def _synthetic(out: Console) -> None:
    """The decoder and the rules alone."""
    columns: list[Any] = [f"{size:,}" for size in SIZES]
    table = Table("tree", *columns, "a node, last / first", title="Decode + rules, CPU s by nodes, without Spark")
    for name, make in SHAPES.items():
        spent = [min(_decode_and_rules(make(size)) for _ in range(2)) for size in SIZES]
        ratio = (spent[-1] / SIZES[-1]) / (spent[0] / SIZES[0])
        table.add_row(name, *(f"{seconds:.3f}" for seconds in spent), f"{ratio:.2f}")
    out.print(table)
    out.print("Linear is 1 in the last column. No tree ends in a recursion error, or this would have stopped.")


def _decode_and_rules(read: dict[str, Any]) -> float:
    lineage, spent = timed(lambda: lineage_of(decode(read)))
    assert not lineage.opaque
    assert all(lineage.columns.values())
    return spent


if __name__ == "__main__":
    main()
