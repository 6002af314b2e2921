"""Processes that die, processes that compete, files that cannot be used."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from headwater.store import StoreError, open_store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.conftest import EventMaker

    from headwater.store import Store

# Writes batches of two events, each batch acknowledged on standard output once the store has it.
_WRITER = """
import sys
from uuid import NAMESPACE_URL, uuid5
from headwater.store import open_store

path, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
store = open_store(path)
for number in range(count):
    run = str(uuid5(NAMESPACE_URL, f"{name} {number}"))
    source = {"namespace": "lake", "name": "in", "field": f"x{number % 3}"}
    lineage = {"fields": {"a": {"inputFields": [source]}}}
    facets = {"columnLineage": lineage, "schema": {"fields": [{"name": "a", "type": "int"}]}}
    batch = [
        {
            "eventType": kind,
            "eventTime": f"2026-01-01T{number // 3600:02}:{number // 60 % 60:02}:{number % 60:02}.{place}Z",
            "run": {"runId": run},
            "job": {"namespace": "jobs", "name": name},
            "outputs": [{"namespace": "lake", "name": "out", "facets": facets}],
        }
        for place, kind in enumerate(("START", "COMPLETE"))
    ]
    assert store.ingest(batch).accepted == 2
    print(run, flush=True)
"""


def _writer(path: Path, name: str, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", _WRITER, str(path), name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_kill_9_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "killed.db"
    with _writer(path, "killed", 100_000) as process:
        assert process.stdout
        acknowledged = [process.stdout.readline().strip() for _ in range(25)]
        os.kill(process.pid, signal.SIGKILL)
        acknowledged += process.stdout.read().split()
    with open_store(str(path)) as store, store.read() as connection:
        complete = {row[0] for row in connection.execute("SELECT uuid FROM run WHERE end_type = 'COMPLETE'")}
        assert set(acknowledged) <= complete
        assert connection.execute("SELECT count(*) FROM event").fetchone()[0] == 2 * len(complete)
        assert connection.execute("SELECT count(*) FROM version").fetchone()[0] == len(complete)
        assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"


def test_four_processes_write_one_store(tmp_path: Path, natural_view: Callable[[Store], object]) -> None:
    path, count = tmp_path / "shared.db", 20
    processes = [_writer(path, f"writer{number}", count) for number in range(4)]
    for process in processes:
        with process:
            assert process.stdout
            assert len(process.stdout.read().split()) == count
        assert process.returncode == 0
    alone = tmp_path / "alone.db"
    for number in range(4):
        with _writer(alone, f"writer{number}", count) as process:
            process.communicate()
    with open_store(str(path)) as shared, open_store(str(alone)) as single:
        assert natural_view(shared) == natural_view(single)


def test_threads_share_one_store(store: Store, maker: EventMaker) -> None:
    threads = [
        threading.Thread(target=lambda job=job: [store.ingest([maker(minute, job=job)]) for minute in range(10)])
        for job in ("a", "b", "c")
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with store.read() as connection:
        assert connection.execute("SELECT count(*) FROM version").fetchone()[0] == 30


def test_bad_events_are_reported_by_index_and_the_others_kept(store: Store, maker: EventMaker) -> None:
    bad = maker(2)
    del bad["eventTime"]
    result = store.ingest([maker(1), bad, maker(3), {"eventTime": "2026-01-01T00:00:00Z", "x": float("nan")}])
    assert result.accepted == 2
    assert [(item.index, item.field, item.reason) for item in result.rejected] == [
        (1, "eventTime", "is missing"),
        (3, "job", "is missing"),
    ]


def test_a_value_that_is_no_json_is_refused(store: Store, maker: EventMaker) -> None:
    result = store.ingest([{**maker(1), "odd": float("nan")}, {**maker(2), "odd": {1, 2}}])
    assert [str(item).split(":")[0] for item in result.rejected] == ["The event is not JSON", "The event is not JSON"]


def test_a_question_to_a_missing_store_says_so_and_makes_no_file(tmp_path: Path) -> None:
    path = tmp_path / "none.db"
    with pytest.raises(StoreError, match=r"no store at .*none\.db"), open_store(str(path)).read():
        pass
    assert not path.exists()


def test_a_folder_that_is_not_there_is_named(tmp_path: Path, maker: EventMaker) -> None:
    with pytest.raises(StoreError, match=r"missing/x\.db cannot be opened: check that its folder exists"):
        open_store(str(tmp_path / "missing" / "x.db")).ingest([maker(1)])


def test_a_file_that_is_no_database_is_refused(tmp_path: Path, maker: EventMaker) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database, and long enough to be read as one " * 40)
    for use in (lambda: open_store(str(path)).ingest([maker(1)]), lambda: open_store(str(path)).read().__enter__()):
        with pytest.raises(StoreError, match=r"notes\.txt is not a Headwater store"):
            use()


def test_a_database_of_someone_else_is_left_alone(tmp_path: Path, maker: EventMaker) -> None:
    path = tmp_path / "theirs.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    with pytest.raises(StoreError, match="not a Headwater store"):
        open_store(str(path)).ingest([maker(1)])


def test_a_store_of_a_newer_version_is_refused(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(1)])
    store.close()
    connection = sqlite3.connect(store.path)
    connection.execute("PRAGMA user_version = 999")
    connection.close()
    with pytest.raises(StoreError, match=r"newer Headwater \(store version 999"):
        store.ingest([maker(2)])
    with pytest.raises(StoreError, match="upgrade Headwater"), store.read():
        pass


def test_a_locked_store_is_said_to_be_locked(tmp_path: Path, maker: EventMaker) -> None:
    with open_store(str(tmp_path / "x.db"), timeout=0.1) as store:
        store.ingest([maker(1)])
        other = sqlite3.connect(store.path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="locked by another process"):
            store.ingest([maker(2)])
        with store.read() as connection:  # a writer does not hinder readers
            assert connection.execute("SELECT count(*) FROM event").fetchone()[0] == 1
        other.execute("ROLLBACK")
        other.close()
        assert store.ingest([maker(2)]).accepted == 1


def test_a_full_disk_is_said_and_the_store_stays_sound(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(1)])
    assert store._writer
    pages = store._writer.execute("PRAGMA page_count").fetchone()[0]
    store._writer.execute(f"PRAGMA max_page_count = {pages}")  # SQLite then answers as on a full disk
    columns = {f"column {number}": ["in.x"] for number in range(5_000)}
    with pytest.raises(StoreError, match="disk is full"):
        store.ingest([maker(2, columns=columns)])
    store.close()
    assert store.ingest([maker(2, columns=columns)]).accepted == 1


@contextmanager
def _without_rights() -> Iterator[None]:
    """Act as nobody, where the tests run as the one user who may write everything."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_store_in_a_folder_that_cannot_be_written_is_read_and_not_written(maker: EventMaker) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(f"{folder}/x.db")
        store.ingest([maker(1)])
        store.close()
        store.path.chmod(0o444)
        Path(folder).chmod(0o555)
        with _without_rights():
            with store.read() as connection:
                assert connection.execute("SELECT count(*) FROM event").fetchone()[0] == 1
            with pytest.raises(StoreError, match=r"x\.db cannot be written: give this user write access"):
                store.ingest([maker(2)])
            with pytest.raises(StoreError, match=r"y\.db cannot be opened: check that its folder exists and is"):
                open_store(f"{folder}/y.db").ingest([maker(2)])
        Path(folder).chmod(0o755)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("postgresql://host/db", "PostgreSQL is not supported yet"),
        ("mysql://host/db", "not understood"),
        ("sqlite:x.db", "not understood"),
        ("sqlite:///", "names no file"),
    ],
)
def test_urls_that_are_no_store(url: str, reason: str) -> None:
    with pytest.raises(StoreError, match=reason):
        open_store(url)


def test_urls_of_stores(tmp_path: Path) -> None:
    assert open_store("sqlite:///a/b.db").path == Path("a/b.db").absolute()
    assert open_store(f"sqlite:///{tmp_path}/b.db").path == tmp_path / "b.db"
    assert open_store("with%20space.db").path.name == "with%20space.db"
    assert open_store("sqlite:///with%20space.db").path.name == "with space.db"
