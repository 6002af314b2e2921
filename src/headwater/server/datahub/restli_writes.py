"""Rest.li: routes that write, `POST /aspects` and `POST /entities`; `?action=` says what to do."""

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from headwater.datahub.aspects.requests import of_proposal, of_proposals, of_snapshot, of_snapshots
from headwater.datahub.json_values import a_text, an_object
from headwater.server.datahub.answers import WRITING, DataHubRoute, write_response
from headwater.server.datahub.change_writer import ChangeWriter
from headwater.server.datahub.deletions import delete_all
from headwater.server.datahub.schemas import ENTITIES_BODY, PROPOSALS_BODY
from headwater.server.http.json_responses import JSONResponse
from headwater.server.http.query_threads import Asking
from headwater.server.ingest.event_bodies import check_type, json_of


class OnAspects(str, Enum):
    """Actions on aspects."""

    PROPOSE = "ingestProposal"
    PROPOSE_MANY = "ingestProposalBatch"


class OnEntities(str, Enum):
    """Actions on entities."""

    INGEST = "ingest"
    INGEST_MANY = "ingestBatch"
    DELETE = "delete"


_READERS: Mapping[str, Callable[[Any], Iterator[Any]]] = {
    OnAspects.PROPOSE: of_proposal,
    OnAspects.PROPOSE_MANY: of_proposals,
    OnEntities.INGEST: of_snapshot,
    OnEntities.INGEST_MANY: of_snapshots,
}


def restli_write_routes(writer: ChangeWriter, depth: int) -> APIRouter:
    """The routes."""
    router = APIRouter(route_class=DataHubRoute, tags=["DataHub"])

    @router.post("/aspects", response_model=dict[str, Any], responses=WRITING, openapi_extra=PROPOSALS_BODY)
    async def post_aspects(request: Request, action: OnAspects) -> Response:
        """Store change proposals (MCP), one or a batch. 200 means that they are stored."""
        check_type(request.headers)
        body = await request.body()
        received = await writer.write(lambda: _READERS[action](json_of(body, depth)))
        is_single = action is OnAspects.PROPOSE and bool(received.urns)
        return write_response(received, {"value": received.urns[0] if is_single else "success"})

    @router.post("/entities", response_model=dict[str, Any], responses=WRITING, openapi_extra=ENTITIES_BODY)
    async def post_entities(request: Request, asker: Asking, action: OnEntities) -> Response:
        """Store snapshots (MCE), one or a batch, or delete all aspects of an entity. 200 means that it is stored."""
        check_type(request.headers)
        body = await request.body()
        if action is OnEntities.DELETE:
            urn = a_text(an_object(json_of(body, depth), "The body").get("urn"), "urn")
            count = await delete_all(asker, writer, urn)
            deleted = {"value": {"urn": urn, "rows": count, "timeseriesRows": 0}}
            return JSONResponse(deleted)
        received = await writer.write(lambda: _READERS[action](json_of(body, depth)))
        return write_response(received, {})

    return router
