"""Clients that send too much, too slowly, or nonsense, over real sockets."""

from __future__ import annotations

import json
import threading
from contextlib import ExitStack
from typing import TYPE_CHECKING

import httpx
import pytest
from starlette.responses import Response
from tests.server.conftest import Serve, answers, connected, listening
from tests.waiting import SECONDS, wait_for

from headwater.server.app import create_app
from headwater.server.http.query_threads import Asking
from headwater.server.settings.settings import ServerSettings
from headwater.store.tokens import Scope, create_token

if TYPE_CHECKING:
    import socket

    from fastapi import FastAPI
    from tests.conftest import EventMaker

    from headwater.store import Store

PATH = "/api/v1/lineage"
LARGE = 30_000_000


def _head(length: int) -> bytes:
    return (
        f"POST {PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    ).encode()


def _answer(connection: socket.socket) -> tuple[int, dict[str, object]]:
    """The status and the body of an answer after which the connection is closed."""
    received = b""
    while part := connection.recv(65536):
        received += part
    head, _, body = received.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)


def test_a_body_that_trickles_is_cut_and_others_are_served_meanwhile(
    serve: Serve, tmp_path: object, maker: EventMaker
) -> None:
    served = serve(f"sqlite:///{tmp_path}/x.db", environment={"HEADWATER_BODY_TIMEOUT": "1"})
    with connected(served.url) as slow, served.client() as client:
        slow.sendall(_head(100) + b"{")
        wait_for("another client", lambda: client.post(PATH, json=maker(1)).status_code == 201)
        status, body = _answer(slow)
    assert (status, body) == (
        408,
        {"code": 408, "message": "body: did not arrive completely within 1 seconds (body_timeout)."},
    )


def test_headers_that_do_not_come_close_the_connection(serve: Serve, tmp_path: object) -> None:
    served = serve(f"sqlite:///{tmp_path}/x.db", environment={"HEADWATER_HEADER_TIMEOUT": "0.5"})
    for sent in (b"", b"GET /livez HTTP/1.1\r\nHost: loc"):
        with connected(served.url) as slow:
            slow.sendall(sent)
            assert slow.recv(100) == b""
    with served.client() as client:
        wait_for("a client whose headers come in time", lambda: answers(client))


def test_what_is_no_http_is_refused_in_the_one_shape(serve: Serve, tmp_path: object) -> None:
    served = serve(f"sqlite:///{tmp_path}/x.db")
    for sent in (b"hello\r\n\r\n", b"GET /\xff HTTP/1.1\r\nHost: localhost\r\n\r\n"):
        with connected(served.url) as connection:
            connection.sendall(sent)
            status, body = _answer(connection)
        assert (status, body["code"]) == (400, 400)


def test_nothing_is_held_for_what_a_header_claims(store: Store, maker: EventMaker) -> None:
    settings = ServerSettings(allow_open=True, max_bytes_in_flight=100_000)
    with listening(create_app(store, settings)) as client, ExitStack() as opened:
        for _ in range(4):
            opened.enter_context(connected(client.base_url)).sendall(_head(90_000) + b"{")
        wait_for("their bytes", lambda: _metric(client, "headwater_bytes_in_flight") > 0)
        assert _metric(client, "headwater_bytes_in_flight") < 1_000
        assert client.post(PATH, json=maker(1)).status_code == 201


def test_more_than_may_be_held_is_refused_and_slow_senders_make_room(store: Store, maker: EventMaker) -> None:
    settings = ServerSettings(allow_open=True, max_bytes_in_flight=100_000, min_body_rate=0)
    with listening(create_app(store, settings)) as client, connected(client.base_url) as slow:
        slow.sendall(_head(80_001) + b" " * 80_000)
        wait_for("the slow client", lambda: _metric(client, "headwater_bytes_in_flight") == 80_000)
        large = {**maker(1), "producer": "x" * 35_000}
        refused = client.post(PATH, json=large)
        assert (refused.status_code, refused.headers["Retry-After"]) == (429, "1")
        assert "(max_bytes_in_flight)" in refused.json()["message"]
        wait_for("the room of the slow client", lambda: client.post(PATH, json=large).status_code == 201)
        assert _answer(slow)[0] == 429
        assert _metric(client, "headwater_bytes_in_flight") == 0
        assert 'headwater_refused_requests_total{limit="bytes_in_flight"}' in client.get("/metrics").text


def test_a_body_in_chunks_is_limited_too(store: Store) -> None:
    settings = ServerSettings(allow_open=True, max_body_bytes=10_000)
    with listening(create_app(store, settings)) as client:
        answer = client.post(
            PATH, content=(b" " * 1_000 for _ in range(11)), headers={"Content-Type": "application/json"}
        )
    assert answer.status_code == 413
    assert answer.json() == {
        "code": 413,
        "message": "body: is more than 10000 bytes; the limit is 10000 (max_body_bytes).",
    }


def test_50_megabytes_are_refused_and_the_client_reads_why(store: Store, maker: EventMaker) -> None:
    with listening(create_app(store)) as client:
        answer = client.post(PATH, content=b" " * 50_000_000, headers={"Content-Type": "application/json"})
        assert answer.status_code == 413
        assert client.post(PATH, json=maker(1)).status_code == 201


