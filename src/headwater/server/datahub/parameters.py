"""Parameters that several of DataHub's routes have."""

from typing import Annotated

from fastapi import Query

from headwater.bad_question import BadQuestion
from headwater.server.errors import ApiError
from headwater.times import moment_us

AsOf = Annotated[
    str | None, Query(alias="asOf", description="The moment to look at; a date is its last moment, none is now.")
]
Aspects = Annotated[list[str] | None, Query(description="Only these; may be repeated.")]


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
