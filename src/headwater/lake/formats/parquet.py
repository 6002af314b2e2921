"""Tables as plain Parquet: a state is a list of directories, and a directory is never changed once it is listed.

Spark writes each run's rows to a directory of their own, `<table>/<run>/<partition>/`, so nothing has to be renamed,
which object stores cannot do.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from headwater.lake.conditions import Part, Where
from headwater.lake.files import Files
from headwater.lake.formats.formats import State, laid_out, name_of, with_parts
from headwater.lake.places import run_folder
from headwater.lake.tables import BUCKET, Table

MOST_DIRECTORIES = 16
"""A partition with more is written again as one."""


class ParquetTables:
    """Plain Parquet."""

    def __init__(self, spark: SparkSession, files: Files) -> None:
        self._spark = spark
        self._files = files
        self._frames: dict[tuple[str, tuple[str, ...]], DataFrame] = {}

    def read(self, table: Table, state: State, where: Where | None) -> DataFrame:
        """A table with its partition columns; directories that a condition on these rules out are not looked at."""
        parts = self._wanted(table, state, where)
        found = self._rows(table, [f"{run}/{part}" for part in parts for run in state[part]])
        return found if where is None else found.where(where.column)

    def added(self, table: Table, state: State, before: State) -> DataFrame:
        """The rows of directories that are new; where a partition was written again, of all of it."""
        return self._rows(
            table,
            [f"{run}/{part}" for part in sorted(state) for run in state[part] if run not in before.get(part, ())],
        )

    def _rows(self, table: Table, directories: Sequence[str]) -> DataFrame:
        if not directories:
            return with_parts(table, self._spark.createDataFrame([], table.schema))
        # Directories never change, and Spark lists them anew for each frame: so each frame is made once.
        key = (table.name, tuple(directories))
        found = self._frames.get(key)
        if found is None:
            # Each directory is given by itself, so what its name says of partitions is not read: it is computed again.
            paths = [self._files.path(f"{table.name}/{directory}".rstrip("/")) for directory in directories]
            found = with_parts(table, self._spark.read.schema(table.schema).parquet(*paths))
            self._frames[key] = found
        return found

    def _wanted(self, table: Table, state: State, where: Where | None) -> list[str]:
        """The partitions in which a condition holds."""
        every = sorted(state)
        if where is None or not table.parts:
            return every
        return [part for part in every if where.holds(_values(part))]

    def write(self, table: Table, state: State, rows: DataFrame, gone: Collection[Part], run: str) -> State:
        """Write rows to a new directory; returns the directories that are in force from then on."""
        dropped = {name_of(table, part) for part in gone}
        directories = {part: list(runs) for part, runs in (state or {}).items() if part not in dropped}
        for part in self._written(table, rows, run):
            directories.setdefault(part, []).append(run)
        crowded = sorted(part for part, runs in directories.items() if len(runs) > MOST_DIRECTORIES)
        if crowded:
            merged = run_folder(int(run.partition("-")[0]))
            together = self._rows(table, [f"{old}/{part}" for part in crowded for old in directories[part]])
            self._written(table, together, merged)
            directories |= {part: [merged] for part in crowded}
        return directories or None

    def _written(self, table: Table, rows: DataFrame, run: str) -> list[str]:
        """Write rows; returns the partitions that they are in."""
        place = f"{table.name}/{run}"
        writer = laid_out(table, rows).write.mode("errorifexists")
        (writer.partitionBy(*table.part_names) if table.parts else writer).parquet(self._files.path(place))
        if not table.parts:
            return [""] if self._files.has_rows(self._files.path(place)) else []
        found = [""]
        for _ in table.parts:
            found = [
                f"{above}/{name}".lstrip("/")
                for above in found
                for name in self._files.names(f"{place}/{above}".rstrip("/"))
                if "=" in name
            ]
        return found

    def remove_unused(self, table: Table, kept: Sequence[State], before_ms: int) -> None:
        """Remove directories that no state lists."""
        used: dict[str, set[str]] = defaultdict(set)
        for state in kept:
            for part, runs in (state or {}).items():
                for run in runs:
                    used[run].add(part)
        for run, changed_ms in self._files.entries(table.name):
            if run not in used:
                if changed_ms < before_ms:
                    self._files.remove(f"{table.name}/{run}")
                continue
            self._remove_parts(f"{table.name}/{run}", "", used[run])

    def _remove_parts(self, place: str, above: str, used: Collection[str]) -> None:
        """Remove the partitions of a directory that are not used any more."""
        for name in self._files.names(f"{place}/{above}".rstrip("/")):
            part = f"{above}/{name}".lstrip("/")
            if "=" not in name or part in used:
                continue
            if any(one.startswith(f"{part}/") for one in used):
                self._remove_parts(place, part, used)
            else:
                self._files.remove(f"{place}/{part}")


def _values(part: str) -> dict[str, Any]:
    """The values of partition columns, as a directory is called.

    >>> _values("month=2026-01/bucket=3")
    {'month': '2026-01', 'bucket': 3}
    """
    found = dict(one.split("=", 1) for one in part.split("/"))
    return {name: int(value) if name == BUCKET else value for name, value in found.items()}
