"""Typed access to parsed JSON; errors name the place in the event."""

from collections.abc import Mapping
from typing import Any, TypeGuard

from headwater.openlineage.model.event import BadEvent
from headwater.openlineage.model.limits import LONGEST_NAME, cut
from headwater.openlineage.model.run_ids import run_uuid

# Made once: a union of types in an `isinstance` is made anew each time.
_CONTAINERS = (dict, list, tuple)
_TYPES = {str: "a string", bool: "true or false", int: "a number", float: "a number", type(None): "null"}


def kind(value: object) -> str:
    """The type of a JSON value, in words.

    >>> kind([]), kind("x")
    ('a list', 'a string')
    """
    if type(value) in _TYPES:
        return _TYPES[type(value)]
    if isinstance(value, Mapping):
        return "an object"
    return "a list" if isinstance(value, list | tuple) else type(value).__name__


def is_object(value: object) -> TypeGuard[Mapping[str, Any]]:
    """Whether a value is a JSON object; comparing the class first is faster."""
    return type(value) is dict or isinstance(value, Mapping)


def an_object(value: object, where: str) -> Mapping[str, object]:
    """The value as a JSON object."""
    if is_object(value):
        return value
    raise BadEvent(where, "is missing" if value is None else f"must be an object, not {kind(value)}")


def a_list(value: object, where: str) -> list[object] | tuple[object, ...]:
    """The value as a list; null is empty."""
    if value is None:
        return ()
    if type(value) is list or isinstance(value, list | tuple):
        return value
    raise BadEvent(where, f"must be a list, not {kind(value)}")


def text(value: object, where: str, most: int = LONGEST_NAME) -> str:
    """The value as text that every database can store: a name, or another word that is compared."""
    if not isinstance(value, str):
        raise BadEvent(where, "is missing" if value is None else f"must be a string, not {kind(value)}")
    if len(value) > most:
        raise BadEvent(where, f"has {len(value):,} characters; the limit is {most:,}")
    if "\0" in value:
        raise BadEvent(where, "contains a NUL character")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise BadEvent(where, "contains an unpaired surrogate, which is not a character") from None
    return value


def a_name(value: object, where: str) -> str:
    """The value as a name: text that is not empty."""
    if name := text(value, where):
        return name
    raise BadEvent(where, "is empty")


def prose(value: object, where: str) -> str:
    """The value as free text; null is empty, and characters that a database cannot store are replaced.

    What is very long is cut, with a mark: the event as it came keeps all of it.
    """
    if value is None:
        return ""
    if not isinstance(value, str):
        raise BadEvent(where, f"must be a string, not {kind(value)}")
    clean = cut(value).replace("\0", "\N{REPLACEMENT CHARACTER}")
    return clean if clean.isascii() else clean.encode(errors="replace").decode()


def a_run_id(value: object, where: str) -> str:
    """The value as the UUID of a run; one is derived where the id is another text."""
    return run_uuid(a_name(value, where))


def is_deeper(document: object, depth: int) -> bool:
    """Whether objects and lists are nested in more levels than `depth`.

    >>> is_deeper([[1]], 1), is_deeper([[1]], 2)
    (True, False)
    """
    level = [document] if isinstance(document, _CONTAINERS) else []
    # Level by level, without recursion.
    for _ in range(depth):
        level = [
            value
            for container in level
            for value in (container.values() if isinstance(container, dict) else container)
            if isinstance(value, _CONTAINERS)
        ]
        if not level:
            return False
    return bool(level)
