"""Liveness, readiness and metrics."""

import asyncio
from http import HTTPStatus

from fastapi import APIRouter
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.responses import Response

from headwater.server.http.metrics import Metrics
from headwater.store import Store, StoreError

_PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS = 10


class Health(BaseModel):
    """The state of the server; `message` says what is wrong."""

    status: str
    message: str | None = None


def health_routes(store: Store, metrics: Metrics) -> APIRouter:
    """The routes for operators."""
    router = APIRouter(tags=["Operations"])

    @router.get("/livez", response_model_exclude_none=True)
    async def live() -> Health:
        """Check that the process answers. Restart it if it does not."""
        return Health(status="ok")

    @router.get(
        "/readyz",
        response_model=Health,
        response_model_exclude_none=True,
        responses={503: {"description": "The store is unavailable.", "model": Health}},
    )
    async def ready() -> Response:
        """Check that the store answers and has a version that this server reads. If not, send no requests here."""
        try:
            await asyncio.wait_for(asyncio.to_thread(store.database.version), _SECONDS)
        except StoreError as error:
            return _not_ready(str(error))
        except asyncio.TimeoutError:
            return _not_ready(f"The store did not answer within {_SECONDS} seconds.")
        return JSONResponse({"status": "ok"})

    @router.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
    async def scrape() -> Response:
        """Get metrics for Prometheus."""
        return Response(await asyncio.to_thread(metrics.text), media_type=_PROMETHEUS)

    return router


def _not_ready(reason: str) -> JSONResponse:
    return JSONResponse({"status": "unavailable", "message": reason}, HTTPStatus.SERVICE_UNAVAILABLE)
