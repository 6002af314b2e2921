"""A store in a file: SQLite, one process writes at a time, any number read."""

import errno
import json
import os
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import final

from headwater.common.errors import StoreError
from headwater.store.db.clock import Clock
from headwater.store.db.dialects import for_sqlite, schema
from headwater.store.db.schema import APPLICATION_ID, VERSION, check_version
from headwater.store.db.session import Given, Hold, Row, Session
from headwater.store.errors import locked, sqlite_error, sqlite_said_plainly

# Made once: `json.dumps` with options of its own makes an encoder for each call.
_as_json = json.JSONEncoder(default=bytes.hex, separators=(",", ":"), check_circular=False).encode
# What is to be left on the disk: a transaction of a few events takes no more.
_ROOM = 1024 * 1024
# What SQLite would say.
_FILE_ERRORS = {
    errno.ENOSPC: "database or disk is full",
    errno.EDQUOT: "database or disk is full",
    errno.EFBIG: "database or disk is full",
    errno.EROFS: "attempt to write a readonly database",
    errno.EACCES: "attempt to write a readonly database",
    errno.EPERM: "attempt to write a readonly database",
    errno.ENOENT: "unable to open database file",
}


@final
class SqliteSession(Session):
    """A transaction on a connection to a file."""

    def __init__(self, connection: sqlite3.Connection, clock: Clock, moved: Callable[[], None] | None = None) -> None:
        super().__init__(clock)
        self.connection = connection
        self._moved = moved or _nothing

    def _interrupt(self) -> None:
        self.connection.interrupt()

    def insert(self, table: str, columns: str, rows: Sequence[Row], *, conflict: str = "") -> None:
        """Insert rows; `conflict` is what follows ON CONFLICT."""
        if not rows:
            return
        places = ", ".join("?" * len(rows[0]))
        clause = f" ON CONFLICT {conflict}" if conflict else ""
        statement = f"INSERT INTO {table} ({columns}) VALUES ({places}){clause}"  # noqa: S608  our own words
        self._moved()
        self.connection.executemany(statement, rows)

    def delete(self, table: str, columns: str, rows: Sequence[Row]) -> None:
        """Delete rows, each by itself: of a list, SQLite would use only the first columns of the index."""
        condition = " AND ".join(f"{name.strip()} = ?" for name in columns.split(","))
        self.connection.executemany(f"DELETE FROM {table} WHERE {condition}", rows)  # noqa: S608  our own words

    def lock(self, table: str, keys: Iterable[int], hold: Hold = Hold.CHANGE) -> None:
        """Nothing to do: a transaction that writes is the only one."""

    def holding(self, table: str, hold: Hold) -> str:  # noqa: ARG002  as above
        """Nothing, for the same reason."""
        return ""

    def touch(self) -> None:
        """Write the head of the file: of a row that stays as it is, SQLite would write nothing."""
        self.connection.execute(f"PRAGMA user_version = {VERSION}")

    def beside_others(self) -> None:
        """Nothing to do, for the same reason."""

    def alone(self) -> None:
        """Nothing to do, for the same reason."""

    def _soon(self, statement: str, given: Given | None, values: dict[str, object]) -> "_Ran":
        if given is not None:
            values["given"] = _as_json(given.rows)
        self._moved()
        cursor = self.connection.execute(for_sqlite(statement, given.types if given else ()), values)
        # Read now: what is found must not depend on what is changed before it is looked at.
        return _Ran(cursor.fetchall(), cursor.rowcount)


# Rows have no cycles.
_as_json = json.JSONEncoder(default=bytes.hex, separators=(",", ":"), check_circular=False).encode


def _nothing() -> None:
    """What a transaction that only reads tells about its statements."""


@dataclass(frozen=True, slots=True)
class _Ran:
    """A statement that was run: there is no way to a server on which others could come along."""

    fetched: list[Row]
    changed: int

    def rows(self) -> list[Row]:
        return self.fetched

    def count(self) -> int:
        return self.changed


