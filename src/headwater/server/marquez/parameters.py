"""Parameters that routes share, their limits, and how to parse them."""

from enum import Enum
from typing import Annotated, Any
from uuid import UUID

from fastapi import Query
from pydantic import Field

from headwater.openlineage.model.event import BadEvent
from headwater.openlineage.model.instants import instant_us
from headwater.server.http.errors import ApiError, Problem

MOST = 10_000
"""The most items of a page."""
DEEPEST = 1_000
"""The greatest depth of a question."""
_LAST = 2**31 - 1

InstantText = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
"""An instant with its zone; `read_instant` reads it."""
UuidText = Annotated[str, Field(json_schema_extra={"format": "uuid"})]
"""A UUID; `read_uuid` reads it."""
Limit = Annotated[int, Query(ge=0, le=MOST, description=f"The number of results to return, up to {MOST}.")]
Offset = Annotated[int, Query(ge=0, le=_LAST, description="The number of results to skip.")]
Depth = Annotated[int, Query(ge=0, le=DEEPEST, description=f"The number of steps to follow, up to {DEEPEST}.")]
NodeIdText = Annotated[
    str,
    Query(
        alias="nodeId",
        min_length=1,
        description=(
            "`dataset:namespace:name`, `datasetField:namespace:name:field` or `job:namespace:name`; for a version"
            " of a dataset, add `#version` or `:version`."
        ),
    ),
]


WRONG: dict[int | str, dict[str, Any]] = {400: {"description": "A parameter is invalid.", "model": Problem}}
"""The errors of routes that list."""
NOT_FOUND: dict[int | str, dict[str, Any]] = {**WRONG, 404: {"description": "Not found.", "model": Problem}}
"""The errors of routes that name a dataset, a job or a run."""


class RunState(str, Enum):
    """The states of a run."""

    NEW = "NEW"
    RUNNING = "RUNNING"
    COMPLETED = "COMPLETED"
    ABORTED = "ABORTED"
    FAILED = "FAILED"


def read_uuid(text: str, field: str) -> bytes:
    """Parse a UUID in a path or a query."""
    try:
        return UUID(text).bytes
    except ValueError:
        raise ApiError(400, f"{field}: is not a UUID: {text[:60]!r}") from None


def read_instant(text: str, field: str) -> int:
    """Parse an instant in a query; a plus may have arrived as a space."""
    try:
        return instant_us(text.strip().replace(" ", "+"), field)
    except BadEvent as bad:
        raise ApiError(400, f"{bad.field}: {bad.reason}") from None
    except OverflowError:
        raise ApiError(400, f"{field}: is out of range: {text[:60]!r}") from None
