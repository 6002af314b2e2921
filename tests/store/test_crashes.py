"""Processes that die, servers that go away, disks that are full: nothing acknowledged is lost, nothing is doubled."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.disks import fill, small_disk
from tests.postgres import NoPostgres, Postgres, running_postgres
from tests.store.writer_processes import acknowledged, holds, overlapping, start_writer, to_file

from headwater.store import StoreError, open_store

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import EventMaker
    from tests.store.conftest import View

    from headwater.store import Store


def _as_if_nothing_had_happened(
    url: str, events: list[dict[str, Any]], folder: Path, natural_view: Callable[[Store], View]
) -> None:
    """All events sent once more: the store is as one that was never disturbed."""
    with open_store(url) as store, open_store(str(folder / "undisturbed.db")) as undisturbed:
        store.ingest(events)
        undisturbed.ingest(events)
        assert natural_view(store) == natural_view(undisturbed)
        if url.startswith("sqlite"):
            with store.read() as session:
                assert session.rows("PRAGMA integrity_check") == [("ok",)]


def test_kill_9_of_a_writer(any_url: str, tmp_path: Path, natural_view: Callable[[Store], View]) -> None:
    events = overlapping(150)
    with start_writer(any_url, to_file(events, tmp_path), 1, "waits") as writer:
        assert writer.stdout
        lines = [writer.stdout.readline() for _ in range(25)]
        os.kill(writer.pid, signal.SIGKILL)
        lines += [line for line in writer.stdout if line.endswith("\n")]
    stored = acknowledged(lines)
    assert 25 <= len(stored) < len(events), "the writer was to be killed before its end"
    with open_store(any_url) as store:
        assert holds(store, [events[place] for place in sorted(stored)])
    _as_if_nothing_had_happened(any_url, events, tmp_path, natural_view)


def test_kill_9_of_postgresql(durable_server: Postgres, tmp_path: Path, natural_view: Callable[[Store], View]) -> None:
    events = overlapping(150)
    url = durable_server.create("killed")
    writers = [start_writer(url, to_file(events, tmp_path), seed, "waits") for seed in (1, 2)]
    lines: list[str] = []
    for writer in writers:
        assert writer.stdout
        lines += [writer.stdout.readline() for _ in range(15)]
    durable_server.kill()
    for writer in writers:
        output, error = writer.communicate()
        lines += output.splitlines()
        assert writer.returncode == 1
        assert "headwater.store.errors.Unavailable: " in error
        assert durable_server.password not in error
    durable_server.start()
    stored = acknowledged(lines)
    assert 25 <= len(stored) < len(events), "the server was to be killed before the end"
    with open_store(url) as store:
        assert holds(store, [events[place] for place in sorted(stored)])
    _as_if_nothing_had_happened(url, events, tmp_path, natural_view)


def test_writers_that_try_again_outlive_a_server(
    durable_server: Postgres, tmp_path: Path, natural_view: Callable[[Store], View]
) -> None:
    events = overlapping(60)
    url = durable_server.create("outlived")
    writers = [start_writer(url, to_file(events, tmp_path), seed, "again", "waits") for seed in (1, 2)]
    for writer in writers:
        assert writer.stdout
        writer.stdout.readline()
    durable_server.kill()
    for writer in writers:
        assert writer.stdin
        assert writer.stdout
        writer.stdin.write("the server is gone\n")
        writer.stdin.flush()
        assert any(line.startswith("failed") for line in iter(writer.stdout.readline, ""))
    durable_server.start()
    for writer in writers:
        writer.communicate()
        assert writer.returncode == 0
    with open_store(url) as store:
        assert holds(store, events)
    _as_if_nothing_had_happened(url, events, tmp_path, natural_view)


def test_a_server_that_is_gone_is_said_and_used_again_when_it_is_back(
    durable_server: Postgres, maker: EventMaker
) -> None:
    with open_store(durable_server.create("gone")) as store:
        store.ingest([maker(1)])
        with store.read() as session:
            assert session.rows("SELECT count(*) FROM event") == [(1,)]
        durable_server.stop()
        try:
            for use in (lambda: store.ingest([maker(2)]), lambda: store.read().__enter__()):
                with pytest.raises(
                    StoreError, match=r"database server of the store \S+/gone(: start it|.*try again)"
                ) as error:
                    use()
                assert durable_server.password not in str(error.value)
        finally:
            durable_server.start()
        assert store.ingest([maker(2)]).accepted == 1
        with store.read() as session:
            assert session.rows("SELECT count(*) FROM event") == [(2,)]


def test_a_server_that_started_anew_unseen_is_used_as_if_nothing_had_happened(
    durable_server: Postgres, maker: EventMaker
) -> None:
    with open_store(durable_server.create("anew")) as store:
        store.ingest([maker(1)])
        durable_server.stop()
        durable_server.start()
        assert store.ingest([maker(2)]).accepted == 1
        durable_server.stop()
        durable_server.start()
        with store.read() as session:
            assert session.rows("SELECT count(*) FROM event") == [(2,)]


def _write_until_it_is_full(store: Store, events: list[dict[str, Any]]) -> tuple[int, StoreError]:
    """How many events were stored before the one that did not fit, and what was said of it."""
    for place in range(0, len(events), 10):
        try:
            store.ingest(events[place : place + 10])
        except StoreError as error:  # noqa: PERF203  what is waited for
            return place, error
    raise AssertionError("the disk was to be full before the end")


def test_a_full_disk_under_a_file(tmp_path: Path, natural_view: Callable[[Store], View]) -> None:
    events = overlapping(1500)
    with small_disk(8) as disk:
        url = f"sqlite:///{disk / 'lineage.db'}"
        with open_store(url) as store:
            store.ingest(events[:10])
            ballast = fill(disk, leave=600_000)
            stored, error = _write_until_it_is_full(store, events)
            message = f"Cannot write the store {disk / 'lineage.db'} because the disk is full: free some space"
            assert str(error) == f"{message} and try again."
            ballast.unlink()
            assert holds(store, events[:stored])
            _as_if_nothing_had_happened(url, events[: stored + 500], tmp_path, natural_view)


def test_a_full_disk_under_a_database(
    durable_server: Postgres, tmp_path: Path, natural_view: Callable[[Store], View]
) -> None:
    events = overlapping(1500)
    with small_disk(40) as disk:
        place = disk / "tables"
        place.mkdir()
        shutil.chown(place, durable_server.folder.owner())
        durable_server.run(f"CREATE TABLESPACE small LOCATION '{place}'", "postgres")
        durable_server.run("CREATE DATABASE crowded TABLESPACE small", "postgres")
        url = durable_server.store_url("crowded")
        try:
            with open_store(url) as store:
                store.ingest(events[:10])
                ballast = fill(disk, leave=300_000)
                stored, error = _write_until_it_is_full(store, events)
                assert str(error).startswith("Cannot write the store postgresql://warehouse@")
                assert "because the server's disk is full" in str(error)
                ballast.unlink()
                assert holds(store, events[:stored])
                _as_if_nothing_had_happened(url, events[: stored + 500], tmp_path, natural_view)
        finally:
            durable_server.drop("crowded")
            durable_server.run("DROP TABLESPACE small", "postgres")


def test_a_full_disk_under_all_of_postgresql(tmp_path: Path, natural_view: Callable[[Store], View]) -> None:
    """A table or the log no longer fits, whichever comes first; room made and started anew, it has all it said."""
    events = overlapping(1500)
    with small_disk(160) as disk:
        try:
            settings = {"max_wal_size": "32MB", "min_wal_size": "32MB", "checkpoint_timeout": "30s"}
            with running_postgres(durable=True, databases=("full",), folder=disk, settings=settings) as server:
                url = server.store_url("full")
                with open_store(url) as store:
                    store.ingest(events[:10])
                    ballast = fill(disk, leave=1_000_000)
                    stored, error = _write_until_it_is_full(store, events)
                    assert "postgresql://warehouse@" in str(error)
                    ballast.unlink()
                    server.restart()
                    assert holds(store, events[:stored])
                    _as_if_nothing_had_happened(url, events[: stored + 500], tmp_path, natural_view)
        except NoPostgres as error:
            pytest.skip(f"needs {error}")
