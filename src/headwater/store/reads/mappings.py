"""Mappings: those in force for datasets, and the edges that they consist of."""

from collections.abc import Collection
from typing import NamedTuple

from headwater.store.db.codes import NOW, RENAME_STEP
from headwater.store.db.predicates import in_force, is_rename
from headwater.store.db.session import Session, ids

_IN_FORCE = f"""
SELECT slot.dataset, slot.mapping FROM {{given}}
{{join}} slot ON slot.dataset = given.id AND {in_force("slot", ":now")}
WHERE slot.mapping IS NOT NULL
"""  # noqa: S608  our own words
# A rename takes every field from the one of its name.
_EDGES = f"""
SELECT edge.mapping, edge.in_field, edge.out_field, edge.step, edge.description FROM {{given}}
{{join}} edge ON edge.mapping = given.id
UNION ALL
SELECT mapping.id, old.id, field.id, {RENAME_STEP}, '' FROM {{given}}
{{join}} mapping ON mapping.id = given.id AND {is_rename("mapping")}
{{join}} field ON field.dataset = mapping.dataset
{{join}} field old ON old.dataset = mapping.origin AND old.key = field.key
"""  # noqa: S608  our own words


class MappingEdge(NamedTuple):
    """An edge of a mapping: one column feeds another, by a step with a text."""

    mapping: int
    origin: int
    column: int
    step: int
    description: str


def mappings_in_force(session: Session, datasets: Collection[int]) -> list[tuple[int, int]]:
    """The mappings in force now, each after its dataset."""
    return [(dataset, mapping) for dataset, mapping in session.rows(_IN_FORCE, ids(datasets), now=NOW)]


def edges_of(session: Session, mappings: Collection[int]) -> list[MappingEdge]:
    """The edges of mappings, and those that a rename stands for."""
    return [MappingEdge._make(row) for row in session.rows(_EDGES, ids(mappings))]
