"""Routes of raw events, as they were sent, by time."""

from enum import Enum
from typing import Annotated, Literal

from fastapi import Query

from headwater.server.marquez.entities.values import Json
from headwater.server.marquez.models import Events
from headwater.server.marquez.parameters import WRONG, InstantText, Limit, Offset, read_instant
from headwater.server.marquez.routing import SessionRoutes
from headwater.store.db.codes import ALWAYS, NOW
from headwater.store.db.session import Session
from headwater.store.reads.events import EventFilter, page_of_raw_events

router = SessionRoutes("events")


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
def list_events(  # noqa: PLR0913, PLR0917  the parameters of the query
    session: Session,
    before: Before = None,
    after: After = None,
    sort_direction: Direction = SortDirection.DESC,
    limit: Limit = 100,
    offset: Offset = 0,
) -> Json:
    """List raw events, latest first."""
    since = read_instant(after, "after") if after else ALWAYS
    until = read_instant(before, "before") if before else NOW
    ascending = sort_direction is SortDirection.ASC
    events, total = page_of_raw_events(session, EventFilter(since, until), limit, offset, ascending=ascending)
    return {"totalCount": total, "events": events}


@router.get("/events/{namespace}", response_model=Events, responses=WRONG)
def list_events_of_namespace(session: Session, namespace: str, limit: Limit = 100, offset: Offset = 0) -> Json:
    """List the events of a namespace's jobs and datasets, latest first."""
    events, total = page_of_raw_events(session, EventFilter(namespace=namespace), limit, offset)
    return {"totalCount": total, "events": events}
