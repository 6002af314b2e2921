"""`GET /search`: datasets and jobs by a part of their names, ignoring case."""

import re
from datetime import date
from enum import Enum
from typing import Annotated

from fastapi import Query

from headwater.query.graph.answer import TableName
from headwater.query.moments import beginning_us
from headwater.server.marquez.entities.event_times import times_seen
from headwater.server.marquez.entities.values import Json, instant
from headwater.server.marquez.models import SearchResults
from headwater.server.marquez.node_ids import dataset_id, job_id
from headwater.server.marquez.parameters import WRONG
from headwater.server.marquez.routing import SessionRoutes
from headwater.store.db.codes import Kind
from headwater.store.db.session import Session
from headwater.store.reads.names import like

router = SessionRoutes("search")

_MOST = 1_000


class Filter(str, Enum):
    """What to look for."""

    DATASET = "DATASET"
    JOB = "JOB"


class Sort(str, Enum):
    """What the results are ordered by."""

    NAME = "NAME"
    UPDATE_AT = "UPDATE_AT"

    @classmethod
    def _missing_(cls, value: object) -> "Sort | None":
        """Marquez's own default is written small."""
        return {"name": cls.NAME, "update_at": cls.UPDATE_AT, "updated_at": cls.UPDATE_AT}.get(str(value).casefold())


Words = Annotated[str, Query(min_length=1, max_length=10_000, description="A part of a name.")]
Day = Annotated[date | None, Query(description="YYYY-MM-DD")]


@router.get("/search", response_model=SearchResults, responses=WRONG)
def get_search(  # noqa: PLR0913, PLR0917  the parameters of the query
    session: Session,
    q: Words,
    filter: Filter | None = None,  # noqa: A002  as Marquez names it
    sort: Sort = Sort.NAME,
    limit: Annotated[int, Query(ge=0, le=_MOST, description=f"How many to return, up to {_MOST}.")] = 10,
    namespace: str | None = None,
    before: Day = None,
    after: Day = None,
) -> Json:
    """Find datasets and jobs by a part of their name, last updated before a day, or since its start."""
    until, since = (beginning_us(day, "day") for day in (before, after))
    pattern = "%" + re.sub(r"([\\%_])", r"\\\1", q) + "%"
    hits: list[tuple[int, str, str, str, int]] = []
    for kind in [kind for kind in (Kind.DATASET, Kind.JOB) if filter is None or kind.name == filter.value]:
        rows = like(session, kind, pattern, namespace, _MOST)
        seen = times_seen(session, kind, [row.id for row in rows])
        for row in rows:
            us = seen[row.id].last if row.id in seen else 0
            if (until is None or us < until) and (since is None or us > since):
                hits.append((0 if sort is Sort.NAME else -us, row.name, row.namespace, kind.name, us))
    shown = [
        {
            "type": kind_name,
            "name": name,
            "updatedAt": instant(us),
            "namespace": place,
            "nodeId": (dataset_id if kind_name == Kind.DATASET.name else job_id)(TableName(place, name)),
        }
        for _, name, place, kind_name, us in sorted(hits)[:limit]
    ]
    return {"results": shown, "totalCount": len(shown)}
