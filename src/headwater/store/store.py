"""The store itself: a file, a lock, and two things to do with it."""

import sqlite3
import threading
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import final

from headwater.openlineage.model import BadEvent, Event, RunEvent
from headwater.openlineage.parse import parse_event
from headwater.store.connect import connect_to_read, connect_to_write
from headwater.store.errors import said_plainly
from headwater.store.facts import Facts
from headwater.store.location import DEFAULT_STORE_URL, store_path
from headwater.store.order import canonical, digest
from headwater.store.refresh import refresh_fields, refresh_slots, refresh_versions, runs_above

_BUSY_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Rejected:
    """An event that was not stored: its place in the batch, the field at fault and why."""

    index: int
    field: str
    reason: str

    def __str__(self) -> str:
        return f"{self.field}: {self.reason}" if self.field else self.reason


@dataclass(frozen=True, slots=True)
class IngestResult:
    """What became of a batch: `accepted` are new, `duplicates` were there before."""

    accepted: int
    duplicates: int
    rejected: tuple[Rejected, ...]


@dataclass(frozen=True, slots=True)
class _Ready:
    """An event parsed, hashed and compressed before the lock is taken."""

    event: Event
    hashed: bytes
    raw: bytes


def open_store(url: str = DEFAULT_STORE_URL, *, timeout: float = _BUSY_SECONDS) -> "Store":
    """A store by its URL or path; nothing is opened or made until it is used.

    Args:
        url: `sqlite:///relative.db`, `sqlite:////absolute/path.db`, or a path.
        timeout: how many seconds to wait for another process that is writing.
    """
    # Absolute: a job that changes its working directory goes on writing to the same file.
    return Store(store_path(url).absolute(), timeout)


@final
class Store:
    """A store in a file. Threads may share one; processes open their own on the same file.

    >>> open_store("lineage.db").path.name
    'lineage.db'
    """

    def __init__(self, path: Path, timeout: float = _BUSY_SECONDS) -> None:
        self.path = path
        self._timeout = timeout
        self._lock = threading.Lock()
        self._writer: sqlite3.Connection | None = None

    def prepare(self) -> None:
        """Make or upgrade the store now; raises `StoreError` where that cannot be done."""
        with self._lock:
            self._connection()

    def ingest(self, events: Sequence[Mapping[str, object]]) -> IngestResult:
        """Store a batch of events in one transaction; when this returns, they are on disk.

        Events that cannot be stored are reported by index and left out; the others are kept.
        """
        ready: list[_Ready] = []
        rejected: list[Rejected] = []
        for index, raw in enumerate(events):
            try:
                ready.append(_make_ready(raw))
            except BadEvent as bad:  # noqa: PERF203  each event is good or bad by itself
                rejected.append(Rejected(index, bad.field, bad.reason))
        accepted = self._write(ready) if ready else 0
        return IngestResult(accepted, len(ready) - accepted, tuple(rejected))

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """A connection that sees one moment of the store, for one question."""
        connection = connect_to_read(self.path, self._timeout)
        try:
            with said_plainly(self.path):
                connection.execute("BEGIN")
                yield connection
        finally:
            connection.close()

    def close(self) -> None:
        """Let go of the file; a later use opens it again."""
        with self._lock:
            if self._writer is not None:
                self._writer.close()
                self._writer = None

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _connection(self) -> sqlite3.Connection:
        if self._writer is None:
            self._writer = connect_to_write(self.path, self._timeout)
        return self._writer

    def _write(self, ready: Sequence[_Ready]) -> int:
        with self._lock:
            connection = self._connection()
            with said_plainly(self.path):
                connection.execute("BEGIN IMMEDIATE")
                try:
                    accepted = _merge_and_derive(connection, ready)
                    connection.execute("COMMIT")
                except BaseException:
                    # Some errors (a full disk) have rolled back already.
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
                    raise
        return accepted


def _make_ready(raw: Mapping[str, object]) -> _Ready:
    event = parse_event(raw)
    try:
        written = canonical(raw)
    except RecursionError:
        raise BadEvent("", "The event is nested too deeply") from None
    except (TypeError, ValueError) as error:
        raise BadEvent("", f"The event is not JSON: {error}") from None
    return _Ready(event, digest(written), zlib.compress(written))


def _merge_and_derive(connection: sqlite3.Connection, ready: Sequence[_Ready]) -> int:
    """Merge facts and derive again what they touch; returns how many events were new."""
    new = [item for item in {item.hashed: item for item in ready}.values() if not _is_known(connection, item.hashed)]
    facts = Facts(connection)
    # A run may get another parent, so the runs above it count both before and after.
    uuids = {item.event.run_id for item in new if isinstance(item.event, RunEvent)}
    above = runs_above(connection, [facts.names.run(uuid) for uuid in sorted(uuids)])
    for item in new:
        run = facts.merge(item.event, item.hashed)
        connection.execute(
            "INSERT INTO event (hash, kind, us, run, raw) VALUES (?, ?, ?, ?, ?)",
            (item.hashed, type(item.event).__name__, item.event.time_us, run, item.raw),
        )
    above |= runs_above(connection, facts.runs)
    for dataset, since in sorted(refresh_versions(connection, facts.runs | above).items()):
        refresh_slots(connection, dataset, since)
    for dataset in sorted(facts.schemas):
        refresh_fields(connection, dataset)
    return len(new)


def _is_known(connection: sqlite3.Connection, hashed: bytes) -> bool:
    return connection.execute("SELECT 1 FROM event WHERE hash = ?", (hashed,)).fetchone() is not None
