"""Rest.li's way in: `POST /aspects` and `POST /entities`, what is done being in `?action=`."""

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from starlette.responses import Response

from headwater.datahub.aspects.requests import of_proposal, of_proposals, of_snapshot, of_snapshots
from headwater.datahub.json_values import a_text, an_object
from headwater.server.datahub.answers import WRITING, DataHubRoute, taken
from headwater.server.datahub.deleting import delete_all
from headwater.server.datahub.schemas import ENTITIES_BODY, PROPOSALS_BODY
from headwater.server.datahub.taking import Taker
from headwater.server.http.query_threads import Asking
from headwater.server.ingest.event_bodies import check_type, read_json


class OnAspects(str, Enum):
    """What can be done to aspects."""

    PROPOSE = "ingestProposal"
    PROPOSE_MANY = "ingestProposalBatch"


class OnEntities(str, Enum):
    """What can be done to entities."""

    INGEST = "ingest"
    INGEST_MANY = "ingestBatch"
    DELETE = "delete"


_READERS: Mapping[str, Callable[[Any], Iterator[Any]]] = {
    OnAspects.PROPOSE: of_proposal,
    OnAspects.PROPOSE_MANY: of_proposals,
    OnEntities.INGEST: of_snapshot,
    OnEntities.INGEST_MANY: of_snapshots,
}


def restli_routes(taker: Taker, depth: int) -> APIRouter:
    """The routes."""
    router = APIRouter(route_class=DataHubRoute, tags=["DataHub"])

    @router.post("/aspects", response_model=dict[str, Any], responses=WRITING, openapi_extra=PROPOSALS_BODY)
    async def post_aspects(request: Request, action: OnAspects) -> Response:
        """Store change proposals (MCP), one or a batch. 200 means that they are stored."""
        check_type(request.headers)
        body = await request.body()
        found = await taker.take(lambda: _READERS[action](read_json(body, depth)))
        one = action is OnAspects.PROPOSE and bool(found.urns)
        return taken(found, {"value": found.urns[0] if one else "success"})

    @router.post("/entities", response_model=dict[str, Any], responses=WRITING, openapi_extra=ENTITIES_BODY)
    async def post_entities(request: Request, asker: Asking, action: OnEntities) -> Response:
        """Store snapshots (MCE), one or a batch, or delete all aspects of an entity. 200 means that it is stored."""
        check_type(request.headers)
        body = await request.body()
        if action is OnEntities.DELETE:
            urn = a_text(an_object(read_json(body, depth), "The body").get("urn"), "urn")
            count = await delete_all(asker, taker, urn)
            said = {"value": {"urn": urn, "rows": count, "timeseriesRows": 0}}
            return JSONResponse(said)
        found = await taker.take(lambda: _READERS[action](read_json(body, depth)))
        return taken(found, {})

    return router
