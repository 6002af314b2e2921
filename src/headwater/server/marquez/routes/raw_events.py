"""Routes of raw events, as they were sent, by time."""

from enum import Enum
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from fastapi.responses import Response

from headwater.server.http.query_threads import Asking
from headwater.server.marquez.entities.values import Json
from headwater.server.marquez.graphs.json import json_response
from headwater.server.marquez.models import Events
from headwater.server.marquez.parameters import WRONG, InstantText, Limit, Offset, read_instant
from headwater.store.db.codes import ALWAYS, NOW
from headwater.store.db.session import Session
from headwater.store.reads.events import EventFilter, page_of_raw_events

router = APIRouter(prefix="/api/v1", tags=["Marquez: events"])


class SortDirection(str, Enum):
    """Which events come first."""

    DESC = "desc"
    ASC = "asc"


Before = Annotated[InstantText | Literal[""] | None, Query(description="Only events before this time; empty for all.")]
After = Annotated[
    InstantText | Literal[""] | None, Query(description="Only events at this time or after it; empty for all.")
]
Direction = Annotated[SortDirection, Query(alias="sortDirection")]


@router.get("/events/lineage", response_model=Events, responses=WRONG)
@router.get("/events", response_model=Events, responses=WRONG, include_in_schema=False)
async def list_events(  # noqa: PLR0913, PLR0917  the parameters of the query
    asker: Asking,
    before: Before = None,
    after: After = None,
    sort_direction: Direction = SortDirection.DESC,
    limit: Limit = 100,
    offset: Offset = 0,
) -> Response:
    """List raw events, latest first."""
    events = EventFilter(
        read_instant(after, "after") if after else ALWAYS, read_instant(before, "before") if before else NOW
    )
    ascending = sort_direction is SortDirection.ASC
    return json_response(await asker.ask(lambda session: _page(session, events, limit, offset, ascending=ascending)))


@router.get("/events/{namespace}", response_model=Events, responses=WRONG)
async def list_events_of_namespace(asker: Asking, namespace: str, limit: Limit = 100, offset: Offset = 0) -> Response:
    """List the events of a namespace's jobs and datasets, latest first."""
    events = EventFilter(namespace=namespace)
    return json_response(await asker.ask(lambda session: _page(session, events, limit, offset)))


def _page(session: Session, events: EventFilter, limit: int, offset: int, *, ascending: bool = False) -> Json:
    page, total = page_of_raw_events(session, events, limit, offset, ascending=ascending)
    return {"totalCount": total, "events": page}
