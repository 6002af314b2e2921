"""Mappings: what a columnLineage facet says, stored once for all the runs that say the same."""

import sqlite3
from dataclasses import dataclass

from headwater.openlineage.model import ColumnEdge, ColumnLineage
from headwater.store.names import Names
from headwater.store.order import canonical, digest

ROWS = 0
"""The hidden output field that stands for a dataset's rows; every column of the dataset reads it."""


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Two mappings with the same structure differ in their descriptions at most."""

    structure: bytes
    text: bytes


def fingerprint(lineage: ColumnLineage) -> Fingerprint:
    """Fingerprints over names, so that they do not depend on the store's keys; the edges come sorted."""
    places = {structure: place for place, structure in enumerate(dict.fromkeys(map(_structure, lineage.edges)))}
    texts = [(places[_structure(edge)], edge.description) for edge in lineage.edges]
    return Fingerprint(digest(canonical([lineage.columns, list(places)])), digest(canonical(texts)))


def _structure(edge: ColumnEdge) -> tuple[str | bool | None, ...]:
    return edge.out, edge.namespace, edge.name, edge.path, edge.type, edge.subtype, edge.masking


def store_mapping(connection: sqlite3.Connection, names: Names, dataset: int, lineage: ColumnLineage) -> int:
    """The key of a mapping; its fields and edges are written when it is first seen."""
    prints = fingerprint(lineage)
    key = (dataset, prints.structure, prints.text)
    found = connection.execute(
        "SELECT id FROM mapping WHERE dataset = ? AND structure = ? AND text = ?", key
    ).fetchone()
    if found:
        return int(found[0])
    mapping = connection.execute("INSERT INTO mapping (dataset, structure, text) VALUES (?, ?, ?)", key).lastrowid
    if mapping is None:
        raise sqlite3.DatabaseError("no key for a new mapping")
    for column in lineage.columns:
        names.field(dataset, column)
    connection.executemany(
        "INSERT INTO edge (mapping, out_field, in_field, ordinal, type, subtype, masking, description)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                mapping,
                ROWS if edge.out is None else names.field(dataset, edge.out),
                names.field(names.dataset(edge.namespace, edge.name), edge.path),
                ordinal,
                edge.type,
                edge.subtype,
                edge.masking,
                edge.description,
            )
            for ordinal, edge in enumerate(lineage.edges)
        ],
    )
    return mapping
