"""What the benchmarks of the store share: databases of their own, CPU time, sizes, and how a figure is shown."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from tests.postgres import Postgres, running_postgres

from headwater.store import Store, open_store
from headwater.store.db.dialects import column_types

DATABASES = ("postgresql", "sqlite")
_TICKS = os.sysconf("SC_CLK_TCK")
# What a server on a machine of a few gigabytes is usually given; everything that is about not losing data stays on.
SETTINGS = {"shared_buffers": "1GB", "max_wal_size": "4GB", "max_connections": "60", "synchronous_commit": "on"}


@dataclass
class Place:
    """A database for a benchmark."""

    name: str
    url: str
    server: Postgres | None = None

    def cpu(self) -> tuple[float, float]:
        """What this Python and its children, and the server, have used so far, in seconds."""
        own = sum(os.times()[:4])
        return own, server_cpu(self.server) if self.server else 0.0


def server_cpu(server: Postgres) -> float:
    """What a server has used: its first process with the ones that ended, and those that live."""
    return _spent(server.pid, 4) + sum(_spent(pid, 2) for pid in server.processes())


def _spent(pid: int, fields: int) -> float:
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except (FileNotFoundError, ProcessLookupError):  # it has just ended
        return 0.0
    return sum(map(int, text.rpartition(")")[2].split()[11 : 11 + fields])) / _TICKS


@contextmanager
def server() -> Iterator[Postgres]:
    """A PostgreSQL of one's own, with fsync and synchronous_commit on; nothing is left of it."""
    with running_postgres(durable=True, databases=(), settings=SETTINGS) as running:
        assert running.run("SHOW fsync", "postgres") == running.run("SHOW synchronous_commit", "postgres") == "on"
        yield running


@contextmanager
def places(kinds: Sequence[str]) -> Iterator[Callable[[str], list[Place]]]:
    """A function that makes an empty database of each kind; all of them go away at the end."""
    with tempfile.TemporaryDirectory(prefix="headwater-bench-") as folder:
        if "postgresql" not in kinds:
            yield lambda name: [Place("SQLite", f"sqlite:///{folder}/{name}.db")]
            return
        with server() as running:

            def make(name: str) -> list[Place]:
                stores = [Place("PostgreSQL", running.create(name), running)]
                return stores + [Place("SQLite", f"sqlite:///{folder}/{name}.db")] * ("sqlite" in kinds)

            yield make


def remove(place: Place) -> None:
    """Drop a database that is no longer wanted: the disk is not without end."""
    if place.server:
        place.server.drop(place.url.rpartition("/")[2])
    else:
        for path in Path(place.url.removeprefix("sqlite:///")).parent.glob(f"{Path(place.url).name}*"):
            path.unlink()


@dataclass(frozen=True)
class Size:
    """Bytes of a store: all of it with its indexes, and the raw events in it."""

    total: int
    raw: int


def size(place: Place, *, compact: bool) -> Size:
    """How large a store is, after a VACUUM that also packs the pages if wanted."""
    tables = column_types()
    with open_store(place.url) as store:
        with store.read() as session:
            raw = sum(
                int(session.rows(f"SELECT coalesce(sum(length({column})), 0) FROM {table}")[0][0])  # noqa: S608
                for table, column in (("event", "rest"), ("body", "content"))
            )
        with store.database.alone() as session:
            if place.server:
                session.run("VACUUM FULL" if compact else "VACUUM")
                bytes_used = sum(
                    int(session.rows(f"SELECT pg_total_relation_size('{table}')")[0][0]) for table in tables
                )
            else:
                if compact:
                    session.run("VACUUM")
                session.rows("PRAGMA wal_checkpoint(TRUNCATE)")
                bytes_used = int(session.rows("PRAGMA page_count")[0][0]) * int(session.rows("PRAGMA page_size")[0][0])
    return Size(bytes_used, raw)


def progress(console: Console) -> Progress:
    """A bar for what takes long."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=console, transient=True)


class Figures:
    """A table of what was asked, what was seen, and the ratio of the two: 1 or more is good."""

    def __init__(self, title: str, console: Console) -> None:
        self._table = Table("what", "asked", "seen", "ratio", "more", title=title)
        self._console = console

    def at_least(self, label: str, seen: float, asked: float | None, unit: str, more: str = "") -> None:
        """A figure that is better the greater it is."""
        self._add(label, seen, asked, "≥", unit, None if asked is None else seen / asked, more)

    def at_most(self, label: str, seen: float, asked: float | None, unit: str, more: str = "") -> None:
        """A figure that is better the smaller it is."""
        self._add(label, seen, asked, "≤", unit, None if asked is None else asked / max(seen, 1e-9), more)

    def _add(  # noqa: PLR0913, PLR0917  the parts of a line
        self, label: str, seen: float, asked: float | None, sign: str, unit: str, ratio: float | None, more: str
    ) -> None:
        target = "" if asked is None else f"{sign} {asked:,.0f} {unit}"
        shown = f"{seen:,.0f}" if seen >= 100 else f"{seen:.2f}" if seen < 10 else f"{seen:.1f}"  # noqa: PLR2004
        colour = "" if ratio is None else "[green]" if ratio >= 1 else "[red]"
        self._table.add_row(label, target, f"{shown} {unit}", "" if ratio is None else f"{colour}{ratio:.2f}", more)

    def show(self) -> None:
        """Print it."""
        self._console.print(self._table)


def percentile(values: Sequence[float], share: float) -> float:
    """The value that so many in a hundred do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share / 100))]


def timed(call: Callable[[], object]) -> float:
    """Seconds that a call takes."""
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def opened(place: Place) -> Store:
    """The store in a place."""
    return open_store(place.url)
