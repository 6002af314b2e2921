"""Routes of raw events: as they came, in the order of their times."""

from enum import Enum
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from fastapi.responses import Response

from headwater.query.graph.intervals import ALWAYS, NOW
from headwater.server.http.query_threads import Asking
from headwater.server.marquez.entities.values import Json
from headwater.server.marquez.graphs.json import json_response
from headwater.server.marquez.models import Events
from headwater.server.marquez.parameters import WRONG, InstantText, Limit, Offset, read_instant
from headwater.store.db.codes import EventKind, Role
from headwater.store.db.predicates import raw_kept
from headwater.store.db.session import Session
from headwater.store.entities.raw_events import put_together

router = APIRouter(prefix="/api/v1", tags=["Marquez: events"])

# A deep page passes over times alone; the events themselves are read only for the page.
_PAGE = """
SELECT body.content, event.rest FROM event JOIN body ON body.id = event.body
WHERE event.us >= :after AND event.us < :before AND {raw_kept} {of_namespace}
ORDER BY event.us {direction}, event.hash LIMIT :most OFFSET :offset
"""
_COUNT = "SELECT count(*) FROM event WHERE event.us >= :after AND event.us < :before {of_namespace}"
_OF_NAMESPACE = f"""
AND (
    EXISTS (SELECT 1 FROM shape JOIN job ON job.id = shape.job WHERE shape.id = event.shape
            AND job.namespace = :namespace)
    OR (event.kind = {EventKind.DATASET} AND EXISTS (
        SELECT 1 FROM mention JOIN dataset ON dataset.id = mention.dataset
        WHERE mention.shape = event.shape AND mention.role = {Role.DECLARED} AND dataset.namespace = :namespace))
)
"""  # noqa: S608  our own words


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
    values = _between(before, after)
    return json_response(await asker.ask(lambda session: _page(session, values, sort_direction, limit, offset)))


@router.get("/events/{namespace}", response_model=Events, responses=WRONG)
async def list_events_of_namespace(asker: Asking, namespace: str, limit: Limit = 100, offset: Offset = 0) -> Response:
    """List the events of a namespace's jobs and datasets, latest first."""
    values = {**_between(None, None), "namespace": namespace}
    return json_response(await asker.ask(lambda session: _page(session, values, SortDirection.DESC, limit, offset)))


def _between(before: str | None, after: str | None) -> dict[str, object]:
    return {
        "before": read_instant(before, "before") if before else NOW,
        "after": read_instant(after, "after") if after else ALWAYS,
    }


def _page(session: Session, values: dict[str, object], direction: SortDirection, limit: int, offset: int) -> Json:
    narrowed = _OF_NAMESPACE if "namespace" in values else ""
    statement = _PAGE.format(direction=direction.name, raw_kept=raw_kept("event"), of_namespace=narrowed)
    rows = session.rows(statement, **values, most=limit, offset=offset)
    total = session.rows(_COUNT.format(of_namespace=narrowed), **values)[0][0]
    return {"totalCount": int(total), "events": [put_together(body, rest) for body, rest in rows]}
