"""Liveness, readiness and metrics."""

import asyncio
import math
import time
from concurrent.futures import Future, ThreadPoolExecutor
from http import HTTPStatus

from fastapi import APIRouter
from pydantic import BaseModel
from starlette.responses import Response

from headwater.server.http.json_responses import JSONResponse
from headwater.server.http.metrics import Metrics
from headwater.store import Store, StoreError

_PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS = 5.0
# However often it is asked, something is written at most once in so many seconds.
_VALID_SECONDS = 1.0


class Health(BaseModel):
    """The state of the server; `message` says what is wrong."""

    status: str
    message: str | None = None


class Readiness:
    """Whether a store can take an event now: its version is read, and something is written through to its disk.

    Requests that ask at the same time share one try.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="headwater-readiness")
        self._trying: Future[str | None] | None = None
        self._tried_at = 0.0
        self._wrote_at = -math.inf
        self._unwritable: str | None = None

    async def problem(self) -> str | None:
        """Why no event could be stored now; None if one could."""
        if self._trying is None or self._trying.done():
            self._tried_at = time.monotonic()
            self._trying = self._thread.submit(self._try)
        trying = asyncio.wrap_future(self._trying)
        left = self._tried_at + _SECONDS - time.monotonic()
        await asyncio.wait({trying}, timeout=max(left, 0.0))
        if trying.done():
            return trying.result()
        if time.monotonic() - self._store.database.moved < _SECONDS:
            return None  # it is busy with a large transaction of this server, which goes on
        return f"The store did not answer within {_SECONDS:g} seconds."

    def _try(self) -> str | None:
        try:
            self._store.database.version()
        except StoreError as error:
            return str(error)
        if time.monotonic() - self._wrote_at >= _VALID_SECONDS:
            try:
                self._store.check()
                self._unwritable = None
            except StoreError as error:
                self._unwritable = str(error)
            self._wrote_at = time.monotonic()
        return self._unwritable


def health_routes(readiness: Readiness, metrics: Metrics) -> APIRouter:
    """The routes for operators."""
    router = APIRouter(tags=["Operations"])

    @router.get("/livez", response_model_exclude_none=True)
    async def live() -> Health:
        """Check that the process answers. Restart it if it does not."""
        return Health(status="ok")

    @router.get("/health", include_in_schema=False)
    @router.get(
        "/readyz",
        response_model=Health,
        response_model_exclude_none=True,
        responses={503: {"description": "The store is unavailable.", "model": Health}},
    )
    async def ready() -> Response:
        """Check that events can be stored: the store answers, and its disk can be written. If not, send none here."""
        problem = await readiness.problem()
        if problem is not None:
            return JSONResponse({"status": "unavailable", "message": problem}, HTTPStatus.SERVICE_UNAVAILABLE)
        return JSONResponse({"status": "ok"})

    @router.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
    async def scrape() -> Response:
        """Get metrics for Prometheus."""
        return Response(await asyncio.to_thread(metrics.text), media_type=_PROMETHEUS)

    return router
