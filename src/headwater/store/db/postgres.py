"""A store in PostgreSQL: any number of processes write at once, each run and each dataset locked by its row."""

import os
import re
import selectors
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast, final

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from headwater.common.errors import StoreError
from headwater.common.redaction.text import redact
from headwater.store.db.clock import Clock
from headwater.store.db.dialects import column_types, for_postgres, postgres_schema
from headwater.store.db.libpq_pipeline import (
    Asked,
    NoAnswer,
    Patience,
    PatientConnection,
    Value,
    Waiting,
    Wire,
)
from headwater.store.db.schema import VERSION, check_version
from headwater.store.db.session import Given, Hold, Row, Session
from headwater.store.errors import Cancelled, TryAgain, postgres_said_plainly

_APPLICATION = "headwater"
# How long to try to cancel a statement; and how often, before the connection is dropped.
_CANCEL_SECONDS = 2.0
_CANCELS = 5
# How long a server that is silent has to accept another connection; silence begins to count as none after that.
_ANSWER_SECONDS = 5.0
_READ_VERSION = "SELECT value FROM meta WHERE key = 'version'"
# One lock in all of a database for whoever makes or upgrades the store.
_SCHEMA_LOCK = 0x48445754
# Shared by those who ingest, held alone by who rebuilds.
_WRITE_LOCK = _SCHEMA_LOCK + 1
# Rows that go with other statements; more of them go by themselves, by COPY.
_FEW = 64
# Questions and batches are many small statements that look rows up by keys. Compiling them costs more than running
# them. They are always the same, only their lists differ, so they are planned once: then by the indexes and in the
# order in which they are written, also where a table is still so small that reading all of it seems cheaper. And a
# server whose default is less than a synchronous commit would acknowledge what it may lose.
_SETTINGS = {
    "jit": "off",
    "timezone": "UTC",
    "statement_timeout": "0",
    "plan_cache_mode": "force_generic_plan",
    "enable_seqscan": "off",
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
    "join_collapse_limit": "1",
    "synchronous_commit": "on",
}
# What is between a user and the host of a URL.
_PASSWORD = re.compile(r"(?<=://)([^/@:]*):[^/@]*(?=@)")
# More than there is memory for: it goes to a file and comes back sorted. No table grows, and no log is written.
_SORT_A_MEGABYTE = """
    SELECT count(*)
    FROM (SELECT repeat('x', 1000) || number AS words FROM generate_series(1, 1000) AS number ORDER BY words) AS sorted
"""
_OPTIONS = " ".join(f"-c {name}={value}" for name, value in _SETTINGS.items())
# A server that is away without having said so is noticed within half a minute; the URL may say otherwise.
_KEEPALIVE = {"keepalives_idle": "15", "keepalives_interval": "5", "keepalives_count": "3", "tcp_user_timeout": "30000"}


def _options(url: str, lock_seconds: float) -> str:
    """The options of a connection: those of the URL or of PGOPTIONS, such as a search path; then our own.

    >>> _options("postgresql://db/lineage?options=-csearch_path%3Dapp", 1).partition(" ")[0]
    '-csearch_path=app'
    """
    given = conninfo_to_dict(url).get("options") or os.environ.get("PGOPTIONS") or ""
    return f"{given} {_OPTIONS} -c lock_timeout={int(lock_seconds * 1000)}".lstrip()


