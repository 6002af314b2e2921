"""Bodies of requests: read when a route asks for them, decompressed, within limits of size, pace and memory."""

import asyncio
import io
import math
import zlib
from collections.abc import Iterator
from functools import partial
from http import HTTPStatus

import anyio
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from headwater.server.http.budget import Budget
from headwater.server.http.errors import ApiError
from headwater.server.http.json_values import ValueCounter
from headwater.server.http.metrics import Metrics
from headwater.server.http.protocol import ARRIVED
from headwater.server.http.query_threads import CLIENT_GONE
from headwater.server.http.threads import in_thread
from headwater.server.settings.settings import ServerSettings

_GZIP = 31  # zlib's number for gzip
# What one step of decompression yields at most, and what it is given at first and at most.
_PIECE = 256 * 1024
_FIRST, _LAST = 256, 64 * 1024
# Larger bodies are decompressed in a thread; for smaller ones, the thread would cost more than it saves.
_SMALL = 8 * 1024
# What a value of JSON takes in memory once it is read.
_VALUE_BYTES = 100
# The pace of a body is taken over so many seconds.
_PACE_SECONDS = 5.0
# So many bytes of a body that no route reads are passed over, so that the connection can be used again. Of longer ones
# some seconds are passed over before the connection is closed: a client that is still sending reads its answer later.
_PASSED_OVER = 64 * 1024
_LINGER_SECONDS = 1.0
_WITHOUT_BODY = frozenset({"GET", "HEAD", "OPTIONS", "DELETE"})
_LATER = {"Retry-After": "1"}


class Bodies:
    """Gives routes whole, decompressed bodies when they ask for them, and refuses those over a limit.

    What no route reads is never held: the body of a request without a token, of an unknown path or of a GET.
    """

    def __init__(self, app: ASGIApp, settings: ServerSettings, metrics: Metrics) -> None:
        self._app = app
        self._settings = settings
        self._metrics = metrics
        self._budget = Budget(settings.max_bytes_in_flight, metrics.in_flight.set)

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
        body = _Body(scope, headers, announced, receive, send, self._budget, self._settings, self._metrics)
        try:
            await self._app(scope, body.receive, body.send)
        finally:
            body.close()


