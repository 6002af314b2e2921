"""Where a store is: from a URL or a path to a database."""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import unquote

from headwater.common.errors import StoreError
from headwater.common.redaction.text import redact
from headwater.store.db.clock import Clock
from headwater.store.db.sqlite import SqliteDatabase

if TYPE_CHECKING:
    from headwater.store.db.postgres import PostgresDatabase

DEFAULT_STORE_URL = "sqlite:///headwater.db"
IDLE = 8
"""How many connections are kept open when nobody uses them, if nothing else is said."""
_PREFIX = "sqlite:///"

Database: TypeAlias = "SqliteDatabase | PostgresDatabase"


def database(
    url: str, timeout: float, idle: int = IDLE, clock: Clock | None = None, write_limit: float | None = None
) -> Database:
    """The database that a store's URL names; nothing is opened yet.

    Three slashes and a relative path, four for an absolute one; anything without a scheme is a path.

    >>> str(database("sqlite:////var/lib/headwater.db", 1))
    '/var/lib/headwater.db'
    """
    clock = clock or Clock.of_environment()
    if url.startswith(("postgresql://", "postgres://")):
        if find_spec("psycopg") is None:
            raise StoreError("PostgreSQL stores need a driver: pip install 'headwater[postgresql]'.")
        from headwater.store.db.postgres import PostgresDatabase  # noqa: PLC0415  an option

        return PostgresDatabase(url, timeout, idle, clock, write_limit)
    # Absolute: a job that changes its working directory goes on writing to the same file.
    return SqliteDatabase(_path(url).absolute(), timeout, idle, clock)


def _path(url: str) -> Path:
    if url.startswith(_PREFIX):
        path = unquote(url.removeprefix(_PREFIX))
    elif url.lower().startswith(("http://", "https://")):
        raise StoreError(
            f"{redact(url)} is a server, but this command needs its database: run it where the database"
            " is reachable, with sqlite:///file.db, postgresql://host/database or a path."
        )
    elif url.startswith("lake:"):
        raise StoreError(
            f"{url} is a lake, but this needs a store: load the lake into one with `headwater pipeline load`."
        )
    elif "://" in url or url.startswith("sqlite:"):
        raise StoreError(
            f"Invalid store {redact(url)!r}: write sqlite:///file.db, postgresql://host/database or a path."
        )
    else:
        path = url
    if not path or "\0" in path:
        raise StoreError(f"The store {url!r} has no file name: write sqlite:///file.db or a path.")
    return Path(path).expanduser()
