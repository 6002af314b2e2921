"""The pages, with all their files: browsers load nothing from other hosts."""

from importlib.resources import files

from fastapi import APIRouter, Request
from starlette.responses import Response

from headwater.server.pages.web_build import web_routes

_KINDS = {"docs.html": "text/html; charset=utf-8", "docs.css": "text/css", "docs.js": "text/javascript"}


def page_routes() -> APIRouter:
    """The page; `/docs`, which shows the API, and the two files it loads."""
    router = APIRouter(include_in_schema=False)
    router.include_router(web_routes())
    folder = files(__name__)
    contents = {name: folder.joinpath(name).read_bytes() for name in _KINDS}

    @router.get("/docs")
    async def docs(request: Request) -> Response:
        """The page of the API, with links below the proxy's prefix."""
        root = request.scope.get("root_path", "").encode()
        return Response(contents["docs.html"].replace(b"{root}", root), media_type=_KINDS["docs.html"])

    @router.get("/docs/docs.css")
    @router.get("/docs/docs.js")
    async def file(request: Request) -> Response:
        """Its styles, or its script."""
        name = request.url.path.rpartition("/")[2]
        return Response(contents[name], media_type=_KINDS[name])

    return router
