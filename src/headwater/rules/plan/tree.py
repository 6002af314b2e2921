"""A logical plan as frozen data.

Nodes keep the names that Spark gives to the fields of its classes, so that a rule reads like Spark's own source:

>>> age = Expr("AttributeReference", name="age", id=3, type="integer")
>>> adult = Expr("GreaterThan", name=">", args={"left": age, "right": Expr("Literal", args={"sql": "17"})})
>>> plan = Plan("Filter", args={"condition": adult, "child": Plan("LocalRelation", output=(age,))})
>>> plan.expr("condition").children[0].name
'age'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias, TypeVar

from headwater.rules.plan.types import DataType

_Item = TypeVar("_Item")

UNREAD = "unread"
"""The kind of a node that the reader had no time for."""
# Folders without a proper name: dates, numbers, and anything with a UUID in it, with hyphens or without.
_NO_NAME = re.compile(
    r"^\d[\d\W_tz]*$|(?<![0-9a-f])[0-9a-f]{8}(-?)(?:[0-9a-f]{4}\1){3}[0-9a-f]{12}(?![0-9a-f])", re.IGNORECASE
)


@dataclass(frozen=True)
class Unread:
    """A value of a class without a rule, by the class's name, with its fields if it is small."""

    name: str
    fields: tuple[Value, ...] = ()


@dataclass(frozen=True)
class CatalogOf:
    """The catalog that a table stands in, as far as the session's settings tell.

    Attributes:
        name: what the session calls it: `spark_catalog`, `lake`.
        type: how it keeps its tables: `hadoop`, `hive`, `rest`, `jdbc`, `glue`, `nessie`, `unity`, …
        framework: whose tables they are: `iceberg`, `delta`, `hive`, …
        warehouse: the directory of its tables, as a URI, where it has one.
        uri: the address that it is reached at, without secrets, where it has one.
    """

    name: str
    type: str = ""
    framework: str = ""
    warehouse: str | None = None
    uri: str | None = None


@dataclass(frozen=True)
class Dataset:
    """What a plan says about where data lies; naming it is OpenLineage's business.

    Attributes:
        location: the physical place as a URI, where the plan knows it: of a JDBC source its URL without secrets
            (`jdbc:postgresql://host/db`), of a topic its first server (`kafka://host:9092`).
        table: the catalog's name for it in parts, empty if it is no table; of a JDBC source the table as it was
            written, of Kafka the topic.
        format: `parquet`, `csv`, `iceberg`, `delta`, `jdbc`, `kafka`, …
        identity: the namespace and name that the table's own properties ask for.
        catalog: the catalog that the table is in, where it is not Spark's own.
        version: which version was read or written: a snapshot's id, a Delta version.
    """

    location: str | None = None
    table: tuple[str, ...] = ()
    format: str | None = None
    identity: tuple[str, str] | None = None
    catalog: CatalogOf | None = None
    version: str | None = None

    def __hash__(self) -> int:
        """Computed once: a dataset is a part of every source field, and hashed with each of them."""
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.location, self.table, self.format, self.identity, self.catalog, self.version))

    @property
    def short_name(self) -> str:
        """What a person would call it: the table's name, or the last folder that is no partition, date or id.

        It stands in the text of expressions, which must not change with every day or run that writes a folder anew.

        >>> Dataset("file:/lake/orders/day=1").short_name, Dataset(table=("default", "menus")).short_name
        ('orders', 'menus')
        >>> Dataset("file:/lake/orders/2024-05-01/7-9bb032e817514d69a665e5cd60b53e2b").short_name
        'orders'
        """
        if self.table:
            return self.table[-1]
        folders = [part for part in (self.location or "").split("/") if part and "=" not in part]
        named = [part for part in folders if not _NO_NAME.search(part)]
        return (named or folders or [""])[-1]


@dataclass(frozen=True)
class Described:
    """Datasets that stand in a field of a node: the root paths of a relation, a catalog table, what an RDD reads.

    Attributes:
        columns: the columns read from the datasets, where the node's own output does not say it.
        reads: what is read behind an RDD, part by part.
        behind: the numbers of the RDDs behind an RDD that are known from earlier.
        known: whether these are all the datasets there are.
        source: the simple name of the class that is described: `KafkaTable`, `FileStreamSink`.
        query: a text in SQL that another engine runs, in place of a table.
        filter: a query in that language whose conditions decide which rows of the table are read; empty if it could not
            be written down.
        options: what names a dataset among the options of a reader or writer, by names in lower case.
        catalog: the catalog itself, where the field is one.
        rdd: the number of the RDD, where the field is one.
        schema: the dataset's columns as a struct, where no attributes of the node say them.
    """

    kind: str
    datasets: tuple[Dataset, ...] = ()
    columns: tuple[str, ...] = ()
    known: bool = True
    source: str = ""
    query: str | None = None
    filter: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    catalog: CatalogOf | None = None
    rdd: int | None = None
    reads: tuple[Described, ...] = ()
    behind: tuple[int, ...] = ()
    schema: DataType | None = None

    @property
    def dataset(self) -> Dataset:
        """The first dataset, or one that says nothing."""
        return self.datasets[0] if self.datasets else Dataset()


@dataclass(frozen=True)
class Type:
    """A data type that stands in a field of a node, such as a cast's target."""

    json: DataType


Value: TypeAlias = "bool | int | float | str | Type | Unread | Described | Expr | Plan | tuple[Value, ...] | None"


