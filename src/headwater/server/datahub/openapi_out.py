"""DataHub's OpenAPI, version 3, out: entities and their aspects."""

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from starlette.responses import Response

from headwater.datahub.aspects.class_names import without_avro
from headwater.datahub.entities.entity import aspects_of
from headwater.datahub.json_values import a_list
from headwater.datahub.naming.datasets import Naming
from headwater.fields.urn import Urn
from headwater.server.datahub.answers import READING, WRITING, DataHubRoute, refusal
from headwater.server.datahub.parameters import AsOf, Aspects, as_of
from headwater.server.datahub.schemas import ASKED_BODY
from headwater.server.http.query_threads import Asking
from headwater.server.ingest.event_bodies import check_type, read_json

_BAD_BODY: dict[int | str, dict[str, Any]] = {status: WRITING[status] for status in (400, 415)}


def entity_routes(naming: Naming, depth: int) -> APIRouter:
    """The routes."""
    router = APIRouter(prefix="/openapi/v3/entity", route_class=DataHubRoute, tags=["DataHub"])

    @router.get("/{entity}/{urn}", response_model=dict[str, Any], responses=READING)
    async def get_entity(asker: Asking, entity: str, urn: str, aspects: Aspects = None, at: AsOf = None) -> Response:
        """Get an entity with all or some of its aspects."""
        Urn.parse(urn, entity)
        moment = as_of(at)
        found = await asker.ask(lambda session: aspects_of(session, naming, urn, moment))
        return _missing(urn) if found is None else JSONResponse(_written(urn, found, aspects))

    @router.get("/{entity}/{urn}/{aspect}", response_model=dict[str, Any], responses=READING)
    async def get_aspect(asker: Asking, entity: str, urn: str, aspect: str, at: AsOf = None) -> Response:
        """Get one aspect of an entity."""
        Urn.parse(urn, entity)
        moment = as_of(at)
        found = await asker.ask(lambda session: aspects_of(session, naming, urn, moment)) or {}
        return (
            JSONResponse({"value": without_avro(found[aspect])}) if aspect in found else _missing(f"{aspect} of {urn}")
        )

    @router.post(
        "/{entity}/batchGet", response_model=list[dict[str, Any]], responses=_BAD_BODY, openapi_extra=ASKED_BODY
    )
    async def get_entities(request: Request, asker: Asking, entity: str) -> Response:
        """Get entities of one kind, each given as `{"urn": …, "<aspect>": {}}`. Unknown entities are left out."""
        check_type(request.headers)
        asked = [one for one in a_list(read_json(await request.body(), depth), "The body") if isinstance(one, Mapping)]
        wanted = {str(Urn.parse(str(one.get("urn")), entity)): [name for name in one if name != "urn"] for one in asked}
        found = await asker.ask(lambda session: {urn: aspects_of(session, naming, urn) for urn in wanted})
        said = [_written(urn, had, wanted[urn] or None) for urn, had in found.items() if had is not None]
        return JSONResponse(said)

    return router


def _written(urn: str, found: Mapping[str, Any], aspects: list[str] | None) -> dict[str, Any]:
    return {"urn": urn} | {
        name: {"value": without_avro(value)} for name, value in found.items() if aspects is None or name in aspects
    }


def _missing(what: str) -> JSONResponse:
    return refusal(404, f"No {what}.")
