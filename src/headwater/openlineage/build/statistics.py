"""How much was read and written, from Spark's own metrics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from headwater.openlineage.naming.datasets import Name
from headwater.rules.plan.tree import Dataset


class Counts(NamedTuple):
    """Rows, bytes and files; None is unknown."""

    rows: int | None = None
    bytes: int | None = None
    files: int | None = None

    def plus(self, other: Counts) -> Counts:
        """The sum; a count that only one of them knows is taken from that one.

        >>> Counts(1, 10).plus(Counts(2, None, 3))
        Counts(rows=3, bytes=10, files=3)
        """
        return Counts(*(b if a is None else a if b is None else a + b for a, b in zip(self, other, strict=True)))


class Partitions(NamedTuple):
    """The locations of the partitions that a scan read: a partition may have a location of its own.

    Attributes:
        table: the table's name.
        places: their folders, without the trailing ones that only name the partition.
        known: whether the list is complete.
    """

    table: tuple[str, ...]
    places: tuple[Dataset, ...]
    known: bool = True


class Scan(NamedTuple):
    """The datasets that one scan read, and how much of them."""

    datasets: tuple[Dataset, ...]
    counts: Counts
    partitions: Partitions | None = None


class Statistics(NamedTuple):
    """The metrics of one execution: of its writes, in the order of the plan, and of its scans."""

    writes: tuple[Counts, ...] = ()
    scans: tuple[Scan, ...] = ()


@dataclass(frozen=True)
class RunStatistics:
    """How much a run read and wrote, by the names of the datasets."""

    reads: Mapping[Name, Counts] = field(default_factory=dict)
    writes: Mapping[Name, Counts] = field(default_factory=dict)
