"""Around every request: its id, a log line, metrics, and security headers."""

import asyncio
import logging
import re
import secrets
import time
from http import HTTPStatus

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from headwater.server.http.errors import error_response
from headwater.server.http.logs import LOG, client_in_log, note
from headwater.server.http.metrics import Metrics

_ID = b"x-request-id"
_SANE = re.compile(rb"[A-Za-z0-9._-]{1,64}")
# Pages load from this server only, and no other site may embed them. Drawings need inline styles.
_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (
        b"content-security-policy",
        (
            b"default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; "
            b"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
        ),
    ),
)
_NO_ROUTE = "none"


class Observed:
    """Observes requests. An unexpected error is logged with its trace, and answered with 500 and the request id."""

    def __init__(self, app: ASGIApp, metrics: Metrics, log_clients: str) -> None:
        self._app = app
        self._metrics = metrics
        self._log_clients = log_clients

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        seen = _Seen(scope, send, self._log_clients)
        try:
            await self._app(scope, receive, seen.send)
        except asyncio.CancelledError:
            # The time that a stop leaves to requests is over. What they wait for goes on without them, or ends with us.
            if seen.status:
                raise
            message = "The server is stopping: what you sent may or may not be stored, so send it again."
            await error_response(HTTPStatus.SERVICE_UNAVAILABLE, message, {"Retry-After": "5"})(
                scope, receive, seen.send
            )
        except Exception:
            LOG.exception("A request failed", extra={"facts": seen.facts()})
            if seen.status:
                raise  # half the answer is sent: only a closed connection shows that it is incomplete
            message = f"Internal server error: see the server's log for the request id {seen.id}."
            await error_response(HTTPStatus.INTERNAL_SERVER_ERROR, message)(scope, receive, seen.send)
        finally:
            seconds = time.perf_counter() - seen.began
            self._metrics.requests.labels(scope["method"], seen.route, str(seen.status)).observe(seconds)
            if LOG.isEnabledFor(logging.INFO):
                note(logging.INFO, "request", seen.facts())


class _Seen:
    """A request, and its answer once that is sent."""

    def __init__(self, scope: Scope, send: Send, log_clients: str) -> None:
        self._log_clients = log_clients
        self.began = time.perf_counter()
        self._scope = scope
        self._send = send
        self.status = 0
        self.bytes_out = 0
        given = next((value for name, value in scope["headers"] if name == _ID), b"")
        self.id = given.decode() if _SANE.fullmatch(given) else secrets.token_hex(8)
        scope["headwater.request_id"] = self.id

    @property
    def route(self) -> str:
        """The path of the matched route, with its placeholders."""
        return getattr(self._scope.get("route"), "path", _NO_ROUTE)

    async def send(self, message: Message) -> None:
        """Send a part of the answer."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            message["headers"] = [*message.get("headers", ()), *_HEADERS, (_ID, self.id.encode())]
        else:
            self.bytes_out += len(message.get("body", b""))
        await self._send(message)

    def facts(self) -> dict[str, object]:
        """For the log, without the query and the headers, which may contain secrets."""
        facts: dict[str, object] = {
            "request_id": self.id,
            "method": self._scope["method"],
            "route": self.route,
            "status": self.status,
            "ms": round((time.perf_counter() - self.began) * 1000, 1),
            "bytes_in": self._scope.get("headwater.bytes_in", 0),
            "bytes_out": self.bytes_out,
        }
        host, _ = self._scope.get("client") or ("", 0)
        if client := client_in_log(host, self._log_clients):
            facts["client"] = client
        if token := self._scope.get("headwater.token"):
            facts["token"] = token
        return facts
