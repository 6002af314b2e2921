"""Spark's data types, as its own JSON has them: what is inside them, and when two are the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias, cast

# "integer", or {"type": "struct", "fields": [...]}.
DataType: TypeAlias = "str | Mapping[str, object]"
Path: TypeAlias = "tuple[str, ...]"

# The parts of what has no names of its own, as OpenLineage's schema facet calls them.
ELEMENT = "_element"
KEY = "key"
VALUE = "value"


def kind(type_: DataType | None) -> str:
    """The name of a type, without what is inside.

    >>> kind({"type": "array", "elementType": "string"}), kind("integer")
    ('array', 'integer')
    """
    return type_ if isinstance(type_, str) else str((type_ or {}).get("type", ""))


def parts(type_: DataType | None) -> Sequence[tuple[str, DataType]]:
    """What is right inside a type, by name; nothing for a type that has no parts.

    >>> parts({"type": "map", "keyType": "string", "valueType": "long"})
    [('key', 'string'), ('value', 'long')]
    """
    inside = cast("Mapping[str, Any]", {} if type_ is None or isinstance(type_, str) else type_)
    name = inside.get("type")
    if name == "struct":
        return [(str(field["name"]), field["type"]) for field in inside["fields"]]
    if name == "array":
        return [(ELEMENT, inside["elementType"])]
    if name == "map":
        return [(KEY, inside["keyType"]), (VALUE, inside["valueType"])]
    return []


def leaves(type_: DataType | None) -> Iterator[Path]:
    """The paths to all that has no parts; a type without parts is its own leaf.

    >>> list(leaves({"type": "struct", "fields": [{"name": "x", "type": "long"}, {"name": "y", "type": "string"}]}))
    [('x',), ('y',)]
    """
    inside = parts(type_)
    if not inside:
        yield ()
    for name, inner in inside:
        for path in leaves(inner):
            yield (name, *path)


def same(one: DataType | None, other: DataType | None) -> bool:
    """Whether two types hold the same values, whatever they say about nulls and comments.

    >>> same({"type": "array", "elementType": "long", "containsNull": True}, {"type": "array", "elementType": "long"})
    True
    """
    ours, theirs = parts(one), parts(other)
    if not ours or not theirs:
        return one == other
    return (
        kind(one) == kind(other)
        and [name for name, _ in ours] == [name for name, _ in theirs]
        and all(same(a, b) for (_, a), (_, b) in zip(ours, theirs, strict=True))
    )
