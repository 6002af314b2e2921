"""Field paths of the RFC: the leaves only, each step after a slash, `/foo2/bar2/int`.

A branch of a union is a step, also of a union with null. Parts without a name have OpenLineage's: an array's
item is `_element`, a map has `key` and `value`. A slash in a name is `~1` and a tilde `~0`, as in JSON Pointer.

>>> path_of(("header", "a/b"))
'/header/a~1b'
>>> steps_of("/header/a~1b")
('header', 'a/b')
"""

from collections.abc import Iterable

from headwater.fields.errors import BadUrn
from headwater.fields.paths_v2 import Path
from headwater.fields.schema_tree import Array, Field, Map, Record, Schema, Type, Union, is_nullable
from headwater.rules.plan.types import ELEMENT, KEY, VALUE


def rfc_paths(schema: Schema) -> list[Path]:
    """Every leaf: scalars, records without fields, and records inside themselves.

    >>> from headwater.fields.schema_tree import Scalar
    >>> option = Union((Field("int", Scalar("int")),), nullable=True)
    >>> [path.path for path in rfc_paths(Schema(Record("Record1", (Field("foo1", option),))))]
    ['/foo1/int']
    """
    paths: list[Path] = []
    _walk(schema.root, "", nullable=False, description="", paths=paths)
    return paths


def path_of(steps: Iterable[str]) -> str:
    """Steps as one path."""
    return "".join(f"/{_escaped(step)}" for step in steps)


def steps_of(path: str) -> tuple[str, ...]:
    """The steps of a path.

    Raises:
        BadUrn: it does not begin with a slash.
    """
    if not path.startswith("/"):
        raise BadUrn(f"The path {path!r} must begin with a slash, as in /header/customerId.")
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in path[1:].split("/"))


def _escaped(step: str) -> str:
    return step.replace("~", "~0").replace("/", "~1") if "/" in step or "~" in step else step


def _walk(type_: Type, before: str, *, nullable: bool, description: str, paths: list[Path]) -> None:
    parts = _parts(type_)
    if not parts:
        paths.append(Path(before or "/", type_, nullable, description))
    for part in parts:
        # Branches of a union are nullable if it is, and share the description of the field.
        branch = isinstance(type_, Union)
        _walk(
            part.type,
            f"{before}/{_escaped(part.name)}",
            nullable=is_nullable(part) or (branch and nullable),
            description=part.description or (description if branch else ""),
            paths=paths,
        )


def _parts(type_: Type) -> tuple[Field, ...]:
    if isinstance(type_, Record):
        return type_.fields
    if isinstance(type_, Array):
        return (Field(ELEMENT, type_.item),)
    if isinstance(type_, Map):
        return (Field(KEY, type_.key), Field(VALUE, type_.value))
    return type_.branches if isinstance(type_, Union) else ()