class _Body:
    """The body of one request, on its way to the route."""

    def __init__(  # noqa: PLR0913, PLR0917  all that a request is
        self,
        scope: Scope,
        headers: Headers,
        announced: int | None,
        receive: Receive,
        send: Send,
        budget: Budget,
        settings: ServerSettings,
        metrics: Metrics,
    ) -> None:
        self._scope = scope
        self._encoding = headers.get("content-encoding", "").lower()
        self._announced = announced
        self._receive = receive
        self._send = send
        self._budget = budget
        self._hold = budget.hold()
        self._settings = settings
        self._metrics = metrics
        self._values = ValueCounter()
        self._given = False
        self._is_read = False
        self._arrived = False
        self._lingers = False

    def close(self) -> None:
        """Hold nothing any more."""
        self._hold.close()

    async def receive(self) -> Message:
        """The whole body, when a route asks for it; then what the client sends next."""
        if self._given:
            return await self._receive()
        self._given = True
        body = b"" if self._scope["method"] in _WITHOUT_BODY else await self._whole()
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(self, message: Message) -> None:
        """Send a part of the answer. If the body was not read, the connection is closed after the answer."""
        if message["type"] == "http.response.start":
            is_long = self._announced is None or self._announced > _PASSED_OVER
            self._lingers = not self._arrived and (self._is_read or is_long)
            if self._lingers:
                message = {**message, "headers": [*message.get("headers", ()), (b"connection", b"close")]}
        elif self._lingers and not message.get("more_body", False):
            self._hold.close()
            await self._send({**message, "more_body": True})
            await self._pass_over()
            message = {"type": "http.response.body", "body": b"", "more_body": False}
        await self._send(message)

    async def _pass_over(self) -> None:
        with anyio.move_on_after(_LINGER_SECONDS):
            while True:
                message = await self._receive()
                if message["type"] == "http.disconnect" or not message.get("more_body", False):
                    return

    async def _whole(self) -> bytes:
        self._is_read = True
        if self._encoding not in {"", "identity", "gzip", "x-gzip"}:
            raise ApiError(
                HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
                f"Content-Encoding: must be gzip or none, not {self._encoding[:50]!r}.",
            )
        most = self._settings.max_body_bytes
        if self._announced is not None and self._announced > most:
            raise self._too_large(f"{self._announced} bytes", f"{most} (max_body_bytes)")
        compressed = self._encoding in {"gzip", "x-gzip"}
        body = await self._read(plain=not compressed)
        self._arrived = True
        self._scope["headwater.bytes_in"] = len(body)
        if compressed:
            body = await self._inflate(body)
        # Whoever reads the JSON makes a text of the body first.
        self._take(self._values.text_width * len(body))
        return body

    async def _read(self, *, plain: bool) -> bytes:
        """Read the body as it arrives; only what has arrived counts."""
        if self._scope.get(ARRIVED):  # there is nothing to wait for
            return self._part_of(await self._receive(), 0, plain=plain)
        settings = self._settings
        # Unlike a list of parts, this takes no more memory for a body that arrives byte by byte.
        body = io.BytesIO()
        now = anyio.current_time()
        end = now + settings.body_timeout
        paced, pace = 0, settings.min_body_rate * _PACE_SECONDS
        window = _PACE_SECONDS if pace else math.inf
        was_cut = False

        def cut() -> None:
            nonlocal was_cut
            was_cut = True
            within.cancel()

        with anyio.CancelScope(deadline=min(end, now + window)) as within:
            self._hold.cut = cut
            while True:
                message = await self._receive()
                body.write(self._part_of(message, body.tell(), plain=plain))
                if not message.get("more_body", False):
                    self._hold.cut = None
                    return body.getvalue()
                if body.tell() - paced >= pace:
                    paced = body.tell()
                    within.deadline = min(end, anyio.current_time() + window)
        self._hold.cut = None
        if was_cut:
            raise self._no_room()
        self._metrics.refused.labels("body_timeout").inc()
        if anyio.current_time() >= end:
            reason = f"did not arrive completely within {settings.body_timeout:g} seconds (body_timeout)"
        else:
            reason = f"arrived at less than {settings.min_body_rate} bytes a second (min_body_rate)"
        raise ApiError(HTTPStatus.REQUEST_TIMEOUT, f"body: {reason}.")

    def _part_of(self, message: Message, before: int, *, plain: bool) -> bytes:
        """A part of the body, after so many bytes of it."""
        if message["type"] == "http.disconnect":
            raise _gone()
        part: bytes = message.get("body", b"")
        most = self._settings.max_body_bytes
        if before + len(part) > most:
            raise self._too_large(f"more than {most} bytes", f"{most} (max_body_bytes)")
        self._take(len(part))
        if plain:
            self._count(part)
        return part

    async def _inflate(self, packed: bytes) -> bytes:
        """Decompress a body piece by piece, for as long as the client stays."""
        most, members = self._settings.max_inflated_bytes, self._settings.max_gzip_members
        pieces = inflated(packed, most, members)
        plain = io.BytesIO()
        small = len(packed) < _SMALL
        watching = None if small else asyncio.ensure_future(self._disconnected())
        try:
            while piece := next(pieces, b"") if small else await in_thread(partial(next, pieces, b"")):
                if watching and watching.done():
                    raise _gone()
                self._take(len(piece))
                self._count(piece)
                plain.write(piece)
        except zlib.error:
            raise ApiError(HTTPStatus.BAD_REQUEST, "body: is not gzip, although Content-Encoding says so.") from None
        except TooLarge as error:
            raise self._too_large(error.size, error.limit) from None
        finally:
            if watching:
                watching.cancel()
        self._hold.release(len(packed))
        return plain.getvalue()

    async def _disconnected(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass

    def _count(self, part: bytes) -> None:
        """Count the values of JSON in a part of the body."""
        most = self._settings.max_json_values
        counted = self._values.feed(part)
        if self._values.has_nul:
            raise ApiError(HTTPStatus.BAD_REQUEST, "body: contains a NUL byte: send JSON in UTF-8.")
        if self._values.count > most:
            raise self._too_large(f"JSON of more than {most} values", f"{most} (max_json_values)")
        self._take(counted * _VALUE_BYTES)

    def _take(self, size: int) -> None:
        if self._hold.take(size):
            return
        most = self._settings.max_bytes_in_flight
        if not self._budget.fits(self._hold.size + size):
            raise self._too_large(f"JSON that takes more than {most} bytes of memory", f"{most} (max_bytes_in_flight)")
        raise self._no_room()

    def _no_room(self) -> ApiError:
        self._metrics.refused.labels("bytes_in_flight").inc()
        return ApiError(
            HTTPStatus.TOO_MANY_REQUESTS,
            "body: the server is holding as many bytes as it can (max_bytes_in_flight): send it again later.",
            _LATER,
        )

    def _too_large(self, size: str, limit: str) -> ApiError:
        self._metrics.refused.labels("body_size").inc()
        return ApiError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"body: is {size}; the limit is {limit}.")


