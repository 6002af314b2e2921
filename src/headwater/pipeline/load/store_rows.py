"""A store's tables as Parquet for Spark: from PostgreSQL by the executors, from SQLite through this process."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

from pyspark.sql import DataFrame, SparkSession

from headwater.lake.tables import TABLES, store_columns
from headwater.store import Store
from headwater.store.db.dialects import key_columns
from headwater.store.db.session import Row, Session
from headwater.store.db.sqlite import SqliteDatabase

_BATCH = 20_000
Reader: TypeAlias = Callable[[str], DataFrame | None]
"""From a table's name to its rows, written to files; None where there are none."""


@contextmanager
def reading_tables(spark: SparkSession, store: Store, scratch: str) -> Iterator[Reader]:
    """Read tables from one snapshot of the store; the frames last as long as the directory."""
    if isinstance(store.database, SqliteDatabase):
        with store.read() as session:
            yield lambda table: _through_this_process(spark, session, table, f"{scratch}/{table}")
    else:
        from headwater.pipeline.load.postgres_rows import shared_moment  # noqa: PLC0415  an option

        with shared_moment(store) as moment:
            yield lambda table: moment.read(spark, table, f"{scratch}/{table}")


def _through_this_process(spark: SparkSession, session: Session, table: str, place: str) -> DataFrame | None:
    schema = ", ".join(f"`{name}` {kind}" for name, kind in TABLES[table].columns if name in store_columns(table))
    written = False
    for rows in _in_batches(session, table):
        frame = spark.createDataFrame(rows, schema, verifySchema=False)
        if not written and len(rows) < _BATCH:
            return frame  # the only batch, small enough to stay as it is
        frame.write.mode("append").parquet(place)
        written = True
    return spark.read.schema(schema).parquet(place) if written else None


def _in_batches(session: Session, table: str) -> Iterator[list[Row]]:
    """All rows of a table, in batches by the order of its key."""
    columns, key = store_columns(table), key_columns()[table]
    ordered = f"ORDER BY {', '.join(key)} LIMIT :most"
    selected = f"SELECT {', '.join(columns)} FROM {table}"  # noqa: S608  our own words
    places = [columns.index(name) for name in key]
    rows = session.rows(f"{selected} {ordered}", most=_BATCH)
    while rows:
        yield rows
        if len(rows) < _BATCH:
            return
        last = {f"k{place}": rows[-1][place] for place in places}
        behind = f"({', '.join(key)}) > ({', '.join(f':{name}' for name in last)})"
        rows = session.rows(f"{selected} WHERE {behind} {ordered}", most=_BATCH, **last)
