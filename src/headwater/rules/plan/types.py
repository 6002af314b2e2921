"""Spark's data types, as its JSON has them: what is inside them, and when two are the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, cast

from headwater.rules.plan.budget import spend

# "integer", or {"type": "struct", "fields": [...]}.
DataType: TypeAlias = "str | Mapping[str, object]"
# The way to a part of a value: ELEMENT, KEY, VALUE, and the fields of structs by their places. Spark puts values
# together by position and keeps one side's names, so a name says nothing before the value stands in its column.
Path: TypeAlias = "tuple[int | str, ...]"
Names: TypeAlias = "tuple[str, ...]"

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


def steps(type_: DataType | None) -> Sequence[tuple[int | str, str, DataType]]:
    """What is right inside a type: the step that leads to it, its name, its type.

    >>> steps({"type": "struct", "fields": [{"name": "x", "type": "long"}]})
    [(0, 'x', 'long')]
    """
    by_place = kind(type_) == "struct"
    return [(place if by_place else name, name, inner) for place, (name, inner) in enumerate(parts(type_))]


def leaves(type_: DataType | None) -> Iterator[tuple[Path, Names]]:
    """The paths to all that has no parts, and how they are written; a type without parts is its own leaf.

    >>> list(leaves({"type": "struct", "fields": [{"name": "x", "type": "long"}, {"name": "y", "type": "string"}]}))
    [((0,), ('x',)), ((1,), ('y',))]
    """
    return ((path, names) for path, names, inner in everywhere(type_) if not parts(inner))


def everywhere(type_: DataType | None) -> Iterator[tuple[Path, Names, DataType | None]]:
    """The paths to all that is in a type, itself first, how they are written, and what is there."""
    yield (), (), type_
    inside = steps(type_)
    spend(len(inside))
    for step, name, inner in inside:
        for path, names, innermost in everywhere(inner):
            yield (step, *path), (name, *names), innermost


def placed(names: Sequence[str], type_: DataType | None) -> Path | None:
    """The path that names lead to in a type, in any case; None if there is none.

    >>> placed(("X",), {"type": "struct", "fields": [{"name": "x", "type": "long"}]})
    (0,)
    """
    path: list[int | str] = []
    for name in names:
        inside = steps(type_)
        exact = [(step, inner) for step, own, inner in inside if own == name]
        candidates = exact or [(step, inner) for step, own, inner in inside if own.lower() == name.lower()]
        if not candidates:
            return None
        path.append(candidates[0][0])
        type_ = candidates[0][1]
    return tuple(path)


def spelled(type_: DataType | None, like: DataType | None) -> DataType | None:
    """A type with its fields spelled as another one has them, where they differ in case alone.

    >>> one, other = ({"type": "struct", "fields": [{"name": name, "type": "long"}]} for name in "Xx")
    >>> spelled(one, other) == other
    True
    """
    if type_ is None or isinstance(type_, str) or kind(type_) != kind(like):
        return type_
    inside = dict(parts(like))
    changed = cast("dict[str, Any]", {**type_})
    for key, name in (("elementType", ELEMENT), ("keyType", KEY), ("valueType", VALUE)):
        if key in changed:
            changed[key] = spelled(changed[key], inside[name])
    if "fields" in changed:
        as_known = spelling(inside)
        named = [(field, as_known(field["name"])) for field in changed["fields"]]
        changed["fields"] = [
            {**field, "name": name, "type": spelled(field["type"], inside.get(name))} for field, name in named
        ]
    return changed


def respelled(names: Names, like: DataType | None) -> Names:
    """The names of a path as a type spells them, where they differ in case alone.

    >>> respelled(("X", "new"), {"type": "struct", "fields": [{"name": "x", "type": "long"}]})
    ('x', 'new')
    """
    spelled_names: list[str] = []
    for name in names:
        inside = dict(parts(like))
        spelled_names.append(spelling(inside)(name))
        like = inside.get(spelled_names[-1])
    return tuple(spelled_names)


def spelling(known: Iterable[str]) -> Callable[[str], str]:
    """How a name is spelled where it is known, in whatever case; a new one as it is.

    >>> as_known = spelling(["id", "Id"])
    >>> as_known("ID"), as_known("Id"), as_known("new")
    ('id', 'Id', 'new')
    """
    exact = list(known)
    spellings = {**{name.lower(): name for name in reversed(exact)}, **{name: name for name in exact}}
    return lambda name: spellings.get(name) or spellings.get(name.lower(), name)


def same(left: DataType | None, right: DataType | None) -> bool:
    """Whether two types hold the same values, whatever they say about nulls and comments, or call their fields.

    >>> same({"type": "array", "elementType": "long", "containsNull": True}, {"type": "array", "elementType": "long"})
    True
    """
    ours, theirs = parts(left), parts(right)
    if not ours or not theirs:
        return left == right
    return (
        kind(left) == kind(right)
        and len(ours) == len(theirs)
        and all(same(a, b) for (_, a), (_, b) in zip(ours, theirs, strict=True))
    )
