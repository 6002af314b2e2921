"""Check random queries from the command line: `python -m tests.truth.run --queries 1000 --seed 1`."""

from __future__ import annotations

import argparse
import json
import logging
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from pyspark.sql import SparkSession
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from headwater.capture.jvm.java import ensure_java
from tests import java_names, quick_java

from .campaign import Campaign, Outcome, Summary

FOLDER = Path(".truth")


def main() -> int:
    """Run, and say what was found. The exit code is 1 if a dependency was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--queries", type=int, default=1000, metavar="N", help="how many queries (1000)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="decides the tables and the queries (1)")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="the number of the first query (0)")
    parser.add_argument("--workers", type=int, default=2, metavar="N", help="queries at a time (2)")
    parser.add_argument(
        "--resume",
        type=Path,
        metavar="FILE",
        help="go on with this file of results (.truth/seed-S.jsonl is the default)",
    )
    parser.add_argument("--fresh", action="store_true", help="forget the results so far")
    options = parser.parse_args()
    results: Path = options.resume or FOLDER / f"seed-{options.seed}.jsonl"
    if options.fresh:
        results.unlink(missing_ok=True)
    results.parent.mkdir(parents=True, exist_ok=True)
    wanted = range(options.first, options.first + options.queries)
    outcomes = [outcome for outcome in _read(results) if outcome["number"] in wanted]
    done = {outcome["number"] for outcome in outcomes}
    console = Console()
    start = time.monotonic()
    todo = [number for number in wanted if number not in done]
    if todo:
        outcomes += _run(todo, options.seed, options.workers, results, console)
    summary = Summary(outcomes)
    console.print(table(summary))
    if todo:
        seconds = time.monotonic() - start
        console.print(f"{len(todo)} queries in {seconds:.0f} s; the results are in {results}.")
    for number, miss in summary.missed:
        console.print(f"\n[bold red]Missed[/] in query {number}: {miss['output']} changed with {miss['source']}")
        console.print(f"  lost  {' '.join(miss['before'])}\n  new   {' '.join(miss['after'])}", markup=False)
        console.print(miss["query"], markup=False, highlight=False)
    return 1 if summary.missed else 0


def _run(todo: list[int], seed: int, workers: int, results: Path, console: Console) -> Iterator[Outcome]:
    spark = session()
    with (
        tempfile.TemporaryDirectory() as folder,
        results.open("a", encoding="utf-8") as lines,
        Progress(
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console
        ) as progress,
    ):
        campaign = Campaign(spark, Path(folder), seed)
        bar = progress.add_task("0 missed", total=len(todo))
        missed = 0
        for outcome in campaign.many(todo, workers):
            # Written at once: what is done stays done.
            lines.write(json.dumps(outcome) + "\n")
            lines.flush()
            missed += len(outcome["misses"])
            progress.update(bar, advance=1, description=f"{missed} missed")
            yield outcome
    spark.stop()


def session() -> SparkSession:
    """A Spark of its own, quiet and small."""
    ensure_java()
    java_names.remember()
    quick_java.prepare()
    spark = (
        SparkSession.builder.master("local[2]")
        .appName("Headwater Truth")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("OFF")
    # PySpark 4 logs every error that it raises, those of queries that are thrown away too.
    logging.getLogger("SQLQueryContextLogger").setLevel(logging.CRITICAL)
    return spark


def table(summary: Summary) -> Table:
    """The figures."""
    rows = Table(show_header=False, box=None)
    rows.add_row("queries run", str(summary.run))
    for why, count in summary.thrown.most_common():
        rows.add_row("thrown away", f"{count}  {why}")
    rows.add_row("runs of Spark", str(summary.runs))
    rows.add_row("dependencies seen", str(summary.seen))
    rows.add_row("missed", str(len(summary.missed)))
    for how, count in sorted(summary.direct.items()):
        share = summary.unconfirmed[how] / count
        rows.add_row(f"direct edges, {how}", f"{count}, {share:.1%} unconfirmed")
    every = sum(summary.direct.values())
    if every:
        rows.add_row("direct edges", f"{every}, {sum(summary.unconfirmed.values()) / every:.1%} unconfirmed")
    if summary.run:
        rows.add_row("opaque answers", f"{summary.opaque_queries / summary.run:.1%}")
    for what, count in summary.opaque.most_common(12):
        rows.add_row("  opaque", f"{count}  {what}")
    return rows


def _read(results: Path) -> Iterator[Outcome]:
    if results.exists():
        for line in results.read_text(encoding="utf-8").splitlines():
            outcome: Outcome = json.loads(line)
            yield outcome


if __name__ == "__main__":
    sys.exit(main())
