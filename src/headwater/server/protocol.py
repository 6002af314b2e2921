"""HTTP as uvicorn speaks it, with a limit on how long headers may take, and refusals in our own shape."""

import asyncio
import json
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


class PatientProtocol(HttpToolsProtocol):
    """A connection. One that sends no whole request header for too long is closed."""

    def __init__(self, *, header_seconds: float, **of_uvicorn: Any) -> None:  # noqa: ANN401  passed on as it comes
        super().__init__(**of_uvicorn)
        self._header_seconds = header_seconds
        self._waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to wait for the first request."""
        super().connection_made(transport)  # type: ignore[arg-type]
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._stop_waiting()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        """Wait for the rest of the header; between requests, uvicorn has a limit of its own."""
        super().on_message_begin()
        self._wait()

    def on_headers_complete(self) -> None:
        """The header is there."""
        self._stop_waiting()
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP."""
        body = json.dumps({"code": 400, "message": f"request: {msg}"}).encode()
        head = b"HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\nconnection: close\r\n"
        self.transport.write(head + b"content-length: %d\r\n\r\n" % len(body) + body)
        self.transport.close()

    def _wait(self) -> None:
        self._stop_waiting()
        self._waiting = self.loop.call_later(self._header_seconds, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
