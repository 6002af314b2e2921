"""DataHub's aspects, which the store holds as notes of datasets and jobs.

Entities are asked for by the hashes of their names; a row's `place` is the position of its entity in that list.
"""

from collections.abc import Sequence
from typing import NamedTuple

from headwater.store.db.codes import EventKind, NoteKind, Role
from headwater.store.db.predicates import last_event
from headwater.store.db.session import Given, Session

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
_NAMED = "AND note.name = given.name"
# Compares the names of all notes of a dataset, and reads few of them.
_ENDING = "AND substr(note.name, length(note.name) - length(given.name) + 1) = given.name"
_EVER = f"""
SELECT 1 FROM dataset JOIN note ON note.kind = {NoteKind.DATASET} AND note.entity = dataset.id
WHERE dataset.key = :key AND substr(note.name, 1, :length) = :prefix LIMIT 1
"""  # noqa: S608  our own words
_READERS = """
SELECT DISTINCT written.namespace, written.name, job.namespace, job.name
FROM {given} {join} dataset ON dataset.key = given.key
{join} input ON input.dataset = dataset.id
{join} slot ON slot.inputs = input.inputs
{join} dataset written ON written.id = slot.dataset
LEFT JOIN job ON job.id = slot.job
"""
_WRITERS = """
SELECT DISTINCT job.namespace, job.name FROM {given} {join} dataset ON dataset.key = given.key
{join} slot ON slot.dataset = dataset.id {join} job ON job.id = slot.job
"""
# Events that declare datasets or jobs at moments.
_DATASET_EVENTS = f"""
SELECT given.place, event.hash FROM {{given}} {{join}} dataset ON dataset.key = given.key
{{join}} mention ON mention.dataset = dataset.id AND mention.role = {Role.DECLARED}
{{join}} event ON event.shape = mention.shape AND event.us = given.us
"""  # noqa: S608  our own words
_JOB_EVENTS = f"""
SELECT given.place, event.hash FROM {{given}} {{join}} job ON job.key = given.key
{{join}} shape ON shape.job = job.id AND shape.kind = {EventKind.JOB}
{{join}} event ON event.shape = shape.id AND event.us = given.us
"""  # noqa: S608  our own words


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


class NoteBody(NamedTuple):
    """The content of a note, and the packed body of an event that carries it."""

    place: int
    content: str
    body: bytes


class Reader(NamedTuple):
    """A dataset that is written from another, and the job that does it, if any."""

    namespace: str
    name: str
    job_namespace: str | None
    job_name: str | None


def last_notes(session: Session, table: str, keys: Sequence[bytes], at: int) -> list[NoteEvent]:
    """The notes of datasets or jobs (`table` says which), each with the last event up to a moment."""
    return _note_events(session, _statement(_LAST, table), Given("place int, key bytes", list(enumerate(keys))), at)


def last_notes_named(session: Session, dataset: bytes, names: Sequence[str], at: int) -> list[NoteEvent]:
    """Some notes of a dataset by name, each with the last event up to a moment."""
    given = Given("place int, key bytes, name text", [(0, dataset, name) for name in names])
    return _note_events(session, _statement(_LAST, "dataset", _NAMED), given, at)


def last_notes_ending(session: Session, dataset: bytes, ending: str, at: int) -> list[NoteEvent]:
    """The notes of a dataset whose names end in a text, each with the last event up to a moment."""
    given = Given("place int, key bytes, name text", [(0, dataset, ending)])
    return _note_events(session, _statement(_LAST, "dataset", _ENDING), given, at)


def notes_since(session: Session, table: str, keys: Sequence[bytes], at: int) -> list[NoteEvent]:
    """The notes of datasets or jobs, with every event after a moment."""
    return _note_events(session, _statement(_SINCE, table), Given("place int, key bytes", list(enumerate(keys))), at)


def note_bodies(session: Session, refs: Sequence[NoteRef]) -> list[NoteBody]:
    """The contents of notes; `place` is the position of the note. Deleted ones have no row."""
    rows = [(place, *ref) for place, ref in enumerate(refs)]
    given = Given("place int, kind int, entity int, name text, shape int", rows)
    return list(map(NoteBody._make, session.rows(_BODIES, given)))


def has_note(session: Session, dataset: bytes, prefix: str) -> bool:
    """Whether a dataset ever had a note whose name begins with a prefix."""
    return bool(session.rows(_EVER, key=dataset, prefix=prefix, length=len(prefix)))


def readers(session: Session, datasets: Sequence[bytes]) -> list[Reader]:
    """The datasets that were ever written from these."""
    return list(map(Reader._make, session.rows(_READERS, _keys(datasets))))


def writers(session: Session, datasets: Sequence[bytes]) -> list[tuple[str, str]]:
    """The jobs that ever wrote these datasets."""
    return session.rows(_WRITERS, _keys(datasets))


def declarations_at(session: Session, table: str, moments: Sequence[tuple[bytes, int]]) -> list[tuple[int, bytes]]:
    """The hashes of the events that declare datasets or jobs at moments, each with the position of its moment."""
    rows = [(place, key, us) for place, (key, us) in enumerate(moments)]
    statement = _DATASET_EVENTS if table == "dataset" else _JOB_EVENTS
    return session.rows(statement, Given("place int, key bytes, us int", rows))


def _note_events(session: Session, statement: str, given: Given, at: int) -> list[NoteEvent]:
    return list(map(NoteEvent._make, session.rows(statement, given, at=at)))


def _keys(datasets: Sequence[bytes]) -> Given:
    return Given("key bytes", [(key,) for key in datasets])


def _statement(statement: str, table: str, named: str = "") -> str:
    return statement.format(
        table=table,
        kind=NoteKind.DATASET if table == "dataset" else NoteKind.JOB,
        named=named,
        last_event=last_event("note.shape", ":at"),
    )
