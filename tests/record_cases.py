"""Reads the cases under tests/cases on a real Spark, and records their plans: make recordings."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pyspark
from pyspark.sql import SparkSession

from headwater.capture.jvm.bridge import read_plan
from headwater.capture.jvm.java import ensure_java
from tests.lineage_cases import Case, cases
from tests.recordings import Plan, difference, load, save, settled

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class CaseSession:
    """A session and a database of the cases' own: nobody else sees their views and functions.

    Args:
        spark: any running session; it is left as it is.
        folder: an empty folder for the files of the tables.
    """

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        self._folder = folder
        self._tables: object = None
        self._spark = spark.newSession()
        # It stands in some plans.
        self._spark.conf.set("spark.sql.session.timeZone", "UTC")
        self._spark.sql(f"CREATE DATABASE cases LOCATION '{folder / 'database'}'")
        self._spark.sql("USE cases")

    def frame(self, case: Case) -> DataFrame:
        """The query of a case, over its tables."""
        # Those of one subject have the same tables, and to make them takes longer than to read a plan.
        if self._tables is not case.tables:
            for name, schema in case.tables.items():
                (self._folder / name).mkdir(exist_ok=True)
                self._spark.read.schema(schema).parquet(str(self._folder / name)).createOrReplaceTempView(name)
            self._tables = case.tables
        for statement in case.setup:
            self._spark.sql(statement)
        return self._spark.sql(case.sql)

    def plan(self, case: Case) -> Plan:
        """What the reader makes of a case's query, without what differs from run to run."""
        # PySpark has no public way to the plan.
        frame: Any = self.frame(case)
        return settled(read_plan(self._spark, frame._jdf.queryExecution().analyzed()), str(self._folder))

    def close(self) -> None:
        """Drop what the cases made."""
        self._spark.sql("DROP DATABASE cases CASCADE")


def record(spark: SparkSession, folder: Path) -> list[tuple[Case, Plan]]:
    """Read every case that a Spark can parse."""
    session = CaseSession(spark, folder)
    plans = [(case, _plan(session, case)) for case in cases(spark.version)]
    session.close()
    return plans


def _plan(session: CaseSession, case: Case) -> Plan:
    try:
        return session.plan(case)
    except Exception as error:
        raise SystemExit(f"Spark {pyspark.__version__} cannot analyse case {case.name!r}: {error}") from error


def changes(spark_version: str, plans: list[tuple[Case, Plan]]) -> list[str]:
    """What a new recording has that the one before has not, and the other way round, as lines to print."""
    before = load(spark_version)
    if not before:
        return ["The first recording."]
    lines = []
    for case, plan in plans:
        if case.name not in before:
            lines.append(f"added: {case.name}")
        elif before[case.name]["plan"] != plan:
            lines += [f"changed: {case.name}", *(f"    {line}" for line in difference(before[case.name]["plan"], plan))]
        elif any(before[case.name][part] != value for part, value in case.question.items()):
            lines.append(f"asked in another way, with the same plan: {case.name}")
    names = {case.name for case, _ in plans}
    return [*lines, *(f"removed: {name}" for name in before if name not in names)]


def main() -> None:
    """Record the plans of the Spark that is installed, and say what is new about them."""
    ensure_java()
    version = pyspark.__version__
    with TemporaryDirectory() as folder:
        spark = (
            SparkSession.builder.master("local[1]")
            .appName("Headwater Recordings")
            .config("spark.sql.warehouse.dir", folder)
            .config("spark.ui.enabled", "false")
            .config("spark.ui.showConsoleProgress", "false")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .getOrCreate()
        )
        spark.sparkContext.setLogLevel("OFF")
        plans = record(spark, Path(folder))
        spark.stop()
    lines = changes(version, plans)
    if lines:
        size = save(version, plans).stat().st_size
        lines.append(f"Spark {version}: {len(plans)} cases recorded, {size // 1000} kB.")
    else:
        lines.append(f"Spark {version}: all {len(plans)} cases are as they were recorded.")
    print("\n".join(lines))  # noqa: T201 (it is a command)


if __name__ == "__main__":
    main()
