"""Runs a program over source tables of its own, and reads what it wrote."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
from pyspark.sql import functions as F  # noqa: N812 (as everyone calls it)
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import IntegerType, StructField, StructType

from tests.truth.compare import Bags, bags
from tests.truth.engine import SETTINGS

from .program import Program
from .sources import Leaf, write_sources

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Contents = dict[str, Bags]
"""Per folder that a program wrote, relative to its own, the values leaf by leaf."""
_LONGEST = 120
"""Seconds. A few self-joins on one key in a row make more rows out of ten than any machine can write."""
_SET_BY_PROGRAMS = ("spark.sql.adaptive.enabled", "spark.sql.autoBroadcastJoinThreshold")


class Run:
    """One run of a program, in a folder, a session and a database of its own.

    Args:
        spark: any session of the application.
        program: what to run.
        root: the folder, which must not be there yet.
        changes: the source fields with other values than usual.
        turn: which other values.
        backwards: read the source tables from the last row to the first.
    """

    def __init__(  # noqa: PLR0913 (what makes a run another run)
        self,
        spark: SparkSession,
        program: Program,
        root: Path,
        changes: Collection[Leaf] = (),
        *,
        turn: int = 0,
        backwards: bool = False,
    ) -> None:
        self._program = program
        self.root = root
        self._database = f"programs_{root.name}"
        self._spark = spark.newSession()
        for name, setting in SETTINGS.items():
            if name not in _SET_BY_PROGRAMS:
                self._spark.conf.set(name, setting)
        write_sources(root / "src", program.seed, changes, turn=turn, backwards=backwards)

    def __enter__(self) -> Run:  # noqa: PYI034 (Self came with Python 3.11)
        self._spark.sql(f"CREATE DATABASE {self._database} LOCATION '{self.root}/tables'")
        self._spark.catalog.setCurrentDatabase(self._database)
        return self

    def __exit__(self, *_: object) -> None:
        self._spark.catalog.clearCache()
        self._spark.sql(f"DROP DATABASE {self._database} CASCADE")
        shutil.rmtree(self.root, ignore_errors=True)

    def execute(self) -> None:
        """Run the program; what takes too long ends.

        Raises:
            Exception: what Spark, or Python, says of a program that cannot be run.
        """
        end = threading.Timer(_LONGEST, self._spark.sparkContext.cancelAllJobs)
        end.daemon = True
        end.start()
        try:
            self._execute()
        finally:
            end.cancel()

    def _execute(self) -> None:
        exec(compile(self._program.text, "program", "exec"), {"spark": self._spark, "root": str(self.root), "F": F})  # noqa: S102 (our own text)

    def contents(self) -> Contents:
        """What the program wrote, by the folder."""
        folders = [*self._folders("out"), *self._folders("tables")]
        return {str(folder.relative_to(self.root)): _values(folder) for folder in folders}

    def _folders(self, name: str) -> Iterator[Path]:
        place = self.root / name
        return (folder for folder in sorted(place.iterdir()) if folder.is_dir()) if place.exists() else iter(())


def _values(folder: Path) -> Bags:
    """The values of all files below a folder, with what the folders' names say of partitions."""
    rows: list[dict[str, Any]] = []
    fields: dict[str, StructField] = {}
    for file in sorted(folder.rglob("*.parquet")):
        inside = file.relative_to(folder).parts[:-1]
        if any(part.startswith(("_", ".")) for part in inside):
            continue
        parts = dict(part.split("=", 1) for part in inside)
        table = pq.ParquetFile(file).read()
        schema = from_arrow_schema(table.schema)
        for field in [*schema.fields, *(StructField(name, IntegerType()) for name in parts)]:
            fields.setdefault(field.name, field)
        rows += [{**row, **parts} for row in table.to_pylist()]
    complete = [{name: row.get(name) for name in fields} for row in rows]
    return bags(complete, StructType(list(fields.values())))
