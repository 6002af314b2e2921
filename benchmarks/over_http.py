"""HTTP requests over connections that stay open, with as little of the machine as a client can do with."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

_LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)
_ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)")
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Server:
    """A `headwater serve` in a process of its own."""

    port: int
    process: subprocess.Popen[str]
    started_in: float

    def resident(self) -> float:
        """Megabytes that it and its workers hold."""
        pids = [self.process.pid, *_children(self.process.pid)]
        pages = [int(Path(f"/proc/{pid}/statm").read_text(encoding="utf-8").split()[1]) for pid in pids]
        return sum(pages) * _PAGE / 1e6


def _children(pid: int) -> list[int]:
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8")
    return [int(child) for child in text.split()]


@contextmanager
def served(store: str, *options: str) -> Iterator[Server]:
    """Serve a store while the block runs."""
    command = [sys.executable, "-m", "headwater", "serve", "--port", "0", "--log-level", "warning", *options]
    started = time.perf_counter()
    process = subprocess.Popen(command, env={**os.environ, "HEADWATER_STORE": store}, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    output = ""
    while not (address := _ADDRESS.search(output)):
        line = process.stdout.readline()
        assert line, f"the server did not start: {output}"
        output += line
    port = int(address.group(1))
    while True:
        try:
            Connection(port).ask("GET", "/readyz")
            break
        except OSError:
            time.sleep(0.01)
    try:
        yield Server(port, process, time.perf_counter() - started)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


class Connection:
    """One connection that stays open."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def ask(self, method: str, path: str, body: bytes = b"") -> tuple[int, bytes]:
        """Send a request, and read its answer: the status and the body."""
        return self.send(written(method, path, body))

    def send(self, sent: bytes) -> tuple[int, bytes]:
        """The same for a request that is written already."""
        self._socket.sendall(sent)
        received = b""
        while b"\r\n\r\n" not in received:
            part = self._socket.recv(65536)
            if not part:
                raise ConnectionError("the server closed the connection")
            received += part
        head, _, rest = received.partition(b"\r\n\r\n")
        length = _LENGTH.search(head)
        missing = (int(length.group(1)) if length else 0) - len(rest)
        parts = [rest]
        while missing > 0:
            part = self._socket.recv(min(missing, 1 << 20))
            missing -= len(part)
            parts.append(part)
        return int(head[9:12]), b"".join(parts)


def written(method: str, path: str, body: bytes = b"") -> bytes:
    """A request as it is sent."""
    kind = "Content-Type: application/json\r\n" if body else ""
    return f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{kind}Content-Length: {len(body)}\r\n\r\n".encode() + body


def post(event: Mapping[str, Any]) -> bytes:
    """The request that sends an event."""
    return written("POST", "/api/v1/lineage", json.dumps(event).encode())


def path_of(path: str, **values: object) -> str:
    """A path with a query."""
    return f"{path}?" + "&".join(f"{name}={quote(str(value), safe='')}" for name, value in values.items())
