"""A schema of any format as a tree, from which all three kinds of field paths are made.

The tree is finite: where a type is inside itself, a `Recursive` ends it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from headwater.fields.errors import BadSchema

DEEPEST = 150
"""The most types inside one another."""
MOST = 50_000
"""The most types of one schema, references followed."""

DEEPEST_BRACKETS = 60
"""The most brackets inside one another in a text: parsers follow them by recursion."""
_BRACKETS = re.compile(r"[{}()<>]|\[|\]")


class Style(Enum):
    """The rules for v2 paths: DataHub's converters differ (docs/datahub.md)."""

    AVRO = "avro"
    JSON_SCHEMA = "json-schema"
    PROTOBUF = "protobuf"
    COLUMNS = "columns"


@dataclass(frozen=True, slots=True)
class Scalar:
    """A type without parts: `name` as in DataHub's paths, `native` as the format writes it."""

    name: str
    native: str = ""


@dataclass(frozen=True, slots=True)
class Recursive:
    """A record of this name inside itself: the tree ends here."""

    name: str


@dataclass(frozen=True, slots=True)
class Record:
    """Fields by name."""

    name: str
    fields: tuple["Field", ...]


@dataclass(frozen=True, slots=True)
class Array:
    """Items of one type; `item_name` where DataHub's paths name the item (JSON Schema)."""

    item: "Type"
    item_name: str | None = None


@dataclass(frozen=True, slots=True)
class Map:
    """Values by key; `entry` is the record that a map is written as (Protobuf)."""

    key: "Type"
    value: "Type"
    entry: str | None = None


@dataclass(frozen=True, slots=True)
class Union:
    """One of several types, by name.

    Attributes:
        branches: all but null.
        nullable: whether null is a branch.
        named: whether the branches are fields with names of their own (Protobuf's oneof).
    """

    branches: tuple["Field", ...]
    nullable: bool = False
    named: bool = False


Type: TypeAlias = Scalar | Recursive | Record | Array | Map | Union


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a record, or a branch of a union."""

    name: str
    type: Type
    nullable: bool = False
    description: str = ""


@dataclass(frozen=True, slots=True)
class Schema:
    """One schema: its outermost type, and the style of its paths; `is_key` for the key of a topic's messages."""

    root: Type
    style: Style = Style.AVRO
    is_key: bool = False


def option_of(type_: Type) -> Type | None:
    """The only other type of a union with null.

    >>> option_of(Union((Field("int", Scalar("int")),), nullable=True))
    Scalar(name='int', native='')
    """
    if isinstance(type_, Union) and type_.nullable and len(type_.branches) == 1 and not type_.named:
        return type_.branches[0].type
    return None


def is_nullable(field: Field) -> bool:
    """Whether a field may be null, by itself or by a branch of its union."""
    return field.nullable or _has_null(field.type)


def _has_null(type_: Type) -> bool:
    return isinstance(type_, Union) and (type_.nullable or any(_has_null(branch.type) for branch in type_.branches))


class Limits:
    """Counts the types of one schema, so that a small text cannot ask for a huge tree."""

    def __init__(self) -> None:
        self._left = MOST

    def enter(self, depth: int) -> int:
        """Count one type at this depth; the depth of what is inside it.

        Raises:
            BadSchema: it is too deep, or there are too many.
        """
        self._left -= 1
        if self._left < 0:
            raise BadSchema(f"The schema has more than {MOST:,} fields, including references: split it.")
        if depth >= DEEPEST:
            raise BadSchema(f"The schema is nested more than {DEEPEST} types deep: flatten it.")
        return depth + 1


def check_nesting(value: object) -> None:
    """Refuse JSON that is nested deeper than a schema may be, before a library follows it.

    Raises:
        BadSchema: it is too deep.
    """
    # A type takes at most four levels of JSON: a field's object, its type, the list of fields, the object of a union.
    level: list[object] = [value]
    for _ in range(4 * DEEPEST):
        level = [inner for outer in level for inner in _inside(outer)]
        if not level:
            return
    raise BadSchema(f"The schema is nested more than {DEEPEST} types deep: flatten it.")


def _inside(value: object) -> Iterator[object]:
    if isinstance(value, dict):
        yield from (inner for inner in value.values() if isinstance(inner, dict | list))
    elif isinstance(value, list):
        yield from (inner for inner in value if isinstance(inner, dict | list))


def check_brackets(text: str) -> None:
    """Refuse a text with too many brackets inside one another, before a parser follows them by recursion.

    Raises:
        BadSchema: it has too many.
    """
    depth = 0
    for match in _BRACKETS.finditer(text):
        depth += 1 if match[0] in "{[(<" else -1
        if depth > DEEPEST_BRACKETS:
            raise BadSchema(f"The schema has more than {DEEPEST_BRACKETS} nested brackets: flatten it.")
