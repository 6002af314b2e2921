"""HTTP as uvicorn speaks it, with limits on heads, on open connections, and on clients that wait or are slow.

What a client sends is counted as it arrives, before anything is known about it: a head that never ends, headers without
number, or chunks of nothing.
"""

import asyncio
import itertools
import json
from http import HTTPStatus
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from headwater.server.settings.settings import ServerSettings

METRICS = "headwater.metrics"
"""Where the application's state has its metrics."""
ABORT = "headwater.abort"
"""Where the scope of a request has the function that cuts its connection off."""
ARRIVED = "headwater.arrived"
"""Whether, in the scope of a request, its body has arrived as a whole."""
# What is given to the parser at once: nothing is over a limit by more than that.
_PIECE = 16 * 1024
# Requests that a client may send before it reads the first answer; each takes some kilobytes.
_PIPELINED = 32
# Around a body in chunks, there may be so many bytes for each of its own.
_FRAMING = 16
# A client that is still sending reads the refusal only later.
_LINGER_SECONDS = 1.0
# How long a client that has ended its side of the connection is not asked whether it is still there.
_HALF_CLOSED_SECONDS = 1.0
# More than this in the buffer of a connection makes an answer wait for its reader.
_WRITE_BUFFER = 16 * 1024
# In the order in which they came: the loop's clock does not tell apart what it does at once.
_MOMENTS = itertools.count()


