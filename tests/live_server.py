"""A real server for tests: uvicorn in a thread of this process, on a port of its own."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import uvicorn

from headwater.server.app import create_app
from headwater.server.serving import protocol
from headwater.server.settings.settings import ServerSettings
from tests.waiting import SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from headwater.store import Store


@contextmanager
def serving(app: Any, settings: ServerSettings | None = None, **options: Any) -> Iterator[str]:  # noqa: ANN401  any ASGI application, any of uvicorn's options
    """Serve an application while the block runs, as `headwater serve` does; yields its URL."""
    http = protocol(settings or ServerSettings())
    config = uvicorn.Config(app, port=0, http=http, log_config=None, access_log=False, ws="none", **options)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        thread.join(0.01)
        assert thread.is_alive(), "the server did not start"
    try:
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"{'https' if 'ssl_certfile' in options else 'http'}://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(SECONDS)


@contextmanager
def served(store: Store) -> Iterator[str]:
    """Serve a store while the block runs; yields the server's URL. With it, the store is closed."""
    with serving(create_app(store)) as url:
        yield url
