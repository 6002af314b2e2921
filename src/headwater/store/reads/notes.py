"""Facets of datasets and jobs that events carry beside lineage: ownership, tags, documentation, DataHub's aspects.

Aspects are looked up by the hashes of names; a row's `place` is the position of its entity in the list.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from headwater.store.db.codes import Kind, NoteKind
from headwater.store.db.predicates import first_event, last_event
from headwater.store.db.session import Given, Session, ids
from headwater.store.entities.keys import hash_of
from headwater.store.model.meaning import Name

# Of each the last event that carries it; of two of one moment, the one with the greater hash is the later.
_EVENT = f"""event ON event.shape = note.shape
    AND event.us = {last_event("note.shape", ":at")}"""
_OF_ENTITIES = f"""
SELECT given.id, note.name, note.content, event.us, event.hash
FROM {{given}} {{join}} note ON note.kind = :kind AND note.entity = given.id {{join}} {_EVENT}
"""  # noqa: S608  our own words
_NAMED = f"""
SELECT note.entity, note.name, note.content, event.us, event.hash
FROM note JOIN {_EVENT} WHERE note.kind = :kind AND note.name = :name
"""  # noqa: S608  our own words
# Of each facet the time of the last event by now that carries it.
_OWNERSHIP = f"""
SELECT given.place, note.content, {last_event("note.shape", ":now")}
FROM {{{{given}}}} {{{{join}}}} {{table}} t ON t.key = given.key
{{{{join}}}} note ON note.kind = :kind AND note.entity = t.id AND note.name = 'ownership'
"""  # noqa: S608  our own words
_SOURCES = f"""
SELECT note.content, min({first_event("note.shape")}),
       max({last_event("note.shape", ":now")})
FROM note WHERE note.kind = {NoteKind.DATASET} AND note.name = 'dataSource' AND note.content <> '' GROUP BY note.content
"""  # noqa: S608  our own words
# For each note the last event that carries it, up to a moment. Bodies are read afterwards, and only a few of them.
_LAST = """
SELECT given.place, note.kind, note.entity, note.name, note.shape, event.us, event.hash
FROM {{given}} {{join}} {table} ON {table}.key = given.key
{{join}} note ON note.kind = {kind} AND note.entity = {table}.id {named}
{{join}} event ON event.shape = note.shape
    AND event.us = {last_event}
