"""A store with as many column edges in force as wanted, and a year of history behind them.

What changes something is ingested: each table's first run, and every month a tenth of the tables with another mapping.
The runs in between repeat what was there before; their rows (event, run, version) are inserted without going through
ingest, which would store the same ones more slowly. A store of more than 100,000 edges is made of copies of one with so
many (benchmarks/copies.py).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b

from benchmarks.copies import Original, add_copy
from benchmarks.history import Warehouse, in_batches
from rich.console import Console

from headwater.store import Store
from headwater.store.db.dialects import column_types
from headwater.store.db.session import Session
from headwater.store.model.order import stamp

from benchmarks.stores import progress  # isort: skip

LAYERS = 20
MONTHS = 12
A_TENTH = 10
COPIED = 100_000
VERSIONS_AN_EDGE = 0.365  # a million edges come with 365,000 versions
_DAY = 86_400_000_000
_YEAR = 365 * _DAY
_CHUNK = 2_000
_COMPLETE = 3


@dataclass(frozen=True)
class Many:
    """A warehouse and its copies, as one: the tables are counted through."""

    original: Warehouse
    copies: int

    @property
    def tables(self) -> int:
        """How many are written."""
        return self.original.tables * self.copies

    @property
    def columns(self) -> int:
        """Of each table."""
        return self.original.columns

    def name(self, table: int) -> str:
        """A table's name."""
        copy, number = divmod(table, self.original.tables)
        layer = self.original.name(number).partition(".")[0]
        return f"{layer}.t{number + copy * self.original.tables:06}"

    def moment(self, table: int, day: int) -> datetime:
        """When a table's job begins on a day."""
        return self.original.moment(table % self.original.tables, day)


def many_with(edges: int) -> Many:
    """As many tables as have so many edges in force."""
    copies = max(1, round(edges / COPIED))
    return Many(_warehouse_with(edges // copies), copies)


def _warehouse_with(edges: int) -> Warehouse:
    sample = Warehouse(tables=10_000, layers=LAYERS, dated=0)
    each = sum(sample.edges(table) for table in range(0, 10_000, 50)) / 200
    return Warehouse(tables=int(edges / each / LAYERS + 1) * LAYERS, layers=LAYERS, dated=0)


def load(store: Store, many: Many, versions: int, out: Console) -> None:
    """Fill an empty store."""
    warehouse = many.original
    changes = sum(1 for _ in _changes(warehouse))
    with progress(out) as bar:
        task = bar.add_task("what changes, ingested", total=changes)
        events = (warehouse.complete(table, day, variant) for table, day, variant in _changes(warehouse))
        for batch in in_batches(events, changes, 500):
            store.ingest(batch)
            bar.advance(task, len(batch))
        each = max(1, round(versions / many.tables))
        task = bar.add_task("runs that repeat, as rows", total=warehouse.tables)
        with store.read() as session:
            last = int(session.rows("SELECT max(dataset) FROM version")[0][0])
        for first in range(0, last + 1, _CHUNK):
            with store.database.writing() as session:
                _repeat(session, first, first + _CHUNK, each)
            bar.update(task, completed=min(first + _CHUNK, warehouse.tables))
        task = bar.add_task("copies", total=many.copies - 1)
        with store.read() as session:
            original = Original(session)
        for number in range(1, many.copies):
            with store.database.writing() as session:
                add_copy(session, original, number, warehouse.tables)
            bar.advance(task)
    _go_on_from_here(store)


def _go_on_from_here(store: Store) -> None:
    """Keys were given by hand, which PostgreSQL's own counters do not notice."""
    if store.database.name == "PostgreSQL":
        with store.database.writing() as session:
            for table, columns in column_types().items():
                if "id" in columns:
                    last = f"SELECT coalesce(max(id), 0) + 1 FROM {table}"  # noqa: S608  our own words
                    session.rows(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), ({last}))")


def _changes(warehouse: Warehouse) -> Iterator[tuple[int, int, int]]:
    """Table, day and variant of each run that changes something."""
    for table in range(warehouse.tables):
        yield table, 0, 0
    for month in range(1, MONTHS):
        for table in range(month % A_TENTH, warehouse.tables, A_TENTH):
            yield table, 30 * month, month


def _repeat(session: Session, first: int, until: int, each: int) -> None:
    """Give every slot of some datasets so many versions, evenly over the year, each a copy of the one before it."""
    there = session.rows(
        "SELECT version.dataset, version.job, version.us, version.mapping, version.inputs, event.shape, event.body,"
        " event.rest, run.streaming FROM version JOIN run ON run.id = version.run JOIN event ON event.run = run.id"
        " WHERE version.dataset >= :first AND version.dataset < :until ORDER BY version.dataset, version.us",
        first=first,
        until=until,
    )
    new = []
    for _, slot in itertools.groupby(there, key=lambda row: row[:2]):
        writes = list(slot)
        start = writes[0][2]
        for number in range(1, each):
            us = start + number * _YEAR // each + 1
            before = [write for write in writes if write[2] < us][-1]
            hashed = blake2b(f"{before[0]} {number}".encode(), digest_size=16).digest()
            new.append((hashed, us, *before))
    top = int(session.rows("SELECT max(id) FROM run")[0][0])
    runs, events, versions = [], [], []
    for run, (hashed, us, dataset, job, _, mapping, inputs, shape, body, rest, streaming) in enumerate(new, top + 1):
        stamped = stamp(us, _COMPLETE, hashed)
        runs.append((run, hashed, us, job, stamped, _COMPLETE, stamped, streaming))
        events.append((hashed, 0, _COMPLETE, us, run, shape, body, rest))
        versions.append((dataset, job, stamped, us, us, run, hashed, mapping, 0, inputs, 0, 0))
    session.insert("run", "id, uuid, first_us, job, job_stamp, end_type, end_stamp, streaming", runs)
    session.insert("event", "hash, kind, type, us, run, shape, body, rest", events)
    session.insert(
        "version", "dataset, job, stamp, us, read_us, run, uuid, mapping, carried, inputs, whole, removal", versions
    )
