"""Which datasets a leaf of a plan reads: one rule per leaf, found by the name of Spark's class."""

from __future__ import annotations

from collections.abc import Callable

from headwater.rules.tree import Dataset, Plan


def datasets(leaf: Plan) -> tuple[Dataset, ...] | None:
    """The datasets behind a leaf; empty for data that the job made itself; None where nobody can tell."""
    rule = _RULES.get(leaf.kind)
    return rule(leaf) if rule is not None else None


def _logical_relation(leaf: Plan) -> tuple[Dataset, ...] | None:
    """A file relation or another V1 source; a table's own location is truer than the files that were listed."""
    table = leaf.described("catalogTable")
    if table is not None and table.datasets:
        return table.datasets
    relation = leaf.described("relation")
    return relation.datasets if relation is not None and relation.datasets else None


def _hive_table(leaf: Plan) -> tuple[Dataset, ...] | None:
    table = leaf.described("tableMeta")
    return table.datasets if table is not None and table.datasets else None


def _local(_leaf: Plan) -> tuple[Dataset, ...]:
    return ()


_RULES: dict[str, Callable[[Plan], tuple[Dataset, ...] | None]] = {
    "HiveTableRelation": _hive_table,
    "LocalRelation": _local,
    "LogicalRelation": _logical_relation,
    "OneRowRelation": _local,
    "Range": _local,
}
