"""The reader's JSON into frozen trees. `java/PlanReader.java` says what the JSON looks like."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from headwater.rules.tree import Dataset, Described, Expr, Plan, Type, Unread, Value
from headwater.rules.types import DataType

_UNREAD = "unread"


def decode(read: Mapping[str, Any]) -> Plan:
    """The plan that the reader wrote.

    Rows refer to each other by number in any order, so all nodes are made first and filled in afterwards. A row that
    the reader had no budget left for becomes an `unread` node, which the rules take as opaque.

    >>> decode({"classes": [["p", "OneRowRelation", []]], "types": [], "nodes": [[0, []]]}).kind
    'OneRowRelation'
    """
    return _Decoder(read["classes"], read["types"], read["nodes"]).root()


class _Decoder:
    def __init__(self, classes: Sequence[Any], types: Sequence[DataType], rows: Sequence[Any]) -> None:
        self._classes = classes
        self._types = types
        self._rows = rows
        self._nodes: list[Expr | Plan] = [_blank(row if isinstance(row, str) else classes[row[0]][0]) for row in rows]

    def root(self) -> Plan:
        for node, row in zip(self._nodes, self._rows, strict=True):
            self._fill(node, row)
        root = self._nodes[0]
        if not isinstance(root, Plan):
            raise TypeError("the first row is not a plan")
        return root

    def _fill(self, node: Expr | Plan, row: Any) -> None:  # noqa: ANN401 (it is JSON)
        if isinstance(row, str):
            blank = Plan(_UNREAD) if isinstance(node, Plan) else Expr(_UNREAD)
            _set(node, **vars(blank))
            return
        tag, kind, names = self._classes[row[0]]
        if tag == "a":
            _, id_, name, type_, nullable = row
            _set(
                node, kind="AttributeReference", name=name, id=id_, type=self._types[type_], nullable=nullable, args={}
            )
        elif tag == "e":
            _, id_, name, type_, *fields = row
            _set(
                node,
                kind=kind,
                name=name or "",
                id=id_,
                type=None if type_ is None else self._types[type_],
                nullable=True,
                args=self._fields(names, fields),
            )
        else:
            _, output, *fields = row
            attributes = None if output is None else tuple(self._nodes[number] for number in output)
            _set(node, kind=kind, output=attributes, args=self._fields(names, fields))

    def _fields(self, names: Sequence[str], fields: Sequence[Any]) -> dict[str, Value]:
        return {name: self._value(value) for name, value in zip(names, fields, strict=True)}

    def _value(self, value: Any) -> Value:  # noqa: ANN401 (it is JSON)
        if type(value) is int:  # a bool is an int, but not a number of a row
            return self._nodes[value]
        if isinstance(value, list):
            return tuple([self._value(item) for item in value])
        return self._tagged(value) if isinstance(value, dict) else cast("bool | str | None", value)

    def _tagged(self, value: Mapping[str, Any]) -> Value:
        if "n" in value:
            return cast("int | float", value["n"])
        if "t" in value:
            return Type(self._types[value["t"]])
        if "d" in value:
            return _described(value)
        fields = tuple([self._value(field) for field in value.get("f", ())])
        return Unread(str(value.get("c")), fields)


def _described(value: Mapping[str, Any]) -> Described:
    kind = value["d"]
    if kind == "files":
        paths = tuple(Dataset(location=path, format=value["format"]) for path in value["paths"])
        return Described(kind, paths)
    if kind == "table":
        table = Dataset(value.get("location"), tuple(value["name"]), value.get("provider"))
        return Described(kind, (table,), is_view=value.get("type") == "VIEW")
    if kind == "rdd":
        folders = tuple(Dataset(location=path) for path in value["paths"])
        return Described(kind, folders, columns=tuple(value["columns"]), known=value["known"])
    return Described(kind, known=False)


def _blank(tag: str) -> Expr | Plan:
    return Plan.__new__(Plan) if tag == "p" else Expr.__new__(Expr)


def _set(node: Expr | Plan, **fields: object) -> None:
    """Fill in a frozen node: only here, before anyone else sees it."""
    node.__dict__.update(fields)