def test_a_body_at_less_than_the_least_pace_is_cut(store: Store) -> None:
    settings = ServerSettings(allow_open=True, min_body_rate=10)
    with listening(create_app(store, settings)) as client, connected(client.base_url) as slow:
        slow.sendall(_head(1000) + b" " * 49)
        assert _answer(slow) == (
            408,
            {"code": 408, "message": "body: arrived at less than 10 bytes a second (min_body_rate)."},
        )


@pytest.mark.parametrize(
    "head",
    [
        f"GET /livez HTTP/1.1\r\nHost: localhost\r\nContent-Length: {LARGE}\r\n\r\n",
        "GET /livez HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n",
        f"POST /livez HTTP/1.1\r\nHost: localhost\r\nContent-Length: {LARGE}\r\n\r\n",
        f"PUT /nothing HTTP/1.1\r\nHost: localhost\r\nContent-Length: {LARGE}\r\n\r\n",
        f"DELETE {PATH}/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: {LARGE}\r\n\r\n",
    ],
)
def test_where_no_body_is_taken_the_answer_comes_at_once_and_the_connection_is_closed(store: Store, head: str) -> None:
    with listening(create_app(store)) as client, connected(client.base_url) as connection:
        connection.sendall(head.encode())  # and nothing of the body
        received = b""
        while part := connection.recv(65536):
            received += part
        assert received.split()[1] in {b"200", b"404", b"405"}
        assert b"\r\nconnection: close\r\n" in received
        assert _metric(client, "headwater_bytes_in_flight") == 0


def test_no_body_is_read_before_the_token_is_checked(store: Store) -> None:
    store.transact(lambda session: create_token(session, "writer", Scope.WRITE, 0))
    with listening(create_app(store)) as client, connected(client.base_url) as connection:
        connection.sendall(_head(LARGE) + b" " * 1_000_000)
        assert _answer(connection)[0] == 401


def test_a_small_body_that_nobody_reads_keeps_the_connection(store: Store) -> None:
    with listening(create_app(store)) as client, connected(client.base_url) as connection:
        sent = b"DELETE /nothing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}"
        connection.sendall(sent + b"GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        received = b""
        while part := connection.recv(65536):
            received += part
        assert [part[:3] for part in received.split(b"HTTP/1.1 ")[1:]] == [b"404", b"200"]


def _with_large_answer(store: Store) -> FastAPI:
    app = create_app(store)

    @app.get("/large")
    async def large() -> Response:
        return Response(b"x" * LARGE)

    return app


def test_a_large_answer_arrives_whole(store: Store) -> None:
    with listening(_with_large_answer(store)) as client:
        assert len(client.get("/large").content) == LARGE


def test_an_answer_that_nobody_reads_is_not_held(store: Store) -> None:
    app = _with_large_answer(store)
    with listening(app, ServerSettings(read_timeout=0.3)) as client, connected(client.base_url) as lazy:
        lazy.sendall(b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
        wait_for("the end of the request", lambda: 'route="/large",status="200"' in client.get("/metrics").text)
        wait_for("the end of the connection", lambda: _is_ended(lazy))


def _is_ended(connection: socket.socket) -> bool:
    """Whether the server has closed the connection: it then no longer takes what we send."""
    try:
        connection.sendall(b"\r\n")
    except (BrokenPipeError, ConnectionResetError):
        return True
    return False


def test_questions_wait_in_a_line_that_has_an_end(store: Store) -> None:
    app = create_app(store, ServerSettings(allow_open=True, connections=2, waiting_questions=1))
    go_on = threading.Event()

    @app.get("/slow")
    async def slow(asker: Asking) -> bool:
        return await asker.ask(lambda _session: go_on.wait(SECONDS))

    statuses: list[int] = []

    def ask(url: httpx.URL) -> None:
        with httpx.Client(timeout=SECONDS, trust_env=False) as own:
            statuses.append(own.get(url).status_code)

    with listening(app) as client:
        threads = [threading.Thread(target=ask, args=(client.base_url.join("/slow"),)) for _ in range(3)]
        for thread in threads:
            thread.start()
        wait_for("two asked, one waiting", lambda: _gauges(client) == (2, 1))
        refused = client.get("/slow")
        assert (refused.status_code, refused.headers["Retry-After"]) == (503, "1")
        assert client.get("/livez").status_code == 200
        go_on.set()
        for thread in threads:
            thread.join()
        assert statuses == [200, 200, 200]
        assert client.get("/slow").status_code == 200
        assert _gauges(client) == (0, 0)


def _gauges(client: httpx.Client) -> tuple[float, float]:
    return _metric(client, "headwater_questions_asked"), _metric(client, "headwater_questions_waiting")


def _metric(client: httpx.Client, name: str) -> float:
    lines = dict(line.rsplit(" ", 1) for line in client.get("/metrics").text.splitlines() if line[0] != "#")
    return float(lines.get(name, 0))
