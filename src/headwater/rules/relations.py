"""What a leaf of a plan reads: one rule per leaf, found by the name of Spark's class."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from headwater.rules.tree import Dataset, Described, Plan


@dataclass(frozen=True)
class Read:
    """What a leaf reads.

    Attributes:
        datasets: the datasets; none for data that the job made itself.
        columns: their columns, where nobody can tell which of them is in which of the leaf's own; else the leaf's own.
        known: whether these are all the datasets there are.
    """

    datasets: tuple[Dataset, ...] = ()
    columns: tuple[str, ...] | None = None
    known: bool = True


UNKNOWN = Read(known=False)


def read(leaf: Plan) -> Read:
    """What a leaf reads."""
    rule = RULES.get(leaf.kind)
    return UNKNOWN if rule is None else rule(leaf)


def _logical_relation(leaf: Plan) -> Read:
    """A file relation or another V1 source; a table's own location is truer than the files that were listed."""
    return _first(leaf.described("catalogTable"), leaf.described("relation"))


def _hive_table(leaf: Plan) -> Read:
    return _first(leaf.described("tableMeta"))


def _first(*described: Described | None) -> Read:
    for one in described:
        if one is not None and one.datasets:
            return Read(one.datasets)
    return UNKNOWN


def _local(_leaf: Plan) -> Read:
    return Read()


def _rdd(leaf: Plan) -> Read:
    """Data that has been through an RDD: its files may be known, but not what became of their columns."""
    rdd = leaf.described("rdd")
    if rdd is None:
        return UNKNOWN
    return Read(rdd.datasets, rdd.columns if rdd.datasets else None, rdd.known)


RULES: dict[str, Callable[[Plan], Read]] = {
    "EmptyRelation": _local,
    "ExternalRDD": _rdd,
    "HiveTableRelation": _hive_table,
    "LocalRelation": _local,
    "LogicalRDD": _rdd,
    "LogicalRelation": _logical_relation,
    "OneRowRelation": _local,
    "Range": _local,
}
