"""`POST /api/v1/lineage` and `/api/v1/lineage/batch`: receive OpenLineage events. 201 means that they are on disk."""

from collections.abc import Mapping
from functools import partial
from http import HTTPStatus

import anyio
from fastapi import APIRouter, Request
from starlette.responses import Response

from headwater.server.http.bodies import body_of
from headwater.server.http.errors import ApiError
from headwater.server.http.fast_routes import PlainRoute
from headwater.server.http.json_responses import JSONResponse
from headwater.server.http.metrics import Metrics
from headwater.server.http.threads import in_thread
from headwater.server.ingest.ahead import listed_ahead, warning
from headwater.server.ingest.event_bodies import Batch, check_type, read_batch, read_event
from headwater.server.ingest.schema import BATCH_DOCS, DATAHUB_EVENT_DOCS, EVENT_DOCS
from headwater.server.ingest.writer import Writer
from headwater.server.settings.settings import ServerSettings
from headwater.store import Store

# Larger bodies are parsed in a thread; for smaller ones, the thread would cost more than it saves.
_SMALL = 64 * 1024
_READERS = 2
_EVENTS = "/api/v1/lineage"
_AS_DATAHUB = "/openapi/openlineage/api/v1/lineage"


def ingest_routes(store: Store, writer: Writer, settings: ServerSettings, metrics: Metrics) -> APIRouter:
    """The routes that receive events."""
    router = APIRouter(route_class=PlainRoute, tags=["OpenLineage"])
    depth, most = settings.max_json_depth, settings.max_batch_events
    # More threads would read no faster: they share one processor with all that answers.
    readers = anyio.CapacityLimiter(_READERS)

    async def store_event(request: Request) -> dict[str, str]:
        check_type(request.headers)
        body = await body_of(request)
        try:
            if len(body) < _SMALL:
                ready = read_event(store, body, depth)
            else:
                ready = await in_thread(partial(read_event, store, body, depth), readers)
        except ApiError:
            metrics.rejected.inc()
            raise
        if await writer.write([ready]):
            metrics.accepted.inc()
        else:
            metrics.duplicates.inc()
        ahead = warning(store.clock, [ready])
        metrics.ahead.inc(len(ahead))
        return ahead

    @router.post(_EVENTS, **EVENT_DOCS)
    async def post_event(request: Request) -> Response:
        """Store one OpenLineage event. It may be compressed (`Content-Encoding: gzip`)."""
        return Response(status_code=HTTPStatus.CREATED, headers=await store_event(request))

    @router.post(_AS_DATAHUB, **DATAHUB_EVENT_DOCS)
    async def post_event_as_datahub(request: Request) -> Response:
        """Store one OpenLineage event, where DataHub's clients send it."""
        return Response(status_code=HTTPStatus.OK, headers=await store_event(request))

    @router.post(f"{_EVENTS}/batch", **BATCH_DOCS)
    async def post_batch(request: Request) -> Response:
        """Store many OpenLineage events: a JSON array, or one per line. Invalid ones are listed by index."""
        check_type(request.headers, lines=True)
        body = await body_of(request)
        if len(body) < _SMALL:
            batch = read_batch(store, body, depth, most)
        else:
            batch = await in_thread(partial(read_batch, store, body, depth, most), readers)
        accepted = await writer.write(batch.ready) if batch.ready else 0
        metrics.accepted.inc(accepted)
        metrics.duplicates.inc(len(batch.ready) - accepted)
        metrics.rejected.inc(batch.rejected_count)
        ahead = listed_ahead(store.clock, batch)
        metrics.ahead.inc(ahead.get("ahead_count", 0))
        return _batch_response(batch, accepted, ahead, warning(store.clock, batch.ready))

    return router


def _batch_response(
    batch: Batch, accepted: int, ahead: Mapping[str, object], headers: Mapping[str, str]
) -> JSONResponse:
    rejected = [{"index": bad.index, "field": bad.field or None, "reason": bad.reason} for bad in batch.rejected]
    counts = {
        "received": batch.received,
        "accepted": accepted,
        "duplicates": len(batch.ready) - accepted,
        "rejected": rejected,
        "rejected_count": batch.rejected_count,
        **ahead,
    }
    if not rejected:
        return JSONResponse(counts, HTTPStatus.CREATED, headers)
    if batch.ready:
        return JSONResponse(counts, HTTPStatus.MULTI_STATUS, headers)
    first = batch.rejected[0]
    status = HTTPStatus.UNPROCESSABLE_ENTITY
    return JSONResponse({"code": status, "message": f"event {first.index}: {first}", **counts}, status)
