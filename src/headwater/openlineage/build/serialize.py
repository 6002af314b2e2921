"""Events as the JSON that they become.

openlineage-python walks through every value of an event three times. Most of a large event is in facets that are plain
dictionaries already, made here, without nulls: they are taken as they are.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from itertools import islice
from typing import Any

import attr
from openlineage.client.client import Event


def to_dict(event: Event) -> dict[str, Any]:
    """What `openlineage.client.serde.Serde.to_dict` gives, sooner.

    The parts of the event that are plain already are not copied: whoever changes the answer changes the event.
    """
    return _of_object(event)


def _of_object(value: Any) -> dict[str, Any]:  # noqa: ANN401 (any of openlineage-python's classes)
    found = {}
    for field in attr.fields(type(value)):
        inside = getattr(value, field.name)
        if inside is not None:
            found[field.name] = _plain(inside)
    return found


def _plain(value: Any) -> Any:  # noqa: ANN401 (what stands in such a class)
    if isinstance(value, dict):
        return {key: _plain(inside) for key, inside in value.items()} if _has_objects(value.values()) else value
    if isinstance(value, list):
        return [_plain(inside) for inside in value] if _has_objects(value) else value
    if isinstance(value, Enum):
        return value.value
    return _of_object(value) if attr.has(type(value)) else value


def _has_objects(values: Iterable[object]) -> bool:
    """Whether a collection is of objects. One look tells: what openlineage-python keeps together is of one kind."""
    return any(attr.has(type(value)) for value in islice(values, 1))