class NotAsExpected(Exception):  # noqa: N818 (it is caught by name, and turned into an opaque answer)
    """A node lacks the field that its rule reads: a Spark that we do not know yet."""

    def __init__(self, kind: str, field_name: str) -> None:
        super().__init__(f"{kind} has no {field_name} of the expected kind")
        self.kind = kind


@dataclass(frozen=True, eq=False)
class Node:
    """What plans and expressions have in common: the simple name of a Spark class, and the fields of that class."""

    kind: str
    args: Mapping[str, Value] = field(default_factory=dict, kw_only=True)

    @cached_property
    def children(self) -> tuple[Expr, ...]:
        """Every expression in the fields, in order."""
        return tuple([value for value in flatten(self.args.values()) if isinstance(value, Expr)])

    @cached_property
    def plans(self) -> tuple[Plan, ...]:
        """Every plan in the fields, in order."""
        return tuple([value for value in flatten(self.args.values()) if isinstance(value, Plan)])

    def expr(self, name: str) -> Expr:
        """The one expression in a field."""
        value = self.args.get(name)
        if not isinstance(value, Expr):
            raise NotAsExpected(self.kind, name)
        return value

    def exprs(self, name: str) -> tuple[Expr, ...]:
        """All expressions in a field: none, one, or a list, also nested."""
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


@dataclass(frozen=True, eq=False)
class Expr(Node):
    """An expression.

    Attributes:
        name: an attribute's name; an operator's symbol; any other expression's function name.
        id: the expression id, for what has one.
        type: the data type, for attributes and literals; that of the first argument, for casts and extractions.
        hidden: whether a source offers it beside the columns of its table: a file's name, a row's number.
    """

    name: str = ""
    id: int | None = None
    type: DataType | None = None
    nullable: bool = True
    hidden: bool = False

    @cached_property
    def arguments(self) -> tuple[Expr, ...]:
        """The expressions as the user wrote them: without the one that the analyzer put in this one's place."""
        replacement = self.args.get("replacement")
        return self.children if replacement is None else tuple(c for c in self.children if c is not replacement)


@dataclass(frozen=True, eq=False)
class Plan(Node):
    """An operator or command.

    Attributes:
        output: the attributes that it gives, where the reader wrote them; None where they follow from the inputs.
    """

    output: tuple[Expr, ...] | None = None

    @cached_property
    def leaves(self) -> tuple[Plan, ...]:
        """Every plan inside that has none inside, also in the expressions."""
        return tuple(node for node in walk([self]) if isinstance(node, Plan) and not node.plans)

    @cached_property
    def views(self) -> tuple[Plan, ...]:
        """Every view of a catalog inside, also in the expressions and in other views."""
        return tuple(node for node in walk([self]) if isinstance(node, Plan) and node.is_view)

    @property
    def is_view(self) -> bool:
        """Whether it is a view that a catalog keeps; a temporary one is no dataset.

        Those of catalogs other than Spark's own are queries below their names.

        >>> Plan("View", args={"isTempView": False}).is_view, Plan("View", args={"isTempView": True}).is_view
        (True, False)
        """
        if self.kind == "SubqueryAlias":
            return isinstance(self.args.get("identifier"), Described)
        return self.kind == "View" and self.args.get("isTempView") is False


def walk(roots: Iterable[Node]) -> Iterator[Node]:
    """Yield the nodes and everything inside them, plans and expressions alike, each once.

    >>> total = Expr("Add", args={"left": Expr("Literal"), "right": Expr("Rand")})
    >>> [node.kind for node in walk([Plan("Project", args={"projectList": (total, total)})])]
    ['Project', 'Add', 'Rand', 'Literal']
    """
    stack = list(roots)
    for node in drain(stack):
        yield node
        stack += node.plans
        stack += node.children


def drain(stack: list[_Item]) -> Iterator[_Item]:
    """Pop the items of a stack, each object once, while the caller pushes more: a graph is walked, not a tree."""
    seen: set[int] = set()
    while stack:
        item = stack.pop()
        if id(item) not in seen:
            seen.add(id(item))
            yield item


def any_inside(exprs: Iterable[Expr], test: Callable[[Expr], bool | None], known: dict[int, bool]) -> bool:
    """Whether something in the expressions passes a test.

    Args:
        exprs: the expressions.
        test: of one expression: True or False without a look at what is inside it, None if what is inside decides.
        known: the answers so far by `id`, for whoever asks about an expression and later about those inside it.

    >>> total = Expr("Add", args={"left": Expr("Literal"), "right": Expr("Rand")})
    >>> any_inside([total], lambda expr: True if expr.kind == "Rand" else None, {})
    True
    """
    asked = list(exprs)
    stack = list(asked)
    while stack:
        expr = stack[-1]
        if id(expr) in known:
            stack.pop()
            continue
        answer = test(expr)
        waiting = [] if answer is not None else [child for child in expr.children if id(child) not in known]
        if waiting:
            stack.extend(waiting)
        else:
            known[id(expr)] = any(known[id(child)] for child in expr.children) if answer is None else answer
    return any(known[id(expr)] for expr in asked)


def flatten(values: Iterable[Value]) -> Iterator[Value]:
    """Yield the values in order, with lists flattened.

    >>> list(flatten((1, (2, (3,)))))
    [1, 2, 3]
    """
    for value in values:
        if isinstance(value, tuple):
            yield from flatten(value)
        else:
            yield value
