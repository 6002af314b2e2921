"""HTTP as uvicorn speaks it, with limits on how long clients may take to send headers and to read answers."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


class PatientProtocol(HttpToolsProtocol):
    """A connection. One that for too long sends no whole header, or reads nothing of an answer, is closed."""

    def __init__(self, *, header_seconds: float, read_seconds: float, **of_uvicorn: Any) -> None:  # noqa: ANN401  passed on
        super().__init__(**of_uvicorn)
        self._header_seconds = header_seconds
        self._read_seconds = read_seconds
        self._waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to wait for the first request."""
        super().connection_made(transport)  # type: ignore[arg-type]
        self._wait(self._header_seconds, self.transport.close)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._stop_waiting()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        """Wait for the rest of the header; between requests, uvicorn has a limit of its own."""
        super().on_message_begin()
        self._wait(self._header_seconds, self.transport.close)

    def on_headers_complete(self) -> None:
        """The header is there."""
        self._stop_waiting()
        super().on_headers_complete()

    def pause_writing(self) -> None:
        """The client does not read as fast as we write: wait for it, and hold the answer for so long only."""
        super().pause_writing()
        self._wait(self._read_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """It reads."""
        self._stop_waiting()
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP."""
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
