"""A lake: the store's tables as files of a data lake, changed by one atomic commit across all of them."""

import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, final
from uuid import uuid4

from pyspark.sql import DataFrame, SparkSession

from headwater.lake import snapshots
from headwater.lake.conditions import Part, Where, in_parts
from headwater.lake.errors import LakeError
from headwater.lake.few import Few, settings_for_few
from headwater.lake.files import Files
from headwater.lake.formats.delta import DeltaTables
from headwater.lake.formats.formats import Format, State, with_parts
from headwater.lake.formats.iceberg import IcebergTables
from headwater.lake.formats.parquet import ParquetTables
from headwater.lake.places import run_folder
from headwater.lake.snapshots import HOME, Snapshot
from headwater.lake.tables import TABLES, Table

FORMATS: Mapping[str, Callable[[SparkSession, Files], Format]] = {
    "parquet": ParquetTables,
    "iceberg": IcebergTables,
    "delta": DeltaTables,
}
"""The table formats."""
_DEFAULT_FORMAT = "parquet"
_SCRATCH = f"{HOME}/scratch"
# Files that no snapshot lists may belong to a run in progress: they stay for this long.
GRACE_MS = 24 * 60 * 60 * 1000
_AT_ONCE = 4


@dataclass(frozen=True, slots=True)
class Change:
    """What a commit does to a table.

    Attributes:
        added: rows with the table's columns; partition columns are computed.
        removed: rows as read, or at least their keys and the columns of the partitions.
        anew: whether the table is replaced.
    """

    added: DataFrame | None = None
    removed: DataFrame | None = None
    anew: bool = False


