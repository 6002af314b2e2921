"""Parameters that several of DataHub's routes have."""

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


def as_of(given: str | None) -> int | None:
    """The moment that is asked for.

    Raises:
        ApiError: it is none (400).
    """
    try:
        return moment_us(given, "asOf")
    except (BadQuestion, ValueError) as error:
        raise ApiError(400, str(error)) from None


def listed(given: str | None) -> list[str] | None:
    """What a list in Rest.li's writing holds.

    >>> listed("List(a,b)"), listed("a"), listed(None)
    (['a', 'b'], ['a'], None)
    """
    if given is None:
        return None
    inner = given[len("List(") : -1] if given.startswith("List(") and given.endswith(")") else given
    return [one.strip() for one in inner.split(",") if one.strip()]
