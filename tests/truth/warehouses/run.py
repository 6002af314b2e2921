"""Check random warehouses from the command line: `python -m tests.truth.warehouses.run --warehouses 300 --seed 1`."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Literal, TypedDict

from py4j.protocol import Py4JNetworkError
from rich.console import Console

from tests import quick_java
from tests.capture.connectors.conftest import EXTENSIONS, ICEBERG_AND_DELTA, VERSION
from tests.truth.programs.campaign import reason_of
from tests.truth.programs.checking import Unstable
from tests.truth.programs.run import session
from tests.truth.run import FOLDER

from .checking import Checker
from .generate import generate

MOSTLY = 0.9
"""The share of warehouses that must run: a statement now and then does not fit the one before."""


class Outcome(TypedDict):
    """A warehouse's line in the file of results."""

    number: int
    labels: list[str]
    thrown: str
    outputs: int
    pairs: int
    false: list[str]
    careful: int
    clear: int
    careful_clear: int
    seconds: float


def iceberg_settings() -> dict[str, str]:
    """What a Spark with Iceberg needs; where the tables are is a setting of each session."""
    return {
        "spark.jars.packages": ICEBERG_AND_DELTA[VERSION][0],
        "spark.sql.extensions": EXTENSIONS[1],
        "spark.sql.catalog.lake": "org.apache.iceberg.spark.SparkCatalog",
        "spark.sql.catalog.lake.type": "hadoop",
        # Iceberg needs more of a file system than the plain one of `programs` can do.
        "spark.hadoop.fs.file.impl": quick_java.local_files(checked=True),
    }


def outcome_of(checker: Checker, seed: int, number: int) -> Outcome:
    """Check one warehouse."""
    warehouse = generate(seed, number)
    start = time.monotonic()
    outcome: Outcome = {
        "number": number, "labels": list(warehouse.labels), "thrown": "", "outputs": 0, "pairs": 0, "false": [],
        "careful": 0, "clear": 0, "careful_clear": 0, "seconds": 0.0,
    }  # fmt: skip
    try:
        checked = checker.check(warehouse)
    except Unstable:
        outcome["thrown"] = "unstable"
    except (ConnectionError, Py4JNetworkError):
        raise  # Spark is gone
    except Exception as error:  # noqa: BLE001 (a random warehouse may fail in any way)
        outcome["thrown"] = f"fails: {reason_of(error)}"
    else:
        outcome["outputs"], outcome["pairs"] = checked.outputs, checked.pairs
        outcome["false"], outcome["careful"] = checked.false, checked.careful
        outcome["clear"], outcome["careful_clear"] = checked.clear, checked.careful_clear
    outcome["seconds"] = round(time.monotonic() - start, 2)
    return outcome


def main() -> int:
    """Run, and print the figures. The exit code is 1 if an answer was a false all-clear."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--warehouses", type=int, default=300, metavar="N", help="how many warehouses (300)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="decides the sources and warehouses (1)")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="the number of the first warehouse (0)")
    parser.add_argument("--fresh", action="store_true", help="forget the results so far")
    options = parser.parse_args()
    results = FOLDER / f"warehouses-{options.seed}.jsonl"
    results.parent.mkdir(parents=True, exist_ok=True)
    if options.fresh:
        results.unlink(missing_ok=True)
    wanted = range(options.first, options.first + options.warehouses)
    lines = results.read_text(encoding="utf-8").splitlines() if results.exists() else []
    outcomes: list[Outcome] = [one for one in map(json.loads, lines) if one["number"] in wanted]
    done = {outcome["number"] for outcome in outcomes}
    console = Console(soft_wrap=True)
    if todo := [number for number in wanted if number not in done]:
        spark = session(iceberg_settings())
        with tempfile.TemporaryDirectory() as folder, results.open("a", encoding="utf-8") as file:
            checker = Checker(spark, Path(folder))
            for number in todo:
                outcome = outcome_of(checker, options.seed, number)
                # Written at once: what is done stays done.
                file.write(json.dumps(outcome) + "\n")
                file.flush()
                outcomes.append(outcome)
                for line in outcome["false"]:
                    console.print(f"warehouse {number}: {line}", markup=False, highlight=False)
            checker.close()
        spark.stop()
    return _report(outcomes, console)


def _report(outcomes: list[Outcome], console: Console) -> int:
    run = [outcome for outcome in outcomes if not outcome["thrown"]]
    false = sum(len(outcome["false"]) for outcome in run)

    def total(name: Literal["outputs", "pairs", "careful", "clear", "careful_clear"]) -> int:
        return sum(outcome[name] for outcome in run)

    console.print(f"{len(run)} warehouses checked, {total('outputs')} columns of their tables and views")
    for thrown, count in Counter(outcome["thrown"] for outcome in outcomes if outcome["thrown"]).most_common():
        console.print(f"put aside: {count}  {thrown}", markup=False)
    console.print(f"pairs of source column and column that must not depend: {total('pairs')}")
    console.print(f"columns that hold personal data in the clear: {total('clear')}")
    console.print(f"false all-clears: {false}")
    console.print(
        f"more careful than needed: {total('careful')} columns that change with nothing,"
        f" {total('careful_clear')} that hold no personal data in the clear"
    )
    if len(run) < len(outcomes) * MOSTLY:
        console.print(f"Only {len(run)} of {len(outcomes)} warehouses could be checked.")
        return 1
    return 1 if false else 0


if __name__ == "__main__":
    sys.exit(main())
