"""Names in paths: any characters in every segment; a slash at the end makes no difference.

Starlette matches routes on the decoded path, where the name `a/b` (`a%2Fb`) looks like two segments. Here routes are
matched on a path in which the slashes of names are still encoded, and names are decoded afterwards. Routes need no
extra code: write `/namespaces/{namespace}/datasets/{dataset}` and take `namespace: str, dataset: str`.
"""

import re
from functools import lru_cache
from http import HTTPStatus
from urllib.parse import quote, unquote

from fastapi import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from headwater.server.http.errors import error_response

# Characters that would end a segment, begin an escape, or not match a wildcard.
_KEPT_ENCODED = re.compile(r"[%/\x00-\x1f\x7f]")
_NUL = "%00"


@lru_cache(maxsize=256)
def path_to_match(raw: str) -> str:
    """The path to match routes on: decoded except for special characters, without a slash at its end.

    >>> path_to_match("/namespaces/s3%3A%2F%2Fb/datasets/100%25/")
    '/namespaces/s3:%2F%2Fb/datasets/100%25'
    """
    segments = (_KEPT_ENCODED.sub(_encoded, unquote(segment)) for segment in raw.split("/"))
    return "/".join(segments).rstrip("/") or "/"


def _encoded(match: re.Match[str]) -> str:
    return quote(match[0], safe="")


class NamesInPaths:
    """Matches routes by `path_to_match`; the application also needs `decoded_names` as a dependency."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] == "http":
            # Not every server provides the raw path.
            raw = scope.get("raw_path") or quote(scope["path"]).encode()
            path = raw.partition(b"?")[0].decode("latin-1")
            if _NUL in path or _NUL in scope["query_string"].decode("latin-1"):
                refusal = error_response(HTTPStatus.BAD_REQUEST, "url: contains a NUL character.")
                await refusal(scope, receive, send)
                return
            # In place: outer layers read the route from the same scope.
            matched = path_to_match(path)
            # Of the prefix itself, Starlette matches what follows it: the slash of our own root.
            scope["path"] = f"{matched}/" if matched == scope.get("root_path") else matched
        await self._app(scope, receive, send)


def own_path(scope: Scope) -> str:
    """The path of a request within the application, without the proxy's prefix.

    >>> own_path({"path": "/lineage/livez", "root_path": "/lineage"})
    '/livez'
    """
    path: str = scope["path"]
    root: str = scope.get("root_path", "")
    return (path.removeprefix(root) or "/") if root else path


async def decoded_names(request: Request) -> None:
    """Decode the path parameters before the route runs."""
    names = request.path_params
    for key, value in names.items():
        if isinstance(value, str) and "%" in value:
            names[key] = unquote(value)
