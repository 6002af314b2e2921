"""What a DataHub has of a store: a small file that remembers each aspect which it took.

It is a file of the user's own and no table of the store: who sends needs to read the store only, it is the same for
SQLite and PostgreSQL, and a copy of a store does not claim to have been sent. Whoever lost it sends all again, which
changes nothing in DataHub.
"""

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from headwater.common.state_directory import state_directory
from headwater.datahub.aspects.rest_proposals import Place, Proposal
from headwater.fields.errors import DataHubError

_APPLICATION = 0x48574448  # "HWDH": tells our files from other SQLite databases
_SCHEMA = (
    "CREATE TABLE about (target TEXT NOT NULL, store TEXT NOT NULL)",
    "CREATE TABLE sent (urn TEXT, aspect TEXT, digest BLOB NOT NULL, PRIMARY KEY (urn, aspect)) WITHOUT ROWID",
    f"PRAGMA application_id = {_APPLICATION}",
)
_BUSY_SECONDS = 5.0


class BadState(DataHubError):  # noqa: N818  it says what is the matter
    """The file cannot be used; the message says why and what to do."""


def default_path(target: str, store: str) -> Path:
    """The file for a store and a DataHub, in the user's state directory.

    Raises:
        BadState: this user has none.
    """
    try:
        folder = state_directory()
    except OSError as error:
        raise BadState("This user has no home directory: choose a file with --state.") from error
    return folder / "datahub" / f"{hashlib.sha256(f'{target} {store}'.encode()).hexdigest()[:16]}.db"


class Sent:
    """The file, while it is open; nobody else can open it meanwhile."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path

    def all(self) -> dict[Place, bytes]:
        """What was taken, by digests."""
        with _said_plainly(self._path):
            rows = self._connection.execute("SELECT urn, aspect, digest FROM sent").fetchall()
        return {Place(urn, aspect): digest for urn, aspect, digest in rows}

    def remember(self, taken: Iterable[Proposal]) -> None:
        """Write down what was taken; it is on the disk when this returns."""
        with _said_plainly(self._path), self._connection:
            self._connection.execute("BEGIN")
            for one in taken:
                if one.last:
                    self._connection.execute("DELETE FROM sent WHERE urn = ?", (one.place.urn,))
                self._connection.execute("INSERT OR REPLACE INTO sent VALUES (?, ?, ?)", (*one.place, one.digest))


@contextmanager
def open_sent(path: Path, target: str, store: str) -> Iterator[Sent]:
    """Open the file of a store and a DataHub, or make it.

    Raises:
        BadState: it cannot be used, is another's, or is being used.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.touch(0o600)  # only this user may read what is in it
    except OSError as error:
        raise BadState(
            f"Cannot write the state file {path} ({error.strerror}): choose another with --state."
        ) from error
    with _said_plainly(path), _connected(path) as connection:
        # With this mode a commit does not give the lock back: it is ours from the first transaction on.
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("BEGIN EXCLUSIVE")
        ((found,),) = connection.execute("PRAGMA application_id")
        ((tables,),) = connection.execute("SELECT count(*) FROM sqlite_master")
        if found != _APPLICATION and tables:
            raise BadState(
                f"The file {path} is not a state file of `headwater datahub send`: choose another with --state."
            )
        if not tables:
            for statement in _SCHEMA:
                connection.execute(statement)
            connection.execute("INSERT INTO about VALUES (?, ?)", (target, store))
        connection.commit()
        (about,) = connection.execute("SELECT target, store FROM about")
        if about != (target, store):
            raise BadState(
                f"The state file {path} belongs to sending {about[1]} to {about[0]}: choose another with --state,"
                " or omit the option."
            )
        yield Sent(connection, path)


@contextmanager
def _connected(path: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)
    try:
        yield connection
    finally:
        connection.close()


@contextmanager
def _said_plainly(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        if "locked" in str(error):
            raise BadState(f"Another process is sending with the state file {path}: wait for it to finish.") from error
        raise BadState(
            f"Cannot use the state file {path} ({error}): remove it, or choose another with --state."
        ) from error
