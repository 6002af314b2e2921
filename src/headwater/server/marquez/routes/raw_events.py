"""Routes of raw events, as they were sent, by time.

Marquez lists events of runs only, and its web app relies on it: every event there has a run and a job.
"""

from collections.abc import Iterable
from enum import Enum
from typing import Annotated, Literal, NamedTuple

from fastapi import Depends, Query

from headwater.server.marquez.entities.values import Json
from headwater.server.marquez.models import Events
from headwater.server.marquez.parameters import WRONG, InstantText, Limit, Offset, read_instant
from headwater.server.marquez.routing import CheckSize, SessionRoutes, Written, encoded
from headwater.store.db.codes import ALWAYS
from headwater.store.db.session import Session
from headwater.store.reads.events import EventFilter, count_of_raw_events, page_of_raw_events

router = SessionRoutes("events")


class SortDirection(str, Enum):
    """Which events come first."""

    DESC = "desc"
    ASC = "asc"


Before = Annotated[
    InstantText | Literal[""] | None,
    Query(description="Only events before this time; empty for all that do not lie ahead."),
]
After = Annotated[
    InstantText | Literal[""] | None, Query(description="Only events at this time or after it; empty for all.")
]
Direction = Annotated[SortDirection, Query(alias="sortDirection")]


class _Asked(NamedTuple):
    """Which events are asked for."""

    since: int
    until: int | None
    ascending: bool
    limit: int
    offset: int


async def _asked(
    before: Before = None,
    after: After = None,
    sort_direction: Direction = SortDirection.DESC,
    limit: Limit = 100,
    offset: Offset = 0,
) -> _Asked:
    since = read_instant(after, "after") if after else ALWAYS
    until = read_instant(before, "before") if before else None
    return _Asked(since, until, sort_direction is SortDirection.ASC, limit, offset)


Asked = Annotated[_Asked, Depends(_asked)]


@router.get("/events/lineage", response_model=Events, responses=WRONG)
def list_events_of_runs(session: Session, asked: Asked, check: CheckSize) -> Written:
    """List the raw events of runs, latest first; `/events` lists those about jobs and datasets themselves, too."""
    return _page(session, asked, check, of_runs=True)


@router.get("/events", response_model=Events, responses=WRONG)
def list_events(session: Session, asked: Asked, check: CheckSize) -> Written:
    """List all raw events, latest first."""
    return _page(session, asked, check, of_runs=False)


@router.get("/events/{namespace}", response_model=Events, responses=WRONG)
def list_events_of_namespace(
    session: Session, namespace: str, check: CheckSize, limit: Limit = 100, offset: Offset = 0
) -> Written:
    """List the events of a namespace's jobs and datasets, latest first."""
    chosen = EventFilter(before=session.now + 1, namespace=namespace)
    return _written(session, chosen, page_of_raw_events(session, chosen, limit, offset), check)


def _page(session: Session, asked: _Asked, check: CheckSize, *, of_runs: bool) -> Written:
    until = session.now + 1 if asked.until is None else asked.until
    chosen = EventFilter(asked.since, until, of_runs=of_runs)
    events = page_of_raw_events(session, chosen, asked.limit, asked.offset, ascending=asked.ascending)
    return _written(session, chosen, events, check)


def _written(session: Session, chosen: EventFilter, events: Iterable[Json], check: CheckSize) -> Written:
    """The answer with events, each written when it is read: of those that are too large together, few are read."""
    parts = [f'{{"totalCount":{count_of_raw_events(session, chosen)},"events":['.encode()]
    size = len(parts[0])
    for event in events:
        parts += [b"," if len(parts) > 1 else b"", encoded(event)]
        size += len(parts[-1]) + 1
        check(size)
    return Written(b"".join([*parts, b"]}"]))
