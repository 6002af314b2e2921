"""DataHub's OpenAPI, version 3: routes that read entities and their aspects."""

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from headwater.datahub.aspects.class_names import without_avro
from headwater.datahub.entities.entity import aspects_of
from headwater.datahub.json_values import a_list
from headwater.datahub.naming.datasets import Naming
from headwater.fields.urn import Urn
from headwater.server.datahub.answers import READING, WRITING, DataHubRoute, refusal
from headwater.server.datahub.parameters import AsOf, Aspects, as_of
from headwater.server.datahub.schemas import ASKED_BODY
from headwater.server.http.json_responses import JSONResponse
from headwater.server.http.query_threads import Asking
from headwater.server.ingest.event_bodies import check_type, json_of

_BAD_BODY: dict[int | str, dict[str, Any]] = {status: WRITING[status] for status in (400, 415)}


def openapi_read_routes(naming: Naming, depth: int) -> APIRouter:
    """The routes."""
    router = APIRouter(prefix="/openapi/v3/entity", route_class=DataHubRoute, tags=["DataHub"])

    @router.get("/{entity}/{urn}", response_model=dict[str, Any], responses=READING)
    async def get_entity(asker: Asking, entity: str, urn: str, aspects: Aspects = None, at: AsOf = None) -> Response:
        """Get an entity with all or some of its aspects."""
        Urn.parse(urn, entity)
        moment = as_of(at)
        values = await asker.ask(lambda session: aspects_of(session, naming, urn, moment))
        return _missing(urn) if values is None else JSONResponse(_entity_json(urn, values, aspects))

    @router.get("/{entity}/{urn}/{aspect}", response_model=dict[str, Any], responses=READING)
    async def get_aspect(asker: Asking, entity: str, urn: str, aspect: str, at: AsOf = None) -> Response:
        """Get one aspect of an entity."""
        Urn.parse(urn, entity)
        moment = as_of(at)
        values = await asker.ask(lambda session: aspects_of(session, naming, urn, moment)) or {}
        if aspect not in values:
            return _missing(f"{aspect} of {urn}")
        return JSONResponse({"value": without_avro(values[aspect])})

    @router.post(
        "/{entity}/batchGet", response_model=list[dict[str, Any]], responses=_BAD_BODY, openapi_extra=ASKED_BODY
    )
    async def get_entities(request: Request, asker: Asking, entity: str) -> Response:
        """Get entities of one kind, each given as `{"urn": …, "<aspect>": {}}`. Unknown entities are left out."""
        check_type(request.headers)
        items = a_list(json_of(await request.body(), depth), "The body")
        names = {
            str(Urn.parse(str(item.get("urn")), entity)): [name for name in item if name != "urn"]
            for item in items
            if isinstance(item, Mapping)
        }
        by_urn = await asker.ask(lambda session: {urn: aspects_of(session, naming, urn) for urn in names})
        entities = [
            _entity_json(urn, values, names[urn] or None) for urn, values in by_urn.items() if values is not None
        ]
        return JSONResponse(entities)

    return router


def _entity_json(urn: str, values: Mapping[str, Any], aspects: list[str] | None) -> dict[str, Any]:
    return {"urn": urn} | {
        name: {"value": without_avro(value)} for name, value in values.items() if aspects is None or name in aspects
    }


def _missing(name: str) -> JSONResponse:
    return refusal(404, f"No {name}.")