@final
class Lake:
    """The tables of a lake in one snapshot; its own commits advance it, those of others do not.

    >>> from headwater.lake.lake import Lake
    >>> lake = Lake.open(spark, "/data/lineage")                               # doctest: +SKIP
    >>> lake.read("slot", among("bucket", [3])).show()                         # doctest: +SKIP
    """

    def __init__(self, spark: SparkSession, files: Files, snapshot: Snapshot, format: str) -> None:  # noqa: A002  as Spark calls it
        self.spark = spark
        self.files = files
        self.format = format
        self._snapshot = snapshot
        self.tables = FORMATS[format](spark, files)
        self._scratch: str | None = None

    @classmethod
    def open(cls, spark: SparkSession, path: str, *, format: str | None = None, make: bool = True) -> "Lake":  # noqa: A002  as above
        """Open a lake in its newest snapshot.

        Args:
            spark: the session that reads and writes.
            path: of the lake, on any file system that Spark knows.
            format: of its tables; a new lake uses Parquet by default.
            make: whether to create a missing lake.

        Raises:
            LakeError: the path holds something else, a lake of a newer Headwater, or one in another format.
        """
        if format is not None and format not in FORMATS:
            raise LakeError(f"Unknown lake format {format!r}: choose one of {', '.join(sorted(FORMATS))}.")
        files = Files(spark, path)
        _check_place(files, make=make)
        snapshot = snapshots.newest(files)
        used = snapshot.format or format or _DEFAULT_FORMAT
        if format not in (None, used):
            raise LakeError(f"The lake {files.root} uses the format {used}, not {format}: remove the format option.")
        if used not in FORMATS:
            raise LakeError(
                f"The lake {files.root} uses the format {used!r}, which this Headwater does not know: upgrade"
                " Headwater."
            )
        return cls(spark, files, snapshot, used)

    @property
    def path(self) -> str:
        """The path of the lake."""
        return self.files.root

    @property
    def snapshot(self) -> Snapshot:
        """The snapshot that is read."""
        return self._snapshot

    def at(self, number: int) -> "Lake":
        """The lake in an earlier snapshot."""
        return Lake(self.spark, self.files, snapshots.load(self.files, number), self.format)

    def is_empty(self, table: str) -> bool:
        """Whether a table has no rows."""
        state = self._state(table)
        return state is None or (self.format != _DEFAULT_FORMAT and self.read(table).isEmpty())

    def settings_for_few(self) -> dict[str, str]:
        """Spark's settings for short queries over a few rows and what this lake has of them."""
        return settings_for_few(self.spark, None if self._state("run") is None else self.read("run"))

    def read(self, table: str, where: Where | None = None) -> DataFrame:
        """A table with its partition columns.

        A condition on partition columns skips other partitions; conditions on other columns follow:
        `lake.read("slot", among("bucket", [3])).where(sf.col("dataset") == 19)`.
        """
        known = TABLES[table]
        state = self._state(table)
        if state is None:
            empty = with_parts(known, self.spark.createDataFrame([], known.schema))
            return empty if where is None else empty.where(where.column)
        return self.tables.read(known, state, where)

    def added_since(self, table: str, number: int) -> DataFrame:
        """The rows added to an append-only table after a snapshot, perhaps with earlier ones.

        All rows, where that snapshot no longer exists.
        """
        if number not in snapshots.numbers(self.files):
            return self.read(table)
        state, before = self._state(table), self.at(number)
        known = before._state(table)  # noqa: SLF001  the same class
        if state is None or known is None:
            return self.read(table)
        return self.tables.added(TABLES[table], state, known)

    def _state(self, table: str) -> State:
        return self._snapshot.tables.get(TABLES[table].name)

    def scratch(self) -> str:
        """A directory for this run's files; removed with the commit, or when a later run asks for its own."""
        if self._scratch is None:
            self._remove_old_scratch()
            self._scratch = f"{_SCRATCH}/{run_folder(self._snapshot.number)}"
            self.files.make(self._scratch)
        return self.files.path(self._scratch)

    def _remove_old_scratch(self) -> None:
        old = int(time.time() * 1000) - GRACE_MS
        for name, changed_ms in self.files.entries(_SCRATCH):
            # A run based on an earlier snapshot can no longer commit.
            if changed_ms < old or int(name.partition("-")[0]) < self._snapshot.number:
                self.files.remove(f"{_SCRATCH}/{name}")

    def commit(self, changes: Mapping[str, Change], note: Mapping[str, Any]) -> Snapshot:
        """Change tables, all or none; later reads see the new snapshot.

        Raises:
            LakeChanged: another run committed since this lake was opened; nothing is changed.
        """
        with self.draft() as draft:
            draft.change(changes)
            return draft.commit(note)

    @contextmanager
    def draft(self, *, few: bool = False) -> "Iterator[Draft]":
        """Prepare a commit; without one, nothing changes. Changes that are `few` are written by this process.

        Raises:
            LakeChanged: as for `commit`, where possible before anything is written.
        """
        number = self._snapshot.number + 1
        if number in snapshots.numbers(self.files):
            snapshots.publish(self.files, replace(self._snapshot, number=number))
        with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="headwater-commit") as pool:
            try:
                yield Draft(self, pool, Few(self.spark, on=few))
            finally:
                pool.shutdown(wait=False, cancel_futures=True)

    def _publish(self, tables: Mapping[str, State], note: Mapping[str, Any]) -> Snapshot:
        every = {**self._snapshot.tables, **tables}
        streams = {name: value for name, value in self._snapshot.note.items() if name == snapshots.STREAMS}
        snapshot = Snapshot(
            self._snapshot.number + 1,
            {**streams, **note},
            self.format,
            self._snapshot.lake or uuid4().hex,
            {name: state for name, state in every.items() if state is not None},
        )
        # Creating the file exclusively decides which of two writers is first.
        snapshots.publish(self.files, snapshot)
        self._snapshot = snapshot
        if self._scratch is not None:
            self.files.remove(self._scratch)
            self._scratch = None
        return snapshot

    def _changed(self, table: Table, change: Change, few: Few | None = None) -> State:
        state = self._state(table.name)
        rows = None if change.added is None else with_parts(table, change.added)
        emptied: list[Part] = []
        if change.anew:
            # The files of the old state stay until nobody needs them.
            state = None
        if change.removed is not None and state is not None:
            emptied = _parts_of(table, change.removed)
        if emptied and change.removed is not None:
            stored = self.tables.read(table, state, in_parts(table, emptied))
            unchanged = stored.join(change.removed.select(*table.key), [*table.key], "left_anti")
            unchanged = unchanged.select(*table.names, *table.part_names)
            rows = unchanged if rows is None else unchanged.unionByName(rows)
        if rows is None or (change.added is None and not emptied):
            return state
        return self.tables.write(table, state, rows, emptied, run_folder(self._snapshot.number + 1), few)


@final
class Draft:
    """A commit in preparation: each table is written in the background as soon as its change is known."""

    def __init__(self, lake: Lake, pool: ThreadPoolExecutor, few: Few) -> None:
        self._lake = lake
        self._pool = pool
        self._few = few
        self._writes: dict[str, Future[State]] = {}

    def change(self, changes: Mapping[str, Change]) -> None:
        """Write changes of tables; each table changes once."""
        for name, change in changes.items():
            self._writes[name] = self._pool.submit(self._lake._changed, TABLES[name], change, self._few)  # noqa: SLF001  as above

    def commit(self, note: Mapping[str, Any]) -> Snapshot:
        """Publish all changes as the lake's new snapshot, once they are written."""
        written = {name: write.result() for name, write in self._writes.items()}
        return self._lake._publish(written, note)  # noqa: SLF001  as above


def _parts_of(table: Table, rows: DataFrame) -> list[Part]:
    """The partitions of rows."""
    if not table.parts:
        return [()]
    return [tuple(row) for row in rows.selectExpr(*(expression for _, expression in table.parts)).distinct().collect()]


def _check_place(files: Files, *, make: bool) -> None:
    """Check that there is a lake, or a place for one."""
    if files.exists(HOME):
        return
    if files.is_file() or files.names():
        raise LakeError(f"{files.root} contains other files and no lake: choose an empty or a new directory.")
    if not make:
        raise LakeError(
            f"No lake at {files.root}: create one with `headwater pipeline run` or `headwater pipeline export`."
        )
    snapshots.prepare(files)
