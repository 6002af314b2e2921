"""Runs a warehouse over source tables of its own, and reads every table and view that is there in the end."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.truth.compare import bags
from tests.truth.engine import SETTINGS
from tests.truth.programs.program import Program
from tests.truth.programs.running import Contents
from tests.truth.programs.sources import Leaf, ddl, write_sources

from .generate import LAKE, PERSONAL, SOURCES

if TYPE_CHECKING:
    import pandas as pd
    from pyspark.sql import SparkSession

Elsewhere = Callable[[str, Sequence[str], str, Callable[[], object]], None]
"""What happens to a job of another producer: the form of its lineage, what it reads, what it writes, and the job."""
CANARY = "canary"


def canary(column: str, row: int) -> str:
    """A value that stands nowhere else."""
    return f"{CANARY}-{column}-{row}-{row * 7919 + 31}"


def _untracked(_form: str, _reads: Sequence[str], _writes: str, job: Callable[[], object]) -> None:
    job()


class Run:
    """One run of a warehouse, in a folder and a database of its own.

    Args:
        spark: any session of the application.
        warehouse: what to run.
        root: the folder, which must not be there yet.
        changes: the source columns with other values than usual.
        turn: which other values.
        elsewhere: what to do with jobs of other producers.
    """

    def __init__(  # noqa: PLR0913 (what makes a run another run)
        self,
        spark: SparkSession,
        warehouse: Program,
        root: Path,
        changes: Collection[Leaf] = (),
        *,
        turn: int = 0,
        elsewhere: Elsewhere = _untracked,
    ) -> None:
        self._warehouse, self._spark, self._elsewhere = warehouse, spark, elsewhere
        self.root = root
        self.database = f"warehouse_{root.name}"
        write_sources(root / "src", warehouse.seed, changes, turn=turn)
        self._plant(changes)

    def _plant(self, changes: Collection[Leaf]) -> None:
        """Put unique values into the columns with personal data."""
        for table, column in PERSONAL:
            file = self.root / "src" / table / "part.json"
            other = "b" if Leaf(table, column) in changes else "a"
            rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
            for number, row in enumerate(rows):
                row[column] = canary(f"{column}{other}", number)
            file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    def __enter__(self) -> Run:  # noqa: PYI034 (Self came with Python 3.11)
        self._spark.sql(f"CREATE DATABASE {self.database} LOCATION '{self.root}/tables'")
        return self

    def __exit__(self, *_: object) -> None:
        self._spark.sql(f"DROP DATABASE IF EXISTS {self.database} CASCADE")
        shutil.rmtree(self.root, ignore_errors=True)

    def session(self) -> SparkSession:
        """A session as every job has one: the source tables, and a function of its own."""
        spark = self._spark.newSession()
        for name, setting in {**SETTINGS, "spark.sql.catalog.lake.warehouse": f"{self.root}/iceberg"}.items():
            spark.conf.set(name, setting)
        spark.sql(f"CREATE NAMESPACE IF NOT EXISTS {LAKE}")
        spark.catalog.setCurrentDatabase(self.database)
        for table, columns in SOURCES.items():
            rows = spark.read.schema(ddl(table)).json(f"{self.root}/src/{table}")
            rows.select(*columns).createOrReplaceTempView(table)
        spark.udf.register("token", _token)
        return spark

    def execute(self) -> None:
        """Run all jobs.

        Raises:
            Exception: what Spark, or Python, says of a warehouse that cannot be run.
        """
        spoken: dict[str, Any] = {"session": self.session, "unseen": _unseen}

        def elsewhere(form: str, reads: Sequence[str], writes: str, statement: str) -> None:
            self._elsewhere(form, reads, writes, lambda: spoken["spark"].sql(statement))

        spoken["elsewhere"] = elsewhere
        exec(compile(self._warehouse.text, "warehouse", "exec"), spoken)  # noqa: S102 (our own text)

    def contents(self) -> Contents:
        """What is in every table and view of the end, column by column."""
        spark = self.session()
        found: Contents = {}
        for place in (self.database, LAKE):
            for table in spark.sql(f"SHOW TABLES IN {place}").collect():
                if not table.isTemporary:
                    frame = spark.table(f"{place}.{table.tableName}")
                    found[table.tableName] = bags([row.asDict() for row in frame.collect()], frame.schema)
        return found


def _token(text: str | None) -> str | None:
    """Read backwards: what nobody sees, and what undoes itself."""
    return None if text is None else text[::-1]


def _unseen(batches: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
    """Columns of the same type change places."""
    for batch in batches:
        other = batch.copy()
        for _, names in batch.columns.to_series().groupby(batch.dtypes.astype(str)):
            other[list(names)] = batch[list(names)[1:] + list(names)[:1]].to_numpy()
        yield other
