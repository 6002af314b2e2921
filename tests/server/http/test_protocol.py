"""Connections: heads without end, too many at once, and clients that end their side of one."""

from __future__ import annotations

import asyncio
import json
import socket
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest
from tests.server.conftest import connected, listening
from tests.waiting import wait_for

from headwater.server.app import create_app
from headwater.server.settings.settings import ServerSettings

if TYPE_CHECKING:
    import httpx
    from fastapi import FastAPI
    from tests.conftest import EventMaker

    from headwater.store import Store

PATH = "/api/v1/lineage"
LIVE = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n"
CHUNKED = f"POST {PATH} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
MOST_SENT = 4_000_000


def _received(connection: socket.socket) -> bytes:
    """All that is answered until the connection is closed."""
    received = b""
    try:
        while part := connection.recv(65536):
            received += part
    except ConnectionResetError:
        pass
    return received


def _answers(connection: socket.socket) -> list[int]:
    """The answers, without those of 1xx, by which the server sees whether a client still listens."""
    answers = [int(part[:3]) for part in _received(connection).split(b"HTTP/1.1 ")[1:]]
    return [status for status in answers if status >= 200]


def _sent_until_closed(connection: socket.socket, part: bytes) -> int:
    """How many bytes the server takes of what never ends."""
    connection.settimeout(0.2)
    sent = 0
    while sent < MOST_SENT:
        try:
            connection.sendall(part)
            if connection.recv(1, socket.MSG_PEEK):
                return sent
        except TimeoutError:
            pass
        except (BrokenPipeError, ConnectionResetError):
            return sent
        sent += len(part)
    return sent


