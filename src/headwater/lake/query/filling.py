"""Copies the tables of a lake, or a part of their rows, into an empty store, in one transaction."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame

from headwater.lake.batches import rows as rows_of_frames
from headwater.lake.few import Few
from headwater.lake.tables import STORE_TABLES, store_columns
from headwater.lake.workers import in_python
from headwater.store.db.codes import Kind
from headwater.store.db.dialects import indexes, key_columns
from headwater.store.db.session import Row, Session
from headwater.store.entities.key_cache import Cache
from headwater.store.entities.keys import Keys, hash_of
from headwater.store.entities.search_terms import Entry, description_entry, field_entry, name_entry, note_entries
from headwater.store.entities.shapes import NOTE_KINDS
from headwater.store.model.compression import unpacked

_NAMED = {"dataset": Kind.DATASET, "job": Kind.JOB}
# A few rows of these may be very long.
_WIDE = frozenset({"event", "body", "schema", "note"})
# The columns that search indexes.
_INDEXED = {
    "dataset": ("id", "namespace", "name"),
    "job": ("id", "namespace", "name"),
    "field": ("id", "path"),
    "note": ("kind", "entity", "name", "content"),
}


def holds_nothing(session: Session) -> bool:
    """Whether no table of the history, and none that people edit, has a row."""
    return not any(session.rows(f"SELECT 1 FROM {table} LIMIT 1") for table in STORE_TABLES)  # noqa: S608  our own words


def copy_tables(
    session: Session,
    frames: Mapping[str, DataFrame],
    *,
    findable: bool = False,
    tasks: int | None = None,
    few: Few | None = None,
) -> dict[str, int]:
    """Copy rows, a batch at a time; returns the number of rows by table.

    `findable` adds the search terms of datasets, jobs, fields and notes; `tasks` limits Spark's tasks; `few` brings
    small frames.
    """
    keys = Keys(session, Cache())
    copied = dict.fromkeys(frames, 0)
    selected = {table: frame.select(*store_columns(table)) for table, frame in frames.items()}
    for table, rows in rows_of_frames(selected, tasks, few, _WIDE):
        session.insert(table, ", ".join(store_columns(table)), rows)
        copied[table] += len(rows)
        if findable and table in _INDEXED:
            keys.words(_entries(table, rows))
    return copied


def without_indexes(session: Session) -> None:
    """Drop the indexes: building them at the end costs less than updating them row by row."""
    for name in indexes():
        session.run(f"DROP INDEX {name}")


def with_indexes(session: Session) -> None:
    """Create the indexes again."""
    for statement in indexes().values():
        session.run(statement)


def numbers_go_on(session: Session, tables: Sequence[str]) -> None:
    """Let PostgreSQL's sequences continue after the greatest copied id."""
    for table in tables:
        if key_columns()[table] == ("id",):
            session.run(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), (SELECT max(id) FROM {table}))")  # noqa: S608  our own words


def add_descriptions(session: Session, frames: Mapping[str, DataFrame]) -> None:
    """Add the search terms of field descriptions."""
    if frames.keys() >= {"field", "mention", "schema"}:
        keys = Keys(session, Cache())
        for _, rows in rows_of_frames({"field": _descriptions(frames)}):
            keys.words([description_entry(*row) for row in rows])


def _entries(table: str, rows: Iterable[Row]) -> list[Entry]:
    places = [store_columns(table).index(name) for name in _INDEXED[table]]
    picked = (tuple(row[place] for place in places) for row in rows)
    if table == "field":
        return [field_entry(*row) for row in picked]
    if table == "note":
        return [entry for kind, *note in picked for entry in note_entries(NOTE_KINDS[kind], *note)]
    return [name_entry(_NAMED[table], *row) for row in picked]


def _descriptions(frames: Mapping[str, DataFrame]) -> DataFrame:
    """Fields and their descriptions in schemas."""
    seen = frames["mention"].where("schema IS NOT NULL").select("dataset", "schema").distinct()
    contents = frames["schema"].selectExpr("id AS schema", "content")
    schemas = seen.join(contents, "schema").select("dataset", "content")
    words = in_python(schemas, _read_descriptions, "dataset bigint, key binary, words string")
    fields = frames["field"].select("id", "dataset", "key")
    return words.join(fields, ["dataset", "key"]).select("id", "words").distinct()


def _read_descriptions(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        entries: list[tuple[Any, ...]] = [
            (dataset, hash_of(path), words)
            for dataset, content in zip(*(column.to_pylist() for column in batch.columns), strict=True)
            for path, _, words in json.loads(unpacked(content))
            if words
        ]
        columns = zip(*entries, strict=True) if entries else ((), (), ())
        kinds = (pa.int64(), pa.binary(), pa.string())
        arrays = [pa.array(values, kind) for values, kind in zip(columns, kinds, strict=True)]
        yield pa.record_batch(arrays, ["dataset", "key", "words"])
