"""A real server for tests: uvicorn in a thread, on a port of its own."""

from __future__ import annotations

import socket
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import uvicorn
from fastapi import Request

from headwater.server.app import create_app

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastapi import FastAPI

    from headwater.store import Store

_INGEST = "/api/v1/lineage/batch"


@contextmanager
def serving(app: Any, **settings: Any) -> Iterator[str]:  # noqa: ANN401  any ASGI application, any of uvicorn's settings
    """Serve an application while the block runs; yields its URL."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off", **settings))
        thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
        thread.start()
        while not server.started:
            thread.join(0.01)
            assert thread.is_alive(), "the server did not start"
        try:
            yield f"{'https' if 'ssl_certfile' in settings else 'http'}://127.0.0.1:{port}"
        finally:
            server.should_exit = True
            thread.join(10)


def app_of(store: Store) -> FastAPI:
    """The application of a store; where it takes no events yet, it does so here, in the simplest way."""
    app = create_app(store)
    if not any(getattr(route, "path", "") == _INGEST for route in app.routes):

        @app.post(_INGEST)
        async def ingest(request: Request) -> dict[str, object]:
            import gzip  # noqa: PLC0415
            import json  # noqa: PLC0415

            body = await request.body()
            packed = request.headers.get("content-encoding") == "gzip"
            events = json.loads(gzip.decompress(body) if packed else body)
            result = store.ingest(events)
            rejected = [
                {"index": one.index, "field": one.field or None, "reason": one.reason} for one in result.rejected
            ]
            counts = {"received": len(events), "accepted": result.accepted, "duplicates": result.duplicates}
            return {**counts, "rejected": rejected}

    return app


@contextmanager
def served(store: Store) -> Iterator[str]:
    """Serve a store while the block runs; yields the server's URL."""
    with serving(app_of(store)) as url:
        yield url
