"""An endpoint to send to: it can be down, refuse, or never answer."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.waiting import wait_for

_NEVER_SECONDS = 60.0


class Receiver:
    """An HTTP server. `answer` gives the status for an event; None is no answer until the test is over.

    What is larger than `most_bytes` it does not take; over what is larger than `hangs_up_over` it hangs up unread.

    Attributes:
        numbers: of the events that were answered with 200, in the order in which they came.
        events: these events.
        headers: theirs, with the path as `path`.
        asked: how many requests there were.
    """

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self.events: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.asked = 0
        self.answer: Callable[[int], int | None] = lambda _number: 200
        self.most_bytes = 1_000_000
        self.hangs_up_over = 1_000_000_000
        self.over = threading.Event()
        self._server: ThreadingHTTPServer | None = None
        # The port is chosen now; nobody listens until `start`.
        first = ThreadingHTTPServer(("localhost", 0), BaseHTTPRequestHandler)
        self.port = first.server_port
        first.server_close()

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://localhost:{self.port}"

    def start(self) -> None:
        """Be up."""
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                size = int(self.headers["Content-Length"])
                if size > receiver.hangs_up_over:
                    receiver.asked += 1
                    self.close_connection = True
                    return
                event = json.loads(self.rfile.read(size))
                receiver.asked += 1
                too_large = size > receiver.most_bytes
                status = 413 if too_large else receiver.answer(int(event["job"]["name"]))
                if status is None:
                    receiver.over.wait(_NEVER_SECONDS)
                    return
                if status == 200:
                    receiver.numbers.append(int(event["job"]["name"]))
                    receiver.events.append(event)
                    receiver.headers.append({**dict(self.headers), "path": self.path})
                self.send_response(status)
                self.end_headers()
                self.wfile.write(b"because password=hunter2" if status >= 400 else b"")

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("localhost", self.port), Handler)
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def stop(self) -> None:
        """Be down."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None


def wait_until(reached: Callable[[], bool]) -> None:
    """Wait for something that happens in another thread or process."""
    wait_for("it to happen", reached)
