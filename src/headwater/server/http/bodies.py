"""Bodies of requests: read whole and decompressed, within limits of size, time and total memory."""

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus

import anyio
import anyio.to_thread
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from headwater.server.http.errors import ApiError, error_response
from headwater.server.http.metrics import Metrics
from headwater.server.settings.settings import ServerSettings

_GZIP = 31  # zlib's number for gzip
_PIECE = 1024 * 1024
# Larger bodies are decompressed in a thread; for smaller ones, the thread would cost more than it saves.
_SMALL = 8 * 1024
_AFTER = {"Retry-After": "1"}


class Bodies:
    """Passes whole, decompressed bodies to the application, and refuses those over a limit."""

    def __init__(self, app: ASGIApp, settings: ServerSettings, metrics: Metrics) -> None:
        self._app = app
        self._settings = settings
        self._metrics = metrics
        self._held = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        announced = _announced(headers)
        if announced == 0:
            await self._app(scope, receive, send)
            return
        with self._holding() as hold:
            try:
                hold.more(announced or 0)
                body = await self._read(receive, hold, announced)
                scope["headwater.bytes_in"] = len(body)
                body = await self._plain(headers.get("content-encoding", ""), body, hold)
            except ApiError as error:
                refusal = error_response(error.status, str(error), error.headers)
                await refusal(scope, receive, send)
                return
            except _Gone:
                return
            await self._app(scope, _replayed(body, receive), send)

    @contextmanager
    def _holding(self) -> Iterator["_Hold"]:
        hold = _Hold(self)
        try:
            yield hold
        finally:
            self.hold(-hold.size)

    def hold(self, size: int) -> None:
        """Count bytes in memory; a negative number for bytes that are released."""
        if size > 0 and self._held + size > self._settings.max_bytes_in_flight:
            self._metrics.refused.labels("bytes_in_flight").inc()
            raise ApiError(
                HTTPStatus.TOO_MANY_REQUESTS,
                "body: the server is holding as many bytes as it can: send it again later.",
                _AFTER,
            )
        self._held += size
        self._metrics.in_flight.set(self._held)

    async def _read(self, receive: Receive, hold: "_Hold", announced: int | None) -> bytes:
        most = self._settings.max_body_bytes
        if announced is not None and announced > most:
            raise self._too_large(f"{announced} bytes", most, {})
        parts: list[bytes] = []
        size = 0
        with anyio.move_on_after(self._settings.body_timeout):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise _Gone
                parts.append(message.get("body", b""))
                size += len(parts[-1])
                if size > most:
                    raise self._too_large(f"more than {most} bytes", most, {"Connection": "close"})
                if announced is None:
                    hold.more(len(parts[-1]))
                if not message.get("more_body", False):
                    return parts[0] if len(parts) == 1 else b"".join(parts)
        self._metrics.refused.labels("body_timeout").inc()
        raise ApiError(
            HTTPStatus.REQUEST_TIMEOUT,
            f"body: did not arrive completely within {self._settings.body_timeout:g} seconds.",
            {"Connection": "close"},
        )

    async def _plain(self, encoding: str, body: bytes, hold: "_Hold") -> bytes:
        if encoding.lower() in {"", "identity"}:
            return body
        if encoding.lower() not in {"gzip", "x-gzip"}:
            raise ApiError(
                HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"Content-Encoding: must be gzip or none, not {encoding[:50]!r}."
            )
        most = self._settings.max_inflated_bytes
        try:
            if len(body) < _SMALL:
                plain = inflated(body, most)
            else:
                plain = await anyio.to_thread.run_sync(inflated, body, most)
        except zlib.error:
            raise ApiError(HTTPStatus.BAD_REQUEST, "body: is not gzip, although Content-Encoding says so.") from None
        except TooLarge:
            raise self._too_large(f"decompressed more than {most} bytes", most, {}) from None
        hold.more(len(plain))
        return plain

    def _too_large(self, size: str, most: int, headers: dict[str, str]) -> ApiError:
        self._metrics.refused.labels("body_size").inc()
        return ApiError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"body: is {size}; the limit is {most}.", headers)


class TooLarge(Exception):  # noqa: N818  it says what it is
    """The decompressed body is over the limit."""


class _Gone(Exception):  # noqa: N818  it says what happened
    """The client disconnected in the middle of its body."""


class _Hold:
    """The bytes of one request."""

    def __init__(self, bodies: Bodies) -> None:
        self._bodies = bodies
        self.size = 0

    def more(self, size: int) -> None:
        self._bodies.hold(size)
        self.size += size


def inflated(body: bytes, most: int) -> bytes:
    """The content of a gzip; stops as soon as it is over the limit.

    >>> import gzip
    >>> inflated(gzip.compress(b"a" * 10) + gzip.compress(b"b"), 100)
    b'aaaaaaaaaab'
    """
    parts: list[bytes] = []
    size = 0
    while body:
        member = zlib.decompressobj(_GZIP)
        while not member.eof:
            part = member.decompress(body, min(_PIECE, most - size + 1))
            body = member.unconsumed_tail
            if not part and not body and not member.eof:
                raise zlib.error("it ends too early")
            size += len(part)
            if size > most:
                raise TooLarge
            parts.append(part)
        body = member.unused_data.lstrip(b"\0")
    return b"".join(parts)


def _announced(headers: Headers) -> int | None:
    """The length of the body; None if it comes in chunks."""
    if "transfer-encoding" in headers:
        return None
    length = headers.get("content-length", "0")
    return int(length) if length.isdigit() else 0


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Returns the body once, then what the client sends next."""
    replayed = False

    async def replay() -> Message:
        nonlocal replayed
        if replayed:
            return await receive()
        replayed = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay
