"""Conditions on partitions, which Spark can check, and this process too, without a job."""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any, TypeAlias

from pyspark.sql import Column
from pyspark.sql import functions as sf

from headwater.lake.tables import Table

Part: TypeAlias = tuple[Any, ...]
"""A partition: the values of the table's partition columns, in their order."""


@dataclass(frozen=True, slots=True)
class Where:
    """A condition on partition columns.

    Attributes:
        column: for Spark, simple enough for a table format to prune files by it.
        holds: whether a partition with these values meets it.
    """

    column: Column
    holds: Callable[[Mapping[str, Any]], bool]


def among(name: str, values: Collection[Any]) -> Where:
    """A partition column has one of these values."""
    allowed = frozenset(values)
    return Where(sf.col(name).isin(sorted(allowed)), lambda part: part[name] in allowed)


def not_before(name: str, value: str) -> Where:
    """A partition column has this value or a later one."""
    return Where(sf.col(name) >= value, lambda part: bool(part[name] >= value))


def in_parts(table: Table, parts: Collection[Part]) -> Where:
    """A row is in one of these partitions."""
    if not table.parts or not parts:
        every = bool(parts)
        return Where(sf.lit(every), lambda _: every)
    *outer, last = table.part_names
    grouped: dict[Part, list[Any]] = defaultdict(list)
    for part in parts:
        grouped[part[:-1]].append(part[-1])
    column = reduce(
        Column.__or__,
        (
            reduce(
                Column.__and__,
                (sf.col(name) == value for name, value in zip(outer, above, strict=True)),
                sf.col(last).isin(sorted(values)),
            )
            for above, values in sorted(grouped.items())
        ),
    )
    allowed = frozenset(parts)
    return Where(column, lambda part: tuple(part[name] for name in table.part_names) in allowed)
