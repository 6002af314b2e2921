"""A database server that hangs, a connection that leads nowhere, an upgrade by others: every wait has an end."""

from __future__ import annotations

import os
import signal
import threading
from typing import TYPE_CHECKING

import psycopg
import pytest
from tests.disks import fill, small_disk
from tests.postgres import NoPostgres, running_postgres
from tests.waiting import SECONDS, wait_for

from headwater.store import StoreError, open_store
from headwater.store.db.session import Given
from headwater.store.errors import Cancelled, Full, Unavailable
from headwater.store.timeline.version_rows import STORED
from headwater.store.timeline.writes import EVER

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import EventMaker
    from tests.postgres import Postgres

    from headwater.store import Store

_SILENT = r"The database server of the store postgresql://.* does not answer|Cannot reach the database server"


def _ended(work: Callable[[], object]) -> BaseException | object:
    """What some work returns or raises; fails where it does not end, and leaves it behind."""
    ends: list[BaseException | object] = []

    def run() -> None:
        try:
            ends.append(work())
        except BaseException as error:  # noqa: BLE001  handed to the test
            ends.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(SECONDS)
    assert ends, "it waits without an end"
    return ends[0]


def _count(store: Store) -> int:
    with store.read() as session:
        return int(session.rows("SELECT count(*) FROM event")[0][0])


def test_a_server_that_hangs_is_given_up_and_used_again_when_it_answers(
    durable_server: Postgres, maker: EventMaker
) -> None:
    url = durable_server.create("hanging")
    with open_store(url, timeout=1) as store, open_store(url, timeout=1) as fresh:
        store.ingest([maker(1)])
        with durable_server.hanging():
            for use in (
                lambda: store.ingest([maker(2)]),
                lambda: _count(store),
                lambda: fresh.ingest([maker(2)]),
                store.database.version,
                store.check,
            ):
                error = _ended(use)
                assert isinstance(error, Unavailable), error
                with pytest.raises(StoreError, match=_SILENT):
                    raise error
                assert durable_server.password not in str(error)
            _ended(store.close)
        assert store.ingest([maker(1), maker(2)]).rejected == ()
        assert _count(store) == 2


def test_a_server_that_hangs_in_the_middle_of_a_copy_is_given_up(durable_server: Postgres) -> None:
    with open_store(durable_server.create("copying"), timeout=1) as store:

        def copy() -> None:
            with store.database.writing() as session:
                session.rows("SELECT 1")
                with durable_server.hanging():
                    session.insert("tag", "key, name", [(b"%d" % n, "x" * 1000) for n in range(20_000)])

        assert isinstance(_ended(copy), Unavailable)
        with store.read() as session:
            assert session.rows("SELECT count(*) FROM tag") == [(0,)]


def test_a_statement_that_only_takes_long_is_waited_for(postgres_url: str) -> None:
    with open_store(postgres_url, timeout=0.2) as store, store.read() as session:
        assert len(session.rows("SELECT pg_sleep(1.5)")) == 1


def test_a_write_has_a_limit_where_somebody_waits_for_it(postgres_url: str, maker: EventMaker) -> None:
    """The server lets others in, and the one process that writes does not go on."""
    with open_store(postgres_url, timeout=0.2, write_limit=1) as store:
        store.ingest([maker(1)])
        with psycopg.connect(postgres_url) as other:
            (pid,) = other.execute(
                "SELECT pid FROM pg_stat_activity WHERE application_name = 'headwater' AND datname = current_database()"
            ).fetchone() or (0,)
            os.kill(pid, signal.SIGSTOP)
            try:
                error = _ended(lambda: store.ingest([maker(2)]))
            finally:
                os.kill(pid, signal.SIGCONT)
        assert isinstance(error, Unavailable), error
        assert _ended(lambda: store.ingest([maker(2)]).rejected) == ()


def test_a_question_is_ended_although_the_server_does_not_hear(durable_server: Postgres) -> None:
    with open_store(durable_server.create("deaf"), timeout=SECONDS) as store:
        begun = threading.Event()
        sessions = []

        def ask() -> None:
            with store.read() as session:
                sessions.append(session)
                session.rows("SELECT 1")
                begun.set()
                session.rows("SELECT pg_sleep(1000)")

        def cancelled() -> bool:
            sessions[0].cancel()
            return bool(ends)

        asking = threading.Thread(target=lambda: ends.append(_ended(ask)))
        ends: list[object] = []
        asking.start()
        begun.wait(SECONDS)
        with durable_server.hanging():
            wait_for("the end of the question", cancelled)
        asking.join()
        assert isinstance(ends[0], Cancelled), ends


