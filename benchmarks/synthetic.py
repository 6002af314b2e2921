"""Plans of any size as the reader would write them, made without Spark."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

Read: TypeAlias = "dict[str, Any]"

_RELATION, _ATTRIBUTE, _FILTER, _AND, _PROJECT, _ALIAS, _UNION = range(7)
_CLASSES: list[list[Any]] = [
    ["p", "LogicalRelation", ["relation"]],
    ["a", "AttributeReference", []],
    ["p", "Filter", ["condition", "child"]],
    ["e", "And", ["left", "right"]],
    ["p", "Project", ["projectList", "child"]],
    ["e", "Alias", ["child", "name"]],
    ["p", "Union", ["children"]],
]


class _Rows:
    """Rows that refer to each other by number. The first is the root, which is filled in last."""

    def __init__(self) -> None:
        self.rows: list[list[Any]] = [[]]
        self.next_id = 0

    def add(self, *row: object) -> int:
        self.rows.append(list(row))
        return len(self.rows) - 1

    def attribute(self, id_: int | None = None) -> int:
        """A reference to a column, or a new column."""
        if id_ is None:
            self.next_id += 1
            id_ = self.next_id
        return self.add(_ATTRIBUTE, id_, f"c{id_}", 0, True)  # noqa: FBT003 (nullable, as the reader writes it)

    def relation(self, columns: int = 1) -> tuple[int, list[int]]:
        """A folder that nobody else reads, and its columns."""
        attributes = [self.attribute() for _ in range(columns)]
        files = {"d": "files", "paths": [f"file:/data/in{len(self.rows)}"], "format": "parquet"}
        return self.add(_RELATION, attributes, files), attributes

    def done(self, *root: object) -> Read:
        self.rows[0] = list(root)
        return {"classes": _CLASSES, "types": ["boolean"], "nodes": self.rows}


def projections(nodes: int) -> Read:
    """Projections on top of each other, each with an alias."""
    rows = _Rows()
    child, (column,) = rows.relation()
    while len(rows.rows) < nodes - 2:
        rows.next_id += 1
        alias = rows.add(_ALIAS, rows.next_id, "alias", None, column, "a")
        column = rows.attribute(rows.next_id)
        child = rows.add(_PROJECT, None, [alias], child)
    return rows.done(_PROJECT, None, [column], child)


def filters(nodes: int) -> Read:
    """Filters on top of each other, by ten columns in turn."""
    rows = _Rows()
    child, columns = rows.relation(10)
    while len(rows.rows) < nodes:
        child = rows.add(_FILTER, None, columns[len(rows.rows) % 10], child)
    return rows.done(_FILTER, None, columns[0], child)


def filters_by_all(nodes: int) -> Read:
    """Filters on top of each other, each by another column."""
    rows = _Rows()
    child, columns = rows.relation(nodes // 2)
    for column in columns:
        child = rows.add(_FILTER, None, column, child)
    return rows.done(_FILTER, None, columns[0], child)


def conditions(nodes: int) -> Read:
    """One condition of very many parts, each inside the next, over ten columns in turn."""
    rows = _Rows()
    child, columns = rows.relation(10)
    condition = columns[0]
    while len(rows.rows) < nodes:
        condition = rows.add(_AND, None, "AND", None, condition, columns[len(rows.rows) % 10])
    return rows.done(_FILTER, None, condition, child)


def conditions_on_all(nodes: int) -> Read:
    """The same, each part with another column."""
    rows = _Rows()
    child, columns = rows.relation(nodes // 2)
    condition = columns[0]
    for column in columns[1:]:
        condition = rows.add(_AND, None, "AND", None, condition, column)
    return rows.done(_FILTER, None, condition, child)


def union(nodes: int) -> Read:
    """A union of very many branches, each with a folder of its own."""
    rows = _Rows()
    branches = []
    for _ in range(nodes // 3):
        child, columns = rows.relation()
        branches.append(rows.add(_PROJECT, None, columns, child))
    return rows.done(_UNION, None, branches)


def unions(nodes: int) -> Read:
    """Unions on top of each other, each with one more folder."""
    rows = _Rows()
    child, columns = rows.relation()
    while len(rows.rows) < nodes - 1:
        child = rows.add(_UNION, None, [child, rows.relation()[0]])
    return rows.done(_PROJECT, None, columns, child)


SHAPES: dict[str, Callable[[int], Read]] = {
    "projections on each other": projections,
    "filters on each other, ten columns": filters,
    "filters on each other, each its column": filters_by_all,
    "a deep condition, ten columns": conditions,
    "a deep condition, each part its column": conditions_on_all,
    "a wide union, each branch its folder": union,
    "unions on each other, each its folder": unions,
}
