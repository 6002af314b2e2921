"""Aspects as they came, kept in the store beside what was made of them: notes of datasets and jobs.

An aspect of a dataset or a job is the facet `datahub_<aspect>`; one of a field, or of anything else, has the URN after
an @.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from headwater.datahub.aspects.reading import Name
from headwater.openlineage.model.producer import PRODUCER
from headwater.store.db.codes import NoteKind
from headwater.store.db.predicates import last_event
from headwater.store.db.session import Given, Row, Session
from headwater.store.entities.keys import hash_of
from headwater.store.model.compression import unpacked
from headwater.store.model.meaning import KEPT

_URL = "urn:headwater:facet:datahub"
# Of each aspect the event that last carried it, up to a moment; what it said is read afterwards, of few of them.
_LAST = """
SELECT given.place, note.kind, note.entity, note.name, note.shape, event.us, event.hash
FROM {{given}} {{join}} {table} ON {table}.key = given.key
{{join}} note ON note.kind = {kind} AND note.entity = {table}.id {named}
{{join}} event ON event.shape = note.shape
    AND event.us = {last_event}
"""
# All that carried one since.
_SINCE = """
SELECT given.place, note.kind, note.entity, note.name, note.shape, event.us, event.hash
FROM {{given}} {{join}} {table} ON {table}.key = given.key
{{join}} note ON note.kind = {kind} AND note.entity = {table}.id
{{join}} event ON event.shape = note.shape AND event.us > :at
"""
# In the body of any event of that shape; the last one is always there.
_BODIES = f"""
SELECT given.place, note.content, body.content
FROM {{given}} {{join}} note ON note.kind = given.kind AND note.entity = given.entity AND note.name = given.name
    AND note.shape = given.shape AND note.content <> ''
{{join}} event ON event.shape = note.shape
    AND event.us = {last_event("note.shape")}
{{join}} body ON body.id = event.body
"""  # noqa: S608  our own words
_NAMED = "AND note.name = given.name"
# All names of notes are looked at, and few are read.
_ENDING = "AND substr(note.name, length(note.name) - length(given.name) + 1) = given.name"
_EVER = f"""
SELECT 1 FROM dataset JOIN note ON note.kind = {NoteKind.DATASET} AND note.entity = dataset.id
WHERE dataset.key = :key AND substr(note.name, 1, :length) = :kept LIMIT 1
"""  # noqa: S608  our own words
# Who was ever said to be made of a dataset: the dataset, and the job that says so, or none.
_READERS = """
SELECT DISTINCT written.namespace, written.name, job.namespace, job.name
FROM {given} {join} dataset ON dataset.key = given.key
{join} input ON input.dataset = dataset.id
{join} slot ON slot.inputs = input.inputs
{join} dataset written ON written.id = slot.dataset
LEFT JOIN job ON job.id = slot.job
"""
# Which jobs were ever said to write it: the fields that they write are its.
_WRITERS = """
SELECT DISTINCT job.namespace, job.name FROM {given} {join} dataset ON dataset.key = given.key
{join} slot ON slot.dataset = dataset.id {join} job ON job.id = slot.job
"""


class Key(NamedTuple):
    """An aspect, and whose it is: of the dataset or job itself where `urn` is empty."""

    aspect: str
    urn: str = ""

    @property
    def facet(self) -> str:
        """The name of the facet that keeps it."""
        return f"{KEPT}{self.aspect}@{self.urn}" if self.urn else f"{KEPT}{self.aspect}"

    @classmethod
    def of_facet(cls, name: str) -> "Key":
        """The aspect that a facet keeps.

        >>> Key.of_facet("datahub_globalTags")
        Key(aspect='globalTags', urn='')
        """
        aspect, _, urn = name.removeprefix(KEPT).partition("@")
        return cls(aspect, urn)


def facet_of(value: Any) -> dict[str, Any]:  # noqa: ANN401  JSON
    """The facet that keeps an aspect; None is one that was deleted."""
    base = {"_producer": PRODUCER, "_schemaURL": _URL}
    return {**base, "_deleted": True} if value is None else {**base, "value": value}


class Ref(NamedTuple):
    """Where the store keeps what an aspect was set to."""

    kind: int
    entity: int
    name: str
    shape: int


class Later(NamedTuple):
    """An aspect that was set or deleted at a moment, and where it says to what."""

    us: int
    key: Key
    ref: Ref


def kept_aspects(session: Session, table: str, names: Collection[Name], at: int) -> dict[Name, dict[Key, Any]]:
    """What is kept of datasets or jobs, as of a moment."""
    listed, given = _given(names)
    return _values_of(session, listed, session.rows(_statement(_LAST, table), given, at=at))


def kept_by_key(session: Session, name: Name, keys: Collection[Key], at: int) -> dict[Key, Any]:
    """Some of what is kept of a dataset, as of a moment."""
    rows = [(0, hash_of(*name), key.facet) for key in sorted(keys)]
    given = Given("place int, key bytes, name text", rows)
    return _values_of(session, [name], session.rows(_statement(_LAST, "dataset", _NAMED), given, at=at)).get(name, {})


def kept_since(session: Session, table: str, names: Collection[Name], at: int) -> dict[Name, list[Later]]:
    """What is kept of datasets or jobs that was said after a moment, in the order of time."""
    listed, given = _given(names)
    found: dict[Name, list[Later]] = {}
    rows = session.rows(_statement(_SINCE, table), given, at=at)
    for place, *ref, us, _ in sorted(rows, key=lambda row: (row[-2], bytes(row[-1])[:8])):
        if ref[2].startswith(KEPT):
            found.setdefault(listed[place], []).append(Later(us, Key.of_facet(ref[2]), Ref(*ref)))
    return found


def kept_values(session: Session, refs: Sequence[Ref]) -> list[Any]:
    """What aspects were set to; None is one that was deleted."""
    given = Given(
        "place int, kind int, entity int, name text, shape int", [(place, *ref) for place, ref in enumerate(refs)]
    )
    values: list[Any] = [None] * len(refs)
    for place, note, body in session.rows(_BODIES, given):
        values[place] = _value(refs[place], note, body)
    return values


def _value(ref: Ref, note: str, body: bytes) -> Any:  # noqa: ANN401  JSON
    if note.startswith("{"):  # as it was kept at first: the facet itself
        return json.loads(note)["value"]
    said = json.loads(unpacked(body))
    named = said["dataset"] if ref.kind == NoteKind.DATASET else said["job"]
    return named["facets"][ref.name]["value"]


def _given(names: Collection[Name]) -> tuple[list[Name], Given]:
    listed = sorted(names)
    return listed, Given("place int, key bytes", [(place, hash_of(*name)) for place, name in enumerate(listed)])


def _statement(statement: str, table: str, named: str = "") -> str:
    return statement.format(
        table=table,
        kind=NoteKind.DATASET if table == "dataset" else NoteKind.JOB,
        named=named,
        last_event=last_event("note.shape", ":at"),
    )


def _values_of(session: Session, listed: Sequence[Name], rows: Iterable[Row]) -> dict[Name, dict[Key, Any]]:
    """Of each aspect what the last event says, by the store's order of events."""
    last: dict[tuple[int, str], tuple[int, bytes, Ref]] = {}
    for place, *ref, us, hashed in rows:
        if ref[2].startswith(KEPT):
            one = (us, bytes(hashed)[:8], Ref(*ref))
            last[place, ref[2]] = max(last.get((place, ref[2]), one), one)
    values = kept_values(session, [ref for _, _, ref in last.values()])
    found: dict[Name, dict[Key, Any]] = {}
    for (place, name), value in zip(last, values, strict=True):
        if value is not None:
            found.setdefault(listed[place], {})[Key.of_facet(name)] = value
    return found


