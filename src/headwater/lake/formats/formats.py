"""What a way of keeping tables has to do: read a table in a state, and write rows so that there is a new state."""

from collections.abc import Collection, Sequence
from typing import Any, Protocol, TypeAlias

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from headwater.lake.conditions import Part, Where
from headwater.lake.tables import Table

State: TypeAlias = Any
"""What finds a table in one state, as JSON; None where there is nothing."""


class Format(Protocol):
    """A way of keeping tables."""

    def read(self, table: Table, state: State, where: Where | None) -> DataFrame:
        """A table with its partition columns; the state is not None."""

    def added(self, table: Table, state: State, before: State) -> DataFrame:
        """What a state has and an earlier one, from which no rows have gone, has not; it may be more."""

    def write(self, table: Table, state: State, rows: DataFrame, gone: Collection[Part], run: str) -> State:
        """Add rows that have their partition columns, and take away what some partitions held so far.

        Args:
            table: which table.
            state: what it was; other states of it, left by runs that died, do not count.
            rows: what is new, laid out as it is to be kept.
            gone: the partitions that hold nothing of the state before any more.
            run: what tells this run's files from those of others; it begins with the snapshot's number.
        """

    def remove_unused(self, table: Table, kept: Sequence[State], before_ms: int) -> None:
        """Remove what none of the states needs, and what no state will, if it is older than a moment."""


def with_parts(table: Table, rows: DataFrame) -> DataFrame:
    """Rows of a table with its columns only, in their types and order, and the partition columns."""
    own = rows.select(*(sf.col(f"`{name}`").cast(kind).alias(name) for name, kind in table.columns))
    return own.select("*", *(sf.expr(made).alias(name) for name, made in table.parts))


def name_of(table: Table, part: Part) -> str:
    """A partition as its directory is called.

    >>> from headwater.lake.tables import TABLES
    >>> name_of(TABLES["version"], ("2026-01", 3))
    'month=2026-01/bucket=3'
    """
    return "/".join(f"{name}={value}" for name, value in zip(table.part_names, part, strict=True))


def laid_out(table: Table, rows: DataFrame) -> DataFrame:
    """Rows as they are to be written: each partition in few files, sorted by key."""
    together = rows.hint("rebalance", *table.part_names)
    return together.sortWithinPartitions(*table.part_names, *(f"`{name}`" for name in table.key))
