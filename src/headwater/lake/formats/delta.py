"""Delta tables below the lake's directory; a state is the number of a version.

Delta's API in the JVM is not used: Delta 4.1.0 was built for a Spark 4.1 before 4.1.4, which cannot load it.
"""

import time
from collections.abc import Collection, Sequence

from pyspark.sql import DataFrame, SparkSession

from headwater.lake.conditions import Part, Where, in_parts
from headwater.lake.few import Few
from headwater.lake.files import Files
from headwater.lake.formats.formats import State, lay_out
from headwater.lake.tables import BUCKET, Table

# Delta's own minimum before it removes files.
_LEAST_HOURS = 168
_HOUR_MS = 3_600_000
_FORMAT = "delta"
# For the same reason it cannot read its own checkpoints there: so it writes few.
_PROPERTIES = {"delta.checkpointInterval": "1000"}


class DeltaTables:
    """Delta tables in directories of the lake."""

    def __init__(self, spark: SparkSession, files: Files) -> None:
        self._spark = spark
        self._files = files

    def read(self, table: Table, state: State, where: Where | None) -> DataFrame:
        """A table in a state; Delta itself prunes partitions by the condition."""
        frame = self._spark.read.format(_FORMAT).option("versionAsOf", int(state)).load(self._files.path(table.name))
        return frame if where is None else frame.where(where.column)

    def added(self, table: Table, state: State, before: State) -> DataFrame:
        """The rows that the earlier state does not have."""
        return self.read(table, state, None).join(self.read(table, before, None), [*table.key], "left_anti")

    def write(  # noqa: PLR0913, PLR0917  a table's change
        self, table: Table, state: State, rows: DataFrame, emptied: Collection[Part], run: str, few: Few | None
    ) -> State:
        """Empty partitions, then append: two Delta versions, of which only the second is a state."""
        del run, few
        if state is not None and max(self._versions(table)) != int(state):
            # A run that died wrote after the state: write the whole table again without its rows.
            stored = self.read(table, state, None)
            stored = stored.where(~in_parts(table, emptied).column) if emptied else stored
            rows, state = stored.select(*rows.columns).unionByName(rows), None
        elif emptied and table.parts:
            self._save(table, rows.limit(0), "overwrite", {"replaceWhere": _condition(table, emptied)})
        self._save(table, rows, "overwrite" if state is None or (emptied and not table.parts) else "append", {})
        return max(self._versions(table))

    def _save(self, table: Table, rows: DataFrame, mode: str, options: dict[str, str]) -> None:
        writer = lay_out(table, rows).write.format(_FORMAT).mode(mode).options(**_PROPERTIES, **options)
        (writer.partitionBy(*table.part_names) if table.parts else writer).save(self._files.path(table.name))

    def _versions(self, table: Table) -> dict[int, int]:
        """The versions, each with its creation time in milliseconds."""
        log = self._files.entries(f"{table.name}/_delta_log")
        stems = {name.removesuffix(".json"): created_ms for name, created_ms in log if name.endswith(".json")}
        return {int(stem): created_ms for stem, created_ms in stems.items() if stem.isdecimal()}

    def remove_unused(self, table: Table, states: Sequence[State], before_ms: int) -> None:
        """Have Delta remove files that went out of use before a moment and before all kept states.

        Files that a kept version needs went out of use after it was made, if at all.
        """
        versions = self._versions(table)
        if not versions:
            return
        oldest = min(
            [before_ms, *(versions[int(state)] for state in states if state is not None and state in versions)]
        )
        hours = max(_LEAST_HOURS, (int(time.time() * 1000) - oldest) // _HOUR_MS + 1)
        path = self._files.path(table.name).replace("`", "``")
        self._spark.sql(f"VACUUM delta.`{path}` RETAIN {hours} HOURS")


def _condition(table: Table, parts: Collection[Part]) -> str:
    """The SQL condition that a row is in one of these partitions; values are days, months and numbers.

    >>> from headwater.lake.tables import TABLES
    >>> _condition(TABLES["named"], [("2026-01", 3)])
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
