"""Field paths of version 2 read back into the tree that they are made from.

Exact for a record of Avro's style, but for what the paths do not tell: a union with null is the other branch, a map's
keys are strings, and a record that is empty or inside itself is a scalar. A name must not hold `.[type=`, nor begin
with `[type=`, and a type's name must not hold `]`: DataHub escapes none of these.

>>> path = "[version=2.0].[type=Order].[type=array].[type=Line].lines.[type=string].sku"
>>> groups_of(path)
((('Order', 'array', 'Line'), 'lines'), (('string',), 'sku'))
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby
from typing import TypeAlias

from headwater.fields.errors import BadSchema
from headwater.fields.paths_v2 import KEY, VERSION
from headwater.fields.schema_tree import Array, Field, Map, Record, Scalar, Schema, Type, Union

_TYPE = "[type="
Group: TypeAlias = tuple[tuple[str, ...], str]
"""Types, and the name after them; the name is empty where a path ends without one."""


def groups_of(path: str) -> tuple[Group, ...]:
    """The groups of a path, without the version and the key mark.

    Raises:
        BadSchema: it is not a v2 path.
    """
    if not path.startswith(VERSION):
        raise BadSchema(f"{path[:200]!r} is not a v2 field path: it must begin with {VERSION}.")
    rest = path.removeprefix(VERSION).removeprefix(f".{KEY}")
    groups: list[Group] = []
    while rest:
        types: list[str] = []
        while rest.startswith(f".{_TYPE}"):
            end = rest.find("]")
            if end < 0:
                raise BadSchema(f"{path[:200]!r} is not a v2 field path: a bracket is not closed.")
            types.append(rest[len(_TYPE) + 1 : end])
            rest = rest[end + 1 :]
        if not types:
            raise BadSchema(f"{path[:200]!r} is not a v2 field path: {_TYPE}…] must precede each name.")
        end = rest.find(f".{_TYPE}")
        name, rest = (rest, "") if end < 0 else (rest[:end], rest[end:])
        groups.append((tuple(types), name.removeprefix(".")))
    return tuple(groups)


@dataclass
class _Node:
    """The paths that begin with the same groups."""

    inside: dict[Group, "_Node"] = field(default_factory=dict)


def schema_of_v2(paths: Iterable[str]) -> Schema:
    """The tree of a record, from the paths of all its fields.

    >>> schema_of_v2(["[version=2.0].[type=Order].[type=string].id"]).root.fields[0].type
    Scalar(name='string', native='')

    Raises:
        BadSchema: one is not a v2 path, or they belong to several records.
    """
    top = _Node()
    names: set[str] = set()
    is_key = False
    for path in paths:
        is_key = is_key or path.startswith(f"{VERSION}.{KEY}")
        (types, name), *others = groups_of(path)
        names.add(types[0])
        node = top
        for group in ((types[1:], name), *others):
            node = node.inside.setdefault(group, _Node())
    if len(names) != 1:
        raise BadSchema(f"The field paths must belong to one record, not to {len(names)}.")
    return Schema(Record(names.pop(), _fields(top)), is_key=is_key)


def _fields(node: _Node) -> tuple[Field, ...]:
    """The fields of a record; a name repeats for each branch of a union."""
    return tuple(
        Field(name, _type([(types, inner) for (types, _), inner in entries]))
        for name, entries in groupby(node.inside.items(), key=lambda entry: entry[0][1])
    )


def _type(entries: list[tuple[tuple[str, ...], _Node]]) -> Type:
    """The type at the start of these."""
    (first, *more), node = entries[0]
    inner = [(types[1:], below) for types, below in entries]
    if first == "array" and more:
        return Array(_type(inner))
    if first == "map" and more:
        return Map(Scalar("string", "string"), _type(inner))
    if first == "union" and not more and not node.inside:
        return Union(tuple(_branch(list(group)) for _, group in groupby(inner[1:], key=lambda entry: entry[0][0])))
    return Record(first, _fields(node)) if node.inside else Scalar(first)


def _branch(entries: list[tuple[tuple[str, ...], _Node]]) -> Field:
    return Field(entries[0][0][0], _type(entries))
