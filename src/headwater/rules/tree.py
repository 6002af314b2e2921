"""A logical plan as frozen data.

Nodes keep the names that Spark gives to the fields of its classes, so that a rule reads like Spark's own source:

>>> age = Expr("AttributeReference", name="age", id=3, type="integer")
>>> adult = Expr("GreaterThan", name=">", args={"left": age, "right": Expr("Literal", args={"sql": "17"})})
>>> plan = Plan("Filter", args={"condition": adult, "child": Plan("LocalRelation", output=(age,))})
>>> plan.expr("condition").children[0].name
'age'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

# Spark's own JSON for a data type: "integer", or {"type": "struct", "fields": [...]}.
DataType: TypeAlias = "str | Mapping[str, object]"


@dataclass(frozen=True)
class Unread:
    """A value of a class that the reader does not look into, by the class's name."""

    name: str


@dataclass(frozen=True)
class Dataset:
    """What a plan says about where data lies; naming it is OpenLineage's business.

    Attributes:
        location: the physical place as a URI, where the plan knows it.
        table: the catalog's name for it in parts, empty if it is no table.
        format: `parquet`, `csv`, …
    """

    location: str | None = None
    table: tuple[str, ...] = ()
    format: str | None = None

    @property
    def short_name(self) -> str:
        """What a person would call it: the table's name, or the last folder that is no partition.

        >>> Dataset("file:/lake/orders/day=1").short_name, Dataset(table=("default", "menus")).short_name
        ('orders', 'menus')
        """
        if self.table:
            return self.table[-1]
        folders = [part for part in (self.location or "").split("/") if part and "=" not in part]
        return folders[-1] if folders else ""


@dataclass(frozen=True)
class Described:
    """Datasets that stand in a field of a node: the root paths of a relation, a catalog table."""

    kind: str
    datasets: tuple[Dataset, ...] = ()
    is_view: bool = False


Value: TypeAlias = "bool | int | float | str | Type | Unread | Described | Expr | Plan | tuple[Value, ...] | None"


@dataclass(frozen=True)
class Type:
    """A data type that stands in a field of a node, such as a cast's target."""

    json: DataType


@dataclass(frozen=True, eq=False)
class Expr:
    """An expression: its Spark class as `kind`, and the fields of that class as `args`.

    Attributes:
        kind: the simple name of Spark's class.
        name: an attribute's name; an operator's symbol; any other expression's function name.
        id: the expression id, for what has one.
        type: the data type, for attributes and literals; what it takes from, for casts and extractions.
    """

    kind: str
    name: str = ""
    id: int | None = None
    type: DataType | None = None
    nullable: bool = True
    args: Mapping[str, Value] = field(default_factory=dict)

    @property
    def children(self) -> tuple[Expr, ...]:
        """Every expression in the fields, in order."""
        return tuple(value for value in flatten(self.args.values()) if isinstance(value, Expr))

    @property
    def plans(self) -> tuple[Plan, ...]:
        """Every plan in the fields: the query of a subquery expression."""
        return tuple(value for value in flatten(self.args.values()) if isinstance(value, Plan))

    def expr(self, name: str) -> Expr:
        """The one expression in a field."""
        value = self.args.get(name)
        if not isinstance(value, Expr):
            raise NotAsExpected(self.kind, name)
        return value

    def exprs(self, name: str) -> tuple[Expr, ...]:
        """All expressions in a field: none, one, or a list, also nested."""
        return tuple(value for value in flatten((self.args.get(name),)) if isinstance(value, Expr))


@dataclass(frozen=True, eq=False)
class Plan:
    """An operator or command: its Spark class as `kind`, and the fields of that class as `args`.

    Attributes:
        output: the attributes that it gives, where the reader wrote them; None where they follow from the inputs.
    """

    kind: str
    output: tuple[Expr, ...] | None = None
    args: Mapping[str, Value] = field(default_factory=dict)

    @property
    def plans(self) -> tuple[Plan, ...]:
        """Every plan in the fields, in order."""
        return tuple(value for value in flatten(self.args.values()) if isinstance(value, Plan))

    @property
    def expressions(self) -> tuple[Expr, ...]:
        """Every expression in the fields, in order."""
        return tuple(value for value in flatten(self.args.values()) if isinstance(value, Expr))

    def expr(self, name: str) -> Expr:
        """The one expression in a field."""
        value = self.args.get(name)
        if not isinstance(value, Expr):
            raise NotAsExpected(self.kind, name)
        return value

    def exprs(self, name: str) -> tuple[Expr, ...]:
        """All expressions in a field: none, one, or a list."""
        return tuple(value for value in flatten((self.args.get(name),)) if isinstance(value, Expr))

    def plan(self, name: str) -> Plan:
        """The one plan in a field."""
        value = self.args.get(name)
        if not isinstance(value, Plan):
            raise NotAsExpected(self.kind, name)
        return value

    def strings(self, name: str) -> tuple[str, ...]:
        """The list of strings in a field, empty if the field is not there."""
        return tuple(value for value in flatten((self.args.get(name),)) if isinstance(value, str))

    def described(self, name: str) -> Described | None:
        """What a field says about a dataset, if it does."""
        value = self.args.get(name)
        return value if isinstance(value, Described) else None


class NotAsExpected(Exception):  # noqa: N818 (it is caught by name, and turned into an opaque answer)
    """A node has not the field that its rule reads: a Spark that we do not know yet."""

    def __init__(self, kind: str, field_name: str) -> None:
        super().__init__(f"{kind} has no {field_name} of the expected kind")
        self.kind = kind


def flatten(values: Iterable[Value]) -> Iterator[Value]:
    """Yield the values in order, lists opened up.

    >>> list(flatten((1, (2, (3,)))))
    [1, 2, 3]
    """
    for value in values:
        if isinstance(value, tuple):
            yield from flatten(value)
        else:
            yield value
