"""Typed access to the JSON of aspects; unions may be written as in DataHub's files, by its server, or in the RFC.

A value of another type raises `BadAspect`.
"""

from collections.abc import Mapping
from typing import Any

from headwater.fields.errors import BadAspect


def an_object(value: Any, where: str) -> Mapping[str, Any]:  # noqa: ANN401  JSON
    """The value as an object."""
    if type(value) is dict or isinstance(value, Mapping):
        return value
    raise BadAspect(f"{where} must be an object, not {shown(value)}.")


def a_list(value: Any, where: str) -> list[Any]:  # noqa: ANN401  JSON
    """The value as a list; null is empty, and `{"array": …}` is how a union writes one."""
    if value is None:
        return []
    if type(value) is list:
        return value
    if isinstance(value, Mapping) and set(value) == {"array"}:
        value = value["array"]
    if isinstance(value, list):
        return value
    raise BadAspect(f"{where} must be a list, not {shown(value)}.")


def a_text(value: Any, where: str) -> str:  # noqa: ANN401  JSON
    """The value as text; `{"string": …}` is how a union writes one."""
    if not isinstance(value, str) and isinstance(value, Mapping) and len(value) == 1:
        (value,) = value.values()
    if isinstance(value, str) and value:
        return value
    raise BadAspect(f"{where} must be a string, not {shown(value)}.")


def text_or_none(value: Any, where: str) -> str | None:  # noqa: ANN401  JSON
    """The value as text, None where it is absent, null or empty."""
    if value is None or type(value) is str:
        return value or None
    return a_text(value, where)


def texts(value: Any, where: str) -> list[str]:  # noqa: ANN401  JSON
    """A list of texts."""
    listed = a_list(value, where)
    if all(type(text) is str and text for text in listed):
        return listed
    return [a_text(item, f"{where}[{place}]") for place, item in enumerate(listed)]


def shown(value: Any) -> str:  # noqa: ANN401  JSON
    """A value for an error message, shortened."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"  # noqa: PLR2004  a line of a terminal
