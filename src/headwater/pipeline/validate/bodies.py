"""Reads bodies on the executors, by the store's own functions: what each means, by names and hashes."""

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pyarrow as pa

from headwater.common.column_path import ancestors
from headwater.lake.frames import Batches, rows_of
from headwater.store.db.codes import EventKind
from headwater.store.entities.keys import hash_of
from headwater.store.entities.shapes import (
    LEFT_OUT_STEP,
    ROW_SOURCE_STEP,
    datasets_of,
    fields_of,
    mapping_hash,
    schema_content,
    schema_hash,
    steps_of,
)
from headwater.store.ingest.prepared_event import meaning_of_body
from headwater.store.model.compression import packed, unpacked
from headwater.store.model.meaning import Meaning, Mention, Name
from headwater.store.model.short_names import tail_of

_BATCH = 200
_HASH, _TEXT, _BIG, _SMALL = pa.binary(), pa.string(), pa.int64(), pa.int16()
_NAMED = [("key", _HASH), ("tail", _BIG), ("namespace", _TEXT), ("name", _TEXT)]
_LISTS = {
    "datasets": _NAMED,
    "mentions": [
        ("role", _SMALL), ("dataset", _HASH), ("said", _SMALL), ("mapping", _HASH), ("schema", _HASH),
        ("lifecycle", _TEXT), ("partial", _SMALL), ("renamed", _HASH),
    ],
    "symlinks": [("alias", _HASH), ("physical", _HASH)],
    "made_of": [("dataset", _HASH), ("job", pa.struct(_NAMED)), ("source", _HASH)],
    "notes": [("dataset", _HASH), ("name", _TEXT), ("content", _TEXT)],
    "schemas": [("hash", _HASH), ("content", pa.binary())],
    "mappings": [("hash", _HASH), ("dataset", _HASH), ("structure", _HASH), ("text", _HASH), ("origin", _HASH)],
    "steps": [("hash", _HASH), ("type", _TEXT), ("subtype", _TEXT), ("masking", _SMALL)],
    "edges": [
        ("mapping", _HASH), ("out_dataset", _HASH), ("out_path", _TEXT), ("ordinal", _BIG), ("in_dataset", _HASH),
        ("in_path", _TEXT), ("step", _HASH), ("description", _TEXT),
    ],
    "fields": [("dataset", _HASH), ("key", _HASH), ("path", _TEXT)],
}  # fmt: skip
READ = pa.schema(
    [("shape", _HASH), ("stamp", _HASH), ("kind", _SMALL), ("streaming", _SMALL), ("job", pa.struct(_NAMED))]
    + [(name, pa.list_(pa.struct(parts))) for name, parts in _LISTS.items()]
)
"""What a body means: a row, with its parts in lists."""
NAMED = pa.schema(_NAMED)
"""A job by name."""


def read_bodies(batches: Batches) -> Batches:
    """Bodies (content, kind, stamp) to what they mean; for `mapInArrow`."""
    rows = (
        {"stamp": stamp, **_row(meaning_of_body(json.loads(unpacked(content)), EventKind(kind)))}
        for content, kind, stamp in rows_of(batches, ("content", "kind", "stamp"))
    )
    while batch := list(islice(rows, _BATCH)):
        yield pa.RecordBatch.from_pylist(batch, READ)


def name_jobs(batches: Batches) -> Batches:
    """Names of jobs to the columns of `NAMED`; for `mapInArrow`."""
    for batch in batches:
        names = zip(batch.column("namespace").to_pylist(), batch.column("name").to_pylist(), strict=True)
        yield pa.RecordBatch.from_pylist([_named(name) for name in names], NAMED)


def _named(name: Name) -> dict[str, Any]:
    return {"key": hash_of(*name), "tail": tail_of(name[1]), "namespace": name[0], "name": name[1]}


