"""The application: one store behind all routes."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from fastapi import Depends, FastAPI
from starlette.middleware.cors import CORSMiddleware

from headwater._version import __version__
from headwater.server.datahub import datahub_routes
from headwater.server.health import Readiness, health_routes
from headwater.server.http.answers import Answers
from headwater.server.http.auth import Guard
from headwater.server.http.bodies import Bodies
from headwater.server.http.errors import ANY_ERROR, add_error_handlers
from headwater.server.http.fast_routes import FastRoutes
from headwater.server.http.head_requests import HeadRequests
from headwater.server.http.metrics import Metrics
from headwater.server.http.middleware import Observed
from headwater.server.http.protocol import METRICS
from headwater.server.http.query_threads import Questions
from headwater.server.http.store_state import StoreState
from headwater.server.http.url_paths import NamesInPaths, decoded_names
from headwater.server.ingest.routes import ingest_routes
from headwater.server.ingest.writer import Writer
from headwater.server.marquez import router as marquez
from headwater.server.pages import page_routes
from headwater.server.questions import router as question_routes
from headwater.server.settings.settings import ServerSettings
from headwater.store import Store

# Whoever embeds the application controls the access.
_EMBEDDED = ServerSettings(allow_open=True)


def create_app(store: Store, settings: ServerSettings = _EMBEDDED) -> FastAPI:
    """Create the application for a store, which is created or upgraded first; raises `StoreError` if that fails."""
    store.prepare()
    store.observer = StoreState()
    store.keep_secrets = store.keep_secrets or settings.keep_secrets
    metrics = Metrics()
    questions = Questions(store, settings, metrics)
    writer = Writer(store, settings, metrics)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[Mapping[str, Metrics]]:
        yield {METRICS: metrics}
        writer.close()
        questions.close()
        store.close()

    app = FastAPI(
        title="Headwater",
        version=__version__,
        redirect_slashes=False,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        dependencies=[Depends(decoded_names)],
        responses=ANY_ERROR,
    )
    app.state.questions = questions
    add_error_handlers(app)
    events = ingest_routes(store, writer, settings, metrics)
    app.include_router(events)
    app.include_router(health_routes(Readiness(store), metrics))
    app.include_router(marquez)
    app.include_router(page_routes())
    app.include_router(question_routes)
    app.include_router(datahub_routes(store, settings, metrics))
    app.add_middleware(FastRoutes, routes=[*events.routes, *question_routes.routes])
    _surround(app, store, settings, metrics)
    return app


def _surround(app: FastAPI, store: Store, settings: ServerSettings, metrics: Metrics) -> None:
    """Add the middleware of all routes, from the inside out."""
    app.add_middleware(HeadRequests)
    app.add_middleware(Bodies, settings=settings, metrics=metrics)
    app.add_middleware(Guard, store=store, settings=settings)
    app.add_middleware(NamesInPaths)
    app.add_middleware(Answers, settings=settings, metrics=metrics)
    if settings.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.cors_origins,
            allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
            allow_headers=["Authorization", "Content-Type", "Content-Encoding", "X-Request-ID"],
            expose_headers=["X-Request-ID", "Retry-After", "Warning"],
        )
    app.add_middleware(Observed, metrics=metrics, log_clients=settings.log_clients)
