"""Typed access to the JSON of aspects; unions come as DataHub's files, its server and the RFC write them."""

from collections.abc import Mapping
from typing import Any

from headwater.fields.errors import BadAspect


def an_object(value: Any, what: str) -> Mapping[str, Any]:  # noqa: ANN401  JSON
    """The value as an object.

    Raises:
        BadAspect: it is none.
    """
    if type(value) is dict or isinstance(value, Mapping):
        return value
    raise BadAspect(f"{what} must be an object, not {shown(value)}.")


def a_list(value: Any, what: str) -> list[Any]:  # noqa: ANN401  JSON
    """The value as a list; absent and null are empty, and a list in a union is itself.

    Raises:
        BadAspect: it is none.
    """
    if value is None:
        return []
    if type(value) is list:
        return value
    if isinstance(value, Mapping) and set(value) == {"array"}:
        value = value["array"]
    if isinstance(value, list):
        return value
    raise BadAspect(f"{what} must be a list, not {shown(value)}.")


def a_text(value: Any, what: str) -> str:  # noqa: ANN401  JSON
    """The value as text; `{"string": …}` is how a union holds one.

    Raises:
        BadAspect: it is none.
    """
    if not isinstance(value, str) and isinstance(value, Mapping) and len(value) == 1:
        (value,) = value.values()
    if isinstance(value, str) and value:
        return value
    raise BadAspect(f"{what} must be a string, not {shown(value)}.")


def text_or_none(value: Any, what: str) -> str | None:  # noqa: ANN401  JSON
    """The value as text, None where it is absent, null or empty."""
    if value is None or type(value) is str:
        return value or None
    return a_text(value, what)


def texts(value: Any, what: str) -> list[str]:  # noqa: ANN401  JSON
    """A list of texts."""
    listed = a_list(value, what)
    if all(type(one) is str and one for one in listed):
        return listed
    return [a_text(one, f"{what}[{place}]") for place, one in enumerate(listed)]


def shown(value: Any) -> str:  # noqa: ANN401  JSON
    """A value in an error, not too long."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"  # noqa: PLR2004  a line of a terminal
