"""One transaction on a store's database: statements written once, for SQLite and for PostgreSQL.

A statement names its values `:name`. Where it works on a list, it reads it as a table `{given}`; `{join}` between
tables keeps to the order in which they are written:

    SELECT run.id FROM {given} {join} run ON run.uuid = given.uuid

Where the list is empty, so is what is found: the database is not asked.
"""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any, NamedTuple, Protocol, TypeAlias

from headwater.store.db.clock import Clock
from headwater.store.db.codes import NOW
from headwater.store.errors import Cancelled

Row: TypeAlias = tuple[Any, ...]

_ANY_AHEAD = "SELECT 1 FROM event WHERE event.us > :latest LIMIT 1"


@dataclass(frozen=True, slots=True)
class Given:
    """A list of rows to join with.

    `columns` says what each value is called and is: "dataset int, uuid bytes, name text".

    >>> Given("dataset int, name text", [(1, "a")]).types
    (('dataset', 'int'), ('name', 'text'))
    """

    columns: str
    rows: Sequence[Row]

    @property
    def types(self) -> tuple[tuple[str, str], ...]:
        """Names and types."""
        return _types(self.columns)


@cache
def _types(columns: str) -> tuple[tuple[str, str], ...]:
    pairs = [column.split() for column in columns.split(",")]
    return tuple((name, kind) for name, kind in pairs)


def ids(keys: Iterable[int]) -> Given:
    """A list of keys, read as `given.id`; sorted, so that what is locked by it is locked in one order."""
    return Given("id int", [(key,) for key in sorted(keys)])


class Hold(Enum):
    """How a row is held: beside all but who wants it alone, as the only one who changes it, or alone."""

    READ = "FOR KEY SHARE"
    CHANGE = "FOR NO KEY UPDATE"
    ALONE = "FOR UPDATE"


class Soon(Protocol):
    """A statement that is run before any that is asked for later; its answer is waited for when it is wanted."""

    def rows(self) -> list[Row]:
        """The rows that it found."""

    def count(self) -> int:
        """How many rows it changed."""


class _Nothing:
    """The answer where the list of a statement is empty."""

    def rows(self) -> list[Row]:
        return []

    def count(self) -> int:
        return 0


class _Foreseen(NamedTuple):
    """A statement that is going to be asked, and its answer."""

    statement: str
    given: Given | None
    values: dict[str, object]
    answer: Soon


