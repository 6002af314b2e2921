"""A short cut to the busiest routes, past framework layers that cost more than the routes themselves."""

from collections.abc import Callable, Coroutine, Iterable
from http import HTTPStatus
from typing import Any, TypeAlias

from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from headwater.openlineage.model.event import BadEvent
from headwater.server.http.errors import ApiError, error_response, store_error_response
from headwater.server.http.url_paths import own_path
from headwater.store import StoreError

Handler: TypeAlias = Callable[[Request], Coroutine[Any, Any, Response]]


class PlainRoute(APIRoute):
    """A route that takes the raw request: parsing by FastAPI would cost more than the route."""

    def get_route_handler(self) -> Handler:
        """The function itself."""
        handler: Handler = self.endpoint
        return handler


class FastRoutes:
    """Serves plain routes itself, without the layers that other routes need."""

    def __init__(self, app: ASGIApp, routes: Iterable[BaseRoute]) -> None:
        self._app = app
        self._routes = {
            (method, route.path): route
            for route in routes
            if isinstance(route, PlainRoute)
            for method in route.methods or ()
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        route = self._routes.get((scope["method"], own_path(scope))) if scope["type"] == "http" else None
        if route is None:
            await self._app(scope, receive, send)
            return
        # Outer layers read the route from here.
        scope["route"] = route
        try:
            response = await route.endpoint(Request(scope, receive))
        except ApiError as error:
            response = error_response(error.status, str(error), error.headers)
        except BadEvent as error:
            response = error_response(HTTPStatus.UNPROCESSABLE_ENTITY, str(error))
        except StoreError as error:
            response = store_error_response(error)
        await response(scope, receive, send)
