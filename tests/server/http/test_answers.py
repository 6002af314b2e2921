"""Answers: capped, and held within a number of bytes, whoever reads them or does not."""

from __future__ import annotations

import socket
from contextlib import ExitStack
from typing import TYPE_CHECKING

from starlette.responses import Response
from tests.server.conftest import connected, listening
from tests.waiting import wait_for

from headwater.server.app import create_app
from headwater.server.http.budget import Budget
from headwater.server.settings.settings import ServerSettings

if TYPE_CHECKING:
    import httpx
    from fastapi import FastAPI

    from headwater.store import Store

# More than the buffers of a connection take.
LARGE = 8_000_000


def _app(store: Store, **settings: int) -> FastAPI:
    app = create_app(store, ServerSettings(allow_open=True, **settings))  # type: ignore[arg-type]

    @app.get("/large")
    async def large() -> Response:
        return Response(b"x" * LARGE)

    return app


def test_an_answer_over_the_limit_says_how_to_ask_for_less(store: Store) -> None:
    with listening(_app(store, max_answer_bytes=1_000_000)) as client:
        answer = client.get("/large")
        assert answer.status_code == 413
        assert "the limit is 1000000 (max_answer_bytes): ask for less" in answer.json()["message"]
        assert 'headwater_refused_requests_total{limit="answer_bytes"} 1.0' in client.get("/metrics").text


def test_slow_readers_are_cut_off_when_others_need_the_room(store: Store) -> None:
    with listening(_app(store, max_answers_in_flight=3 * LARGE)) as client, ExitStack() as opened:
        lazy = [opened.enter_context(_small(client.base_url)) for _ in range(2)]
        for connection in lazy:
            connection.sendall(b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
        wait_for("both answers", lambda: _held(client) == 2 * LARGE)
        refused = client.get("/large")
        assert (refused.status_code, refused.headers["Retry-After"]) == (503, "1")
        wait_for("room", lambda: client.get("/large").status_code == 200)
        wait_for("the end of one reader", lambda: _held(client) == LARGE)
        assert 'limit="answers_in_flight"' in client.get("/metrics").text


def _small(url: object) -> socket.socket:
    connection = connected(url)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    return connection


def _held(client: httpx.Client) -> float:
    text = client.get("/metrics").text
    line = next(line for line in text.splitlines() if line.startswith("headwater_answer_bytes_in_flight "))
    return float(line.split()[1])


def test_who_holds_most_for_longest_makes_room_and_who_just_began_does_not() -> None:
    now = 0.0
    budget = Budget(800, now=lambda: now)
    ended: list[str] = []
    slow, small, fixed, new = (budget.hold() for _ in range(4))
    slow.cut, small.cut = (lambda: ended.append("slow")), (lambda: ended.append("small"))
    assert slow.take(300)
    assert small.take(100)
    assert fixed.take(300)
    assert not new.take(200)
    now = 3.0
    assert new.take(200)
    assert (ended, slow.size, small.size) == (["slow"], 0, 100)
    assert not new.take(400), "what cannot be ended stays"


def test_small_holds_have_room_that_large_ones_leave() -> None:
    budget = Budget(25_600)
    large, other, small = (budget.hold() for _ in range(3))
    assert large.take(22_400)
    assert not other.take(200)
    assert small.take(100)
    assert budget.fits(22_400)
    assert not budget.fits(22_401)
