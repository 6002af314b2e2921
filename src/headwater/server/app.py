"""The application: one store behind all routes."""

from fastapi import Depends, FastAPI

from headwater._version import __version__
from headwater.server.asking import Asker
from headwater.server.errors import add_error_handlers
from headwater.server.marquez import router as marquez
from headwater.server.paths import NamesInPaths, decoded_names
from headwater.store import Store

_AT_ONCE = 8


def create_app(store: Store) -> FastAPI:
    """The application that serves a store."""
    app = FastAPI(title="Headwater", version=__version__, redirect_slashes=False, dependencies=[Depends(decoded_names)])
    app.state.asker = Asker(store, _AT_ONCE)
    app.add_middleware(NamesInPaths)
    add_error_handlers(app)
    app.include_router(marquez)
    return app
