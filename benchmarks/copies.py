"""Copies of all that a store holds, under other names: a large store from a small one, row by row as ingest made them.

Keys are shifted by what the first part has, hashes and UUIDs are made anew; what is shared by all (bodies, schemas,
steps, words) stays shared. Nothing can be ingested into such a store afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

from headwater.store.db.codes import FIELD_BITS
from headwater.store.db.session import Session
from headwater.store.entities.keys import hash_of
from headwater.store.entities.search_terms import add_terms
from headwater.store.model.short_names import tail_of

_NUMBERED = re.compile(r"(?<=t)(\d{6})$")
_DATASET, _JOB, _BY_NAME = 0, 2, 0
_LAST = (("mapping", "mappings"), ("inputs", "inputs"), ("shape", "shapes"), ("dataset", "datasets"))
_SHIFTED = """
INSERT INTO field (id, dataset, key, path, type, description, position)
SELECT id + :fields, dataset + :datasets, key, path, type, description, position FROM field WHERE id < :first_field;

INSERT INTO kin (field, other, how)
SELECT field + :fields, other + :fields, how FROM kin WHERE field < :first_field;

INSERT INTO edge (mapping, out_field, ordinal, in_field, step, description)
SELECT mapping + :mappings, out_field + :fields, ordinal, in_field + :fields, step, description FROM edge
WHERE mapping <= :last_mapping;

INSERT INTO input (inputs, dataset)
SELECT inputs + :inputs, dataset + :datasets FROM input WHERE inputs <= :last_inputs;

INSERT INTO mention (shape, role, dataset, said, mapping, schema, lifecycle, partial, renamed)
SELECT shape + :shapes, role, dataset + :datasets, said, mapping + :mappings, schema, lifecycle, partial, renamed
FROM mention WHERE shape <= :last_shape;

INSERT INTO slot (dataset, until_us, job, from_us, mapping, inputs)
SELECT dataset + :datasets, until_us, job + :jobs, from_us, mapping + :mappings, inputs + :inputs FROM slot
WHERE dataset <= :last_dataset;

INSERT INTO term_use (term, kind, entity, what)
SELECT term, kind, entity + :fields, what FROM term_use WHERE kind = 1 AND entity < :first_field
"""


class Original:
    """The part of a store that is copied, as far as its rows get new hashes."""

    def __init__(self, session: Session) -> None:
        rows = session.rows
        self.datasets = rows("SELECT id, namespace, name, fields, schema FROM dataset")
        self.jobs = rows("SELECT id, namespace, name FROM job")
        self.mappings = rows("SELECT id, hash, dataset, structure, text, stamp FROM mapping")
        self.shapes = rows("SELECT id, hash, kind, job, streaming FROM shape")
        self.inputs = rows("SELECT id, hash FROM inputs")
        self.runs = rows(
            "SELECT id, uuid, first_us, job, job_stamp, parent, parent_stamp, end_type, end_stamp, streaming FROM run"
        )
        self.events = rows("SELECT hash, kind, type, us, run, shape, body, rest FROM event")
        self.versions = rows(
            "SELECT dataset, job, stamp, us, read_us, run, uuid, mapping, carried, inputs, whole, removal FROM version"
        )
        self.last = {
            table: max(row[0] for row in getattr(self, table))
            for table in ("datasets", "jobs", "mappings", "shapes", "inputs", "runs")
        }


def add_copy(session: Session, of: Original, number: int, tables: int) -> None:
    """Write one more copy; the numbers in its names are greater by so many tables."""
    by = {table: number * last for table, last in of.last.items()}
    salt = number.to_bytes(4, "big")
    datasets = _named(of.datasets, number * tables, by["datasets"])
    jobs = _named(of.jobs, number * tables, by["jobs"])
    session.insert("dataset", "id, key, tail, namespace, name, fields, schema", datasets)
    session.insert("job", "id, key, tail, namespace, name", jobs)
    add_terms(
        session,
        [(_DATASET, row[0], _BY_NAME, row[4]) for row in datasets] + [(_JOB, row[0], _BY_NAME, row[4]) for row in jobs],
    )
    session.insert(
        "mapping",
        "id, hash, dataset, structure, text, stamp",
        [
            (id_ + by["mappings"], _anew(hashed, salt), dataset + by["datasets"], *rest)
            for id_, hashed, dataset, *rest in of.mappings
        ],
    )
    session.insert(
        "shape",
        "id, hash, kind, job, streaming",
        [
            (id_ + by["shapes"], _anew(hashed, salt), kind, job + by["jobs"], streaming)
            for id_, hashed, kind, job, streaming in of.shapes
        ],
    )
    session.insert("inputs", "id, hash", [(id_ + by["inputs"], _anew(hashed, salt)) for id_, hashed in of.inputs])
    _add_runs(session, of, by, salt)
    values = {
        **{table: by[table] for table in ("datasets", "jobs", "mappings", "shapes", "inputs")},
        "fields": by["datasets"] << FIELD_BITS,
        "first_field": (of.last["datasets"] + 1) << FIELD_BITS,
        **{f"last_{name}": of.last[table] for name, table in _LAST},
    }
    for statement in _SHIFTED.split(";"):
        used = {name: value for name, value in values.items() if f":{name}" in statement}
        session.run(statement, **used)


def _add_runs(session: Session, of: Original, by: dict[str, int], salt: bytes) -> None:
    session.insert(
        "run",
        "id, uuid, first_us, job, job_stamp, parent, parent_stamp, end_type, end_stamp, streaming",
        [
            (
                id_ + by["runs"],
                _anew(uuid, salt),
                first,
                _plus(job, by["jobs"]),
                job_stamp,
                _plus(parent, by["runs"]),
                *rest,
            )
            for id_, uuid, first, job, job_stamp, parent, *rest in of.runs
        ],
    )
    session.insert(
        "event",
        "hash, kind, type, us, run, shape, body, rest",
        [
            (_anew(hashed, salt), kind, type_, us, run + by["runs"], shape + by["shapes"], body, rest)
            for hashed, kind, type_, us, run, shape, body, rest in of.events
        ],
    )
    session.insert(
        "version",
        "dataset, job, stamp, us, read_us, run, uuid, mapping, carried, inputs, whole, removal",
        [
            (
                dataset + by["datasets"], job + by["jobs"], stamp, us, read_us, run + by["runs"], _anew(uuid, salt),
                _plus(mapping, by["mappings"]), carried, _plus(inputs, by["inputs"]), whole, removal,
            )
            for dataset, job, stamp, us, read_us, run, uuid, mapping, carried, inputs, whole, removal in of.versions
        ],
    )  # fmt: skip


def _named(rows: Sequence[Sequence[Any]], numbers: int, ids: int) -> list[tuple[Any, ...]]:
    """Rows of datasets or jobs under other names."""
    copies = []
    for id_, namespace, name, *rest in rows:
        other = _NUMBERED.sub(lambda match: f"{int(match.group()) + numbers:06}", name)
        other = other if other != name else f"{name} {numbers}"
        copies.append((id_ + ids, hash_of(namespace, other), tail_of(other), namespace, other, *rest))
    return copies


def _anew(hashed: bytes, salt: bytes) -> bytes:
    return blake2b(hashed, digest_size=16, salt=salt).digest()


def _plus(value: int | None, by: int) -> int | None:
    return None if value is None else value + by
