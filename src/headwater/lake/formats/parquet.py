"""Plain Parquet tables: a state is a list of directories, which never change once they are listed.

Each run writes to directories of its own, `<table>/<run>/<partition>/`: nothing is renamed, which object stores cannot
do.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession

from headwater.lake.conditions import Part, Where
from headwater.lake.failures import plain_os_errors
from headwater.lake.few import Few
from headwater.lake.files import Files
from headwater.lake.formats.formats import State, lay_out, name_of, with_parts
from headwater.lake.places import run_folder
from headwater.lake.tables import BUCKET, Table

MOST_DIRECTORIES = 16
"""A partition with more directories is compacted into one."""


class ParquetTables:
    """Plain Parquet."""

    def __init__(self, spark: SparkSession, files: Files) -> None:
        self._spark = spark
        self._files = files
        self._frames: dict[tuple[str, tuple[str, ...]], DataFrame] = {}

    def read(self, table: Table, state: State, where: Where | None) -> DataFrame:
        """A table with its partition columns; only directories that the condition allows are read."""
        parts = self._matching(table, state, where)
        frame = self._rows(table, [f"{run}/{part}" for part in parts for run in state[part]])
        return frame if where is None else frame.where(where.column)

    def added(self, table: Table, state: State, before: State) -> DataFrame:
        """The rows of new directories; of a compacted partition, all rows."""
        return self._rows(
            table,
            [f"{run}/{part}" for part in sorted(state) for run in state[part] if run not in before.get(part, ())],
        )

    def _rows(self, table: Table, directories: Sequence[str]) -> DataFrame:
        if not directories:
            return with_parts(table, self._spark.createDataFrame([], table.schema))
        # Directories never change, and Spark lists them again for each frame: so each frame is cached.
        key = (table.name, tuple(directories))
        frame = self._frames.get(key)
        if frame is None:
            # Spark does not read partition values from the names of single directories: they are computed again.
            paths = [self._files.path(f"{table.name}/{directory}".rstrip("/")) for directory in directories]
            frame = with_parts(table, self._spark.read.schema(table.schema).parquet(*paths))
            self._frames[key] = frame
        return frame

    def _matching(self, table: Table, state: State, where: Where | None) -> list[str]:
        """The partitions that meet a condition."""
        every = sorted(state)
        if where is None or not table.parts:
            return every
        return [part for part in every if where.holds(_values(part))]

    def write(  # noqa: PLR0913, PLR0917  a table's change
        self, table: Table, state: State, rows: DataFrame, emptied: Collection[Part], run: str, few: Few | None
    ) -> State:
        """Write rows to a new directory; returns the table's new directories."""
        dropped = {name_of(table, part) for part in emptied}
        directories = {part: list(runs) for part, runs in (state or {}).items() if part not in dropped}
        for part in self._write(table, rows, run, few):
            directories.setdefault(part, []).append(run)
        crowded = sorted(part for part, runs in directories.items() if len(runs) > MOST_DIRECTORIES)
        if crowded:
            merged = run_folder(int(run.partition("-")[0]))
            crowded_rows = self._rows(table, [f"{old}/{part}" for part in crowded for old in directories[part]])
            self._write(table, crowded_rows, merged, few)
            directories |= {part: [merged] for part in crowded}
        return directories or None

    def _write(self, table: Table, rows: DataFrame, run: str, few: Few | None) -> list[str]:
        """Write rows; returns their partitions."""
        place = f"{table.name}/{run}"
        folder = self._files.local(place)
        brought = few.table(rows) if few and folder else None
        if folder and brought is not None:
            return list(_write_here(table, brought, folder))
        writer = lay_out(table, rows).write.mode("errorifexists")
        (writer.partitionBy(*table.part_names) if table.parts else writer).parquet(self._files.path(place))
        if not table.parts:
            return [""] if self._files.has_rows(self._files.path(place)) else []
        partitions = [""]
        for _ in table.parts:
            partitions = [
                f"{above}/{name}".lstrip("/")
                for above in partitions
                for name in self._files.names(f"{place}/{above}".rstrip("/"))
                if "=" in name
            ]
        return partitions

    def remove_unused(self, table: Table, states: Sequence[State], before_ms: int) -> None:
        """Remove directories that no state lists."""
        used: dict[str, set[str]] = defaultdict(set)
        for state in states:
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
        """Remove the unused partitions of a directory."""
        for name in self._files.names(f"{place}/{above}".rstrip("/")):
            part = f"{above}/{name}".lstrip("/")
            if "=" not in name or part in used:
                continue
            if any(partition.startswith(f"{part}/") for partition in used):
                self._remove_parts(place, part, used)
            else:
                self._files.remove(f"{place}/{part}")


def _write_here(table: Table, rows: Any, folder: Path) -> Iterator[str]:  # noqa: ANN401  PyArrow has no types
    """Write a few rows; yields their partitions. Spark would make a job, a commit, and two processes for each file."""
    names = [*table.part_names, *table.key]
    rows = rows.sort_by([(name, "ascending") for name in names])
    values = list(zip(*(rows.column(name).to_pylist() for name in table.part_names), strict=True))
    start = 0
    for part, same in groupby(values or [()] * rows.num_rows):
        count = sum(1 for _ in same)
        name = name_of(table, part)
        place = folder / name
        with plain_os_errors():
            place.mkdir(parents=True)
            pq.write_table(rows.slice(start, count).select([*table.names]), place / "part-0.parquet")
        start += count
        yield name


def _values(part: str) -> dict[str, Any]:
    """The partition values in a directory's name.

    >>> _values("month=2026-01/bucket=3")
    {'month': '2026-01', 'bucket': 3}
    """
    texts = dict(pair.split("=", 1) for pair in part.split("/"))
    return {name: int(value) if name == BUCKET else value for name, value in texts.items()}
