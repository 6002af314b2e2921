"""Many queries: generate, check, and keep one line of JSON for each."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import functions as F  # noqa: N812 (as everyone calls it)

from .engine import Engine
from .generate import generate
from .perturb import Checked, Unstable, check
from .shrink import shrink

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import DataFrame, SparkSession

    from .relations import Query


class Report(TypedDict):
    """A miss, small enough to read."""

    source: str
    output: str
    before: list[str]
    after: list[str]
    query: str


class Outcome(TypedDict):
    """One query's line in the file of results."""

    number: int
    label: str
    text: str
    thrown: str
    seen: int
    misses: list[Report]
    direct: dict[str, int]
    unconfirmed: list[tuple[str, str, str]]
    opaque: dict[str, int]
    runs: int
    seconds: float


class Campaign:
    """Checks numbered queries over one set of tables.

    Args:
        spark: a running session.
        root: an empty folder.
        seed: decides the tables and the queries.
    """

    def __init__(self, spark: SparkSession, root: Path, seed: int) -> None:
        self._seed = seed
        self._version = spark.version
        self.engine = Engine(spark, root, seed)

    def many(self, numbers: Iterable[int], workers: int = 2) -> Iterator[Outcome]:
        """Check several queries, in the order in which they are done."""
        with ThreadPoolExecutor(workers) as pool:
            waiting = [pool.submit(self.one, number) for number in numbers]
            for done in as_completed(waiting):
                yield done.result()

    def one(self, number: int) -> Outcome:
        """Check one query; a miss comes with the smallest query that still has it."""
        query = generate(self._seed, number, self._version)
        start = time.monotonic()
        checked, thrown = Checked(), ""
        try:
            checked = self.check(query)
        except (PySparkException, Py4JJavaError) as error:
            thrown = f"fails: {_reason(error)}"
        except Unstable:
            thrown = "unstable"
        reports: list[Report] = []
        for miss in checked.misses:
            smaller = shrink(query, lambda other, miss=miss: self._still(other, miss.change.leaf, miss.output))  # type: ignore[misc]
            reports.append({
                "source": f"{miss.change.table}.{miss.change.leaf}",
                "output": miss.output,
                "before": list(miss.before),
                "after": list(miss.after),
                "query": smaller.text,
            })  # fmt: skip
        return {
            "number": number,
            "label": query.label,
            "text": query.text,
            "thrown": thrown,
            "seen": len(checked.seen),
            "misses": reports,
            "direct": checked.direct,
            "unconfirmed": [
                (edge.direct or "", f"{edge.table}.{edge.field}", edge.column or "") for edge in checked.unconfirmed
            ],
            "opaque": checked.opaque,
            "runs": checked.runs,
            "seconds": round(time.monotonic() - start, 2),
        }

    def check(self, query: Query) -> Checked:
        """Check a generated query."""
        return check(self.engine, self.frame(query))

    def frame(self, query: Query) -> DataFrame:
        """The query as a DataFrame."""
        spark = self.engine.spark
        for name, rel in query.views.items():
            spark.sql(str(rel)).createOrReplaceTempView(name)
        if query.python:
            frame: DataFrame = eval(str(query.rel), {"spark": spark, "F": F})  # noqa: S307 (our own text)
            return frame
        return spark.sql(str(query.rel))

    def _still(self, query: Query, leaf: str, output: str) -> bool:
        try:
            checked = self.check(query)
        except (PySparkException, Py4JJavaError, Unstable):
            return False
        return any(miss.change.leaf == leaf and miss.output == output for miss in checked.misses)


def _reason(error: Exception) -> str:
    """The class of an error, short enough to count by."""
    if isinstance(error, PySparkException):
        condition: Any = getattr(error, "getCondition", error.getErrorClass)()
        if condition:
            return str(condition)
    return str(error).strip().splitlines()[-1 if isinstance(error, PySparkException) else 1][:100]


class Summary:
    """What the outcomes add up to."""

    def __init__(self, outcomes: Iterable[Outcome]) -> None:
        self.run = 0
        self.thrown: Counter[str] = Counter()
        self.seen = 0
        self.missed: list[tuple[int, Report]] = []
        self.direct: Counter[str] = Counter()
        self.unconfirmed: Counter[str] = Counter()
        self.opaque: Counter[str] = Counter()
        self.opaque_queries = 0
        self.runs = 0
        for outcome in outcomes:
            self._add(outcome)

    def _add(self, outcome: Outcome) -> None:
        self.runs += outcome["runs"]
        if outcome["thrown"]:
            self.thrown[outcome["thrown"]] += 1
            return
        self.run += 1
        self.seen += outcome["seen"]
        self.missed += [(outcome["number"], miss) for miss in outcome["misses"]]
        self.direct.update(outcome["direct"])
        self.unconfirmed.update(how for how, _, _ in outcome["unconfirmed"])
        self.opaque.update(outcome["opaque"].keys())
        self.opaque_queries += bool(outcome["opaque"])
