"""A store in a file while others hold it, after an upgrade by others, and on a disk that cannot be written."""

from __future__ import annotations

import os
import resource
import sqlite3
import stat
import subprocess
import threading
from typing import TYPE_CHECKING, Any

import pytest
from tests.disks import fill, small_disk
from tests.waiting import SECONDS

from headwater.store import open_store
from headwater.store.errors import Full, Unavailable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import EventMaker

    from headwater.store import Store


def _count(store: Store) -> int:
    with store.read() as session:
        return int(session.rows("SELECT count(*) FROM event")[0][0])


def test_readers_do_not_wait_for_a_writer_who_waits_for_another_process(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(1)])
    other = sqlite3.connect(store.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    ends: list[int] = []
    writing = threading.Thread(target=lambda: ends.append(store.ingest([maker(2)]).accepted))
    writing.start()
    database: Any = store.database
    while not database._writing.locked():
        pass
    asking = threading.Thread(target=lambda: ends.append(_count(store)), daemon=True)
    asking.start()
    asking.join(SECONDS)
    assert ends == [1], "the question waited for the writer"
    other.execute("ROLLBACK")
    writing.join()
    assert ends == [1, 1]


def test_a_thread_does_not_wait_for_its_turn_without_an_end(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "x.db"), timeout=0.1) as store:
        store.prepare()
        ends: list[BaseException] = []

        def write() -> None:
            try:
                store.transact(lambda session: session.touch())
            except Unavailable as error:
                ends.append(error)

        with store.database.writing():
            writing = threading.Thread(target=write, daemon=True)
            writing.start()
            writing.join(SECONDS)
            assert "locked by another process" in str(ends[0])
        write()
        assert len(ends) == 1


def test_an_upgrade_by_others_ends_what_this_version_reads_and_writes(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(1)])
    assert _count(store) == 1
    newer = sqlite3.connect(store.path, isolation_level=None)
    newer.execute("PRAGMA user_version = 999")
    # What a newer version may well have renamed.
    newer.execute("ALTER TABLE event RENAME TO occurrence")
    for use in (lambda: store.ingest([maker(2)]), lambda: _count(store), store.check, store.vacuum):
        with pytest.raises(Unavailable, match="written by a newer Headwater"):
            use()
    assert newer.execute("SELECT count(*) FROM occurrence").fetchone() == (1,)
    assert newer.execute("PRAGMA user_version").fetchone() == (999,)
    newer.close()


def test_checking_writes_through_to_the_file_and_changes_nothing(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(1)])
    log = store.path.with_name(store.path.name + "-wal")
    before, size = list(_dump(store.path)), log.stat().st_size
    store.check()
    assert log.stat().st_size > size, "nothing was written"
    assert list(_dump(store.path)) == before
    assert sorted(path.name for path in store.path.parent.iterdir()) == [
        "lineage.db",
        "lineage.db-shm",
        "lineage.db-wal",
    ]


def _dump(path: Path) -> list[str]:
    with sqlite3.connect(path) as connection:
        return list(connection.iterdump())


def test_a_full_disk_is_noticed_before_an_event_comes(maker: EventMaker) -> None:
    with small_disk(8) as disk, open_store(str(disk / "x.db")) as store:
        store.ingest([maker(1)])
        store.check()
        ballast = fill(disk, leave=100_000)
        with pytest.raises(Full, match="because the disk is full"):
            store.check()
        ballast.unlink()
        store.check()


def test_a_disk_that_became_read_only_is_noticed(maker: EventMaker) -> None:
    with small_disk(8) as disk:
        with open_store(str(disk / "x.db")) as store:
            store.ingest([maker(1)])
        # The reader's connection stays, as a server's does.
        with open_store(str(disk / "x.db")) as store:
            assert _count(store) == 1
            remount = ["mount", "-o", "remount,ro", str(disk)]
            assert subprocess.run(remount, check=False, capture_output=True).returncode in {0, 32}
            store.close()
            subprocess.run(remount, check=True)
            with pytest.raises(Unavailable, match="Cannot write the store"):
                store.check()
            subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=True)
            store.check()


def test_a_limit_on_the_size_of_files_is_noticed(store: Store, maker: EventMaker) -> None:
    store.ingest([maker(1)])
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64 * 1024, before[1]))
    try:
        with pytest.raises(Full):
            store.check()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    store.check()


@pytest.fixture(autouse=True)
def _open_to_all() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_nobody_else_may_read_a_new_store_or_its_log(tmp_path: Path, maker: EventMaker) -> None:
    path = tmp_path / "lineage.db"
    with open_store(str(path)) as store:
        store.ingest([maker(1)])
        modes = {file.name: _mode(file) for file in tmp_path.iterdir()}
    assert modes == dict.fromkeys(("lineage.db", "lineage.db-wal", "lineage.db-shm"), 0o600)


def test_a_store_that_was_opened_to_others_stays_so(tmp_path: Path, maker: EventMaker) -> None:
    path = tmp_path / "lineage.db"
    with open_store(str(path)) as store:
        store.prepare()
    path.chmod(0o660)
    with open_store(str(path)) as store:
        store.ingest([maker(1)])
    assert _mode(path) == 0o660
