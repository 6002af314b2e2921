"""The page: Vite's build of `web/`, served from memory.

The build names scripts and styles by their content, so browsers may cache them forever; index.html, which lists them,
is revalidated each time. In a checkout without a build, `/` says how to build it.
"""

import gzip
import hashlib
import mimetypes
from dataclasses import dataclass
from functools import cached_property
from http import HTTPStatus
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.responses import Response

from headwater.server.http.errors import ApiError

BUILT = Path(__file__).parent / "web"
"""Where `make page` puts the page."""
_WORTH_COMPRESSING = 1_000
_COMPRESSED_ALREADY = ("image/png", "font/")
# Vite writes links relative to the page, which has many addresses.
_RELATIVE = b'"./'
_ROOT = b"{root}"
_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html"}
_HASHED = "assets/"
_FOR_GOOD = "public, max-age=31536000, immutable"
_ASK_AGAIN = "no-cache"
_NOT_BUILT = b"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Headwater</title></head>
<body>
<h1>The page is not built</h1>
<p>This is a checkout. Run this in it, and start the server again:</p>
<pre>make page</pre>
<p>The server itself is there: <a href="{root}/docs">its interface</a>.</p>
</body>
</html>
"""


@dataclass(frozen=True)
class Asset:
    """A file of the page."""

    content: bytes
    kind: str

    @cached_property
    def compressed(self) -> bytes | None:
        """The content by gzip; None where that saves nothing."""
        if len(self.content) < _WORTH_COMPRESSING or self.kind.startswith(_COMPRESSED_ALREADY):
            return None
        return gzip.compress(self.content, compresslevel=6, mtime=0)

    @cached_property
    def tag(self) -> str:
        """Its ETag."""
        return f'"{hashlib.sha256(self.content).hexdigest()[:32]}"'


def web_routes(folder: Path = BUILT) -> APIRouter:
    """`/`, the page's own addresses below `/view`, and its files below `/static`."""
    router = APIRouter(include_in_schema=False)
    assets = _read(folder)
    index = assets.pop("index.html", None)
    pages: dict[bytes, Asset] = {}

    @router.get("/")
    @router.get("/view/{place}")
    async def page(request: Request) -> Response:
        """The page; its script reads from the address what to show."""
        root = request.scope.get("root_path", "").encode()
        if index is None:
            return Response(_NOT_BUILT.replace(_ROOT, root), HTTPStatus.NOT_FOUND, media_type="text/html")
        if root not in pages:
            content = index.content.replace(_RELATIVE, b'"' + root + b"/static/").replace(_ROOT, root)
            pages[root] = Asset(content, index.kind)
        return _reply(request, pages[root], _ASK_AGAIN)

    @router.get("/static/{path:path}")
    async def file(request: Request, path: str) -> Response:
        """A file that the page loads."""
        asset = assets.get(path)
        if asset is None:
            raise ApiError(HTTPStatus.NOT_FOUND, "path: the page has no such file; reload the page.")
        return _reply(request, asset, _FOR_GOOD if path.startswith(_HASHED) else _ASK_AGAIN)

    return router


def _read(folder: Path) -> dict[str, Asset]:
    """All files below a folder, by path; none if the folder is missing."""
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): Asset(path.read_bytes(), _kind(path.suffix)) for path in paths}


def _kind(ending: str) -> str:
    """The media type of a file by its suffix; for scripts it does not depend on the machine.

    >>> _kind(".js")
    'text/javascript'
    """
    return _TYPES.get(ending) or mimetypes.types_map.get(ending, "application/octet-stream")


def _reply(request: Request, asset: Asset, caching: str) -> Response:
    headers = {"Cache-Control": caching, "ETag": asset.tag, "Vary": "Accept-Encoding"}
    if asset.tag in request.headers.get("if-none-match", ""):
        return Response(None, HTTPStatus.NOT_MODIFIED, headers)
    content = asset.content
    if asset.compressed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        content, headers["Content-Encoding"] = asset.compressed, "gzip"
    return Response(content, headers=headers, media_type=asset.kind)