@pytest.mark.parametrize(
    ("head", "status", "setting"),
    [
        (b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", 414, "max_url_bytes"),
        (LIVE + b"X: " + b"a" * 100_000 + b"\r\n\r\n", 431, "max_header_bytes"),
        (LIVE + b"X: a\r\n" * 100 + b"\r\n", 431, "max_header_lines"),
        (LIVE + b"\r\n" + LIVE + b"X: a\r\n" * 100 + b"\r\n", 431, "max_header_lines"),
        (CHUNKED + b"0\r\n" + b"X: a\r\n" * 100 + b"\r\n", 431, "max_header_lines"),
    ],
    ids=["url", "header", "lines", "second request", "behind the body"],
)
def test_a_head_over_a_limit_is_refused_and_the_setting_named(
    store: Store, head: bytes, status: int, setting: str
) -> None:
    with listening(create_app(store)) as client:
        with connected(client.base_url) as connection:
            connection.sendall(head)
            received = _received(connection)
        answered = received.rpartition(b"\r\n\r\n")
        assert json.loads(answered[2])["code"] == status
        assert f"({setting})" in json.loads(answered[2])["message"]
        limit = setting.removeprefix("max_")
        assert f'headwater_refused_requests_total{{limit="{limit}"}} 1.0' in client.get("/metrics").text


@pytest.mark.parametrize(
    ("begin", "part"),
    [
        (b"GET /", b"a" * 4096),
        (LIVE, b"X: a\r\n" * 512),
        (LIVE + b"X: ", b"a" * 4096),
        (LIVE, b"a" * 4096),
        (CHUNKED + b"1;", b"a" * 4096),
        (CHUNKED + b"0\r\nX: ", b"a" * 4096),
        (CHUNKED + b"0\r\n", b"X: a\r\n" * 512),
    ],
    ids=["url", "headers", "one header", "a header's name", "extension of a chunk", "trailer", "trailers"],
)
def test_what_never_ends_is_refused_as_it_arrives(store: Store, begin: bytes, part: bytes) -> None:
    with listening(create_app(store)) as client, connected(client.base_url) as connection:
        connection.sendall(begin)
        assert _sent_until_closed(connection, part) <= ServerSettings().max_header_bytes + 8 * len(part)
        assert client.get("/livez").status_code == 200


def test_requests_without_number_before_their_answers_are_refused(store: Store) -> None:
    with listening(create_app(store)) as client, connected(client.base_url) as connection:
        connection.sendall((LIVE + b"\r\n") * 2000)
        assert _answers(connection)[-1] == 429
        assert 'limit="pipelined_requests"' in client.get("/metrics").text
    with listening(create_app(store)) as client, connected(client.base_url) as connection:
        connection.sendall((LIVE + b"\r\n") * 20 + LIVE + b"Connection: close\r\n\r\n")
        assert _answers(connection) == [200] * 21


def test_line_breaks_between_requests_keep_no_connection_open(store: Store) -> None:
    settings = ServerSettings(header_timeout=0.3)
    with listening(create_app(store), settings) as client, connected(client.base_url) as connection:
        connection.sendall(LIVE + b"\r\n")
        assert connection.recv(65536)
        wait_for("the end of the connection", lambda: _is_ended(connection))


def _is_ended(connection: socket.socket) -> bool:
    try:
        connection.sendall(b"\r\n")
    except (BrokenPipeError, ConnectionResetError):
        return True
    return False


def test_of_too_many_connections_the_one_that_waits_longest_is_closed(store: Store) -> None:
    settings = ServerSettings(max_connections=5)
    with listening(create_app(store), settings) as client, ExitStack() as opened:
        assert client.get("/livez").status_code == 200
        waiting = [opened.enter_context(connected(client.base_url)) for _ in range(10)]
        for connection in waiting:
            connection.sendall(LIVE)
        assert [_is_closed(connection) for connection in waiting[:5]] == [True] * 5
        with connected(client.base_url) as last:
            last.sendall(LIVE + b"Connection: close\r\n\r\n")
            assert _answers(last) == [200]
        assert 'headwater_refused_requests_total{limit="connections"}' in client.get("/metrics").text


def _is_closed(connection: socket.socket) -> bool:
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


def _with_slow_route(store: Store, loops: list[asyncio.AbstractEventLoop], may: asyncio.Event) -> FastAPI:
    app = create_app(store)

    @app.get("/slow")
    async def slow() -> bool:
        loops.append(asyncio.get_running_loop())
        await may.wait()
        return True

    return app


def test_where_every_connection_is_being_answered_a_new_one_is_refused(store: Store) -> None:
    loops: list[asyncio.AbstractEventLoop] = []
    may = asyncio.Event()
    with (
        listening(_with_slow_route(store, loops, may), ServerSettings(max_connections=2)) as client,
        connected(client.base_url) as first,
        connected(client.base_url) as second,
    ):
        for connection in (first, second):
            connection.sendall(b"GET /slow HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        wait_for("both", lambda: len(loops) == 2)
        with connected(client.base_url) as third:
            received = _received(third)
        assert received.startswith(b"HTTP/1.1 503 ")
        assert b"(max_connections)" in received
        loops[0].call_soon_threadsafe(may.set)


@pytest.mark.parametrize("path", ["/livez", "/api/v1/jobs"])
def test_a_client_that_ends_its_side_gets_its_answer(store: Store, path: str) -> None:
    with listening(create_app(store)) as client, connected(client.base_url) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        connection.shutdown(socket.SHUT_WR)
        assert _answers(connection) == [200]


def test_an_event_of_a_client_that_ends_its_side_is_acknowledged(store: Store, maker: EventMaker) -> None:
    with listening(create_app(store)) as client, connected(client.base_url) as connection:
        request: httpx.Request = client.build_request("POST", PATH, json=maker(1))
        head = f"POST {PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(request.content)}\r\n\r\n"
        connection.sendall(head.encode() + request.content)
        connection.shutdown(socket.SHUT_WR)
        assert _answers(connection) == [201]


def test_a_client_that_ends_its_side_waits_for_a_slow_answer(store: Store) -> None:
    loops: list[asyncio.AbstractEventLoop] = []
    may = asyncio.Event()
    with listening(_with_slow_route(store, loops, may)) as client, connected(client.base_url) as connection:
        connection.sendall(b"GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
        connection.shutdown(socket.SHUT_WR)
        assert connection.recv(65536) == b"HTTP/1.1 100 Continue\r\n\r\n"
        loops[0].call_soon_threadsafe(may.set)
        assert _answers(connection) == [200]


def test_half_a_request_of_a_client_that_ends_its_side_is_dropped(store: Store) -> None:
    with listening(create_app(store)) as client, connected(client.base_url) as connection:
        connection.sendall(f"POST {PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{{".encode())
        connection.shutdown(socket.SHUT_WR)
        assert _received(connection) == b""
