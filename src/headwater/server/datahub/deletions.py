"""Routes that delete an entity, or aspects of it, from now on; earlier times can still be queried."""

from collections.abc import Collection
from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from headwater.datahub.aspects.requests import deletion
from headwater.datahub.entities.entity import aspects_of, key_aspect
from headwater.fields.urn import Urn
from headwater.server.datahub.answers import READING, DataHubRoute
from headwater.server.datahub.change_writer import ChangeWriter
from headwater.server.datahub.parameters import Aspects
from headwater.server.http.json_responses import JSONResponse
from headwater.server.http.query_threads import Asker, Asking


def delete_routes(writer: ChangeWriter) -> APIRouter:
    """The routes of OpenAPI; that of Rest.li is in `restli_writes`."""
    router = APIRouter(prefix="/openapi/v3/entity", route_class=DataHubRoute, tags=["DataHub"])

    @router.delete("/{entity}/{urn}", response_model=dict[str, Any], responses={400: READING[400]})
    async def delete_entity(asker: Asking, entity: str, urn: str, aspects: Aspects = None) -> Response:
        """Delete an entity, or some of its aspects, from now on. Facts from OpenLineage events stay."""
        Urn.parse(urn, entity)
        if aspects:
            await _delete(writer, urn, aspects)
        else:
            await delete_all(asker, writer, urn)
        return JSONResponse({"urn": urn})

    @router.delete("/{entity}/{urn}/{aspect}", response_model=dict[str, Any], responses={400: READING[400]})
    async def delete_aspect(entity: str, urn: str, aspect: str) -> Response:
        """Delete one aspect of an entity, from now on."""
        Urn.parse(urn, entity)
        await _delete(writer, urn, [aspect])
        return JSONResponse({"urn": urn})

    return router


async def delete_all(asker: Asker, writer: ChangeWriter, urn: str) -> int:
    """Delete all aspects of an entity that DataHub's clients sent, and return how many; OpenLineage's facts stay.

    Raises:
        BadUrn: not a URN.
    """
    parsed = Urn.parse(urn)
    aspects = await asker.ask(lambda session: aspects_of(session, writer.naming, urn)) or {}
    key, _ = key_aspect(parsed)
    names = [name for name in aspects if name != key]
    if not names:
        return 0
    # The key of a dataset stands for all its aspects, those of its fields included.
    await writer.write(lambda: [deletion(urn, aspect) for aspect in ([key] if parsed.kind == "dataset" else names)])
    return len(names)


async def _delete(writer: ChangeWriter, urn: str, aspects: Collection[str]) -> None:
    """Delete some aspects of an entity; missing ones are ignored."""
    await writer.write(lambda: [deletion(urn, aspect) for aspect in aspects])
