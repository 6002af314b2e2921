"""`GET /search`: datasets and jobs by a part of their names, or by words of their tags and descriptions."""

from datetime import date
from enum import Enum
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response

from headwater.graph.answer import TableName
from headwater.graph.search import Hit, search
from headwater.server.asking import Asking
from headwater.server.marquez.graph_json import json_response
from headwater.server.marquez.hiding import DATASET, JOB, hidden_among
from headwater.server.marquez.known import datasets_named, jobs_named
from headwater.server.marquez.models import SearchResults
from headwater.server.marquez.node_ids import dataset_id, job_id
from headwater.server.marquez.parameters import WRONG
from headwater.server.marquez.seen import times_seen
from headwater.server.marquez.values import Json, instant
from headwater.store.session import Session
from headwater.store.terms import Kind
from headwater.times import beginning_us

router = APIRouter(tags=["Marquez: search"])

_MOST = 200


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


Words = Annotated[str, Query(min_length=1, max_length=1_000, description="Words, or a part of a name.")]
Day = Annotated[date | None, Query(description="YYYY-MM-DD")]


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
    """Datasets and jobs that match, last told of between two days."""
    kinds = [DATASET, JOB] if filter is None else [DATASET if filter is Filter.DATASET else JOB]

    def answer(session: Session) -> Json:
        found = search(session, q, kinds=kinds, limit=_MOST, namespaces=None if namespace is None else {namespace})
        results = [
            (updated, hit)
            for updated, hit in _told(session, found.hits)
            if (before is None or updated < (beginning_us(before, "before") or 0))
            and (after is None or updated > (beginning_us(after, "after") or 0))
        ]
        results.sort(key=lambda one: (one[1].name, one[1].namespace) if sort is Sort.NAME else (-one[0], one[1].full))
        return {"results": [_shown(*one) for one in results[:limit]], "totalCount": len(results[:limit])}

    return json_response(await asker.ask(answer))


def _told(session: Session, hits: tuple[Hit, ...]) -> list[tuple[int, Hit]]:
    """Hits with the times at which they were last told of; those that are deleted are left out."""
    found = []
    for kind in (DATASET, JOB):
        of_kind = {TableName(hit.namespace, hit.name): hit for hit in hits if hit.kind is kind}
        keys = {name: key for key, name in _keys(session, kind, of_kind)}
        hidden = hidden_among(session, kind, list(keys.values()))
        seen = times_seen(session, kind, list(keys.values()))
        found += [
            (seen[key].last if key in seen else 0, of_kind[name]) for name, key in keys.items() if key not in hidden
        ]
    return found


def _keys(session: Session, kind: Kind, names: dict[TableName, Hit]) -> list[tuple[int, TableName]]:
    if kind is DATASET:
        return [(dataset.id, name) for dataset, name in datasets_named(session, list(names))]
    return [(job.id, name) for job, name in jobs_named(session, list(names))]


def _shown(updated: int, hit: Hit) -> Json:
    name = TableName(hit.namespace, hit.name)
    return {
        "type": hit.kind.name,
        "name": hit.name,
        "updatedAt": instant(updated),
        "namespace": hit.namespace,
        "nodeId": dataset_id(name) if hit.kind is DATASET else job_id(name),
    }
