"""The page that shows the interface, served from here: a browser that looks at it asks no other host."""

from importlib.resources import files

from fastapi import APIRouter, Request
from starlette.responses import Response

_KINDS = {"docs.html": "text/html; charset=utf-8", "docs.css": "text/css", "docs.js": "text/javascript"}


def page_routes() -> APIRouter:
    """`/docs` and the two files that it loads."""
    router = APIRouter(include_in_schema=False)
    folder = files(__name__)
    contents = {name: folder.joinpath(name).read_bytes() for name in _KINDS}

    @router.get("/docs")
    async def docs(request: Request) -> Response:
        """The page; its links go below the path that a proxy shows us under."""
        root = request.scope.get("root_path", "").encode()
        return Response(contents["docs.html"].replace(b"{root}", root), media_type=_KINDS["docs.html"])

    @router.get("/docs/docs.css")
    async def styles() -> Response:
        """How it looks."""
        return Response(contents["docs.css"], media_type=_KINDS["docs.css"])

    @router.get("/docs/docs.js")
    async def script() -> Response:
        """What it does."""
        return Response(contents["docs.js"], media_type=_KINDS["docs.js"])

    return router