"""
_SINCE = """
SELECT given.place, note.kind, note.entity, note.name, note.shape, event.us, event.hash
FROM {{given}} {{join}} {table} ON {table}.key = given.key
{{join}} note ON note.kind = {kind} AND note.entity = {table}.id
{{join}} event ON event.shape = note.shape AND event.us > :at
"""
# Any event of the shape has the note in its body; the last one is always there.
_BODIES = f"""
SELECT given.place, note.content, body.content
FROM {{given}} {{join}} note ON note.kind = given.kind AND note.entity = given.entity AND note.name = given.name
    AND note.shape = given.shape AND note.content <> ''
{{join}} event ON event.shape = note.shape
    AND event.us = {last_event("note.shape")}
{{join}} body ON body.id = event.body
"""  # noqa: S608  our own words
_OF_NAME = "AND note.name = given.name"
# Compares the names of all notes of a dataset, and reads few of them.
_ENDING = "AND substr(note.name, length(note.name) - length(given.name) + 1) = given.name"
_EVER = f"""
SELECT 1 FROM dataset JOIN note ON note.kind = {NoteKind.DATASET} AND note.entity = dataset.id
WHERE dataset.key = :key AND substr(note.name, 1, :length) = :prefix LIMIT 1
"""  # noqa: S608  our own words


class NoteRow(NamedTuple):
    """A facet as JSON, empty where it was deleted, and an event that carries it."""

    entity: int
    name: str
    content: str
    us: int
    hash: bytes


class NoteRef(NamedTuple):
    """A note: of which kind of entity, of which one, under which name, from events of which shape."""

    kind: int
    entity: int
    name: str
    shape: int


class NoteEvent(NamedTuple):
    """A note, and an event that carries it."""

    place: int
    kind: int
    entity: int
    name: str
    shape: int
    us: int
    hash: bytes

    @property
    def ref(self) -> NoteRef:
        """The note itself."""
        return NoteRef(*self[1:5])


def notes_until(session: Session, kind: Kind, keys: Collection[int], at: int) -> list[NoteRow]:
    """The facets of datasets or jobs, each with its last event up to a moment."""
    return [NoteRow(*row) for row in session.rows(_OF_ENTITIES, ids(keys), kind=_kind(kind), at=at)]


def notes_named_until(session: Session, kind: Kind, name: str, at: int) -> list[NoteRow]:
    """The facets of one name of all datasets or jobs, each with its last event up to a moment."""
    return [NoteRow(*row) for row in session.rows(_NAMED, kind=_kind(kind), name=name, at=at)]


def ownership(session: Session, kind: NoteKind, names: Iterable[Name]) -> list[tuple[int, str, int | None]]:
    """The ownership facets of datasets or jobs by name: place in the list, JSON, and when it was last sent."""
    keys = Given("place int, key bytes", [(place, hash_of(*name)) for place, name in enumerate(names)])
    return session.rows(_OWNERSHIP.format(table=kind.name.lower()), keys, kind=int(kind), now=session.now)


def source_facets(session: Session) -> list[tuple[str, int | None, int | None]]:
    """The `dataSource` facets of all datasets, each once: JSON, and the times of its first and its last event."""
    return session.rows(_SOURCES, now=session.now)


def last_notes(session: Session, table: str, keys: Sequence[bytes], at: int) -> list[NoteEvent]:
    """The notes of datasets or jobs (`table` says which), each with the last event up to a moment."""
    return _note_events(session, _statement(_LAST, table), Given("place int, key bytes", list(enumerate(keys))), at)


def last_notes_named(session: Session, dataset: bytes, names: Sequence[str], at: int) -> list[NoteEvent]:
    """Some notes of a dataset by name, each with the last event up to a moment."""
    given = Given("place int, key bytes, name text", [(0, dataset, name) for name in names])
    return _note_events(session, _statement(_LAST, "dataset", _OF_NAME), given, at)


def last_notes_ending(session: Session, dataset: bytes, ending: str, at: int) -> list[NoteEvent]:
    """The notes of a dataset whose names end in a text, each with the last event up to a moment."""
    given = Given("place int, key bytes, name text", [(0, dataset, ending)])
    return _note_events(session, _statement(_LAST, "dataset", _ENDING), given, at)


def notes_since(session: Session, table: str, keys: Sequence[bytes], at: int) -> list[NoteEvent]:
    """The notes of datasets or jobs, with every event after a moment."""
    return _note_events(session, _statement(_SINCE, table), Given("place int, key bytes", list(enumerate(keys))), at)


def note_bodies(session: Session, refs: Sequence[NoteRef]) -> list[tuple[int, str, bytes]]:
    """The contents of notes: place in the list, content, and the packed body of an event. Deleted ones have no row."""
    rows = [(place, *ref) for place, ref in enumerate(refs)]
    given = Given("place int, kind int, entity int, name text, shape int", rows)
    return session.rows(_BODIES, given)


def has_note(session: Session, dataset: bytes, prefix: str) -> bool:
    """Whether a dataset ever had a note whose name begins with a prefix."""
    return bool(session.rows(_EVER, key=dataset, prefix=prefix, length=len(prefix)))


def _kind(kind: Kind) -> int:
    return int(NoteKind.DATASET if kind is Kind.DATASET else NoteKind.JOB)


def _note_events(session: Session, statement: str, given: Given, at: int) -> list[NoteEvent]:
    return list(map(NoteEvent._make, session.rows(statement, given, at=at)))


def _statement(statement: str, table: str, named: str = "") -> str:
    return statement.format(
        table=table,
        kind=NoteKind.DATASET if table == "dataset" else NoteKind.JOB,
        named=named,
        last_event=last_event("note.shape", ":at"),
    )
