"""Questions that take too long, or that nobody waits for any more, are ended in the database."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from fastapi.testclient import TestClient
from tests.server.conftest import connected, listening
from tests.waiting import wait_for

from headwater.server.app import create_app
from headwater.server.http.metrics import Metrics
from headwater.server.http.query_threads import Asking, Questions
from headwater.server.settings.settings import ServerSettings
from headwater.store import open_store
from headwater.store.errors import Cancelled

if TYPE_CHECKING:
    from fastapi import FastAPI
    from tests.conftest import EventMaker
    from tests.postgres import Postgres

    from headwater.store import Session, Store

_ENDLESS = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x > 0) SELECT count(*) FROM n"
_RUNNING = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'WITH RECURSIVE n%' AND state = 'active'"


def _endless(session: Session) -> int:
    return len(session.rows(_ENDLESS))


def _app(store: Store, **settings: float) -> FastAPI:
    app = create_app(store, ServerSettings(allow_open=True, **settings))  # type: ignore[arg-type]

    @app.get("/endless")
    async def endless(asker: Asking) -> int:
        return await asker.ask(_endless)

    @app.get("/many")
    async def many(asker: Asking) -> int:
        def ask(session: Session) -> int:
            while True:  # each statement is short, all of them are not
                session.rows("SELECT count(*) FROM event")

        return await asker.ask(ask)

    @app.get("/events")
    async def events(asker: Asking) -> int:
        return await asker.ask(lambda session: int(session.rows("SELECT count(*) FROM event")[0][0]))

    return app


@pytest.mark.parametrize("path", ["/endless", "/many"])
def test_a_question_that_takes_too_long_is_ended_and_said(any_store: Store, maker: EventMaker, path: str) -> None:
    any_store.ingest([maker(1)])
    with TestClient(_app(any_store, query_timeout=0.3)) as client:
        answer = client.get(path)
        assert (answer.status_code, answer.json()["code"]) == (504, 504)
        assert answer.json()["message"].startswith("The question took more than 0.3 seconds and was cancelled")
        assert 'headwater_questions_ended_total{reason="timeout"} 1.0' in client.get("/metrics").text
        wait_for("its end", lambda: "headwater_questions_asked 0.0" in client.get("/metrics").text)
        wait_for("an answer in time", lambda: client.get("/events").json() == 1)


def test_a_question_whose_client_has_gone_is_ended_in_postgresql(postgres_server: Postgres, postgres_url: str) -> None:
    with open_store(postgres_url) as store, listening(_app(store)) as client:
        with connected(client.base_url) as disconnected:
            disconnected.sendall(b"GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n")
            database = postgres_url.rpartition("/")[2]
            wait_for("the question", lambda: postgres_server.run(_RUNNING, database) == "1")
        wait_for("its end", lambda: postgres_server.run(_RUNNING, database) == "0")
        wait_for("its count", lambda: 'ended_total{reason="client_gone"} 1.0' in client.get("/metrics").text)
        assert client.get("/events").json() == 0


def test_a_question_whose_client_has_gone_is_ended_in_a_file(store: Store) -> None:
    with listening(_app(store, connections=1)) as client:
        with connected(client.base_url) as disconnected:
            disconnected.sendall(b"GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n")
            wait_for("the question", lambda: "headwater_questions_asked 1.0" in client.get("/metrics").text)
        # There is one connection only: this is answered when the other is free again.
        assert client.get("/events").json() == 0


def test_a_question_whose_request_is_given_up_is_ended(any_store: Store) -> None:
    """As at the end of the grace, when the server stops."""
    any_store.prepare()
    metrics = Metrics()
    questions = Questions(any_store, ServerSettings(), metrics)

    async def main() -> None:
        asked = asyncio.ensure_future(questions.ask(_endless, asyncio.Event().wait))  # type: ignore[arg-type]
        while b"headwater_questions_asked 1.0" not in metrics.text():  # noqa: ASYNC110  a thread asks it
            await asyncio.sleep(0.01)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked

    asyncio.run(main())
    questions.close()  # waits for what is asked still
    assert b"headwater_questions_asked 0.0" in metrics.text()


def test_a_session_that_is_cancelled_answers_no_more_and_leaves_the_store_usable(
    any_store: Store, maker: EventMaker
) -> None:
    any_store.ingest([maker(1)])

    def ask(*, before: bool) -> None:
        with any_store.read() as session:
            if before:
                session.cancel()
            assert session.rows("SELECT count(*) FROM event") == [(1,)]
            session.cancel()

    for before in (True, False):
        with pytest.raises(Cancelled):
            ask(before=before)
    with any_store.read() as session:
        assert session.rows("SELECT count(*) FROM event") == [(1,)]
    session.cancel()  # too late to matter
    with any_store.read() as session:
        assert session.rows("SELECT count(*) FROM event") == [(1,)]