@final
class PostgresSession(Session):
    """A transaction on a connection to a server. Statements wait for one whose answer is wanted, and go together."""

    has_way = True

    def __init__(self, wire: Wire, place: str, clock: Clock) -> None:
        super().__init__(clock)
        self._wire = wire
        self._place = place
        self._cancels = 0
        self.flush = wire.flush

    def _interrupt(self) -> None:
        connection = self._wire.connection
        self._cancels += 1
        if self._cancels <= _CANCELS and _cancel(connection):
            return
        # The server does not hear, or what it works on does not stop: whoever waits for it is to go on.
        connection.drop()

    def insert(self, table: str, columns: str, rows: Sequence[Row], *, conflict: str = "") -> None:
        """Insert rows; `conflict` is what follows ON CONFLICT."""
        if not rows:
            return
        if not conflict and len(rows) > _FEW:
            self._copy(table, columns, rows)
            return
        given, literals = _unnested(table, columns, rows)
        clause = f" ON CONFLICT {conflict}" if conflict else ""
        self._wire.ask(f"INSERT INTO {table} ({columns}) {given}{clause}", literals)

    def _copy(self, table: str, columns: str, rows: Sequence[Row]) -> None:
        """Insert rows by COPY, which is the fastest; that another transaction was faster undoes this one (TryAgain)."""
        self.flush()
        statement = cast("Any", f"COPY {table} ({columns}) FROM STDIN (FORMAT BINARY)")
        with self._wire.connection.cursor() as cursor, cursor.copy(statement) as copy:
            copy.set_types(_kinds(table, columns))
            for row in rows:
                copy.write_row(row)

    def delete(self, table: str, columns: str, rows: Sequence[Row]) -> None:
        """Delete rows in one statement."""
        if rows:
            given, literals = _unnested(table, columns, rows)
            self._wire.ask(f"DELETE FROM {table} WHERE ({columns}) IN ({given})", literals)  # noqa: S608  our own words

    def lock(self, table: str, keys: Iterable[int], hold: Hold = Hold.CHANGE) -> None:
        """Hold rows until the transaction ends; keys are taken in their order."""
        if ordered := sorted(keys):
            statement = f"SELECT 1 FROM {table} WHERE id = ANY($1::bigint[]) ORDER BY id {hold.value}"  # noqa: S608  our own words
            self._wire.ask(statement, [array_literal("int", ordered)])

    def holding(self, table: str, hold: Hold) -> str:
        """What ends a SELECT whose rows of a table are to be held, in the order of their keys."""
        return f"ORDER BY {table}.id {hold.value} OF {table}"

    def touch(self) -> None:
        """Write a row as it is: the server writes another one."""
        self._wire.ask("UPDATE meta SET value = value WHERE key = 'version'")

    def beside_others(self) -> None:
        """Let no one start what must be alone until this transaction ends."""
        self._wire.ask("SELECT pg_advisory_xact_lock_shared($1)", [_WRITE_LOCK])
        self._check_version()

    def alone(self) -> None:
        """Wait until no other transaction writes, and let none start until this one ends."""
        self._wire.ask("SELECT pg_advisory_xact_lock($1)", [_WRITE_LOCK])
        self._check_version()

    def begin(self, how: str = "") -> None:
        """Begin a transaction, together with its first statement."""
        self._wire.ask(f"BEGIN {how}")
        self._version = self._check_version()

    def commit(self) -> None:
        """End the transaction; when this returns, what it changed is on the server's disk."""
        if self._version.result is None:
            self.flush()  # or all of it would be committed before the version is known
        self._wire.ask("COMMIT")
        self.flush()

    def _check_version(self) -> Asked:
        """Have what follows refused where another Headwater has upgraded the store since this one opened it."""

        def check(rows: list[Row]) -> None:
            check_version(self._place, int(rows[0][0]) if rows else 0)

        return self._wire.ask(_READ_VERSION, check=check)

    def _soon(self, statement: str, given: Given | None, values: dict[str, object]) -> Asked:
        columns = given.types if given else ()
        if given:
            for (name, kind), array in zip(columns, zip(*given.rows, strict=True), strict=True):
                values[f"given_{name}"] = array_literal(kind, array)
        written, names = for_postgres(statement, columns)
        return self._wire.ask(written, [cast("Value", values[name]) for name in names])


def _kinds(table: str, columns: str) -> list[str]:
    """The types of some columns of a table."""
    return [column_types()[table][name.strip()] for name in columns.split(",")]


def _unnested(table: str, columns: str, rows: Sequence[Row]) -> tuple[str, list[str]]:
    """Rows as a query, and its values: one array a column."""
    kinds = _kinds(table, columns)
    arrays = ", ".join(f"${place}::{kind}[]" for place, kind in enumerate(kinds, 1))
    literals = [array_literal(kind, column) for kind, column in zip(kinds, zip(*rows, strict=True), strict=True)]
    return f"SELECT * FROM unnest({arrays})", literals  # noqa: S608  our own words


