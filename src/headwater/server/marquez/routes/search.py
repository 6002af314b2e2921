"""`GET /search`: datasets and jobs by a part of their names, ignoring case."""

import re
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response

from headwater.query.graph.answer import TableName
from headwater.query.moments import beginning_us
from headwater.server.http.query_threads import Asking
from headwater.server.marquez.entities.event_times import times_seen
from headwater.server.marquez.entities.values import Json, instant
from headwater.server.marquez.graphs.json import json_response
from headwater.server.marquez.models import SearchResults
from headwater.server.marquez.node_ids import dataset_id, job_id
from headwater.server.marquez.parameters import WRONG
from headwater.store.db.codes import Kind
from headwater.store.db.session import Session
from headwater.store.reads.names import like

router = APIRouter(prefix="/api/v1", tags=["Marquez: search"])

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


@dataclass(frozen=True, slots=True)
class Hit:
    """A dataset or a job, and when an event last named it."""

    kind: Kind
    name: TableName
    updated: int

    def to_json(self) -> Json:
        """As Marquez shows it."""
        return {
            "type": self.kind.name,
            "name": self.name.name,
            "updatedAt": instant(self.updated),
            "namespace": self.name.namespace,
            "nodeId": dataset_id(self.name) if self.kind is Kind.DATASET else job_id(self.name),
        }


@router.get("/search", response_model=SearchResults, responses=WRONG)
async def get_search(  # noqa: PLR0913, PLR0917  the parameters of the query
    asker: Asking,
    q: Words,
    filter: Filter | None = None,  # noqa: A002  as Marquez names it
    sort: Sort = Sort.NAME,
    limit: Annotated[int, Query(ge=0, le=_MOST, description=f"How many to return, up to {_MOST}.")] = 10,
    namespace: str | None = None,
    before: Day = None,
    after: Day = None,
) -> Response:
    """Find datasets and jobs by a part of their name, last updated before a day, or since its start."""
    kinds = [kind for kind in (Kind.DATASET, Kind.JOB) if filter is None or kind.name == filter.value]
    until, since = (beginning_us(day, "day") for day in (before, after))

    def answer(session: Session) -> Json:
        hits = [
            hit
            for kind in kinds
            for hit in named_like(session, kind, q, namespace)
            if (until is None or hit.updated < until) and (since is None or hit.updated > since)
        ]
        if sort is Sort.NAME:
            hits.sort(key=_by_name)
        else:
            hits.sort(key=_by_time)
        shown = [hit.to_json() for hit in hits[:limit]]
        return {"results": shown, "totalCount": len(shown)}

    return json_response(await asker.ask(answer))


def named_like(session: Session, kind: Kind, text: str, namespace: str | None) -> list[Hit]:
    """The first datasets or jobs with a text in their names."""
    pattern = "%" + re.sub(r"([\\%_])", r"\\\1", text) + "%"
    rows = like(session, kind, pattern, namespace, _MOST)
    seen = times_seen(session, kind, [row.id for row in rows])
    return [Hit(kind, TableName(row.namespace, row.name), seen[row.id].last if row.id in seen else 0) for row in rows]


def _by_name(hit: Hit) -> tuple[str, str, str]:
    return hit.name.name, hit.name.namespace, hit.kind.name


def _by_time(hit: Hit) -> tuple[int, tuple[str, str, str]]:
    return -hit.updated, _by_name(hit)
