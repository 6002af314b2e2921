"""Parameters that DataHub's routes share."""

from typing import Annotated

from fastapi import Query

from headwater.query.errors import BadQuestion
from headwater.query.moments import moment_us
from headwater.server.http.errors import ApiError

AsOf = Annotated[
    str | None,
    Query(alias="asOf", description="The time to look at; now if omitted. A date means the end of that day."),
]
Aspects = Annotated[list[str] | None, Query(description="Only these. Can be repeated.")]


def as_of(text: str | None) -> int | None:
    """The time to look at, in microseconds; None for now.

    Raises:
        ApiError: not a time (400).
    """
    try:
        return moment_us(text, "asOf")
    except (BadQuestion, ValueError) as error:
        raise ApiError(400, str(error)) from None


def listed(text: str | None) -> list[str] | None:
    """The items of a list in Rest.li's notation.

    >>> listed("List(a,b)"), listed("a"), listed(None)
    (['a', 'b'], ['a'], None)
    """
    if text is None:
        return None
    inner = text[len("List(") : -1] if text.startswith("List(") and text.endswith(")") else text
    return [part.strip() for part in inner.split(",") if part.strip()]
