"""The columns after ALTER TABLE, at the top and inside structs, arrays and maps."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from headwater.rules.plan.tree import Dataset, Described, Expr, Plan, Type, Unread, Value
from headwater.rules.plan.types import DataType, kind, parts
from headwater.rules.statements.schema_changes import ColumnChange, after_changes
from headwater.rules.statements.statements import statement
from headwater.rules.statements.writes import Change

POINT: DataType = {"type": "struct", "fields": [{"name": "x", "type": "integer"}, {"name": "y", "type": "integer"}]}
COLUMNS: dict[str, DataType] = {
    "id": "integer",
    "s": POINT,
    "arr": {"type": "array", "elementType": POINT, "containsNull": True},
    "m": {"type": "map", "keyType": "string", "valueType": POINT, "valueContainsNull": True},
}
TABLE = tuple(Expr("AttributeReference", name=name, type=type_) for name, type_ in COLUMNS.items())


def shown(type_: DataType | None) -> str:
    inside = ",".join(f"{name}:{shown(part)}" for name, part in parts(type_))
    return f"{kind(type_)}<{inside}>" if inside else kind(type_)


CASES: list[tuple[list[ColumnChange], dict[str, str]]] = [
    ([ColumnChange("AddColumn", ("b",), "string")], {"b": "string"}),
    ([ColumnChange("AddColumn", ("s", "z"), "long", "")], {"s": "struct<z:long,x:integer,y:integer>"}),
    ([ColumnChange("AddColumn", ("S", "z"), "long", "X")], {"s": "struct<x:integer,z:long,y:integer>"}),
    (
        [ColumnChange("AddColumn", ("arr", "element", "z"), "long")],
        {"arr": "array<_element:struct<x:integer,y:integer,z:long>>"},
    ),
    ([ColumnChange("DeleteColumn", ("m", "value", "x"))], {"m": "map<key:string,value:struct<y:integer>>"}),
    ([ColumnChange("RenameColumn", ("s", "x"), name="x2")], {"s": "struct<x2:integer,y:integer>"}),
    ([ColumnChange("UpdateColumnType", ("id",), "long")], {"id": "long"}),
    (
        [ColumnChange("UpdateColumnType", ("m", "key"), "binary")],
        {"m": "map<key:binary,value:struct<x:integer,y:integer>>"},
    ),
    ([ColumnChange("UpdateColumnPosition", ("s", "y"), position="")], {"s": "struct<y:integer,x:integer>"}),
    ([ColumnChange("UpdateColumnComment", ("id",)), ColumnChange("DeleteColumn", ("none", "such"))], {}),
]


@pytest.mark.parametrize(("changes", "different"), CASES)
def test_types(changes: Sequence[ColumnChange], different: dict[str, str]) -> None:
    after = after_changes(TABLE, changes)

    assert {column.name: shown(column.type) for column in after} == {
        **{name: shown(type_) for name, type_ in COLUMNS.items()},
        **different,
    }


def test_order() -> None:
    changes = [
        ColumnChange("AddColumn", ("first",), "string", ""),
        ColumnChange("AddColumn", ("second",), "string", "first"),
        ColumnChange("UpdateColumnPosition", ("m",), position="id"),
        ColumnChange("RenameColumn", ("id",), name="key"),
        ColumnChange("DeleteColumn", ("arr",)),
    ]

    assert [column.name for column in after_changes(TABLE, changes)] == ["first", "second", "key", "m", "s"]


def test_an_alter_command_says_what_the_table_has_afterwards() -> None:
    place = Described("v2", (Dataset("file:/lake/t", format="iceberg"),))
    table = Plan("ResolvedTable", args={"table": place}, output=TABLE)
    added: Value = Unread("TableChange$AddColumn", (("b",), Type("string"), "id", None))
    property_: Value = Unread("TableChange$SetProperty")

    answer = statement(Plan("AddColumns", args={"table": table, "changes": (property_, added)}))

    assert answer is not None
    (written,) = answer.writes
    assert written.change is Change.ALTER
    assert [field.name for field in written.schema] == ["id", "b", "s", "arr", "m"]
