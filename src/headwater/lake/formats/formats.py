"""The interface of a table format: read a table in a state, and write rows as a new state."""

from collections.abc import Collection, Sequence
from typing import Any, Protocol, TypeAlias

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from headwater.lake.conditions import Part, Where
from headwater.lake.few import Few
from headwater.lake.tables import Table

State: TypeAlias = Any
"""What identifies a table's state, as JSON; None for an empty table."""


class Format(Protocol):
    """A table format."""

    def read(self, table: Table, state: State, where: Where | None) -> DataFrame:
        """A table with its partition columns; the state is not None."""

    def added(self, table: Table, state: State, before: State) -> DataFrame:
        """The rows added after an earlier state, which has lost none; perhaps more."""

    def write(  # noqa: PLR0913, PLR0917  a table's change
        self, table: Table, state: State, rows: DataFrame, emptied: Collection[Part], run: str, few: Few | None
    ) -> State:
        """Empty some partitions, then add rows, which have their partition columns.

        Args:
            table: the table.
            state: the table's state so far; states left by runs that died do not count.
            rows: the new rows.
            emptied: the partitions that lose their rows.
            run: a unique name for this run's files; it begins with the snapshot's number.
            few: brings rows here that are few, for a format that can write them without Spark.
        """

    def remove_unused(self, table: Table, states: Sequence[State], before_ms: int) -> None:
        """Remove files that none of the states needs and that are older than a moment."""


def with_parts(table: Table, rows: DataFrame) -> DataFrame:
    """Rows with exactly the table's columns, in their types and order, and the partition columns."""
    own = rows.select(*(sf.col(f"`{name}`").cast(kind).alias(name) for name, kind in table.columns))
    return own.select("*", *(sf.expr(expression).alias(name) for name, expression in table.parts))


def name_of(table: Table, part: Part) -> str:
    """The directory name of a partition.

    >>> from headwater.lake.tables import TABLES
    >>> name_of(TABLES["version"], ("2026-01", 3))
    'month=2026-01/bucket=3'
    """
    return "/".join(f"{name}={value}" for name, value in zip(table.part_names, part, strict=True))


def lay_out(table: Table, rows: DataFrame) -> DataFrame:
    """Arrange rows for writing: each partition in few files, sorted by key."""
    balanced = rows.hint("rebalance", *table.part_names)
    return balanced.sortWithinPartitions(*table.part_names, *(f"`{name}`" for name in table.key))
