"""From the reader's JSON to frozen trees. `reader/plan/PlanReader.java` documents the JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from headwater.capture.jvm.datasets import Catalogs, described
from headwater.rules.plan.budget import hold, look
from headwater.rules.plan.tree import UNREAD, CatalogOf, Expr, Plan, Type, Unread, Value, flatten
from headwater.rules.plan.types import DataType

_NO_ARGS: Mapping[str, Value] = {}
# The memory of a node with its fields.
_BYTES_OF_A_NODE = 500
_LOOK_EVERY = 1024


def decode(
    read: Mapping[str, Any], *, shallow: bool = False, leaves: bool = False, catalogs: Catalogs = CatalogOf
) -> Plan:
    """Decode a plan; `catalogs` returns a catalog by its name.

    Rows refer to each other by number in any order, so all nodes are created first and filled in afterwards. A row that
    the reader had no budget left for becomes an `unread` node, which is opaque to the rules; with `shallow`, so does
    everything below the root but the table that it writes, and with `leaves`, every node that is neither a leaf, a view
    nor a field of the root.

    Raises:
        Exceeded: there are more nodes than the statement's budget allows.

    >>> decode({"classes": [["p", "OneRowRelation", []]], "types": [], "nodes": [[0, []]]}).kind
    'OneRowRelation'
    """
    rows = read["nodes"]
    if shallow:
        rows = list(_target(read["classes"], rows))
    elif leaves:
        rows = list(_leaves(read["classes"], rows))
    return _Decoder(read["classes"], read["types"], rows, catalogs).root()


def root_kind(read: Mapping[str, Any]) -> str:
    """The name of the class of a plan's root.

    >>> root_kind({"classes": [["p", "OneRowRelation", []]], "types": [], "nodes": [[0, []]]})
    'OneRowRelation'
    """
    row = read["nodes"][0]
    return UNREAD if isinstance(row, str) else str(read["classes"][row[0]][1])


def _target(classes: Sequence[Any], rows: Sequence[Any]) -> Iterator[Any]:
    """The rows of the root and of the table that it writes."""
    numbers = {0}
    if not isinstance(rows[0], str):
        numbers.update(_numbers([field for name, field in _named(classes, rows[0]) if name == "table"]))
    for number, row in enumerate(rows):
        yield row if isinstance(row, str) or number in numbers else _tag(classes, row)


def _named(classes: Sequence[Any], row: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    """The fields of a plan's row with their names."""
    return zip(classes[row[0]][2], row[2:], strict=True)


def _leaves(classes: Sequence[Any], rows: Sequence[Any]) -> Iterator[Any]:
    """The rows of the root, of the plans in its fields and in theirs, of the leaves and of views."""
    tags = [row if isinstance(row, str) else classes[row[0]][0] for row in rows]
    numbers = {0, *_numbers(rows[0][1:])}
    numbers |= {inside for number in numbers if tags[number] == "p" for inside in _numbers(rows[number][1:])}
    for number, row in enumerate(rows):
        if tags[number] == "p" and (
            not any(tags[inside] == "p" for inside in _numbers(row[2:])) or _may_be_view(classes[row[0]][1], row)
        ):
            numbers.add(number)
            numbers.update(_numbers(row[1:]))
    for number, row in enumerate(rows):
        yield row if isinstance(row, str) or number in numbers else tags[number].upper()


def _may_be_view(kind: str, row: Sequence[Any]) -> bool:
    return kind == "View" or (kind == "SubqueryAlias" and "d" in row[2])


def _numbers(fields: Sequence[Any]) -> Iterator[int]:
    """The numbers of rows in fields."""
    for field in fields if not isinstance(fields, str) else ():
        if type(field) is int:
            yield field
        elif isinstance(field, list):
            yield from _numbers(field)


def _tag(classes: Sequence[Any], row: Sequence[Any]) -> str:
    return "p" if classes[row[0]][0] == "p" else "e"


class _Decoder:
    def __init__(
        self, classes: Sequence[Any], types: Sequence[DataType], rows: Sequence[Any], catalogs: Catalogs
    ) -> None:
        hold(_BYTES_OF_A_NODE * sum(not isinstance(row, str) for row in rows))
        self._catalogs = catalogs
        self._classes = classes
        self._types = types
        self._rows = rows
        self._nodes: list[Expr | Plan] = [
            _unread_node(row) if isinstance(row, str) else _new_node(classes[row[0]][0]) for row in rows
        ]

    def root(self) -> Plan:
        for number, (node, row) in enumerate(zip(self._nodes, self._rows, strict=True)):
            if number % _LOOK_EVERY == 0:
                look()
            if not isinstance(row, str):
                # Nodes are frozen; nothing else has seen this one yet.
                object.__setattr__(node, "__dict__", self._fields(row))
        root = self._nodes[0]
        if not isinstance(root, Plan):
            raise TypeError("the first row is not a plan")
        # Fill the cached properties: the leaves and the views are known here.
        plans = [node for node in self._nodes if isinstance(node, Plan) and node is not _LEFT_OUT["P"]]
        root.__dict__["leaves"] = tuple([node for node in plans if not node.plans])
        root.__dict__["views"] = tuple([node for node in plans if node.is_view])
        return root

    def _fields(self, row: Sequence[Any]) -> dict[str, Any]:
        """The fields of a node."""
        tag, kind, names = self._classes[row[0]]
        if tag == "a":
            _, id_, name, type_, nullable, *hidden = row
            return {
                "kind": "AttributeReference",
                "name": name,
                "id": id_,
                "type": self._types[type_],
                "nullable": nullable,
                "args": _NO_ARGS,
                "children": (),
                "plans": (),
                "hidden": bool(hidden),
            }
        if tag == "e":
            _, id_, name, type_ = row[:4]
            type_ = None if type_ is None else self._types[type_]
            own = {"kind": kind, "name": name or "", "id": id_, "type": type_, "nullable": True, "hidden": False}
            self._add_arguments(own, names, row[4:])
        else:
            output = row[1]
            own = {"kind": kind, "output": None if output is None else tuple([self._nodes[n] for n in output])}
            self._add_arguments(own, names, row[2:])
        return own

    def _add_arguments(self, own: dict[str, Any], names: Sequence[str], fields: Sequence[Any]) -> None:
        nodes = self._nodes
        args: dict[str, Value] = {}
        children: list[Value] = []
        plans: list[Value] = []
        for name, field in zip(names, fields, strict=True):
            if type(field) is int:
                node = args[name] = nodes[field]
                (children if type(node) is Expr else plans).append(node)
            elif field is None or type(field) is str:
                args[name] = field
            else:
                value = args[name] = self._value(field)
                for item in flatten(value) if isinstance(value, tuple) else ():
                    if isinstance(item, Expr):
                        children.append(item)
                    elif isinstance(item, Plan):
                        plans.append(item)
        own["args"], own["children"], own["plans"] = args, tuple(children), tuple(plans)

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
            return described(value, self._catalogs)
        fields = tuple([self._value(field) for field in value.get("f", ())])
        return Unread(str(value.get("c")), fields)


def _new_node(tag: str) -> Expr | Plan:
    return Plan.__new__(Plan) if tag == "p" else Expr.__new__(Expr)


def _unread_node(tag: str) -> Expr | Plan:
    if tag in _LEFT_OUT:
        return _LEFT_OUT[tag]
    return Plan(UNREAD) if tag == "p" else Expr(UNREAD)


# Stand for all nodes that are not decoded when only leaves are.
_LEFT_OUT: Mapping[str, Expr | Plan] = {"P": Plan(UNREAD), "E": Expr(UNREAD), "A": Expr(UNREAD)}