def test_an_upgrade_by_others_ends_what_this_version_reads_and_writes(postgres_url: str, maker: EventMaker) -> None:
    with open_store(postgres_url) as store:
        store.ingest([maker(1)])
        with psycopg.connect(postgres_url) as server:
            server.execute("UPDATE meta SET value = '999' WHERE key = 'version'")
            # What a newer version may well have renamed.
            server.execute("ALTER TABLE event RENAME TO occurrence")
        for use in (
            lambda: store.ingest([maker(2)]),
            lambda: _count(store),
            lambda: store.transact(lambda session: session.insert("tag", "key, name", [(b"1", "x")])),
            store.vacuum,
        ):
            with pytest.raises(Unavailable, match="written by a newer Headwater"):
                use()
        with psycopg.connect(postgres_url) as server:
            assert server.execute("SELECT count(*) FROM occurrence").fetchone() == (1,)
            assert server.execute("SELECT count(*) FROM tag").fetchone() == (0,)


def test_an_upgrade_that_a_writer_waited_for_is_noticed(postgres_url: str, maker: EventMaker) -> None:
    """The version is as before when the transaction begins, and another one when it may go on."""
    with open_store(postgres_url) as store, open_store(postgres_url) as newer:
        store.ingest([maker(1)])
        ends: list[object] = []
        writing = threading.Thread(target=lambda: ends.append(_ended(lambda: store.ingest([maker(2)]))))
        with newer.database.writing() as upgrade:
            upgrade.alone()
            upgrade.rows("SELECT 1")
            writing.start()
            with psycopg.connect(postgres_url, autocommit=True) as server:
                waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
                wait_for("the writer", lambda: (server.execute(waiting).fetchone() or (0,))[0])
            upgrade.run("UPDATE meta SET value = '999' WHERE key = 'version'")
        writing.join()
        assert isinstance(ends[0], Unavailable)
        assert "newer Headwater" in str(ends[0])


def test_a_server_without_room_is_noticed_before_an_event_comes(postgres_url: str) -> None:
    with open_store(postgres_url) as store:
        store.check()
        with psycopg.connect(postgres_url) as server:
            database = postgres_url.rpartition("/")[2]
            server.execute(f"ALTER DATABASE {database} SET default_transaction_read_only = on")
        with open_store(postgres_url) as again, pytest.raises(Unavailable, match="is read-only"):
            again.check()


def test_a_full_disk_of_the_server_is_noticed_before_an_event_comes(maker: EventMaker) -> None:
    try:
        with (
            small_disk(160) as disk,
            running_postgres(folder=disk, databases=()) as server,
            open_store(server.create("full")) as store,
        ):
            store.ingest([maker(1)])
            store.check()
            ballast = fill(disk, leave=100_000)
            with pytest.raises(Full, match="the server's disk is full"):
                store.check()
            ballast.unlink()
            store.check()
    except NoPostgres as error:
        pytest.skip(f"needs {error}")


@pytest.mark.parametrize("by", ["url", "environment"])
def test_a_search_path_says_in_which_schema_the_tables_are(
    postgres_server: Postgres, maker: EventMaker, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    database = f"search_path_{by}"
    url = postgres_server.create(database)
    try:
        postgres_server.run("CREATE SCHEMA lineage", database)
        if by == "url":
            url += "?options=-csearch_path%3Dlineage"
        else:
            monkeypatch.setenv("PGOPTIONS", "-csearch_path=lineage")
        with open_store(url) as store:
            assert store.ingest([maker(1, columns={"a": ["in.x"]})]).accepted == 1
            assert store.stats().events == 1
            with store.read() as session:
                assert session.rows("SHOW plan_cache_mode") == [("force_generic_plan",)]
        monkeypatch.delenv("PGOPTIONS", raising=False)
        tables = "SELECT DISTINCT schemaname FROM pg_tables WHERE tablename IN ('event', 'meta', 'slot')"
        assert postgres_server.run(tables, database) == "lineage"
    finally:
        postgres_server.drop(database)


def test_a_copy_that_is_sent_without_waiting_is_complete(postgres_url: str) -> None:
    with open_store(postgres_url, write_limit=30) as store:
        for size in (1, 60, 300, 2_000):
            rows = [(b"%d %d" % (size, number), "x" * 40) for number in range(size)]
            store.transact(lambda session, rows=rows: session.insert("tag", "key, name", rows))  # type: ignore[misc]
        with store.read() as session:
            assert session.rows("SELECT count(*) FROM tag") == [(2_361,)]


def test_versions_of_runs_are_found_by_an_index_before_there_are_statistics(
    postgres_url: str, maker: EventMaker
) -> None:
    with open_store(postgres_url) as store:
        store.ingest([maker(minute, run=str(minute)) for minute in range(100)])
        runs = Given("run int, since int", [(run, EVER) for run in range(10)])
        with store.read() as session:
            plan = [line for (line,) in session.rows(f"EXPLAIN {STORED}", runs)]
    assert any("Index Cond: ((run = given.run)" in line for line in plan), plan
