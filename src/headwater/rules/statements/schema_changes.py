"""The columns of a table after ALTER TABLE, from those before and the changes that Spark sends to the catalog.

The reader writes a `TableChange` of Spark as its class, the path to the column, and what becomes of it. Paths lead
through structs by name, into an array by `element`, into a map by `key` and `value`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from headwater.rules.plan.tree import Expr, Type, Unread, Value
from headwater.rules.plan.types import DataType

_Field: TypeAlias = "dict[str, Any]"
_Edit: TypeAlias = "Callable[[list[_Field]], list[_Field]]"

# Where the types inside an array and a map stand in Spark's JSON.
_INSIDE = {"element": "elementType", "key": "keyType", "value": "valueType"}

# Changes of an existing column, other than of its comment and the like.
_OF_ONE = frozenset({"DeleteColumn", "RenameColumn", "UpdateColumnPosition", "UpdateColumnType"})


@dataclass(frozen=True)
class ColumnChange:
    """One change of a column.

    Attributes:
        kind: the name of Spark's class: `AddColumn`, `RenameColumn`, …
        type: the column's new type, where it gets one.
        position: the column that it comes after, empty for the first place, None where it stays or goes to the end.
        name: its new name, where it gets one.
    """

    kind: str
    path: tuple[str, ...]
    type: DataType | None = None
    position: str | None = None
    name: str | None = None


def read_changes(value: Value) -> list[ColumnChange]:
    """The column changes in a command's field; other changes are left out."""
    changes = []
    for change in value if isinstance(value, tuple) else ():
        if not isinstance(change, Unread) or not change.fields:
            continue
        path, type_, position, name = change.fields
        changes.append(
            ColumnChange(
                change.name.rpartition("$")[2],
                tuple(part for part in path if isinstance(part, str)) if isinstance(path, tuple) else (),
                type_.json if isinstance(type_, Type) else None,
                position if isinstance(position, str) else None,
                name if isinstance(name, str) else None,
            )
        )
    return changes


def after_changes(columns: Sequence[Expr], changes: Iterable[ColumnChange]) -> tuple[Expr, ...]:
    """The columns after the changes, in order. A change of a missing column changes nothing.

    >>> id_, name = Expr("AttributeReference", name="id"), Expr("AttributeReference", name="name", type="string")
    >>> changes = [ColumnChange("AddColumn", ("age",), "integer", "id"), ColumnChange("DeleteColumn", ("name",))]
    >>> [column.name for column in after_changes([id_, name], changes)]
    ['id', 'age']
    """
    table: Any = {
        "type": "struct",
        "fields": [{"name": column.name, "type": column.type, "column": column} for column in columns],
    }
    for change in changes:
        table = _inside(table, change.path[:-1], _edit(change))
    return tuple(
        replace(field.get("column") or Expr("AttributeReference"), name=field["name"], type=field["type"])
        for field in table["fields"]
    )


def _inside(type_: Any, path: Sequence[str], edit: _Edit) -> Any:  # noqa: ANN401 (Spark's JSON)
    """A type with what is right inside the type at a path edited."""
    fields = _fields(type_)
    if not path:
        return _with_fields(type_, edit(fields))
    at = _place(fields, path[0])
    if at is None:
        return type_
    changed = {**fields[at], "type": _inside(fields[at]["type"], path[1:], edit)}
    return _with_fields(type_, [*fields[:at], changed, *fields[at + 1 :]])


def _fields(type_: Any) -> list[_Field]:  # noqa: ANN401
    """What is right inside a type: an array's element and a map's key and value are fields with these names."""
    if not isinstance(type_, Mapping):
        return []
    if type_.get("type") == "struct":
        return list(type_["fields"])
    return [{"name": name, "type": type_[key]} for name, key in _INSIDE.items() if key in type_]


def _with_fields(type_: Any, fields: list[_Field]) -> Any:  # noqa: ANN401
    if not isinstance(type_, Mapping):
        return type_
    if type_.get("type") == "struct":
        return {**type_, "fields": fields}
    return {**type_, **{_INSIDE[field["name"]]: field["type"] for field in fields if field["name"] in _INSIDE}}


def _edit(change: ColumnChange) -> _Edit:
    def edited(fields: list[_Field]) -> list[_Field]:
        name = change.path[-1] if change.path else ""
        if change.kind == "AddColumn":
            return _insert(fields, {"name": name, "type": change.type}, change.position)
        at = _place(fields, name)
        if at is None or change.kind not in _OF_ONE:
            return fields
        before, after = fields[:at], fields[at + 1 :]
        if change.kind == "UpdateColumnPosition":
            return _insert([*before, *after], fields[at], change.position)
        new: dict[str, _Field] = {
            "RenameColumn": {"name": change.name or name},
            "UpdateColumnType": {"type": change.type},
        }
        return [*before, *([{**fields[at], **new[change.kind]}] if change.kind in new else []), *after]

    return edited


def _insert(fields: list[_Field], field: _Field, position: str | None) -> list[_Field]:
    after = None if not position else _place(fields, position)
    if position == "":
        at = 0
    elif after is not None:
        at = after + 1
    else:
        at = len(fields)
    return [*fields[:at], field, *fields[at:]]


def _place(fields: list[_Field], name: str) -> int | None:
    """The place of a field by its name, else by the name in another case."""
    names = [field["name"] for field in fields]
    if name in names:
        return names.index(name)
    lowered = [own.lower() for own in names]
    return lowered.index(name.lower()) if name.lower() in lowered else None
