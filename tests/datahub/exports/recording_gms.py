"""A server that takes what DataHub's takes, and remembers it; it can be told to fail."""

from __future__ import annotations

import json
import threading
from collections import Counter, deque
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CUT = 0
"""In a script, in place of a status: the connection is cut before there is an answer."""


class Taken(NamedTuple):
    """An aspect that was answered with 200."""

    urn: str
    aspect: str
    value: Any


class RecordingGms:
    """What came.

    Attributes:
        script: how the next requests are answered, before all else.
        retry_after: what is said with every failure.
        refuse: the status for a request with such a proposal in it; 0 is none.
        words: what is said to a refusal.
        config: what `/config` answers.
        batches: of those that were taken, the proposals.
        headers: of every request.
        before: is called with the number of each batch, before it is answered.
    """

    def __init__(self) -> None:
        self.script: deque[int] = deque()
        self.retry_after = 0
        self.refuse: Callable[[dict[str, Any]], int] = lambda _proposal: 0
        self.words = "no"
        self.config = b'{"noCode":"true"}'
        self.batches: list[list[dict[str, Any]]] = []
        self.headers: list[dict[str, str]] = []
        self.posts = 0
        self.before: Callable[[int], object] = lambda _number: None
        self.url = ""

    def taken(self) -> list[Taken]:
        """All that was taken since this was asked last."""
        found = [
            Taken(one["entityUrn"], one["aspectName"], json.loads(one["aspect"]["value"]))
            for batch in self.batches
            for one in batch
        ]
        self.batches.clear()
        return found

    def counts(self) -> Counter[str]:
        """The same, by aspects."""
        return Counter(proposal.aspect for proposal in self.taken())

    def answer(self, body: bytes) -> tuple[int, bytes]:
        """The answer to a batch."""
        self.posts += 1
        self.before(self.posts)
        if self.script and (status := self.script.popleft()) != 200:
            return status, b""
        document = json.loads(body)
        refused = [status for proposal in document["proposals"] if (status := self.refuse(proposal))]
        if refused:
            return refused[0], json.dumps({"message": self.words, "status": refused[0]}).encode()
        assert document["async"] == "false"
        self.batches.append(document["proposals"])
        return 200, b'{"value":"success"}'


@contextmanager
def recording_gms() -> Iterator[RecordingGms]:
    """Serve while the block runs."""
    gms = RecordingGms()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            gms.headers.append(dict(self.headers))
            self._answer(200, gms.config)

        def do_POST(self) -> None:
            gms.headers.append(dict(self.headers))
            body = self.rfile.read(int(self.headers["Content-Length"]))
            known = self.path == "/aspects?action=ingestProposalBatch"
            status, said = gms.answer(body) if known else (404, b"")
            if status == CUT:
                self.close_connection = True
            else:
                self._answer(status, said)

        def _answer(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            if status >= 400:
                self.send_header("Retry-After", str(gms.retry_after))
            with suppress(ConnectionError):  # who was killed does not listen
                self.end_headers()
                self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    gms.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield gms
    finally:
        server.shutdown()
        server.server_close()
