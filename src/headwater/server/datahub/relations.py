"""Routes that list the relations of an entity, in the formats of DataHub's OpenAPI and of Rest.li."""

from enum import Enum
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import Response

from headwater.datahub.entities.relations import Relations, relations_of
from headwater.datahub.naming.datasets import Naming
from headwater.server.datahub.answers import READING, DataHubRoute
from headwater.server.datahub.parameters import AsOf, as_of, listed
from headwater.server.http.json_responses import JSONResponse
from headwater.server.http.query_threads import Asker, Asking

_PAGE = 200
_MOST = 10_000
_LAST = 2**31 - 1
_TYPES = "Only relations of this type, such as HasField, DataDerivedFrom or DownstreamOf. Can be repeated."
Urns = Annotated[str, Query(description="The entity.")]
Start = Annotated[int, Query(ge=0, le=_LAST, description="The number of relations to skip.")]
Count = Annotated[int, Query(ge=0, le=_MOST, description=f"The number of relations to return, up to {_MOST}.")]


class Which(str, Enum):
    """Which end of a relation the entity is."""

    INCOMING = "INCOMING"
    OUTGOING = "OUTGOING"


def relation_routes(naming: Naming) -> APIRouter:
    """The routes."""
    router = APIRouter(route_class=DataHubRoute, tags=["DataHub"])

    async def ask(asker: Asker, urn: str, direction: Which, types: list[str] | None, at: str | None) -> Relations:
        moment, limit, incoming = as_of(at), asker.settings.max_result_nodes, direction is Which.INCOMING
        return await asker.ask(
            lambda session: relations_of(
                session, naming, urn, incoming=incoming, types=types or (), at=moment, limit=limit
            )
        )

    @router.get("/openapi/relationships/v1", response_model=dict[str, Any], responses={400: READING[400]})
    async def get_relationships(  # noqa: PLR0913, PLR0917  the parameters of the query
        asker: Asking,
        urn: Urns,
        direction: Which,
        types: Annotated[list[str] | None, Query(alias="relationshipTypes", description=_TYPES)] = None,
        start: Start = 0,
        count: Count = _PAGE,
        at: AsOf = None,
    ) -> Response:
        """List the relations of an entity, page by page."""
        relations = await ask(asker, urn, direction, types, at)
        page = relations.relations[start : start + count]
        entities = [{"relationshipType": relation.type, "urn": relation.urn} for relation in page]
        return JSONResponse({**_counts(relations, start, len(page)), "entities": entities})

    @router.get("/relationships", response_model=dict[str, Any], responses={400: READING[400]})
    async def get_restli(  # noqa: PLR0913, PLR0917  the parameters of the query
        asker: Asking,
        urn: Urns,
        direction: Which,
        types: Annotated[str | None, Query(description="Only these: List(HasField,DownstreamOf).")] = None,
        start: Start = 0,
        count: Count = _PAGE,
        at: AsOf = None,
    ) -> Response:
        """List the relations of an entity, page by page, in Rest.li's format."""
        relations = await ask(asker, urn, direction, listed(types), at)
        page = relations.relations[start : start + count]
        entities = [{"type": relation.type, "entity": relation.urn} for relation in page]
        return JSONResponse({**_counts(relations, start, len(page)), "relationships": entities})

    return router


def _counts(relations: Relations, start: int, count: int) -> dict[str, Any]:
    return {"start": start, "count": count, "total": len(relations.relations), "partial": relations.partial}
