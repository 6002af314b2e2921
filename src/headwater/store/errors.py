"""What goes wrong with a store, in one sentence that names the path and what to do."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class StoreError(RuntimeError):
    """The store cannot be opened, read or written; the message is for the user."""


# Parts of SQLite's messages (Python 3.10 does not give its error codes) and what they mean to the user.
_SENTENCES = (
    ("locked", "The store {path} is locked by another process: wait for it to finish, or end it, and try again."),
    ("readonly", "The store {path} cannot be written: give this user write access to the file and its folder."),
    ("unable to open", "The store {path} cannot be opened: check that its folder exists and is writable."),
    ("not a database", "The file {path} is not a Headwater store: choose another with --store."),
    ("full", "The disk is full, so the store {path} cannot be written: free some space and try again."),
    ("malformed", "The store {path} is damaged: restore it from a copy, or remove it and ingest the events again."),
)


def sentence(error: sqlite3.Error, path: Path) -> str:
    """Say what an error of SQLite means.

    >>> sentence(sqlite3.OperationalError("database or disk is full"), Path("a.db"))
    'The disk is full, so the store a.db cannot be written: free some space and try again.'
    """
    message = str(error)
    for part, words in _SENTENCES:
        if part in message:
            return words.format(path=path)
    return f"The store {path} failed: {message}."


@contextmanager
def said_plainly(path: Path) -> Iterator[None]:
    """Turn errors of SQLite into `StoreError`."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(sentence(error, path)) from error