def _row(meaning: Meaning) -> dict[str, Any]:
    keys = {name: hash_of(*name) for name in datasets_of(meaning)}
    steps = {step for mention in meaning.mentions if mention.lineage for step in steps_of(mention.lineage)}
    schemas = {
        schema_hash(mention.schema): mention.schema for mention in meaning.mentions if mention.schema is not None
    }
    mapped = {mapping_hash(mention): mention for mention in meaning.mentions if mapping_hash(mention)}
    return {
        "shape": meaning.hash,
        "kind": int(meaning.kind),
        "streaming": int(meaning.streaming),
        "job": _named(meaning.job) if meaning.job else None,
        "datasets": [_named(name) for name in keys],
        "mentions": [
            {
                "role": int(mention.role),
                "dataset": keys[mention.dataset],
                "said": int(mention.said),
                "mapping": mapping_hash(mention) or None,
                "schema": None if mention.schema is None else schema_hash(mention.schema),
                "lifecycle": mention.lifecycle,
                "partial": int(mention.partial),
                "renamed": keys[mention.renamed] if mention.renamed else None,
            }
            for mention in meaning.mentions
        ],
        "symlinks": [{"alias": keys[alias], "physical": keys[physical]} for alias, physical in meaning.symlinks],
        "made_of": [
            {
                "dataset": keys[made.dataset] if made.dataset else None,
                "job": _named(made.job) if made.job else None,
                "source": keys[made.source] if made.source else None,
            }
            for made in meaning.made_of
        ],
        "notes": [
            {"dataset": keys[note.dataset] if note.dataset else None, "name": note.name, "content": note.content}
            for note in meaning.notes
        ],
        "schemas": [{"hash": hashed, "content": packed(schema_content(schema))} for hashed, schema in schemas.items()],
        "mappings": [_mapping(hashed, mention, keys) for hashed, mention in mapped.items()],
        "steps": [{"hash": hash_of(*step), "type": step[0], "subtype": step[1], "masking": step[2]} for step in steps],
        "edges": [edge for hashed, mention in mapped.items() for edge in _edges(hashed, mention, keys)],
        "fields": [
            {"dataset": keys[name], "key": hash_of(path), "path": path}
            for name, path in {
                (name, path) for name, inner in fields_of(meaning) for path in (*ancestors(inner), inner)
            }
        ],
    }


def _mapping(hashed: bytes, mention: Mention, keys: dict[Name, bytes]) -> dict[str, Any]:
    prints = mention.prints
    return {
        "hash": hashed,
        "dataset": keys[mention.dataset],
        "structure": prints.structure if prints else b"",
        "text": prints.text if prints else b"",
        "origin": keys[mention.renamed] if mention.renamed and not prints else None,
    }


def _edges(hashed: bytes, mention: Mention, keys: dict[Name, bytes]) -> Iterator[dict[str, Any]]:
    if mention.lineage is None:
        return
    for ordinal, edge in enumerate(mention.lineage.edges):
        yield {
            "mapping": hashed,
            "out_dataset": keys[mention.dataset],
            "out_path": edge.out,
            "ordinal": ordinal,
            "in_dataset": keys[edge.namespace, edge.name],
            "in_path": edge.path,
            "step": hash_of(edge.type, edge.subtype, int(edge.masking)),
            "description": edge.description,
        }
    # Without a path it is from the rows.
    for ordinal, column in enumerate(mention.lineage.left_out, start=len(mention.lineage.edges)):
        yield {
            "mapping": hashed,
            "out_dataset": keys[mention.dataset],
            "out_path": column,
            "ordinal": ordinal,
            "in_dataset": keys[mention.dataset],
            "in_path": None,
            "step": hash_of(*LEFT_OUT_STEP),
            "description": "",
        }
    counted = len(mention.lineage.edges) + len(mention.lineage.left_out)
    for ordinal, read in enumerate(mention.lineage.row_sources or (), start=counted):
        yield {
            "mapping": hashed,
            "out_dataset": keys[mention.dataset],
            "out_path": read.out,
            "ordinal": ordinal,
            "in_dataset": keys[read.namespace, read.name],
            "in_path": None,
            "step": hash_of(*ROW_SOURCE_STEP),
            "description": "",
        }
