"""Facets of datasets and jobs that events carry beside lineage: ownership, tags, documentation and others."""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from headwater.store.db.codes import Kind, NoteKind
from headwater.store.db.predicates import last_event
from headwater.store.db.session import Given, Row, Session, ids
from headwater.store.entities.keys import hash_of

# Of each the last event that carries it; of two of one moment, the one with the greater hash is the later.
_EVENT = f"""event ON event.shape = note.shape
    AND event.us = {last_event("note.shape", ":at")}"""
_OF_ENTITIES = f"""
SELECT given.id, note.name, note.content, event.us, event.hash
FROM {{given}} {{join}} note ON note.kind = :kind AND note.entity = given.id {{join}} {_EVENT}
"""  # noqa: S608  our own words
_OF_DATASETS = f"""
SELECT note.entity, note.name, note.content, event.us, event.hash
FROM note JOIN {_EVENT} WHERE note.kind = {NoteKind.DATASET} AND note.name = :name
"""  # noqa: S608  our own words
# Of each facet the time of the last event that carries it.
_OWNERSHIP = f"""
SELECT given.place, note.content, {last_event("note.shape")}
FROM {{{{given}}}}
{{{{join}}}} {{table}} t ON t.key = given.key
{{{{join}}}} note ON note.kind = :kind AND note.entity = t.id AND note.name = 'ownership'
"""  # noqa: S608  our own words


class NoteRow(NamedTuple):
    """A facet as JSON, empty where it was deleted, and an event that carries it."""

    entity: int
    name: str
    content: str
    us: int
    hash: bytes


class Ownership(NamedTuple):
    """An ownership facet as JSON, the place of its dataset or job in the list, and when it was last sent."""

    place: int
    content: str
    us: int | None


def notes_until(session: Session, kind: Kind, keys: Collection[int], at: int) -> list[NoteRow]:
    """The facets of datasets or jobs, each with its last event up to a moment."""
    note_kind = NoteKind.DATASET if kind is Kind.DATASET else NoteKind.JOB
    return [NoteRow._make(row) for row in session.rows(_OF_ENTITIES, ids(keys), kind=int(note_kind), at=at)]


def dataset_notes_until(session: Session, name: str, at: int) -> list[NoteRow]:
    """The facets of one name of all datasets, each with its last event up to a moment."""
    return [NoteRow._make(row) for row in session.rows(_OF_DATASETS, name=name, at=at)]


def ownership(session: Session, kind: NoteKind, names: Iterable[tuple[str, str]]) -> list[Ownership]:
    """The ownership facets of datasets or jobs, by their namespaces and names."""
    keys: list[Row] = [(place, hash_of(namespace, name)) for place, (namespace, name) in enumerate(names)]
    statement = _OWNERSHIP.format(table="dataset" if kind is NoteKind.DATASET else "job")
    rows = session.rows(statement, Given("place int, key bytes", keys), kind=int(kind))
    return [Ownership._make(row) for row in rows]
