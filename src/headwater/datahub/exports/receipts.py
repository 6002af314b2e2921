"""The state file of `headwater datahub send`: it remembers each aspect that a DataHub took from a store.

It is the user's own file and not a table of the store: sending only reads the store, the file is the same for SQLite
and PostgreSQL, and a copy of a store does not claim to have been sent. If it is lost, everything is sent again, which
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
    """The file, while it is open; no other process can open it meanwhile."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path

    def all(self) -> dict[Place, bytes]:
        """The digest of each aspect that was taken."""
        with _plain_errors(self._path):
            rows = self._connection.execute("SELECT urn, aspect, digest FROM sent").fetchall()
        return {Place(urn, aspect): digest for urn, aspect, digest in rows}

    def remember(self, proposals: Iterable[Proposal]) -> None:
        """Record proposals that were taken; they are on disk when this returns."""
        with _plain_errors(self._path), self._connection:
            self._connection.execute("BEGIN")
            for place, digest, _, last in proposals:
                if last:
                    self._connection.execute("DELETE FROM sent WHERE urn = ?", (place.urn,))
                self._connection.execute("INSERT OR REPLACE INTO sent VALUES (?, ?, ?)", (*place, digest))


@contextmanager
def open_sent(path: Path, target: str, store: str) -> Iterator[Sent]:
    """Open the file of a store and a DataHub, or create it.

    Raises:
        BadState: it cannot be used, belongs to another store or DataHub, or is in use.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.touch(0o600)  # readable by this user alone
    except OSError as error:
        raise BadState(
            f"Cannot write the state file {path} ({error.strerror}): choose another with --state."
        ) from error
    with _plain_errors(path), _connected(path) as connection:
        # In this mode a commit does not release the lock: it is ours from the first transaction on.
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("BEGIN EXCLUSIVE")
        ((application,),) = connection.execute("PRAGMA application_id")
        ((tables,),) = connection.execute("SELECT count(*) FROM sqlite_master")
        if application != _APPLICATION and tables:
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
def _plain_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        if "locked" in str(error):
            raise BadState(f"Another process is sending with the state file {path}: wait for it to finish.") from error
        raise BadState(
            f"Cannot use the state file {path} ({error}): remove it, or choose another with --state."
        ) from error