def kept_beside(session: Session, name: Name, urn: str, at: int) -> dict[str, Any]:
    """What is kept of an entity beside a dataset, by aspect, as of a moment.

    Args:
        session: the store.
        name: the dataset: that of a field, or the one that keeps all other entities.
        urn: the entity.
        at: when.
    """
    given = Given("place int, key bytes, name text", [(0, hash_of(*name), f"@{urn}")])
    found = _values_of(session, [name], session.rows(_statement(_LAST, "dataset", _ENDING), given, at=at))
    return {key.aspect: value for key, value in found.get(name, {}).items()}


def ever_kept(session: Session, name: Name) -> bool:
    """Whether anything of DataHub's was ever kept of a dataset."""
    return bool(session.rows(_EVER, key=hash_of(*name), kept=KEPT, length=len(KEPT)))


def readers_of(session: Session, names: Iterable[Name]) -> tuple[set[Name], set[Name]]:
    """The datasets that were ever said to read some datasets, and the jobs that read or write them."""
    given = Given("key bytes", [(hash_of(*name),) for name in sorted(names)])
    rows = session.rows(_READERS, given)
    datasets = {(namespace, name) for namespace, name, job, _ in rows if job is None}
    jobs = {(namespace, name) for _, _, namespace, name in rows if namespace is not None}
    return datasets, jobs | {(namespace, name) for namespace, name in session.rows(_WRITERS, given)}


def without_urns(kept: Mapping[Key, Any]) -> dict[str, Any]:
    """The aspects of the thing itself."""
    return {key.aspect: value for key, value in kept.items() if not key.urn}
