"""Check random programs from the command line: `python -m tests.truth.programs.run --programs 1000 --seed 1`."""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from pyspark.sql import SparkSession
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from headwater.capture.jvm.java import ensure_java
from tests import java_names, quick_java
from tests.truth.run import FOLDER

from .campaign import Campaign, Outcome, Summary, told

# About one program in a hundred fails by itself. If many do, the check shows little.
MOSTLY = 0.95
FAST = {
    # A program runs in a fraction of a second, and each of its statements once: nothing is worth compiling well.
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    # A query of ten rows is planned once: planning it anew after each of its stages took a sixth of all time.
    "spark.sql.adaptive.enabled": "false",
    # Ten rows a file: what makes writing safe and small costs more than the rows.
    "spark.hadoop.mapreduce.fileoutputcommitter.algorithm.version": "2",
    "spark.hadoop.fs.file.impl": quick_java.local_files(checked=False),
    "spark.sql.parquet.compression.codec": "uncompressed",
    "spark.sql.catalogImplementation": "in-memory",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
}


def main() -> int:
    """Run, and print the figures. The exit code is 1 if a dependency was missed, or if too many programs failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=1000, metavar="N", help="how many programs (1000)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="decides the source tables and programs (1)")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="the number of the first program (0)")
    parser.add_argument("--fresh", action="store_true", help="forget the results so far")
    options = parser.parse_args()
    results = FOLDER / f"programs-{options.seed}.jsonl"
    if options.fresh:
        results.unlink(missing_ok=True)
    results.parent.mkdir(parents=True, exist_ok=True)
    wanted = range(options.first, options.first + options.programs)
    outcomes = [outcome for outcome in _read(results) if outcome["number"] in wanted]
    done = {outcome["number"] for outcome in outcomes}
    console = Console()
    start = time.monotonic()
    todo = [number for number in wanted if number not in done]
    if todo:
        outcomes += _run(todo, options.seed, results, console)
    summary = Summary(outcomes)
    console.print(table(summary))
    if todo:
        console.print(f"{len(todo)} programs in {time.monotonic() - start:.0f} s; the results are in {results}.")
    console.print(told(summary.missed), markup=False, highlight=False, soft_wrap=True)
    if summary.run < len(wanted) * MOSTLY:
        console.print(f"Only {summary.run} of {len(wanted)} programs could be checked.")
        return 1
    return 1 if summary.missed else 0


def _run(todo: list[int], seed: int, results: Path, console: Console) -> Iterator[Outcome]:
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
        for number in todo:
            outcome = campaign.one(number)
            # Written at once: what is done stays done.
            lines.write(json.dumps(outcome) + "\n")
            lines.flush()
            missed += len(outcome["misses"])
            progress.update(bar, advance=1, description=f"{missed} missed")
            yield outcome
        campaign.checker.close()
    spark.stop()


def session(conf: Mapping[str, str] | None = None) -> SparkSession:
    """A Spark of its own, quiet and small; `conf` is added."""
    ensure_java()
    java_names.remember()
    quick_java.prepare()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # pandas must be where the workers are
    builder = SparkSession.builder.master("local[1]").appName("Headwater Programs")
    for name, setting in {**FAST, **(conf or {})}.items():
        builder = builder.config(name, setting)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    # PySpark 4 logs every error that it raises, those of programs that are put aside, too.
    logging.getLogger("SQLQueryContextLogger").setLevel(logging.CRITICAL)
    return spark


def table(summary: Summary) -> Table:
    """The figures."""
    rows = Table(show_header=False, box=None)
    rows.add_row("programs checked", str(summary.run))
    for why, count in summary.thrown.most_common():
        rows.add_row("put aside", f"{count}  {why}")
    rows.add_row("runs of programs", f"{summary.runs}, {summary.seconds / max(summary.runs, 1):.2f} s each")
    rows.add_row("output columns", str(summary.outputs))
    rows.add_row("pairs of source field and output that must not depend", str(summary.pairs))
    rows.add_row("missed", f"{len(summary.missed)} in {summary.programs_with_misses} programs")
    rows.add_row("changed, and marked as unknown", str(summary.unknown))
    rows.add_row("constants that are there more or less often, known by table", str(summary.by_table))
    if summary.confirmable:
        rows.add_row("outputs that change if all sources do", f"{summary.confirmed / summary.confirmable:.1%}")
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
