"""Routes of counts over time: events, jobs, datasets and sources, by the hour of a day or the day of a week."""

from collections.abc import Collection
from datetime import datetime, timedelta, timezone, tzinfo
from enum import Enum
from itertools import pairwise
from typing import Annotated
from zoneinfo import ZoneInfo

from fastapi import Query

from headwater.openlineage.model.event import EventType
from headwater.server.http.errors import ApiError
from headwater.server.marquez.entities.event_times import times_seen
from headwater.server.marquez.entities.values import Json, instant, now_us
from headwater.server.marquez.models import Count, EventCounts
from headwater.server.marquez.parameters import WRONG
from headwater.server.marquez.routes.sources import all_sources
from headwater.server.marquez.routing import SessionRoutes
from headwater.store.db.codes import Kind
from headwater.store.db.session import Session
from headwater.store.reads.events import count_by_type
from headwater.store.reads.names import all_ids

router = SessionRoutes("counts")

_HOURS, _DAYS = 24, 7
_SHOWN = {"fail": EventType.FAIL, "start": EventType.START, "complete": EventType.COMPLETE, "abort": EventType.ABORT}
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


class Period(str, Enum):
    """The period to count over."""

    DAY = "DAY"
    WEEK = "WEEK"


Zone = Annotated[
    str, Query(max_length=100, description="The time zone that days are counted in, such as Europe/Berlin.")
]


@router.get("/stats/lineage-events", response_model=list[EventCounts], responses=WRONG)
def count_events(session: Session, period: Period = Period.DAY, timezone: Zone = "UTC") -> list[Json]:
    """Count the events of runs over time."""
    times = intervals(period, _zone(timezone), now_us())
    counts = count_by_type(session, times)
    return [
        {**_interval(time), **{name: counts.get((place, int(kind)), 0) for name, kind in _SHOWN.items()}}
        for place, time in enumerate(times)
    ]


@router.get("/stats/jobs", response_model=list[Count], responses=WRONG)
def count_jobs(session: Session, period: Period = Period.DAY, timezone: Zone = "UTC") -> list[Json]:
    """Count the jobs over time."""
    return _counted(period, timezone, _first_seen(session, Kind.JOB))


@router.get("/stats/datasets", response_model=list[Count], responses=WRONG)
def count_datasets(session: Session, period: Period = Period.DAY, timezone: Zone = "UTC") -> list[Json]:
    """Count the datasets over time."""
    return _counted(period, timezone, _first_seen(session, Kind.DATASET))


@router.get("/stats/sources", response_model=list[Count], responses=WRONG)
def count_sources(session: Session, period: Period = Period.DAY, timezone: Zone = "UTC") -> list[Json]:
    """Count the sources over time."""
    return _counted(period, timezone, [source.created_us for source in all_sources(session).values()])


def intervals(period: Period, zone: tzinfo, now: int) -> list[tuple[int, int]]:
    """The hours of the last day, or the days of the last week, up to the one that is now.

    >>> hours = intervals(Period.DAY, timezone.utc, 90_000_000_000)
    >>> len(hours), hours[-1]
    (24, (90000000000, 93600000000))
    """
    here = (_EPOCH + timedelta(microseconds=now)).astimezone(zone)
    if period is Period.DAY:
        last = here.replace(minute=0, second=0, microsecond=0).astimezone(timezone.utc)
        starts = [last - timedelta(hours=back) for back in range(_HOURS - 1, -2, -1)]
    else:
        today = here.replace(hour=0, minute=0, second=0, microsecond=0)
        starts = [today - timedelta(days=back) for back in range(_DAYS - 1, -2, -1)]
    moments = [(start - _EPOCH) // timedelta(microseconds=1) for start in starts]
    return list(pairwise(moments))


def _zone(name: str) -> tzinfo:
    if name == "UTC":  # also where no zones are installed
        return timezone.utc
    try:
        return ZoneInfo(name)
    except (ValueError, KeyError, OSError):
        raise ApiError(400, f"timezone: unknown time zone {name!r}") from None


def _interval(time: tuple[int, int]) -> Json:
    return {"startInterval": instant(time[0]), "endInterval": instant(time[1])}


def _first_seen(session: Session, kind: Kind) -> list[int]:
    return [seen.first for seen in times_seen(session, kind, all_ids(session, kind)).values()]


def _counted(period: Period, zone: str, created: Collection[int]) -> list[Json]:
    times = intervals(period, _zone(zone), now_us())
    return [{**_interval(time), "count": sum(us < time[1] for us in created)} for time in times]