class PatientProtocol(HttpToolsProtocol):
    """A connection; closed if the client sends too large a head, takes too long, or waits where others need room."""

    def __init__(self, *, settings: ServerSettings, **of_uvicorn: Any) -> None:  # noqa: ANN401  passed on
        super().__init__(**of_uvicorn)
        self._settings = settings
        self._reading: asyncio.TimerHandle | None = None
        self._writing: asyncio.TimerHandle | None = None
        self._since = 0
        self._in_head = False
        self._is_refused = False
        self._last_answer = b""
        self._refusal: _Refused | None = None
        self._piece = 0
        self._headers = 0
        # Of the current request: its URL and headers, its body, and all that is not its body.
        self._head_bytes = self._body_bytes = self._other_bytes = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start the timer for the first request, and make room for the connection."""
        super().connection_made(transport)  # type: ignore[arg-type]
        self.transport.set_write_buffer_limits(high=_WRITE_BUFFER)
        self._since = next(_MOMENTS)
        self._wait_for_head()
        self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timers."""
        _stopped(self._reading)
        self._reading = None
        _stopped(self._writing)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse what arrived, piece by piece."""
        if self._is_idle and self._reading is None:
            self._wait_for_head()
        for start in range(0, len(data), _PIECE):
            if self._is_refused or self.transport.is_closing():
                return
            piece = data[start : start + _PIECE]
            self._piece = 0 if self._in_head else len(piece)
            self._other_bytes += len(piece)
            super().data_received(piece)
            self._check_size()

    def eof_received(self) -> bool:  # type: ignore[override]
        """Go on with the requests that arrived whole: the client has only ended its side of the connection."""
        arrived = not self._is_idle and not self.cycle.more_body
        if self.scheme == "https" or self._in_head or not arrived:
            return False
        self.cycle.keep_alive = False
        self.loop.call_later(_HALF_CLOSED_SECONDS, self._probe)
        return True

    def on_message_begin(self) -> None:
        """Start the timer for the headers; between requests, uvicorn has its own limit."""
        super().on_message_begin()
        self.scope[ABORT] = self.transport.abort  # type: ignore[literal-required]
        self._in_head = True
        self._headers = self._head_bytes = self._body_bytes = 0
        # The first request in a piece most often begins with it.
        self._other_bytes, self._piece = self._piece, 0
        self._wait_for_head()

    def on_url(self, url: bytes) -> None:
        """Take a part of the URL."""
        most = self._settings.max_url_bytes
        if len(self.url) + len(url) > most:
            message = f"request: the URL is longer than {most} bytes (max_url_bytes)."
            raise self._over(HTTPStatus.REQUEST_URI_TOO_LONG, "url_bytes", message)
        self._count_head(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header; those behind the body are passed over."""
        self._headers += 1
        most = self._settings.max_header_lines
        if self._headers > most:
            message = f"request: has more than {most} headers (max_header_lines)."
            raise self._over(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "header_lines", message)
        self._count_head(len(name) + len(value) + 4)
        if self._in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Stop the timer: the headers are complete."""
        self._in_head = False
        _stopped(self._reading)
        self._reading = None
        if len(self.pipeline) >= _PIPELINED:
            message = f"request: {_PIPELINED} requests on this connection wait already: read their answers first."
            raise self._over(HTTPStatus.TOO_MANY_REQUESTS, "pipelined_requests", message)
        self._since = next(_MOMENTS)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take a part of the body."""
        self._other_bytes -= len(body)
        self._body_bytes += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Note that the body is there."""
        super().on_message_complete()
        self.scope[ARRIVED] = True  # type: ignore[literal-required]

    def on_response_complete(self) -> None:
        """Note since when the client may send its next request."""
        self._since = next(_MOMENTS)
        super().on_response_complete()
        if self._is_refused and self._is_idle:
            self._end()

    def pause_writing(self) -> None:
        """Start the timer: the client reads slower than the server writes."""
        super().pause_writing()
        _stopped(self._writing)
        self._writing = self.loop.call_later(self._settings.read_timeout, self.transport.abort)
        self._since = next(_MOMENTS)

    def resume_writing(self) -> None:
        """Stop the timer: the client reads again."""
        _stopped(self._writing)
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP, and what is over a limit."""
        if self._refusal is None:
            self._refuse(HTTPStatus.BAD_REQUEST, f"request: {msg}")
        else:
            self._note_refused(self._refusal.limit)
            self._refuse(self._refusal.status, str(self._refusal))

    @property
    def waits_since(self) -> int | None:
        """Since when the connection waits for its client; None while a request is being answered."""
        if self._is_idle or self.cycle.more_body or self.flow.write_paused:
            return self._since
        return None

    @property
    def _is_idle(self) -> bool:
        cycle: Any = self.cycle  # None before the first request, whatever uvicorn's types say
        return cycle is None or cycle.response_complete

    def _count_head(self, size: int) -> None:
        self._head_bytes += size
        if self._head_bytes > self._settings.max_header_bytes:
            raise self._too_large_a_head()

    def _too_large_a_head(self) -> "_Refused":
        message = f"request: the headers are larger than {self._settings.max_header_bytes} bytes (max_header_bytes)."
        return self._over(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "header_bytes", message)

    def _over(self, status: int, limit: str, message: str) -> "_Refused":
        """Note what is over a limit: the parser passes on that there is an error, and not always which."""
        self._refusal = _Refused(status, limit, message)
        return self._refusal

    def _check_size(self) -> None:
        """Refuse a head that does not end, and a body with too much around it."""
        most = self._settings.max_header_bytes
        if not self._in_head:
            most += self._head_bytes + _FRAMING * self._body_bytes
        if not self._is_refused and self._other_bytes > most + _PIECE:
            self.send_400_response(str(self._too_large_a_head()))

    def _wait_for_head(self) -> None:
        _stopped(self._reading)
        self._reading = self.loop.call_later(self._settings.header_timeout, self.transport.close)

    def _make_room(self) -> None:
        """Close the connection that waits longest where there are too many, or else this one."""
        if len(self.connections) <= self._settings.max_connections:
            return
        others = [
            other
            for other in self.connections
            if isinstance(other, PatientProtocol) and other is not self and not other.transport.is_closing()
        ]
        if len(others) < self._settings.max_connections:
            return
        self._note_refused("connections")
        waiting = {other: since for other in others if (since := other.waits_since) is not None}
        if waiting:
            min(waiting, key=waiting.__getitem__).transport.abort()
        else:
            most = self._settings.max_connections
            message = f"The server has {most} open connections already (max_connections): try again later."
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, message)

    def _probe(self) -> None:
        """Find out whether a client that has ended its side still reads: if it is gone, the second write fails."""
        cycle = self.cycle
        if self.transport.is_closing() or cycle.response_started or self.pipeline:
            return
        if cycle.scope["http_version"] == "1.1":
            self.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            self.loop.call_later(_HALF_CLOSED_SECONDS, self._probe)

    def _refuse(self, status: int, message: str) -> None:
        """Take nothing more; answer with an error after the requests before it, and close the connection."""
        self._is_refused = True
        body = json.dumps({"code": status, "message": message}).encode()
        head = b"content-type: application/json\r\nconnection: close\r\ncontent-length: %d\r\n\r\n" % len(body)
        self._last_answer = STATUS_LINE[status] + head + body
        if not self._is_idle and self.cycle.more_body and not self.cycle.response_started:
            # The answer of this very request, whose body does not end as it should.
            self.cycle.disconnected = True
            self.cycle.message_event.set()
            self._end()
        elif self._is_idle:
            self._end()

    def _end(self) -> None:
        """Send the last answer, and close the connection once the client has had time to read it."""
        if self.transport.is_closing():
            return
        self.transport.write(self._last_answer)
        if self.transport.can_write_eof():
            self.transport.write_eof()
        _stopped(self._reading)
        self._reading = self.loop.call_later(_LINGER_SECONDS, self.transport.close)

    def _note_refused(self, limit: str) -> None:
        metrics = self.app_state.get(METRICS)
        if metrics is not None:
            metrics.refused.labels(limit).inc()


class _Refused(Exception):  # noqa: N818  it says what happened
    """The head of a request is over a limit."""

    def __init__(self, status: int, limit: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.limit = limit


def _stopped(timer: asyncio.TimerHandle | None) -> None:
    """Stop a timer."""
    if timer is not None:
        timer.cancel()
