"""HTTP as uvicorn speaks it, with limits on how long clients may take to send headers and to read answers."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


class PatientProtocol(HttpToolsProtocol):
    """A connection, closed if the client takes too long to send headers or to read an answer."""

    def __init__(self, *, header_seconds: float, read_seconds: float, **of_uvicorn: Any) -> None:  # noqa: ANN401  passed on
        super().__init__(**of_uvicorn)
        self._header_seconds = header_seconds
        self._read_seconds = read_seconds
        self._waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start the timer for the first request."""
        super().connection_made(transport)  # type: ignore[arg-type]
        self._wait(self._header_seconds, self.transport.close)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer."""
        self._stop_waiting()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        """Start the timer for the headers; between requests, uvicorn has its own limit."""
        super().on_message_begin()
        self._wait(self._header_seconds, self.transport.close)

    def on_headers_complete(self) -> None:
        """Stop the timer: the headers are complete."""
        self._stop_waiting()
        super().on_headers_complete()

    def pause_writing(self) -> None:
        """Start the timer: the client reads slower than the server writes."""
        super().pause_writing()
        self._wait(self._read_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop the timer: the client reads again."""
        self._stop_waiting()
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP."""
        body = json.dumps({"code": 400, "message": f"request: {msg}"}).encode()
        head = b"HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\nconnection: close\r\n"
        self.transport.write(head + b"content-length: %d\r\n\r\n" % len(body) + body)
        self.transport.close()

    def _wait(self, seconds: float, end: Callable[[], None]) -> None:
        self._stop_waiting()
        self._waiting = self.loop.call_later(seconds, end)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
