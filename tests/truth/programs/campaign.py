"""Many programs: generate, check, and keep one line of JSON for each."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from py4j.protocol import Py4JNetworkError
from pyspark.errors import PySparkException

from .checking import Checked, Checker, Miss, Unstable
from .generate import generate
from .program import Program
from .shrinking import shrink

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class Report(TypedDict):
    """A miss, with the smallest program that still shows it."""

    source: str
    output: str
    before: list[str]
    after: list[str]
    lost_by: str
    program: str


class Outcome(TypedDict):
    """One program's line in the file of results."""

    number: int
    labels: list[str]
    thrown: str
    outputs: int
    pairs: int
    confirmed: int | None
    misses: list[Report]
    unknown: int
    by_table: int
    opaque: dict[str, int]
    events: int
    runs: int
    seconds: float


class Campaign:
    """Checks numbered programs.

    Args:
        spark: a running session.
        folder: an empty folder.
        seed: decides the source tables and the programs.
        shrinks: whether a program with a miss is made smaller.
    """

    def __init__(self, spark: SparkSession, folder: Path, seed: int, *, shrinks: bool = True) -> None:
        spark.sparkContext.setCheckpointDir(str(folder / "checkpoints"))
        self._seed = seed
        self._shrinks = shrinks
        self.checker = Checker(spark, folder)

    def one(self, number: int) -> Outcome:
        """Check one program."""
        program = generate(self._seed, number)
        start = time.monotonic()
        checked, thrown = Checked(), ""
        try:
            checked = self.checker.check(program)
        except Unstable:
            thrown = "unstable"
        except (ConnectionError, Py4JNetworkError):
            raise  # Spark is gone, which says nothing of this program, nor of those after it
        except Exception as error:  # noqa: BLE001 (a random program may fail in any way)
            thrown = f"fails: {reason_of(error)}"
        smaller = program
        if checked.misses and self._shrinks:
            first = checked.misses[0]
            smaller = shrink(program, lambda other: self.checker.shows(other, first))
        return {
            "number": number,
            "labels": list(program.labels),
            "thrown": thrown,
            "outputs": checked.outputs,
            "pairs": checked.pairs,
            "confirmed": checked.confirmed,
            "misses": [_report(miss, smaller) for miss in checked.misses],
            "unknown": checked.unknown,
            "by_table": checked.by_table,
            "opaque": checked.opaque,
            "events": checked.events,
            "runs": checked.runs,
            "seconds": round(time.monotonic() - start, 2),
        }


def _report(miss: Miss, program: Program) -> Report:
    return {
        "source": miss.source,
        "output": f"{miss.output[0]}: {miss.output[1]}",
        "before": miss.before,
        "after": miss.after,
        "lost_by": "the store" if miss.in_events else "the events",
        "program": program.text,
    }


def reason_of(error: Exception) -> str:
    """What an error is about, short enough to count by."""
    if isinstance(error, PySparkException):
        condition: object = getattr(error, "getCondition", error.getErrorClass)()
        if condition:
            return str(condition)
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__} {lines[0][:80] if lines else ''}"


class Summary:
    """What the outcomes add up to."""

    def __init__(self, outcomes: Iterable[Outcome]) -> None:
        self.run = 0
        self.thrown: Counter[str] = Counter()
        self.outputs = 0
        self.pairs = 0
        self.missed: list[tuple[int, Report]] = []
        self.programs_with_misses = 0
        self.confirmed = 0
        self.confirmable = 0
        self.unknown = 0
        self.by_table = 0
        self.opaque: Counter[str] = Counter()
        self.labels: Counter[str] = Counter()
        self.runs = 0
        self.seconds = 0.0
        for outcome in outcomes:
            self._add(outcome)

    def _add(self, outcome: Outcome) -> None:
        self.runs += outcome["runs"]
        self.seconds += outcome["seconds"]
        if outcome["thrown"]:
            self.thrown[outcome["thrown"]] += 1
            return
        self.run += 1
        self.labels.update(outcome["labels"])
        self.outputs += outcome["outputs"]
        self.pairs += outcome["pairs"]
        self.programs_with_misses += bool(outcome["misses"])
        self.missed += [(outcome["number"], miss) for miss in outcome["misses"]]
        self.unknown += outcome["unknown"]
        self.by_table += outcome["by_table"]
        self.opaque.update(outcome["opaque"].keys())
        if outcome["confirmed"] is not None:
            self.confirmed += outcome["confirmed"]
            self.confirmable += outcome["outputs"]


def told(missed: Iterable[tuple[int, Report]]) -> str:
    """The misses, the smallest program of each program once."""
    lines: list[str] = []
    shown: set[str] = set()
    for number, miss in missed:
        lines.append(
            f"program {number}: {miss['output']} changed with {miss['source']}; {miss['lost_by']} lost it\n"
            f"  lost {' '.join(miss['before'])}\n  new  {' '.join(miss['after'])}"
        )
        if miss["program"] not in shown:
            shown.add(miss["program"])
            lines.append(miss["program"])
    return "\n".join(lines)
