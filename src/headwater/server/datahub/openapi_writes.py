"""DataHub's OpenAPI, version 3: routes that set and patch aspects of entities."""

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from headwater.datahub.aspects.requests import of_aspect, of_entities
from headwater.datahub.entities.entity import aspects_of
from headwater.server.datahub.answers import WRITING, DataHubRoute, write_response
from headwater.server.datahub.change_requests import Received
from headwater.server.datahub.change_writer import ChangeWriter
from headwater.server.datahub.schemas import ASPECT_BODY, ENTITY_LIST_BODY
from headwater.server.http.query_threads import Asker, Asking
from headwater.server.ingest.event_bodies import check_type, json_of

_PATCH = ("application/json-patch+json",)
OnlyNew = Annotated[bool, Query(alias="createIfNotExists", description="Leave an existing aspect unchanged.")]
Async = Annotated[
    bool, Query(alias="async", description="Has no effect: changes are always stored before the server answers.")
]
_ENTITY, _ASPECT = "/{entity}", "/{entity}/{urn}/{aspect}"


def openapi_write_routes(writer: ChangeWriter, depth: int) -> APIRouter:
    """The routes."""
    router = APIRouter(prefix="/openapi/v3/entity", route_class=DataHubRoute, tags=["DataHub"])

    async def take(request: Request, asker: Asker, records: Any, *, only_new: bool) -> Received:  # noqa: ANN401  a function
        body = await request.body()
        if not only_new:
            return await writer.write(lambda: records(json_of(body, depth)))
        changes = list(records(json_of(body, depth)))
        existing = await _existing(asker, writer, changes)
        return await writer.write(lambda: [record for record in changes if _key(record) not in existing])

    @router.post(_ENTITY, response_model=list[dict[str, Any]], responses=WRITING, openapi_extra=ENTITY_LIST_BODY)
    async def post_entities(
        request: Request, asker: Asking, entity: str, *, only_new: OnlyNew = False, at_leisure: Async = False
    ) -> Response:
        """Set aspects of entities of one kind. 200 means that they are stored."""
        del at_leisure
        check_type(request.headers)
        received = await take(request, asker, lambda body: of_entities(entity, body), only_new=only_new)
        return write_response(received, _by_entity(received))

    @router.patch(_ENTITY, response_model=list[dict[str, Any]], responses=WRITING, openapi_extra=ENTITY_LIST_BODY)
    async def patch_entities(request: Request, asker: Asking, entity: str, *, at_leisure: Async = False) -> Response:
        """Patch aspects of entities of one kind: `{"patch": [...], "arrayPrimaryKeys": {...}}`, a JSON patch."""
        del at_leisure
        check_type(request.headers, also=_PATCH)
        received = await take(request, asker, lambda body: of_entities(entity, body, "PATCH"), only_new=False)
        return write_response(received, [{"urn": urn} for urn in received.urns])

    @router.post(_ASPECT, response_model=dict[str, Any], responses=WRITING, openapi_extra=ASPECT_BODY)
    async def post_aspect(  # noqa: PLR0913  the parts of the path
        request: Request, asker: Asking, entity: str, urn: str, aspect: str, *, only_new: OnlyNew = False
    ) -> Response:
        """Set one aspect of an entity."""
        check_type(request.headers)
        received = await take(request, asker, lambda body: [of_aspect(entity, urn, aspect, body)], only_new=only_new)
        return write_response(received, {"urn": urn, **next(iter(_by_entity(received)), {})})

    @router.patch(_ASPECT, response_model=dict[str, Any], responses=WRITING, openapi_extra=ASPECT_BODY)
    async def patch_aspect(request: Request, asker: Asking, entity: str, urn: str, aspect: str) -> Response:
        """Patch one aspect of an entity."""
        check_type(request.headers, also=_PATCH)

        def records(body: Any) -> list[Any]:  # noqa: ANN401  JSON
            value = body if isinstance(body, Mapping) and "value" in body else {"value": body}
            return [of_aspect(entity, urn, aspect, value, "PATCH")]

        return write_response(await take(request, asker, records, only_new=False), {"urn": urn})

    return router


async def _existing(asker: Asker, writer: ChangeWriter, records: list[Any]) -> set[tuple[str, str]]:
    """The entities and aspects among the records that exist already."""
    urns = {str(urn) for urn, _ in map(_key, records) if str(urn).startswith("urn:li:")}
    by_urn = await asker.ask(lambda session: {urn: aspects_of(session, writer.naming, urn) or {} for urn in urns})
    return {(urn, aspect) for urn, aspects in by_urn.items() for aspect in aspects}


def _key(record: Any) -> tuple[str, str]:  # noqa: ANN401  JSON
    return (str(record.get("entityUrn")), str(record.get("aspectName"))) if isinstance(record, Mapping) else ("", "")


def _by_entity(received: Received) -> list[dict[str, Any]]:
    """The aspects that were set, by entity, as DataHub returns them."""
    entities: dict[str, dict[str, Any]] = {}
    for located in received.changes:
        entities.setdefault(located.change.urn, {"urn": located.change.urn})[located.change.aspect] = {
            "value": located.change.value
        }
    return list(entities.values())