async def body_of(request: Request) -> bytes:
    """The body of a request that `Bodies` has passed on: it comes in one part, unlike what Starlette prepares for."""
    message = await request.receive()
    if message["type"] == "http.disconnect":
        raise ClientDisconnect
    body: bytes = message.get("body", b"")
    return body


class TooLarge(Exception):  # noqa: N818  it says what it is
    """The decompressed body is over a limit."""

    def __init__(self, size: str, limit: str) -> None:
        super().__init__(f"{size}; the limit is {limit}")
        self.size = size
        self.limit = limit


def _gone() -> ApiError:
    return ApiError(CLIENT_GONE, "The client went away.")


def inflated(body: bytes, most: int, most_members: int) -> Iterator[bytes]:
    """The content of a gzip in pieces; stops as soon as it is over a limit.

    Takes linear work: after a member, little more than the member itself is copied.

    >>> import gzip
    >>> b"".join(inflated(gzip.compress(b"a" * 10) + gzip.compress(b"b"), 100, 2))
    b'aaaaaaaaaab'
    """
    view = memoryview(body)
    place = size = members = 0
    while place < len(view):
        members += 1
        if members > most_members:
            raise TooLarge(f"a gzip of more than {most_members} members", f"{most_members} (max_gzip_members)")
        member = zlib.decompressobj(_GZIP)
        window = _FIRST
        while not member.eof:
            given = view[place : place + window]
            place += len(given)
            window = min(window * 2, _LAST)
            rest: bytes | memoryview = given
            while rest and not member.eof:
                piece = member.decompress(rest, min(_PIECE, most - size + 1))
                rest = member.unconsumed_tail
                size += len(piece)
                if size > most:
                    raise TooLarge(f"decompressed more than {most} bytes", f"{most} (max_inflated_bytes)")
                if piece:
                    yield piece
            if not given and not member.eof:
                raise zlib.error("it ends too early")
        place -= len(member.unused_data)
        place += _zeros(view, place)


def _zeros(view: memoryview, place: int) -> int:
    """How many zero bytes follow: padding between members."""
    passed = 0
    while (part := bytes(view[place + passed : place + passed + _LAST])) and part[0] == 0:
        zeros = len(part) - len(part.lstrip(b"\0"))
        passed += zeros
        if zeros < len(part):
            break
    return passed


def _announced(headers: Headers) -> int | None:
    """The length of the body; None if it comes in chunks."""
    if "transfer-encoding" in headers:
        return None
    length = headers.get("content-length", "0")
    return int(length) if length.isdigit() else 0
