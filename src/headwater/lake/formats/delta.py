"""Tables as Delta keeps them, below the lake's own directory; a state is the number of a version.

Its own API in the JVM is left alone: Delta 4.1.0 was built for a Spark 4.1 before 4.1.4, where that cannot be loaded.
"""

import time
from collections.abc import Collection, Sequence

from pyspark.sql import DataFrame, SparkSession

from headwater.lake.conditions import Part, Where, in_parts
from headwater.lake.files import Files
from headwater.lake.formats.formats import State, laid_out
from headwater.lake.tables import BUCKET, Table

# What Delta itself asks for before it removes files.
_LEAST_HOURS = 168
_HOUR_MS = 3_600_000
_FORMAT = "delta"
# For the same reason as above, it cannot read its own checkpoints there: so there are few.
_PROPERTIES = {"delta.checkpointInterval": "1000"}


class DeltaTables:
    """Delta tables in directories of the lake."""

    def __init__(self, spark: SparkSession, files: Files) -> None:
        self._spark = spark
        self._files = files

    def read(self, table: Table, state: State, where: Where | None) -> DataFrame:
        """A table in a state; Delta itself leaves out partitions in which a condition cannot hold."""
        found = self._spark.read.format(_FORMAT).option("versionAsOf", int(state)).load(self._files.path(table.name))
        return found if where is None else found.where(where.column)

    def added(self, table: Table, state: State, before: State) -> DataFrame:
        """The rows that the earlier state has not."""
        return self.read(table, state, None).join(self.read(table, before, None), [*table.key], "left_anti")

    def write(self, table: Table, state: State, rows: DataFrame, gone: Collection[Part], run: str) -> State:
        """Empty partitions, then append: two of Delta's versions, of which only the second is a state."""
        del run
        if state is not None and max(self._versions(table)) != int(state):
            # A run that died has written behind the state: all of the table is written again, without that.
            held = self.read(table, state, None)
            held = held.where(~in_parts(table, gone).column) if gone else held
            rows, state = held.select(*rows.columns).unionByName(rows), None
        elif gone and table.parts:
            self._save(table, rows.limit(0), "overwrite", {"replaceWhere": _written(table, gone)})
        self._save(table, rows, "overwrite" if state is None or (gone and not table.parts) else "append", {})
        return max(self._versions(table))

    def _save(self, table: Table, rows: DataFrame, mode: str, options: dict[str, str]) -> None:
        writer = laid_out(table, rows).write.format(_FORMAT).mode(mode).options(**_PROPERTIES, **options)
        (writer.partitionBy(*table.part_names) if table.parts else writer).save(self._files.path(table.name))

    def _versions(self, table: Table) -> dict[int, int]:
        """The versions that there are, each with when it was made, in milliseconds."""
        log = self._files.entries(f"{table.name}/_delta_log")
        stems = {name.removesuffix(".json"): made for name, made in log if name.endswith(".json")}
        return {int(stem): made for stem, made in stems.items() if stem.isdecimal()}

    def remove_unused(self, table: Table, kept: Sequence[State], before_ms: int) -> None:
        """Have Delta remove files that went out of use before a moment, and before all that is kept.

        Files that a kept version needs went out of use after it was made, if at all.
        """
        versions = self._versions(table)
        if not versions:
            return
        oldest = min([before_ms, *(versions[int(state)] for state in kept if state is not None and state in versions)])
        hours = max(_LEAST_HOURS, (int(time.time() * 1000) - oldest) // _HOUR_MS + 1)
        path = self._files.path(table.name).replace("`", "``")
        self._spark.sql(f"VACUUM delta.`{path}` RETAIN {hours} HOURS")


def _written(table: Table, parts: Collection[Part]) -> str:
    """The condition that a row is in one of some partitions, as SQL; the values are days, months and numbers.

    >>> from headwater.lake.tables import TABLES
    >>> _written(TABLES["named"], [("2026-01", 3)])
    "(month = '2026-01' AND bucket = 3)"
    """
    return " OR ".join(
        "({})".format(
            " AND ".join(
                f"{name} = {value}" if name == BUCKET else f"{name} = '{value}'"
                for name, value in zip(table.part_names, part, strict=True)
            )
        )
        for part in sorted(parts)
    )