def array_literal(kind: str, values: Iterable[Any]) -> str:
    r"""A list as PostgreSQL writes arrays; psycopg's own way is several times as slow.

    >>> array_literal("int", [1, None]), array_literal("text", ['say "a"'])
    ('{1,NULL}', '{"say \\"a\\""}')
    """
    if kind in {"int", "bigint", "smallint"}:
        return "{" + ",".join("NULL" if value is None else str(int(value)) for value in values) + "}"
    if kind in {"bytes", "bytea"}:
        return "{" + ",".join("NULL" if value is None else f'"\\\\x{value.hex()}"' for value in values) + "}"
    return "{" + ",".join("NULL" if value is None else _quoted(value) for value in values) + "}"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


@final
class PostgresDatabase:
    """A database of a server. Threads may share one; each transaction has a connection of its own."""

    name = "PostgreSQL"

    def __init__(self, url: str, timeout: float, idle: int, clock: Clock, write_limit: float | None = None) -> None:
        self._url = url
        self._timeout = timeout
        self._patience = Patience(timeout, None, self._is_answering)
        self._writers_patience = Patience(timeout, write_limit, self._is_answering)
        self._most_idle = idle
        self._clock = clock
        self._lock = threading.Lock()
        self._idle: list[Wire] = []
        self._current = False
        self.moved = time.monotonic()
        """When the server last answered a transaction that writes."""

    def __str__(self) -> str:
        # Who is refused something wants to know as whom.
        return redact(_PASSWORD.sub(r"\1", self._url))

    def _note_move(self) -> None:
        self.moved = time.monotonic()

    def prepare(self) -> None:
        """Make or upgrade the store now."""
        with postgres_said_plainly(str(self)):
            self._put_back(self._take())

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A transaction that writes; when it ends well, it is on the server's disk.

        Raises:
            TryAgain: the transaction met another one and was undone; do the same again.
        """
        with self._transaction("", self._writers_patience) as session:
            yield session

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A transaction that sees one moment of the store."""
        with self._transaction("ISOLATION LEVEL REPEATABLE READ, READ ONLY", self._patience) as session:
            session.remembered = {}
            try:
                yield session
            finally:
                session.end()

    @contextmanager
    def _transaction(self, how: str, patience: Patience) -> Iterator[Session]:
        with postgres_said_plainly(str(self)), self._connection() as wire:
            wire.connection.patience = patience
            wire.moved = self._note_move if patience is self._writers_patience else _nothing
            session = PostgresSession(wire, str(self), self._clock)
            session.begin(how)
            yield session
            session.commit()

    @contextmanager
    def alone(self) -> Iterator[Session]:
        """A connection outside of any transaction, for what compacts tables."""
        with postgres_said_plainly(str(self)), self._connection() as wire:
            wire.connection.patience = self._patience
            session = PostgresSession(wire, str(self), self._clock)
            self._version(wire.connection)
            yield session
            session.flush()

    def version(self) -> int:
        """The version of the store as it is now; raises `StoreError` where another Headwater wrote it."""
        with postgres_said_plainly(str(self)), self._connection() as wire:
            return self._version(wire.connection)

    def size(self) -> int:
        """Bytes of the store's tables and indexes."""
        tables = list(column_types())
        with self.reading() as session:
            rows = session.rows(
                "SELECT coalesce(sum(pg_total_relation_size(given.name::regclass)), 0)::bigint FROM {given}",
                Given("name text", [(table,) for table in tables]),
            )
        return int(rows[0][0])

    def check_room(self) -> None:
        """Raise `StoreError` where the server cannot write a megabyte more to its disk; nothing is left of it."""
        with self.reading() as session:
            session.run("SET LOCAL work_mem = '64kB'")
            # Where the tables are, and not where the server has another place for temporary files.
            session.run("SET LOCAL temp_tablespaces = ''")
            session.rows(_SORT_A_MEGABYTE)

    def close(self) -> None:
        """Close the connections that nobody uses."""
        with self._lock:
            while self._idle:
                _close(self._idle.pop().connection)

    @contextmanager
    def _connection(self) -> Iterator[Wire]:
        wire = self._take()
        try:
            yield wire
        except BaseException as error:
            wire.forget()
            # A cancellation that comes late is not to hit whoever has the connection next.
            if isinstance(error, psycopg.errors.QueryCanceled | Cancelled | NoAnswer):
                _close(wire.connection)
            if isinstance(error, NoAnswer):
                self.close()  # they lead to the same server: each would be waited for in turn
            _undo(wire.connection)
            self._put_back(wire)
            raise
        self._put_back(wire)

    def _take(self) -> Wire:
        with self._lock:
            while self._idle:
                wire = self._idle.pop()
                if _is_alive(wire.connection):
                    return wire
                _close(wire.connection)
        own = conninfo_to_dict(self._url)
        keepalive: dict[str, Any] = {name: value for name, value in _KEEPALIVE.items() if name not in own}
        connection = PatientConnection.connect(
            self._url,
            autocommit=True,
            connect_timeout=max(1, int(self._timeout)),
            application_name=_APPLICATION,
            options=_options(self._url, self._timeout),
            **keepalive,
        )
        connection.patience = self._patience
        if not self._current:
            try:
                self._create_tables(connection)
            except BaseException:
                _close(connection)
                raise
            self._current = True
        return Wire(connection)

    def _is_answering(self) -> bool:
        """Whether the server lets somebody in, or says why not: one that works on a statement is silent, too."""
        seconds = max(1, int(min(self._timeout, _ANSWER_SECONDS)))
        try:
            psycopg.connect(self._url, connect_timeout=seconds, application_name=_APPLICATION).close()
        except psycopg.Error as error:
            return "FATAL:" in str(error)
        return True

    def _put_back(self, wire: Wire) -> None:
        with self._lock:
            if len(self._idle) < self._most_idle and not wire.connection.closed:
                self._idle.append(wire)
                return
        _close(wire.connection)

    def _create_tables(self, connection: psycopg.Connection[Row]) -> None:
        if self._version(connection) == VERSION:
            return
        with connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(%s)", [_SCHEMA_LOCK])
            # Asked again under the lock: another process may have been faster.
            if self._version(connection) != VERSION:
                # This is our own text, from package data.
                connection.execute(sql.SQL(cast("Any", postgres_schema())))
                connection.execute("INSERT INTO meta (key, value) VALUES ('version', %s)", [str(VERSION)])

    def _version(self, connection: psycopg.Connection[Row]) -> int:
        """The version of the store in this database, 0 where there is none; refuses what another Headwater wrote."""
        columns = connection.execute(
            "SELECT attname::text FROM pg_attribute"
            " WHERE attrelid = to_regclass('meta') AND attnum > 0 AND NOT attisdropped"
        ).fetchall()
        if not columns:
            return 0
        if {name for (name,) in columns} != column_types()["meta"].keys():
            raise StoreError(
                f"The database {self} contains other tables and is not a Headwater store: choose another with --store."
            )
        row = connection.execute(_READ_VERSION).fetchone()
        return check_version(str(self), int(row[0]) if row else 0)


