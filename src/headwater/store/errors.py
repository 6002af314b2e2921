"""What goes wrong with a store, in one sentence that names the place and what to do."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from headwater.common.errors import StoreError


class TryAgain(StoreError):  # noqa: N818  it says what to do
    """The transaction met another one and was undone; the same again may well succeed."""


class Unavailable(StoreError):  # noqa: N818  it says how the store is
    """The store cannot be used as things are: away, locked, not to be written. No event is at fault."""


class Full(Unavailable):
    """There is no room left on the store's disk."""


class Cancelled(StoreError):  # noqa: N818  it says what happened
    """The question was ended before its answer was there, by `Session.cancel`."""


_LOCKED = "The store {place} is locked by another process: wait for it to finish, or stop it, then try again."
# Parts of SQLite's messages (Python 3.10 does not give its error codes) and what they mean to the user.
_SQLITE = (
    ("locked", _LOCKED.replace("{place}", "{path}")),
    ("readonly", "Cannot write the store {path}: give this user write access to the file and its folder."),
    ("unable to open", "Cannot open the store {path}: check that its folder exists and is writable."),
    ("not a database", "The file {path} is not a Headwater store: choose another with --store."),
    ("full", "Cannot write the store {path} because the disk is full: free some space and try again."),
    ("disk I/O error", "The disk of the store {path} failed: check the disk and its free space, then try again."),
    ("malformed", "The store {path} is damaged: restore it from a backup, or remove it and ingest the events again."),
)

_ENDED = "The query on the store {place} was cancelled before it finished."
_INTERRUPTED = "interrupted"

NO_ANSWER = "HW001"
"""What stands for the SQLSTATE of a server that does not answer: it gives none."""

# SQLSTATE, or the class that it begins with, and what it means to the user.
_POSTGRES = (
    (NO_ANSWER, "The database server of the store {url} does not answer: check what it waits for, then try again."),
    ("53100", "Cannot write the store {url} because the server's disk is full: free some space and try again."),
    ("53300", "The database server of the store {url} has no free connections: close some, or raise max_connections."),
    ("55P03", _LOCKED.replace("{place}", "{url}")),
    ("28", "The database server of the store {url} rejected the login: check the user and password in the URL."),
    ("3D000", "The database of the store {url} does not exist: create it with createdb."),
    ("42501", "This user lacks permission in the store {url}: grant it the rights of the tables' owner."),
    ("42P07", "The database of the store {url} contains other tables: use another database, created with createdb."),
    ("25006", "The store {url} is read-only: connect to the primary server to write."),
    ("57P", "The database server of the store {url} is starting or shutting down: try again when it is up."),
    ("22021", "The database of the store {url} cannot store all characters: create it with ENCODING 'UTF8'."),
    ("22P05", "The database of the store {url} cannot store all characters: create it with ENCODING 'UTF8'."),
)
# A deadlock, or a row that another transaction changed or added first.
_AGAIN = ("40P01", "40001", "23505")
# The session was cancelled.
_CANCELLED = "57014"
_FULL = "53100"
_REFUSED_VALUE = "22000"
# What an event may be at fault for: characters that the database does not take.
_CHARACTERS = ("22021", "22P05")


def locked(place: str) -> Unavailable:
    """The error while others hold the store for longer than one waits."""
    return Unavailable(_LOCKED.format(place=place))


def sqlite_sentence(error: sqlite3.Error, path: Path) -> str:
    """Say what an error of SQLite means.

    >>> sqlite_sentence(sqlite3.OperationalError("database or disk is full"), Path("a.db"))
    'Cannot write the store a.db because the disk is full: free some space and try again.'
    """
    message = str(error)
    for part, words in _SQLITE:
        if part in message:
            return words.format(path=path)
    return f"The store {path} failed: {message}."


def postgres_sentence(state: str | None, message: str, url: str) -> str:
    """Say what an error of PostgreSQL means.

    >>> postgres_sentence("3D000", 'database "x" does not exist', "postgresql://db/x")
    'The database of the store postgresql://db/x does not exist: create it with createdb.'
    """
    for start, words in _POSTGRES:
        if state and state.startswith(start):
            return words.format(url=url)
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    reason = lines[0] if lines else "no reason given"
    for words, start in (("password authentication failed", "28"), ("does not exist", "3D000")):
        if state is None and words in message:  # a refusal while connecting comes without its code
            return postgres_sentence(start, message, url)
    if state is None and message.startswith("invalid"):
        # What follows the colon is a part of the URL, and may be the password.
        return f"Invalid store URL {url} ({reason.partition(':')[0]}): percent-encode special characters."
    if state is None or state.startswith("08"):
        return f"Cannot reach the database server of the store {url}: start it, or check the host and port ({reason})."
    return f"The store {url} failed: {reason}."


def sqlite_error(error: sqlite3.Error, path: Path) -> StoreError:
    """An error of SQLite as one for the user.

    >>> sqlite_error(sqlite3.OperationalError("database or disk is full"), Path("a.db"))
    Full('Cannot write the store a.db because the disk is full: free some space and try again.')
    """
    message = str(error)
    if _INTERRUPTED in message:
        return Cancelled(_ENDED.format(place=path))
    known = any(part in message for part, _ in _SQLITE)
    kind = Full if "is full" in message else Unavailable if known else StoreError
    return kind(sqlite_sentence(error, path))


def postgres_error(state: str | None, message: str, url: str) -> StoreError:
    """An error of PostgreSQL as one for the user.

    >>> type(postgres_error("55P03", "canceling statement due to lock timeout", "postgresql://db/x")).__name__
    'Unavailable'
    """
    if state == _CANCELLED:
        return Cancelled(_ENDED.format(place=url))
    known = state is None or state.startswith(("08", *(start for start, _ in _POSTGRES)))
    kind = Unavailable if known and state not in _CHARACTERS else StoreError
    if state in _AGAIN:
        kind = TryAgain
    elif state == _FULL:
        kind = Full
    return kind(postgres_sentence(state, message, url))


@contextmanager
def sqlite_said_plainly(path: Path) -> Iterator[None]:
    """Turn errors of SQLite into `StoreError`."""
    try:
        yield
    except sqlite3.Error as error:
        raise sqlite_error(error, path) from error


@contextmanager
def postgres_said_plainly(url: str) -> Iterator[None]:
    """Turn errors of PostgreSQL into `StoreError`."""
    import psycopg  # noqa: PLC0415  an option: who has no PostgreSQL needs no driver

    try:
        yield
    except psycopg.Error as error:
        # The driver itself refuses values that no database takes, without a code; there is none for a lost server, too.
        state = _REFUSED_VALUE if isinstance(error, psycopg.DataError) else None
        raise postgres_error(error.sqlstate or state, str(error), url) from error
