"""The store itself: events in, one transaction at a time, and connections to ask it."""

import random
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from types import TracebackType
from typing import Any, TypeAlias, TypeVar, final

from headwater.common.errors import StoreError
from headwater.openlineage.model.event import BadEvent
from headwater.store.ahead import AheadNotices, ahead_of
from headwater.store.db.clock import Clock
from headwater.store.db.location import DEFAULT_STORE_URL, IDLE, Database, database
from headwater.store.db.schema import VERSION
from headwater.store.db.session import Session
from headwater.store.entities.key_cache import Cache
from headwater.store.entities.raw_events import raw_events
from headwater.store.errors import TryAgain
from headwater.store.group_commit import GroupCommit
from headwater.store.ingest.batch import write_events
from headwater.store.ingest.prepared_event import Ready, make_ready, ready_of_text
from headwater.store.ingest.redaction import keeps_secrets
from headwater.store.upkeep.purge import purge_dataset, purge_secrets, purge_text
from headwater.store.upkeep.rebuild import rebuild
from headwater.store.upkeep.retention import Vacuumed, drop_raw
from headwater.store.upkeep.stats import Stats, stats_of

T = TypeVar("T")
_BUSY_SECONDS = 30.0
_ATTEMPTS = 20
# Events of several threads that are written together; each waits for the transaction that its own are in.
_TOGETHER = 2_000


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
    """What became of a batch: `accepted` are new, `duplicates` were there before.

    `ahead` of both lie ahead of the clock: they are stored, and count from their own time on.
    """

    accepted: int
    duplicates: int
    rejected: tuple[Rejected, ...]
    ahead: int = 0


def open_store(
    url: str = DEFAULT_STORE_URL,
    *,
    timeout: float = _BUSY_SECONDS,
    idle: int = IDLE,
    clock: Clock | None = None,
    write_limit: float | None = None,
) -> "Store":
    """A store by its URL or path; nothing is opened or made until it is used.

    Args:
        url: `sqlite:///relative.db`, `sqlite:////absolute/path.db`, a path, or `postgresql://host/database`.
        timeout: how many seconds to wait for another process that is writing, for a connection to a database server,
            and for an answer of one that no longer lets anybody in.
        idle: how many connections to keep open when nobody uses them.
        clock: what questions about now look at, and from when on events lie ahead; by default the clock of this
            machine, with the tolerance that HEADWATER_CLOCK_TOLERANCE sets.
        write_limit: how many seconds of silence of a database server to bear in a transaction that writes, even if it
            lets others in; without it, as long as its statement takes.
    """
    return Store(url, timeout, idle, clock, write_limit)


class Use(Enum):
    """What a transaction is for."""

    READ = "read"
    WRITE = "write"


Observer: TypeAlias = Callable[[Use, StoreError | None], None]
"""Learns what a transaction was for, and why it could not be carried out."""