@final
class SqliteDatabase:
    """The file of a store. Threads may share one; processes open their own on the same file."""

    name = "SQLite"

    def __init__(self, path: Path, timeout: float, idle: int, clock: Clock) -> None:
        self.path = path
        self._timeout = timeout
        self._idle = idle
        self._clock = clock
        # One for the connections that are kept, which is held for a moment, and one for as long as somebody writes.
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._writer: sqlite3.Connection | None = None
        self._readers: list[sqlite3.Connection] = []
        self.moved = time.monotonic()
        """When a transaction that writes last came on by a statement: a disk that hangs holds up the one it is at."""

    def _note_move(self) -> None:
        self.moved = time.monotonic()

    def __str__(self) -> str:
        return str(self.path)

    def prepare(self) -> None:
        """Make or upgrade the store now."""
        with self._turn():
            self._open_writer()

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A transaction that writes; when it ends well, it is on disk."""
        with self._turn():
            connection = self._open_writer()
            with sqlite_said_plainly(self.path):
                connection.execute("BEGIN IMMEDIATE")
                try:
                    _version(connection, self.path)
                    yield SqliteSession(connection, self._clock, self._note_move)
                    self._note_move()
                    connection.execute("COMMIT")
                    self._note_move()
                except BaseException:
                    # Some errors (a full disk) have rolled back already.
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
                    raise

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A transaction that sees one moment of the store."""
        connection = self._take_reader()
        try:
            with sqlite_said_plainly(self.path):
                connection.execute("BEGIN")
                _version(connection, self.path)
                session = SqliteSession(connection, self._clock)
                session.remembered = {}
                try:
                    yield session
                finally:
                    session.end()
                connection.execute("ROLLBACK")
        except BaseException:
            connection.close()
            raise
        with self._lock:
            if len(self._readers) < self._idle:
                self._readers.append(connection)
                return
        connection.close()

    @contextmanager
    def alone(self) -> Iterator[Session]:
        """A connection outside of any transaction, for what compacts the file."""
        with self._turn(), sqlite_said_plainly(self.path):
            writer = self._open_writer()
            _version(writer, self.path)
            yield SqliteSession(writer, self._clock)
            # Until the log is written back, the file holds what was there before: its size, and what was purged.
            writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def version(self) -> int:
        """The version of the store as it is now; raises `StoreError` where another Headwater wrote it."""
        with self.reading() as session:
            return check_version(str(self), int(session.rows("PRAGMA user_version")[0][0]))

    def size(self) -> int:
        """Bytes on disk, the write-ahead log included."""
        parts = [self.path, self.path.with_name(self.path.name + "-wal")]
        return sum(part.stat().st_size for part in parts if part.exists())

    def check_room(self) -> None:
        """Raise `StoreError` where there is no megabyte left beside the file; nothing is left of it."""
        try:
            # It has no name, so that nothing is left of it if this process is killed now.
            with tempfile.TemporaryFile(dir=self.path.parent) as file:
                _take_room(file.fileno())
        except OSError as error:
            kind = _FILE_ERRORS.get(error.errno or 0, "disk I/O error")
            raise sqlite_error(sqlite3.OperationalError(kind), self.path) from error

    def close(self) -> None:
        """Let go of the file; a later use opens it again."""
        with self._turn():
            # The writer last: SQLite then writes the log back, which a reader cannot.
            with self._lock:
                while self._readers:
                    self._readers.pop().close()
            if self._writer is not None:
                self._writer.close()
                self._writer = None

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """The one thread that writes; the others wait no longer than they do for another process."""
        if not self._writing.acquire(timeout=self._timeout):
            raise locked(str(self.path))
        try:
            yield
        finally:
            self._writing.release()

    def _open_writer(self) -> sqlite3.Connection:
        if self._writer is None:
            with sqlite_said_plainly(self.path):
                self._writer = _connect_to_write(self.path, self._timeout)
        return self._writer

    def _take_reader(self) -> sqlite3.Connection:
        with self._lock:
            if self._readers:
                return self._readers.pop()
        if not self.path.exists():
            raise StoreError(
                f"No store at {self.path}: run a tracked job or `headwater ingest` first, or choose a store with"
                " --store."
            )
        with sqlite_said_plainly(self.path):
            connection = _open_read_only(self.path, self._timeout)
            try:
                current = _version(connection, self.path) == VERSION
            except BaseException:
                connection.close()
                raise
            if current:
                return connection
            connection.close()
            # An empty file: its tables come first.
            _connect_to_write(self.path, self._timeout).close()
            return _open_read_only(self.path, self._timeout)


def _take_room(file: int) -> None:
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file, 0, _ROOM)
    else:
        os.write(file, bytes(_ROOM))


def _make_private(path: Path) -> None:
    """Make a new file that only its owner may read and write; its log files are as it is.

    A file that is there stays as it is: whoever shares a store has changed its mode. And to close a file that another
    connection of this process uses would end that one's locks.
    """
    with suppress(OSError):  # it is there, or cannot be made, which SQLite will say
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _connect_to_write(path: Path, timeout: float) -> sqlite3.Connection:
    _make_private(path)
    # check_same_thread: a lock guards the connection, so any thread may use it in turn.
    connection = sqlite3.connect(path, timeout=timeout, isolation_level=None, check_same_thread=False)
    try:
        _prepare(connection)
        _use_wal(connection, timeout)
        # Acknowledged means durable: every commit reaches the disk before it returns.
        connection.execute("PRAGMA synchronous = FULL")
        # What is purged is not to be found in the file afterwards.
        connection.execute("PRAGMA secure_delete = FAST")
        if _version(connection, path) != VERSION:
            _create_tables(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection) -> None:
    connection.create_function("from_hex", 1, _from_hex, deterministic=True)
    connection.execute("PRAGMA cache_size = -65536")
    connection.execute("PRAGMA temp_store = MEMORY")


def _from_hex(text: str | None) -> bytes | None:
    return None if text is None else bytes.fromhex(text)


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


def _open_read_only(path: Path, timeout: float) -> sqlite3.Connection:
    uri = path.absolute().as_uri()
    connection = sqlite3.connect(
        f"{uri}?mode=ro", uri=True, timeout=timeout, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute("PRAGMA user_version").fetchone()
    except sqlite3.OperationalError:
        connection.close()
        if path.with_name(path.name + "-wal").exists():
            raise
        # A store in a folder that cannot be written: without a write-ahead log nobody is writing, so read it as it is.
        connection = sqlite3.connect(
            f"{uri}?immutable=1", uri=True, timeout=timeout, isolation_level=None, check_same_thread=False
        )
    _prepare(connection)
    return connection


def _version(connection: sqlite3.Connection, path: Path) -> int:
    """The version of an open store, 0 for an empty file; refuses what is not ours, or what another Headwater wrote."""
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    application = int(connection.execute("PRAGMA application_id").fetchone()[0])
    if application != APPLICATION_ID:
        if connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
            raise StoreError(f"The file {path} is a database but not a Headwater store: choose another with --store.")
        return 0
    return check_version(str(path), version)


def _create_tables(connection: sqlite3.Connection, path: Path) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Asked again under the lock: another process may have been faster.
        if _version(connection, path) != VERSION:
            _run_script(connection, schema())
            connection.execute(f"PRAGMA user_version = {VERSION}")
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _run_script(connection: sqlite3.Connection, script: str) -> None:
    """Run a script one statement at a time: sqlite3's executescript would commit behind our back."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            connection.execute(statement)
            statement = ""
