"""A lake into a store, from which it is then served.

Into a store that holds nothing, tables are copied as they are. Into one that holds something, the lake's events are
written as if they had arrived: so the result is that of ingesting both.
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
from headwater.store.upkeep.retention import forget


@dataclass(frozen=True, slots=True)
class Loaded:
    """What became of a load.

    Attributes:
        snapshot: the lake's snapshot that the store now has.
        copied: whether the store held nothing, so that tables were copied.
        accepted: how many events are new in the store.
        duplicates: how many it had already, of those that were looked at.
        rows: how many rows each table was given; empty where nothing was copied.
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
        before = _loaded_before(session, lake)
    if empty:
        rows = store.transact(lambda session: _fill(session, lake, in_postgres=store.database.name == "PostgreSQL"))
        if rows is not None:
            return Loaded(lake.snapshot.number, copied=True, accepted=rows.get("event", 0), rows=rows)
    accepted, known = merge(store, lake, before)
    store.transact(lambda session: _remember(session, lake))
    return Loaded(lake.snapshot.number, copied=False, accepted=accepted, duplicates=known)


def _fill(session: Session, lake: Lake, *, in_postgres: bool) -> dict[str, int] | None:
    """Copy all tables; None where something has come into the store meanwhile."""
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
    _remember(session, lake)
    # Servers that run meanwhile are to look keys up again.
    forget(session)
    return rows


def _name(lake: Lake) -> str:
    return f"lake {lake.snapshot.lake}"


def _loaded_before(session: Session, lake: Lake) -> int:
    """The snapshot of this lake that the store has already, 0 for none."""
    found = session.rows("SELECT value FROM meta WHERE key = :key", key=_name(lake))
    return int(found[0][0]) if found else 0


def _remember(session: Session, lake: Lake) -> None:
    row = (_name(lake), str(lake.snapshot.number))
    session.insert("meta", "key, value", [row], conflict="(key) DO UPDATE SET value = excluded.value")
