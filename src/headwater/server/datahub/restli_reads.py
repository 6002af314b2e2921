"""Rest.li: routes that read one aspect of an entity, or the whole entity."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import Response

from headwater.datahub.aspects.class_names import class_of, without_avro
from headwater.datahub.entities.entity import aspects_of
from headwater.datahub.naming.datasets import Naming
from headwater.fields.urn import Urn
from headwater.server.datahub.answers import READING, DataHubRoute, refusal
from headwater.server.datahub.parameters import AsOf, as_of, listed
from headwater.server.http.json_responses import JSONResponse
from headwater.server.http.query_threads import Asking

_LAST = 0
_STAMP = {"time": 0, "actor": "urn:li:corpuser:unknown"}


def restli_read_routes(naming: Naming) -> APIRouter:
    """The routes."""
    router = APIRouter(route_class=DataHubRoute, tags=["DataHub"])

    @router.get("/aspects/{urn}", response_model=dict[str, Any], responses=READING)
    async def get_aspect(
        asker: Asking,
        urn: str,
        aspect: Annotated[str, Query(description="The name of the aspect.")],
        version: Annotated[int, Query(description="0, the latest. For other times, use asOf.")] = _LAST,
        at: AsOf = None,
    ) -> Response:
        """Get one aspect of an entity, under the name of its class."""
        if version != _LAST:
            return refusal(400, "version: only 0, the latest, is supported; for other times, use asOf.")
        moment = as_of(at)
        values = await asker.ask(lambda session: aspects_of(session, naming, urn, moment)) or {}
        if aspect not in values:
            return refusal(404, f"No {aspect} of {urn}.")
        return JSONResponse({"version": _LAST, "aspect": {class_of(aspect): without_avro(values[aspect])}})

    @router.get("/entitiesV2/{urn}", response_model=dict[str, Any], responses={400: READING[400]})
    async def get_entity(
        asker: Asking,
        urn: str,
        aspects: Annotated[str | None, Query(description="Only these: List(a,b).")] = None,
        at: AsOf = None,
    ) -> Response:
        """Get an entity with its aspects. An unknown entity has none, as in DataHub."""
        kind = Urn.parse(urn).kind
        names, moment = listed(aspects), as_of(at)
        values = await asker.ask(lambda session: aspects_of(session, naming, urn, moment)) or {}
        envelopes = {
            name: {"name": name, "type": "VERSIONED", "version": _LAST, "value": without_avro(value), "created": _STAMP}
            for name, value in values.items()
            if names is None or name in names
        }
        return JSONResponse({"urn": urn, "entityName": kind, "aspects": envelopes})

    return router
