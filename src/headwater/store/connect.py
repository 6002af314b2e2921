"""Connections to a store's file: one to write, as many as wanted to read."""

import sqlite3
import time
from pathlib import Path

from headwater.store.errors import StoreError, said_plainly
from headwater.store.migrate import is_current, migrate


def connect_to_write(path: Path, timeout: float) -> sqlite3.Connection:
    """Open a store to write, made and brought up to date where needed."""
    with said_plainly(path):
        # check_same_thread: `Store` guards the connection with a lock, so any thread may use it in turn.
        connection = sqlite3.connect(path, timeout=timeout, isolation_level=None, check_same_thread=False)
        try:
            _use_wal(connection, timeout)
            # Acknowledged means durable: every commit reaches the disk before it returns.
            connection.execute("PRAGMA synchronous = FULL")
            migrate(connection, path)
        except BaseException:
            connection.close()
            raise
        return connection


def _use_wal(connection: sqlite3.Connection, timeout: float) -> None:
    """Switch to write-ahead logging; SQLite does not wait for the lock that this needs, so we do."""
    deadline = time.monotonic() + timeout
    while connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:  # noqa: PERF203  rare, and the loop is there for it
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def connect_to_read(path: Path, timeout: float) -> sqlite3.Connection:
    """Open a store to read; a question never makes a file."""
    if not path.exists():
        raise StoreError(
            f"There is no store at {path}: run a tracked job or `headwater ingest`, or name one by --store."
        )
    with said_plainly(path):
        connection = _open_read_only(path, timeout)
        try:
            current = is_current(connection, path)
        except BaseException:
            connection.close()
            raise
    if current:
        return connection
    connection.close()
    connect_to_write(path, timeout).close()  # an older store, or an empty file: brought up to date first
    with said_plainly(path):
        return _open_read_only(path, timeout)


def _open_read_only(path: Path, timeout: float) -> sqlite3.Connection:
    uri = path.absolute().as_uri()
    connection = sqlite3.connect(f"{uri}?mode=ro", uri=True, timeout=timeout, isolation_level=None)
    try:
        connection.execute("PRAGMA user_version").fetchone()
    except sqlite3.OperationalError:
        connection.close()
        if path.with_name(path.name + "-wal").exists():
            raise
        # A store in a folder that cannot be written: without a write-ahead log nobody is writing, so read it as it is.
        connection = sqlite3.connect(f"{uri}?immutable=1", uri=True, timeout=timeout, isolation_level=None)
    return connection
