"""`GET /search`: datasets and jobs by a part of their names, upper and lower case alike."""

import re
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response

from headwater.query.graph.answer import TableName
from headwater.query.metadata.deleted import DATASET, JOB, NOT_HIDDEN
from headwater.query.moments import beginning_us
from headwater.server.http.query_threads import Asking
from headwater.server.marquez.entities.seen import times_seen
from headwater.server.marquez.entities.values import Json, instant
from headwater.server.marquez.graphs.json import json_response
from headwater.server.marquez.models import SearchResults
from headwater.server.marquez.node_ids import dataset_id, job_id
from headwater.server.marquez.parameters import WRONG
from headwater.store.db.codes import Kind
from headwater.store.db.session import Session

router = APIRouter(prefix="/api/v1", tags=["Marquez: search"])

_MOST = 1_000
_TABLES = {DATASET: "dataset", JOB: "job"}
# Names only are read, all of them: there are as many as there are datasets and jobs.
_NAMED = {
    kind: f"SELECT t.id, t.namespace, t.name FROM {table} t"  # noqa: S608  our own words
    r" WHERE lower(t.name) LIKE lower(:pattern) ESCAPE '\'"
    f" AND t.namespace = coalesce(:namespace, t.namespace) AND {NOT_HIDDEN[kind]}"
    " ORDER BY t.name, t.namespace LIMIT :most"
    for kind, table in _TABLES.items()
}


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
class Found:
    """A dataset or a job, and when it was last told of."""

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
            "nodeId": dataset_id(self.name) if self.kind is DATASET else job_id(self.name),
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
    kinds = [kind for kind in _TABLES if filter is None or kind.name == filter.value]
    until, since = (beginning_us(day, "day") for day in (before, after))

    def answer(session: Session) -> Json:
        found = [
            one
            for kind in kinds
            for one in named_like(session, kind, q, namespace)
            if (until is None or one.updated < until) and (since is None or one.updated > since)
        ]
        if sort is Sort.NAME:
            found.sort(key=_by_name)
        else:
            found.sort(key=_by_time)
        shown = [one.to_json() for one in found[:limit]]
        return {"results": shown, "totalCount": len(shown)}

    return json_response(await asker.ask(answer))


def named_like(session: Session, kind: Kind, text: str, namespace: str | None) -> list[Found]:
    """The datasets or jobs with a text in their names, the first so many."""
    pattern = "%" + re.sub(r"([\\%_])", r"\\\1", text) + "%"
    rows = session.rows(_NAMED[kind], pattern=pattern, namespace=namespace, most=_MOST)
    seen = times_seen(session, kind, [row[0] for row in rows])
    return [Found(kind, TableName(of, name), seen[key].last if key in seen else 0) for key, of, name in rows]


def _by_name(found: Found) -> tuple[str, str, str]:
    return found.name.name, found.name.namespace, found.kind.name


def _by_time(found: Found) -> tuple[int, tuple[str, str, str]]:
    return -found.updated, _by_name(found)
