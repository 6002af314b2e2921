"""Deleting an entity, or aspects of it: from now on they are gone, and what was before can still be asked for."""

from collections.abc import Collection
from typing import Any

from fastapi import APIRouter
from fastapi.responses import JSONResponse
from starlette.responses import Response

from headwater.datahub.aspects.requests import deletion
from headwater.datahub.entities.entity import aspects_of, key_aspect
from headwater.fields.urn import Urn
from headwater.server.datahub.answers import READING, DataHubRoute
from headwater.server.datahub.parameters import Aspects
from headwater.server.datahub.taking import Taker
from headwater.server.http.query_threads import Asker, Asking


def delete_routes(taker: Taker) -> APIRouter:
    """The routes of OpenAPI; Rest.li's is beside those that write."""
    router = APIRouter(prefix="/openapi/v3/entity", route_class=DataHubRoute, tags=["DataHub"])

    @router.delete("/{entity}/{urn}", response_model=dict[str, Any], responses={400: READING[400]})
    async def delete_entity(asker: Asking, entity: str, urn: str, aspects: Aspects = None) -> Response:
        """Delete an entity, or some of its aspects, from now on. Facts from OpenLineage events stay."""
        Urn.parse(urn, entity)
        if aspects:
            await _delete(taker, urn, aspects)
        else:
            await delete_all(asker, taker, urn)
        return JSONResponse({"urn": urn})

    @router.delete("/{entity}/{urn}/{aspect}", response_model=dict[str, Any], responses={400: READING[400]})
    async def delete_aspect(entity: str, urn: str, aspect: str) -> Response:
        """Delete one aspect of an entity, from now on."""
        Urn.parse(urn, entity)
        await _delete(taker, urn, [aspect])
        return JSONResponse({"urn": urn})

    return router


async def delete_all(asker: Asker, taker: Taker, urn: str) -> int:
    """Delete an entity: all aspects that came of it; what events of OpenLineage say stays. Returns how many.

    Raises:
        BadUrn: it is no URN.
    """
    parsed = Urn.parse(urn)
    found = await asker.ask(lambda session: aspects_of(session, taker.naming, urn)) or {}
    key, _ = key_aspect(parsed)
    names = [name for name in found if name != key]
    if not names:
        return 0
    # Of a dataset its key stands for all, those of its fields included.
    await taker.take(lambda: [deletion(urn, one) for one in ([key] if parsed.kind == "dataset" else names)])
    return len(names)


async def _delete(taker: Taker, urn: str, aspects: Collection[str]) -> None:
    """Delete some aspects of an entity; those that are not there are gone already.

    Raises:
        BadUrn: it is no URN.
    """
    Urn.parse(urn)
    await taker.take(lambda: [deletion(urn, aspect) for aspect in aspects])