class Session(ABC):
    """Statements in one transaction, in the order in which they are written.

    Those whose answers are not wanted yet travel to a server together with the next one whose answer is.
    """

    has_way = False
    """Whether statements travel to a server, so that fewer of them cost less."""

    def __init__(self, clock: Clock) -> None:
        self.keep_secrets = False
        """Whether events that are written are also kept as they came, as the store was told."""
        self.remembered: dict[str, dict[Any, Any]] | None = None
        """What was read and stays as it is; only where the session sees one moment of the store."""
        self._foreseen: list[_Foreseen] = []
        self._foreseeing = False
        self._latest_us = clock.latest_us()
        self._now: int | None = None
        self._cancelling = threading.Lock()
        self._cancelled = False
        self._ended = False

    @property
    def latest_us(self) -> int:
        """The last moment that does not lie ahead of the clock, when the transaction began."""
        return self._latest_us

    @property
    def now(self) -> int:
        """The moment that a question about now looks at.

        It is the last moment there is, or, where events lie ahead of the clock, the last that does not.
        """
        if self._now is None:
            self._now = self._latest_us if self.look_ahead().rows() else NOW
        return self._now

    @property
    def any_ahead(self) -> bool:
        """Whether events lie ahead of the clock."""
        return self.now != NOW

    def moment(self, at: int | None) -> int:
        """A moment to look at; now, without one."""
        return self.now if at is None else at

    def look_ahead(self) -> Soon:
        """Look for events ahead of the clock together with what is asked next: whatever is about now needs it."""
        return self.once(_ANY_AHEAD, latest=self._latest_us)

    def memory(self, of: str) -> dict[Any, Any]:
        """What the session has read of a kind, to be read once; of a session that writes, an empty one each time."""
        return {} if self.remembered is None else self.remembered.setdefault(of, {})

    def cancel(self) -> None:
        """End what the session is doing, from another thread: its statement and all later ones raise `Cancelled`.

        A statement that begins at this very moment may be missed: call it again while the session lasts.
        """
        with self._cancelling:
            self._cancelled = True
            # Afterwards the connection may be someone else's.
            if not self._ended:
                self._interrupt()

    def end(self) -> None:
        """Say that no other statement follows; from here on, the connection is not to be interrupted."""
        with self._cancelling:
            self._ended = True
        self._check()

    def _check(self) -> None:
        if self._cancelled:
            raise Cancelled("The query was cancelled before it finished.")

    @abstractmethod
    def _interrupt(self) -> None:
        """End the statement that runs on the connection."""

    def soon(self, statement: str, given: Given | None = None, /, **values: object) -> Soon:
        """Run a statement whose answer is wanted later; what is asked for until then costs one way to the server."""
        if given is not None and not given.rows:
            return _Nothing()
        self._check()
        if self._foreseeing:
            self._foreseen.append(_Foreseen(statement, given, values, self._soon(statement, given, {**values})))
            return _Nothing()
        for place, foreseen in enumerate(self._foreseen):
            if foreseen[:3] == (statement, given, values):
                return self._foreseen.pop(place).answer
        return self._soon(statement, given, values)

    def foresee(self, work: Callable[[], object]) -> None:
        """Send the statements that some work begins with together with what is asked next.

        The work is done for the sake of its statements: it finds nothing, and so comes to those only that need no
        answer. When the same is asked afterwards, the answer is there. Where there is no way to save, nothing is done.
        """
        if self.remembered is None or not self.has_way:
            return
        self._foreseeing = True
        try:
            work()
        finally:
            self._foreseeing = False

    def once(self, statement: str, /, **values: object) -> Soon:
        """Run a statement that has the same values each time; where its answer stays as it is, only the first time."""
        asked: dict[str, Soon] = self.memory("statements")
        if statement not in asked:
            self._check()
            asked[statement] = self._soon(statement, None, values)
        return asked[statement]

    def rows(self, statement: str, given: Given | None = None, /, **values: object) -> list[Row]:
        """Run a statement and return its rows."""
        return self.soon(statement, given, **values).rows()

    def run(self, statement: str, given: Given | None = None, /, **values: object) -> None:
        """Run a statement that only changes something."""
        self.soon(statement, given, **values)

    @abstractmethod
    def _soon(self, statement: str, given: Given | None, values: dict[str, object]) -> Soon:
        """Run a statement; the rows given are some."""

    @abstractmethod
    def insert(self, table: str, columns: str, rows: Sequence[Row], *, conflict: str = "") -> None:
        """Insert rows; `conflict` is what follows ON CONFLICT."""

    @abstractmethod
    def holding(self, table: str, hold: Hold) -> str:
        """What ends a SELECT whose rows of a table are to be held until the transaction ends, as `lock` holds them."""

    @abstractmethod
    def delete(self, table: str, columns: str, rows: Sequence[Row]) -> None:
        """Delete rows by some of their columns, which an index leads to."""

    @abstractmethod
    def lock(self, table: str, keys: Iterable[int], hold: Hold = Hold.CHANGE) -> None:
        """Hold rows until the transaction ends; keys are taken in their order."""

    def add_missing(self, table: str, columns: str, rows: Sequence[Row]) -> None:
        """Insert rows whose first column is unique and may be there already."""
        first = columns.partition(",")[0].strip()
        self.insert(table, columns, rows, conflict=f"({first}) DO NOTHING")

    @abstractmethod
    def touch(self) -> None:
        """Change nothing, and have the end of the transaction write to the disk all the same."""

    @abstractmethod
    def beside_others(self) -> None:
        """Let no one start what must be alone until this transaction ends."""

    @abstractmethod
    def alone(self) -> None:
        """Wait until no other transaction writes, and let none start until this one ends."""