@final
class Store:
    """A store in a file or in PostgreSQL. Threads may share one; processes open their own.

    >>> open_store("lineage.db").path.name
    'lineage.db'
    """

    def __init__(
        self,
        url: str,
        timeout: float = _BUSY_SECONDS,
        idle: int = IDLE,
        clock: Clock | None = None,
        write_limit: float | None = None,
    ) -> None:
        self.url = url
        self.clock = clock or Clock.of_environment()
        self.database: Database = database(url, timeout, idle, self.clock, write_limit)
        self.observer: Observer | None = None
        """Learns how transactions end."""
        self.keep_secrets = keeps_secrets()
        """Whether events are also kept as they came."""
        self.cache = Cache()
        self._ahead = AheadNotices(self.clock)
        self._write_together: GroupCommit[Ready, int] = GroupCommit(self.write, _TOGETHER)
        # The cache is for one writer at a time.
        self._writing = threading.Lock()

    @property
    def path(self) -> Path:
        """The file of a store that is in one."""
        path: Path | None = getattr(self.database, "path", None)
        if path is None:
            raise StoreError(f"The store {self.database} is not a file.")
        return path

    def prepare(self) -> None:
        """Make or upgrade the store now; raises `StoreError` where that cannot be done."""
        self.database.prepare()

    def ingest(self, events: Sequence[Mapping[str, Any]]) -> IngestResult:
        """Store a batch of events; when this returns, they are on disk.

        Events that cannot be stored are reported by index and left out; the others are kept, all or none of them.
        Threads that call this at the same time share transactions.
        """
        return self.ingest_prepared(*self.prepared(events))

    def ingest_many(self, batches: Iterable[Sequence[Mapping[str, Any]]]) -> Iterator[IngestResult]:
        """Store batch after batch; while the database writes one, the next is read and checked.

        A batch is on disk when its result comes. What is not taken from the iterator may not be written.
        """
        with ThreadPoolExecutor(1, thread_name_prefix="headwater-ingest") as pool:
            written: Future[IngestResult] | None = None
            for batch in batches:
                prepared = self.prepared(batch)
                if written is not None:
                    yield written.result()
                written = pool.submit(self.ingest_prepared, *prepared)
            if written is not None:
                yield written.result()

    def prepared(self, events: Sequence[Mapping[str, Any]]) -> tuple[list[Ready], list[Rejected]]:
        """Check events and take them apart, for `ingest_prepared`."""
        ready: list[Ready] = []
        rejected: list[Rejected] = []
        for index, raw in enumerate(events):
            try:
                ready.append(self.ready(raw))
            except BadEvent as bad:  # noqa: PERF203  each event is good or bad by itself
                rejected.append(Rejected(index, bad.field, bad.reason))
        return ready, rejected

    def ingest_prepared(self, ready: Sequence[Ready], rejected: Sequence[Rejected]) -> IngestResult:
        """Store what is prepared, as `ingest` does."""
        accepted = self._write_together(ready) if ready else 0
        return IngestResult(accepted, len(ready) - accepted, tuple(rejected), len(ahead_of(self.clock, ready)))

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A transaction that sees one moment of the store, for one question or several."""
        with self._observed(Use.READ), self.database.reading() as session:
            yield session

    def close(self) -> None:
        """Let go of files and connections; a later use opens them again."""
        self.database.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def ready(self, raw: Mapping[str, Any]) -> Ready:
        """Check an event and take it apart, for `write`; raises `BadEvent` where it cannot be stored."""
        return make_ready(raw, self.cache.written, keep_secrets=self.keep_secrets)

    def ready_text(self, text: bytes, read: Callable[[bytes], Any], levels: int) -> Ready:
        """The same of an event as it is written; `read` reads JSON of so many levels at most, where that is needed."""
        return ready_of_text(text, read, self.cache.written, levels=levels, keep_secrets=self.keep_secrets)

    def write(self, brought: Sequence[Sequence[Ready]]) -> list[int]:
        """Write what callers bring in one transaction; returns how many events of each were new.

        When this returns, they are on disk.
        """
        events = [event for ready in brought for event in ready]
        with self._writing:
            new = self.transact(lambda session: write_events(session, self.cache, events), self.cache)
        self._ahead.tell(events)
        accepted = []
        for ready in brought:
            mine = {event.hash for event in ready}
            accepted.append(len(mine & new))
            new -= mine  # an event that two callers bring is new for the first
        return accepted

    def transact(self, work: Callable[[Session], T], cache: Cache | None = None) -> T:
        """Do some work in a transaction that writes, again where it met another one.

        The cache that it uses is emptied where it is undone: keys that were made in it are no keys. Another one stays
        as it is, since a writer in another thread may rely on what it has looked up.
        """
        for attempt in range(_ATTEMPTS):
            try:
                with self._observed(Use.WRITE), self.database.writing() as session:
                    session.keep_secrets = self.keep_secrets
                    return work(session)
            except TryAgain:  # noqa: PERF203  the loop is there for it
                if cache is not None:
                    cache.clear()
                if attempt == _ATTEMPTS - 1:
                    raise
                time.sleep(random.uniform(0, 0.01 * 2 ** min(attempt, 6)))  # noqa: S311  to be out of step, no more
            except BaseException:
                if cache is not None:
                    cache.clear()
                raise
        raise AssertionError

    def check(self) -> None:
        """Raise `StoreError` if nothing could be stored now; changes nothing, and writes through to the disk."""
        self.database.check_room()
        self.transact(lambda session: session.touch())

    @contextmanager
    def _observed(self, use: Use) -> Iterator[None]:
        """Tell the observer whether a transaction could be carried out."""
        if self.observer is None:
            yield
            return
        try:
            yield
        except StoreError as error:
            self.observer(use, error)
            raise
        self.observer(use, None)

    def events(self, since: int | None = None, until: int | None = None) -> Iterator[dict[str, Any]]:
        """The raw events in order of time, without secrets; as they came, where the store was told to keep that.

        Those that retention dropped are left out.
        """
        return raw_events(self, since, until)

    def rebuild(self, progress: Callable[[int, int], None] | None = None) -> int:
        """Derive everything again from the facts; returns how many events there are."""
        with self._writing:
            return self.transact(lambda session: rebuild(session, self.cache, progress), self.cache)

    def vacuum(self, keep_raw_days: int | None = None) -> Vacuumed:
        """Drop the raw form of events older than some days, and give the space of what is gone back to the disk."""
        before = self.database.size()
        dropped = self.transact(lambda session: drop_raw(session, keep_raw_days)) if keep_raw_days is not None else 0
        with self.database.alone() as session:
            session.run("VACUUM")
        return Vacuumed(dropped, before, self.database.size())

    def purge_dataset(self, namespace: str, name: str) -> int:
        """Remove a dataset from all that is stored, raw events included; returns how many events named it."""
        return self._purge(lambda session: purge_dataset(session, self.cache, (namespace, name)))

    def purge_text(self, text: str) -> int:
        """Remove a text, such as a person's name, from all that is stored; returns how many events held it."""
        return self._purge(lambda session: purge_text(session, self.cache, text))

    def purge_secrets(self) -> int:
        """Remove passwords, tokens and keys from all that is stored; returns how many events held some."""
        return self._purge(lambda session: purge_secrets(session, self.cache))

    def stats(self) -> Stats:
        """How much there is."""
        with self.read() as session:
            return self.stats_in(session)

    def stats_in(self, session: Session) -> Stats:
        """How much there is, in a transaction that is open already."""
        return stats_of(session, self.database.name, str(self.database), VERSION, self.database.size())

    def _purge(self, work: Callable[[Session], int]) -> int:
        with self._writing:
            purged = self.transact(work, self.cache)
        # What was deleted stays readable in free pages until they are written again.
        with self.database.alone() as session:
            session.run("VACUUM")
        return purged
