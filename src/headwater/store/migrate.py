"""Versioned migrations: `migrations/0001.sql` and on, applied in order, each in one transaction with its number."""

import sqlite3
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

from headwater.store.errors import StoreError

APPLICATION_ID = 0x48445754  # "HDWT": tells our files from other SQLite databases


@cache
def scripts() -> tuple[str, ...]:
    """The migrations, first to last."""
    folder = files("headwater.store").joinpath("migrations")
    found = sorted((item for item in folder.iterdir() if item.name.endswith(".sql")), key=lambda item: item.name)
    return tuple(item.read_text(encoding="utf-8") for item in found)


def version_of(connection: sqlite3.Connection, path: Path) -> int:
    """The version of an open store, 0 for an empty file; refuses what is not ours or is newer than we are."""
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    application = int(connection.execute("PRAGMA application_id").fetchone()[0])
    if application != APPLICATION_ID:
        if connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
            raise StoreError(f"The file {path} is a database, but not a Headwater store: choose another with --store.")
        return 0
    if version > len(scripts()):
        raise StoreError(
            f"The store {path} was written by a newer Headwater (store version {version}, this one knows "
            f"{len(scripts())}): upgrade Headwater."
        )
    return version


def is_current(connection: sqlite3.Connection, path: Path) -> bool:
    """Whether nothing is left to apply."""
    return version_of(connection, path) == len(scripts())


def migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Bring a store up to date; call it with no transaction open."""
    if is_current(connection, path):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Asked again under the lock: another process may have been faster.
        for number in range(version_of(connection, path), len(scripts())):
            for statement in _statements(scripts()[number]):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number + 1}")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _statements(script: str) -> Iterator[str]:
    """One statement at a time: sqlite3's executescript would commit behind our back."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
