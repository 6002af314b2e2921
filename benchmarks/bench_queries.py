"""What lineage costs over analytic queries: plain Spark, the OpenLineage jar, Headwater.

Every query of `queries.sql` runs as CREATE TABLE AS SELECT over empty tables. Each arm has a process of its own, and
the arms take turns. CPU time is that of the driver's JVM and of Python together; starting Spark, making the tables and
the first queries, which warm everything up, do not count.
"""

from __future__ import annotations

import argparse
import itertools
import json
import statistics
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # so that the file runs by itself

from benchmarks.measure import aside_seconds, console, cpu_seconds, fresh_process, session, settle
from benchmarks.queries import queries, tables
from rich.console import Console
from rich.table import Table

from headwater import track
from headwater.common.column_path import split_path

ARMS = ("plain", "jar", "headwater")
WARM_UP = 10
TARGET, AIM = 0.5, 0.25
JAR = "io.openlineage:openlineage-spark_{scala}:1.53.0"


def main() -> None:
    """Run all arms in turns, and print the table; or, with --arm, be one of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--arm", choices=ARMS)
    parser.add_argument("--probe", action="store_true", help="only see whether the arm's Spark starts")
    chosen = parser.parse_args()
    if chosen.arm is None:
        _compare(chosen.rounds)
        return
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(_run(chosen.arm, Path(folder), probe=chosen.probe)))


# --- one arm ---------------------------------------------------------------------------------------------------------


def _run(arm: str, folder: Path, *, probe: bool) -> dict[str, Any]:
    events = folder / "events.jsonl"
    spark = session(folder, arm_settings(arm, events))
    if probe:
        spark.stop()
        return {}
    for name, columns in tables().items():
        spark.sql(f"CREATE TABLE {name} ({columns}) USING parquet")
    tracker = track(spark) if arm == "headwater" else None
    asked = queries()
    for name, query in list(asked.items())[:WARM_UP]:
        spark.sql(f"CREATE TABLE warm_up_{name} USING parquet AS {query}")
    settle(spark)
    assert tracker is None or tracker.flush()
    skip = events.stat().st_size if events.exists() else 0
    aside = aside_seconds(spark)
    clock = [cpu_seconds(spark)]
    for name, query in asked.items():
        spark.sql(f"CREATE TABLE {name}_answer USING parquet AS {query}")
        clock.append(cpu_seconds(spark))
    settle(spark)
    assert tracker is None or tracker.flush()
    clock[-1] = cpu_seconds(spark)
    aside = aside_seconds(spark) - aside
    cpu = [after - before for before, after in itertools.pairwise(clock)]
    columns_there = sum(len(spark.table(f"{name}_answer").columns) for name in asked)
    answers = _summary(events.read_bytes()[skip:] if events.exists() else b"")
    version = spark.version
    if tracker is not None:
        tracker.stop()
    spark.stop()
    return {"cpu": cpu, "aside": aside, "columns": columns_there, "spark": version, **answers}


def arm_settings(arm: str, events: Path) -> dict[str, str]:
    """Spark's settings for an arm, with its events in a file."""
    if arm == "headwater":
        return {
            "spark.headwater.transport.type": "file",
            "spark.headwater.transport.log_file_path": str(events),
            "spark.headwater.transport.append": "true",
        }
    if arm == "jar":
        from pyspark import __version__ as version  # noqa: PLC0415 (as late as Spark itself)

        return {
            "spark.jars.packages": JAR.format(scala="2.12" if version.startswith("3.") else "2.13"),
            "spark.extraListeners": "io.openlineage.spark.agent.OpenLineageSparkListener",
            "spark.openlineage.transport.type": "file",
            "spark.openlineage.transport.location": str(events),
        }
    return {}


def _summary(text: bytes) -> dict[str, Any]:
    """What the events say: how many they are, for how many queries there is a facet, and for how many columns."""
    lines = text.splitlines()
    direct: defaultdict[str, set[str]] = defaultdict(set)
    for line in lines:
        for output in json.loads(line).get("outputs", ()):
            lineage = output.get("facets", {}).get("columnLineage")
            if lineage is not None and output["name"].endswith("_answer"):
                direct[output["name"]].update(_with_direct_input(lineage))
    return {
        "events": len(lines),
        "megabytes": len(text) / 1e6,
        "facets": len(direct),
        "direct": sum(map(len, direct.values())),
    }


def _with_direct_input(lineage: dict[str, Any]) -> set[str]:
    """The columns (of nested fields the outermost) that take a value from somewhere."""
    return {
        split_path(name)[0]
        for name, field in lineage["fields"].items()
        if any(way["type"] == "DIRECT" for source in field["inputFields"] for way in source.get("transformations", ()))
    }


# --- all of them -----------------------------------------------------------------------------------------------------


def _compare(rounds: int) -> None:
    out = console()
    arms = list(ARMS)
    try:
        fresh_process(__file__, ["--arm", "jar", "--probe"])
    except RuntimeError as error:
        arms.remove("jar")
        out.print(f"The OpenLineage jar is left out: Spark did not start with it (is Maven Central there?): {error}")
    results: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for number in range(rounds):
        for arm in (*arms[number % len(arms) :], *arms[: number % len(arms)]):
            results[arm].append(fresh_process(__file__, ["--arm", arm]))
            out.print(f"round {number + 1}, {arm}: {sum(results[arm][-1]['cpu']):.1f} s", style="dim")
    spent = {arm: _typical([run["cpu"] for run in results[arm]]) for arm in arms}
    aside = {arm: statistics.median(run["aside"] for run in results[arm]) for arm in arms}
    out.print(_table({arm: results[arm] for arm in arms}, spent, aside))
    if "jar" in arms:
        _say_ratio(out, "In all of the driver", spent)
        _say_ratio(out, "On the JVM's listener threads and in Python alone", aside)


def _typical(rounds: list[list[float]]) -> float:
    """The sum of each query's median over the rounds: what a compiler or collector does now and then falls out."""
    return float(sum(statistics.median(times) for times in zip(*rounds, strict=True)))


def _say_ratio(out: Console, where: str, spent: dict[str, float]) -> None:
    headwater, jar = spent["headwater"] - spent["plain"], spent["jar"] - spent["plain"]
    out.print(
        f"{where}: Headwater adds {headwater:.2f} s, the jar {jar:.2f} s,"
        f" ratio {headwater / jar:.2f} (wanted: at most {TARGET}, aim {AIM})."
    )


def _table(results: dict[str, list[dict[str, Any]]], spent: dict[str, float], aside: dict[str, float]) -> Table:
    last = results["plain"][-1]
    number = len(queries())
    table = Table(
        *("", "CPU s", "rounds", "added s", "added", "ms a query", "listeners + Python s"),
        *("events", "MB", "with a facet", "columns with a source"),
        title=f"{number} queries on Spark {last['spark']}, the sum of each query's median over the rounds",
    )
    for arm, runs in results.items():
        added = spent[arm] - spent["plain"]
        table.add_row(
            arm,
            f"{spent[arm]:.2f}",
            " ".join(f"{sum(run['cpu']):.1f}" for run in runs),
            f"{added:.2f}",
            f"{added / spent['plain']:.1%}",
            f"{added / number * 1000:.1f}",
            f"{aside[arm]:.2f}",
            str(runs[-1]["events"]),
            f"{runs[-1]['megabytes']:.2f}",
            f"{runs[-1]['facets']} of {number}",
            f"{runs[-1]['direct']} of {last['columns']}",
        )
    return table


if __name__ == "__main__":
    main()
