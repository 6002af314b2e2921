"""Tables of a store in PostgreSQL, read by many executors from one snapshot.

A transaction here exports its snapshot, and every executor's transaction imports it. Each reads a range of blocks of
the table by COPY.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice

import psycopg
import pyarrow as pa
from psycopg import sql
from pyspark.sql import DataFrame, SparkSession

from headwater.lake.frames import batch_of
from headwater.lake.tables import TABLES, store_columns
from headwater.lake.workers import in_python
from headwater.store import Store
from headwater.store.db.dialects import column_types
from headwater.store.errors import postgres_said_plainly

_BLOCKS = 8192  # 64 MB of a table for each task
_ROWS = 10_000
_ARROW = {"bigint": pa.int64(), "smallint": pa.int16(), "text": pa.string(), "bytea": pa.binary()}


@dataclass(frozen=True, slots=True)
class SharedMoment:
    """A snapshot of a store that other connections can import."""

    url: str
    shown: str
    snapshot: str
    sizes: dict[str, int]

    def read(self, spark: SparkSession, table: str, place: str) -> DataFrame | None:
        """A table's rows, written to files; None where there are none."""
        ends = range(0, self.sizes[table], _BLOCKS)
        if not ends:
            return None
        schema = ", ".join(f"`{name}` {kind}" for name, kind in TABLES[table].columns if name in store_columns(table))
        url, snapshot = self.url, self.snapshot

        def rows(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for batch in batches:
                for start in batch.column(0).to_pylist():
                    yield from _rows(url, snapshot, table, start)

        starts = spark.createDataFrame([(start,) for start in ends], "start bigint").repartition(len(ends))
        with postgres_said_plainly(self.shown):
            in_python(starts, rows, schema).write.parquet(place)
        frame = spark.read.schema(schema).parquet(place)
        return None if frame.isEmpty() else frame


@contextmanager
def shared_moment(store: Store) -> Iterator[SharedMoment]:
    """A moment that lasts until the end of the block."""
    store.prepare()
    with postgres_said_plainly(str(store.database)), psycopg.connect(store.url) as connection:
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        (snapshot,) = connection.execute("SELECT pg_export_snapshot()").fetchone() or ("",)
        sizes = connection.execute(
            "SELECT name, pg_relation_size(name::regclass) / current_setting('block_size')::bigint"
            " FROM unnest(%s::text[]) AS name",
            [list(column_types())],
        ).fetchall()
        yield SharedMoment(store.url, str(store.database), snapshot, dict(sizes))


def _rows(url: str, snapshot: str, table: str, start: int) -> Iterator[pa.RecordBatch]:
    """The rows of some blocks of a table."""
    kinds = column_types()[table]
    schema = pa.schema([(name, _ARROW[kind]) for name, kind in kinds.items()])
    with psycopg.connect(url) as connection:
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        connection.execute(sql.SQL("SET TRANSACTION SNAPSHOT {}").format(sql.Literal(snapshot)))
        statement = sql.SQL("COPY (SELECT {} FROM {} WHERE ctid >= {} AND ctid < {}) TO STDOUT (FORMAT BINARY)").format(
            sql.SQL(", ").join(map(sql.Identifier, kinds)),
            sql.Identifier(table),
            sql.Literal(f"({start},0)"),
            sql.Literal(f"({start + _BLOCKS},0)"),
        )
        with connection.cursor() as cursor, cursor.copy(statement) as copy:
            copy.set_types(list(kinds.values()))
            rows = copy.rows()
            while batch := list(islice(rows, _ROWS)):
                yield batch_of(batch, schema)
