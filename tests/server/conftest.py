"""Servers to test against: in this process, in a thread behind real sockets, and in processes of their own."""

from __future__ import annotations

import os
import re
import signal
import socket
import ssl
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

import httpx
import pytest
from fastapi.testclient import TestClient
from tests.live_server import serving
from tests.waiting import SECONDS, wait_for

import headwater
from headwater.server.app import create_app
from headwater.store import Store, open_store

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fastapi import FastAPI

    from headwater.server.settings.settings import ServerSettings

PROGRAM = [sys.executable, "-c", "from headwater.cli import main; main()"]
# The same Headwater that the tests import, wherever it runs.
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(headwater.__file__).parents[1])}


class Served:
    """A `headwater serve` in a process of its own."""

    def __init__(self, arguments: list[str], folder: Path, environment: Mapping[str, str], verify: str) -> None:
        self._verify = ssl.create_default_context(cafile=verify) if verify else False
        self.log_file = folder / f"log-{time.monotonic_ns()}"
        with self.log_file.open("wb") as log:
            self.process = subprocess.Popen(
                [*PROGRAM, "serve", "--port", "0", *arguments],
                cwd=folder,
                env={**ENVIRONMENT, "TMPDIR": str(folder), **environment},
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,
            )
        self.said: list[str] = []

    def wait(self) -> Served:
        """Wait until it says where it is, and answers."""
        assert self.process.stdout
        for line in self.process.stdout:
            self.said.append(line.rstrip())
            if line.startswith("access"):
                break
        assert self.said, self.log
        with self.client() as client:
            wait_for("the server", lambda: answers(client))
        return self

    @property
    def url(self) -> str:
        """Where it is."""
        result = re.search(r"https?://\S+", self.said[0])
        assert result
        return result[0]

    @property
    def log(self) -> str:
        """What it wrote to its log."""
        return self.log_file.read_text(encoding="utf-8")

    def client(self, **options: Any) -> httpx.Client:  # noqa: ANN401  httpx's own
        """A client of it."""
        return httpx.Client(base_url=self.url, timeout=SECONDS, trust_env=False, verify=self._verify, **options)

    def stop(self) -> int:
        """Stop it as an operator does; returns its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(SECONDS)

    def kill(self) -> None:
        """End it and its workers as a machine that loses its power does."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(SECONDS)
        if self.process.stdout:
            self.process.stdout.close()


def connected(url: object) -> socket.socket:
    """A connection to a server, to write to it by hand."""
    parts = urlsplit(str(url))
    assert parts.port
    return socket.create_connection((parts.hostname, parts.port), timeout=SECONDS)


def answers(client: httpx.Client) -> bool:
    """Whether a server answers."""
    try:
        return client.get("/livez").status_code == httpx.codes.OK
    except httpx.TransportError:
        return False


class Serve(Protocol):
    """Starts servers."""

    def __call__(
        self, store: str, *arguments: str, environment: Mapping[str, str] | None = None, verify: str = ""
    ) -> Served:
        """One on a store, with arguments of the command line, and the certificate to check it by."""


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Starts servers in processes of their own; those that are left are ended with the test."""
    started: list[Served] = []

    def start(store: str, *arguments: str, environment: Mapping[str, str] | None = None, verify: str = "") -> Served:
        started.append(Served(["--store", store, *arguments], tmp_path, environment or {}, verify))
        return started[-1].wait()

    yield start
    for server in started:
        server.kill()


@contextmanager
def listening(app: FastAPI, settings: ServerSettings | None = None) -> Iterator[httpx.Client]:
    """An application behind a real socket, in a thread of this process."""
    with (
        serving(app, settings) as url,
        httpx.Client(base_url=url, timeout=SECONDS, trust_env=False) as client,
    ):
        yield client


@pytest.fixture
def client(any_store: Store) -> Iterator[TestClient]:
    """The application on an empty store, in a file and in PostgreSQL: the test runs on both."""
    with TestClient(create_app(any_store)) as opened:
        yield opened


@pytest.fixture
def count(any_url: str) -> Any:  # noqa: ANN401  a function
    """How many events the store of the test has, seen from outside of its server."""

    def counted() -> int:
        with open_store(any_url) as store, store.read() as session:
            return int(session.rows("SELECT count(*) FROM event")[0][0])

    return counted