def _nothing() -> None:
    """What a transaction that only reads tells about its answers."""


def _undo(connection: PatientConnection) -> None:
    """End a transaction that failed, or the connection where it was left in the middle of something."""
    failed = {psycopg.pq.TransactionStatus.INTRANS, psycopg.pq.TransactionStatus.INERROR}
    try:
        if connection.info.transaction_status in failed:
            connection.rollback()
    except psycopg.Error:
        _close(connection)
    if connection.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
        _close(connection)


def _close(connection: PatientConnection) -> None:
    """Close a connection, whatever its server does: one that is busy is not told."""
    if connection.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
        connection.drop()
    connection.close()


def _cancel(connection: PatientConnection) -> bool:
    """Ask the server to end the statement that a connection waits for; returns whether it took the wish."""
    if not psycopg.capabilities.has_cancel_safe():
        # Older libraries ask as well as these, and wait without an end.
        asking = threading.Thread(target=connection.cancel, daemon=True)
        asking.start()
        asking.join(_CANCEL_SECONDS)
        return not asking.is_alive()
    try:
        connection.cancel_safe(timeout=_CANCEL_SECONDS)
    except psycopg.Error:
        return False
    return True


def _is_alive(connection: psycopg.Connection[Row]) -> bool:
    """Whether a connection that nobody uses can be used: one that has something to say was ended by its server."""
    if connection.closed:
        return False
    with Waiting() as waiting:
        waiting.register(connection.fileno(), selectors.EVENT_READ)
        return not waiting.select(0)


__all__ = ["PostgresDatabase", "PostgresSession", "StoreError", "TryAgain"]
