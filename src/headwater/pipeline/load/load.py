"""Loads a lake into a store, which then serves it.

An empty store gets copies of the tables. A store with events of its own ingests the lake's events: the result
is that of ingesting both.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pyspark.sql import SparkSession

from headwater.lake.lake import Lake
from headwater.lake.query.filling import (
    add_descriptions,
    copy_tables,
    holds_nothing,
    numbers_go_on,
    with_indexes,
    without_indexes,
)
from headwater.lake.tables import STORE_TABLES
from headwater.pipeline.load.merge import merge
from headwater.store import Store
from headwater.store.db.session import Session
from headwater.store.entities.fields import refresh_aliases
from headwater.store.entities.key_cache import Cache
from headwater.store.entities.keys import Keys
from headwater.store.reads.transfer import loaded_snapshot, note_loaded_snapshot
from headwater.store.timeline.renames import Renames
from headwater.store.upkeep.retention import forget


@dataclass(frozen=True, slots=True)
class Loaded:
    """The result of a load.

    Attributes:
        snapshot: the lake's snapshot that the store has now.
        copied: whether the store was empty, so that tables were copied.
        accepted: how many events are new in the store.
        duplicates: how many of the events read it had already.
        rows: how many rows were copied to each table.
    """

    snapshot: int
    copied: bool
    accepted: int
    duplicates: int = 0
    rows: Mapping[str, int] = field(default_factory=dict)


def load(spark: SparkSession, store: Store, path: str) -> Loaded:
    """Bring a store up to a lake's newest snapshot.

    Raises:
        LakeError: there is no lake, or it cannot be read.
        StoreError: the store cannot be written.
    """
    lake = Lake.open(spark, path, make=False)
    store.prepare()
    with store.read() as session:
        empty = holds_nothing(session)
        before = loaded_snapshot(session, lake.snapshot.lake)
    if empty:
        rows = store.transact(lambda session: _fill(session, lake, in_postgres=store.database.name == "PostgreSQL"))
        if rows is not None:
            return Loaded(lake.snapshot.number, copied=True, accepted=rows.get("event", 0), rows=rows)
    accepted, known = merge(store, lake, before)
    store.transact(lambda session: note_loaded_snapshot(session, lake.snapshot.lake, lake.snapshot.number))
    return Loaded(lake.snapshot.number, copied=False, accepted=accepted, duplicates=known)


def _fill(session: Session, lake: Lake, *, in_postgres: bool) -> dict[str, int] | None:
    """Copy all tables; None where the store is no longer empty."""
    session.alone()
    if not holds_nothing(session):
        return None
    frames = {table: lake.read(table) for table in STORE_TABLES if not lake.is_empty(table)}
    if in_postgres:
        session.run("SET LOCAL maintenance_work_mem = '256MB'")
    without_indexes(session)
    rows = copy_tables(session, frames, findable=True)
    add_descriptions(session, frames)
    with_indexes(session)
    if in_postgres:
        numbers_go_on(session, list(frames))
        for table in STORE_TABLES:
            session.run(f"ANALYZE {table}")
    # A lake has what was written; what goes on after renames is derived here.
    keys = Keys(session, Cache())
    refresh_aliases(keys, (), Renames(keys).follow_all())
    note_loaded_snapshot(session, lake.snapshot.lake, lake.snapshot.number)
    # Running servers must look keys up again.
    forget(session)
    return rows
