"""Sends many requests over a few connections, and keeps the smallest example of each way in which one fails."""

from __future__ import annotations

import socket
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, field
from http.client import HTTPException, HTTPResponse
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.fuzz.requests import Request, Requests

_ALIVE = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"
_ERROR = 500
_MOST_BYTES = 100_000_000
_PROGRESS = 1_000


@dataclass
class Outcome:
    """What became of the requests: how many had which status, and what went wrong."""

    statuses: Counter[int] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    smallest: dict[str, tuple[int, bytes, bytes]] = field(default_factory=dict)
    alive: int = 0
    slowest: float = 0.0

    @property
    def errors(self) -> int:
        """How many answers are 5xx, without those of a server that is busy and says so."""
        return sum(count for status, count in self.statuses.items() if status >= _ERROR)

    @property
    def hangs(self) -> int:
        """How many requests had no answer in time."""
        return sum(count for kind, count in self.failures.items() if kind.startswith("hang"))

    def fail(self, kind: str, number: int, request: bytes, answer: bytes) -> None:
        """Count a failure; keep its request if none is smaller."""
        self.failures[kind] += 1
        if kind not in self.smallest or len(request) < len(self.smallest[kind][1]):
            self.smallest[kind] = number, request, answer

    def text(self) -> str:
        """All of it, for people."""
        statuses = ", ".join(f"{status}: {count}" for status, count in sorted(self.statuses.items()))
        total = sum(self.statuses.values())
        lines = [
            f"{total} answers ({statuses or 'none'}); {self.errors} of 5xx, {self.hangs} hangs.",
            f"/livez answered {self.alive} times meanwhile; the slowest answer of all took {self.slowest:.1f} s.",
        ]
        for kind, count in self.failures.most_common():
            number, request, answer = self.smallest[kind]
            lines += [
                f"\n{kind}: {count} times; the smallest is request {number}:",
                repr(request[:3000]),
                repr(answer[:600]),
            ]
        return "\n".join(lines)


def send_all(
    url: str, requests: Requests, numbers: Sequence[int], *, connections: int = 4, seconds: float = 10.0
) -> Outcome:
    """Send the requests with these numbers, and ask `/livez` beside them.

    Args:
        url: the server.
        requests: what to send.
        numbers: which of them.
        connections: how many are sent at once.
        seconds: what takes longer counts as a hang.
    """
    outcome = Outcome()
    lock = threading.Lock()
    waiting = iter(numbers)
    done = threading.Event()

    def work() -> None:
        with closing(_Connection(url, seconds)) as connection:
            while True:
                with lock:
                    number = next(waiting, None)
                    if number and number % _PROGRESS == 0:
                        print(f"{number} sent; {outcome.errors} of 5xx, {outcome.hangs} hangs", flush=True)
                if number is None:
                    return
                request = requests[number]
                _send(connection, number, request, outcome, lock)

    def ask_alive() -> None:
        with closing(_Connection(url, seconds)) as connection:
            while not done.wait(0.2):
                began = time.monotonic()
                status, answer = connection.ask(_ALIVE, "GET")
                with lock:
                    outcome.slowest = max(outcome.slowest, time.monotonic() - began)
                    outcome.alive += status == 200
                    if status != 200:
                        outcome.fail("hang: /livez" if status == 0 else "/livez", -1, _ALIVE, answer)

    with ThreadPoolExecutor(connections + 1) as pool:
        watching = pool.submit(ask_alive)
        try:
            for working in [pool.submit(work) for _ in range(connections)]:
                working.result()
        finally:
            done.set()
        watching.result()
    return outcome


def _send(connection: _Connection, number: int, request: Request, outcome: Outcome, lock: threading.Lock) -> None:
    began = time.monotonic()
    status, answer = connection.ask(request.content, request.method)
    took = time.monotonic() - began
    with lock:
        outcome.slowest = max(outcome.slowest, took)
        if status:
            outcome.statuses[status] += 1
        if status >= _ERROR:
            outcome.fail(f"{status}: {request.label}", number, request.content, answer)
        elif status == 0:
            outcome.fail(f"{answer.decode()}: {request.label}", number, request.content, answer)


class _Connection:
    """A connection that is made anew where the server closes it."""

    def __init__(self, url: str, seconds: float) -> None:
        parts = urlsplit(url)
        self._address = (parts.hostname or "", parts.port or 80)
        self._seconds = seconds
        self._socket: socket.socket | None = None

    def ask(self, content: bytes, method: str) -> tuple[int, bytes]:
        """The status and the body of the answer; status 0 with a word, where there is none."""
        for attempt in range(2):
            fresh = self._socket is None
            try:
                if self._socket is None:
                    self._socket = socket.create_connection(self._address, self._seconds)
                return self._answer(self._socket, content, method)
            except TimeoutError:
                self.close()
                return 0, b"hang"
            except (OSError, HTTPException) as error:
                self.close()
                # A connection that was kept may have been closed meanwhile.
                if fresh or attempt:
                    return 0, f"no answer ({type(error).__name__})".encode()
        raise AssertionError

    def _answer(self, connection: socket.socket, content: bytes, method: str) -> tuple[int, bytes]:
        # What is refused early is answered before it is read to its end.
        with suppress(BrokenPipeError, ConnectionResetError):
            connection.sendall(content)
        answer = HTTPResponse(connection, method=method)
        try:
            answer.begin()
            body = answer.read(_MOST_BYTES)
            if answer.will_close:
                self.close()
            return answer.status, body
        finally:
            answer.close()

    def close(self) -> None:
        """Close it, where it is open."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None
