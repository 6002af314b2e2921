"""Access: by token once there is one; without tokens only from this machine, unless the operator allows more.

Questions (GET) need the scope `read`, changes `write`, deletions `admin`, including Rest.li's deletions by POST.
Health, the pages and the OpenAPI description contain nothing of the store and need none: load balancers and browsers
have no token. Metrics need `read`, which Prometheus can send.
"""

import re
import time
from http import HTTPStatus
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from headwater.openlineage.model.instants import time_text
from headwater.server.http.errors import ApiError, error_response, store_error_response
from headwater.server.http.known_tokens import MAY_READ, KnownTokens
from headwater.server.http.url_paths import own_path
from headwater.server.settings.settings import ServerSettings
from headwater.store import Store, StoreError
from headwater.store.tokens import Scope as Right
from headwater.store.tokens import Token, Tokens

_METRICS = "/metrics"
_INVALID = 'Bearer realm="headwater", error="invalid_token"'
_PUBLIC = frozenset({"/", "/livez", "/readyz", "/health", "/docs", "/openapi.json", "/favicon.ico"})
_PUBLIC_BELOW = ("/docs/", "/static/", "/view/")
_ASKING = frozenset({"GET", "HEAD", "OPTIONS"})
# Questions that are too long for a URL are sent by POST, which changes nothing.
_ASKED_BY_POST = ("/api/v1/questions/",)
_ASKED_OF_DATAHUB = re.compile(r"/openapi/v3/entity/[^/]+/batchGet")
_DELETED_BY_POST = ("/entities", "delete")
_HERE = frozenset({"localhost", "127.0.0.1", "::1"})


def right_for(method: str, path: str, query: str = "") -> Right | None:
    """The scope that a request needs; None for public paths.

    >>> right_for("POST", "/api/v1/lineage").value, right_for("POST", "/api/v1/questions/upstream").value
    ('write', 'read')
    >>> right_for("POST", "/entities", "action=delete").value
    'admin'
    >>> right_for("GET", "/livez")
    """
    if path in _PUBLIC or path.startswith(_PUBLIC_BELOW):
        return None
    if method in _ASKING or (
        method == "POST" and (path.startswith(_ASKED_BY_POST) or _ASKED_OF_DATAHUB.fullmatch(path))
    ):
        return Right.READ
    actions = parse_qs(query).get("action", []) if path == _DELETED_BY_POST[0] else []
    return Right.ADMIN if method == "DELETE" or _DELETED_BY_POST[1] in actions else Right.WRITE


class Guard:
    """Refuses requests that lack the token or the scope they need."""

    def __init__(self, app: ASGIApp, store: Store, settings: ServerSettings) -> None:
        self._app = app
        self._settings = settings
        self._may_be_open = settings.on_loopback or settings.allow_open
        self._hosts = _HERE | {host.casefold() for host in settings.allowed_hosts}
        self._known = KnownTokens(store, settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, or refuse it."""
        if scope["type"] == "http":
            right = right_for(scope["method"], own_path(scope), scope["query_string"].decode("latin-1"))
            try:
                if right is not None:
                    await self._check(scope, right)
            except ApiError as error:
                await error_response(error.status, str(error), error.headers)(scope, receive, send)
                return
            except StoreError as error:
                await store_error_response(error)(scope, receive, send)
                return
        await self._app(scope, receive, send)

    async def _check(self, scope: Scope, right: Right) -> None:
        headers = Headers(scope=scope)
        tokens = await self._known.now(needs_store=own_path(scope) != _METRICS)
        if self._may_be_open and not len(tokens):
            self._check_place(scope["method"], headers)
            return
        now = time.time_ns() // 1000
        token = _bearer(headers, tokens, now)
        scope["headwater.token"] = token.public
        scope[MAY_READ] = token.scope.allows(Right.READ)
        self._known.note_use(token, now)
        if not token.scope.allows(right):
            raise ApiError(
                HTTPStatus.FORBIDDEN,
                f"Authorization: the token {token.public} has the scope {token.scope.value}; this needs {right.value}.",
                {"WWW-Authenticate": f'Bearer realm="headwater", error="insufficient_scope", scope="{right.value}"'},
            )

    def _check_place(self, method: str, headers: Headers) -> None:
        """Without tokens, refuse pages of other sites that a browser on this machine shows."""
        host = headers.get("host", "")
        if not self._settings.allow_open and _name(host) not in self._hosts:
            raise ApiError(
                HTTPStatus.FORBIDDEN,
                f"Host: {host[:100]!r} is not this machine. If a proxy serves under that name, put it into the setting"
                " allowed_hosts (HEADWATER_ALLOWED_HOSTS); to serve other machines, create a token with `headwater"
                " token create`, or start with --allow-open.",
            )
        origin = headers.get("origin")
        if origin is None or method in _ASKING or origin in self._settings.cors_origins:
            return
        if _place(origin) != host:
            raise ApiError(
                HTTPStatus.FORBIDDEN,
                f"Origin: pages from {origin[:100]!r} must not change anything here, since the request's Host is"
                f" {host[:100]!r}. If a proxy is between, have it pass Host on unchanged (in nginx"
                " `proxy_set_header Host $http_host;`); else put the origin into the setting cors_origins.",
            )


def _bearer(headers: Headers, tokens: Tokens, now: int) -> Token:
    kind, _, given = headers.get("authorization", "").partition(" ")
    if not given or kind.lower() != "bearer":
        raise ApiError(
            HTTPStatus.UNAUTHORIZED,
            "Authorization: missing: send `Bearer` and a token. Create one with `headwater token create`.",
            {"WWW-Authenticate": 'Bearer realm="headwater"'},
        )
    token = tokens.find(given.strip())
    if token is None:
        raise ApiError(
            HTTPStatus.UNAUTHORIZED,
            "Authorization: the token is unknown or revoked.",
            {"WWW-Authenticate": _INVALID},
        )
    if token.expires is not None and token.is_expired(now):
        raise ApiError(
            HTTPStatus.UNAUTHORIZED,
            f"Authorization: the token {token.public} expired at {time_text(token.expires)}: create another one with"
            " `headwater token create`.",
            {"WWW-Authenticate": _INVALID},
        )
    return token


def _place(origin: str) -> str | None:
    """The host and port of an origin; None where it is malformed.

    >>> _place("http://localhost:5000"), _place("http://[x")
    ('localhost:5000', None)
    """
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def _name(host: str) -> str:
    """The name in a Host header, without its port.

    >>> _name("localhost:5000"), _name("[::1]:5000")
    ('localhost', '::1')
    """
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""
