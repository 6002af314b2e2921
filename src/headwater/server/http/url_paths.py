"""Names in paths: any characters in every segment, and an answer with and without a slash at the end.

Starlette matches routes on a path that is decoded already, where the name `a/b` (`a%2Fb`) looks like two segments. Here
routes are matched on one in which the slashes of names are still encoded, and names are decoded afterwards. A route
need not know of it: write `/namespaces/{namespace}/datasets/{dataset}` and take `namespace: str, dataset: str`.
"""

import re
from http import HTTPStatus
from urllib.parse import quote, unquote

from fastapi import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from headwater.server.http.errors import error_response

# What would end a segment, begin an escape, or stop a pattern that matches any text.
_KEPT_ENCODED = re.compile(r"[%/\x00-\x1f\x7f]")
_NUL = "%00"


def path_to_match(raw: str) -> str:
    """A path as routes are matched on it: decoded but for what is special, without a slash at its end.

    >>> path_to_match("/namespaces/s3%3A%2F%2Fb/datasets/100%25/")
    '/namespaces/s3:%2F%2Fb/datasets/100%25'
    """
    segments = (_KEPT_ENCODED.sub(_encoded, unquote(segment)) for segment in raw.split("/"))
    return "/".join(segments).rstrip("/") or "/"


def _encoded(found: re.Match[str]) -> str:
    return quote(found[0], safe="")


class NamesInPaths:
    """Lets routes be matched by `path_to_match`; the application then needs `decoded_names` as a dependency, too."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] == "http":
            # Servers need not give the path as it came.
            raw = scope.get("raw_path") or quote(scope["path"]).encode()
            path = raw.partition(b"?")[0].decode("latin-1")
            if _NUL in path or _NUL in scope["query_string"].decode("latin-1"):
                refusal = error_response(HTTPStatus.BAD_REQUEST, "url: contains a NUL character.")
                await refusal(scope, receive, send)
                return
            # In place: what is around looks at the same scope to know which route was taken.
            scope["path"] = path_to_match(path)
        await self._app(scope, receive, send)


def own_path(scope: Scope) -> str:
    """The path of a request as the application has it: without what a proxy puts before.

    >>> own_path({"path": "/lineage/livez", "root_path": "/lineage"})
    '/livez'
    """
    path: str = scope["path"]
    root: str = scope.get("root_path", "")
    return (path.removeprefix(root) or "/") if root else path


async def decoded_names(request: Request) -> None:
    """Decode what is still encoded in the parameters of the path, before a route takes them."""
    names = request.path_params
    for key, value in names.items():
        if isinstance(value, str) and "%" in value:
            names[key] = unquote(value)
