"""Aspects as DataHub sent them: the store keeps them as facets of datasets and jobs.

An aspect of a dataset or a job is the facet `datahub_<aspect>`; one of a field, or of anything else, ends in `@<urn>`.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from headwater.datahub.aspects.reading import Name
from headwater.openlineage.model.producer import PRODUCER
from headwater.store.db.codes import NoteKind
from headwater.store.db.session import Session
from headwater.store.entities.keys import hash_of
from headwater.store.model.compression import unpacked
from headwater.store.model.meaning import KEPT
from headwater.store.reads.notes import (
    NoteEvent,
    NoteRef,
    has_note,
    last_notes,
    last_notes_ending,
    last_notes_named,
    note_bodies,
    notes_since,
)
from headwater.store.reads.slots import readers_ever, writers_ever

_URL = "urn:headwater:facet:datahub"


class Key(NamedTuple):
    """An aspect and its entity; without a `urn` it is the dataset or job itself."""

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
    """The facet that keeps an aspect; None deletes it."""
    base = {"_producer": PRODUCER, "_schemaURL": _URL}
    return {**base, "_deleted": True} if value is None else {**base, "value": value}


class AspectChange(NamedTuple):
    """An aspect that was set or deleted at a moment; `ref` leads to its value."""

    us: int
    key: Key
    ref: NoteRef


def aspects_at(session: Session, table: str, names: Collection[Name], at: int) -> dict[Name, dict[Key, Any]]:
    """The aspects of datasets or jobs (`table` says which) at a moment."""
    listed = sorted(names)
    return _values(session, listed, last_notes(session, table, _hashes(listed), at))


def some_aspects_at(session: Session, name: Name, keys: Collection[Key], at: int) -> dict[Key, Any]:
    """Some aspects of a dataset at a moment."""
    notes = last_notes_named(session, hash_of(*name), [key.facet for key in sorted(keys)], at)
    return _values(session, [name], notes).get(name, {})


def entity_aspects_at(session: Session, name: Name, urn: str, at: int) -> dict[str, Any]:
    """The aspects of an entity at a moment; its dataset keeps those of a field, `ENTITIES` those of all others."""
    values = _values(session, [name], last_notes_ending(session, hash_of(*name), f"@{urn}", at))
    return {key.aspect: value for key, value in values.get(name, {}).items()}


def changes_since(session: Session, table: str, names: Collection[Name], at: int) -> dict[Name, list[AspectChange]]:
    """The changes to aspects of datasets or jobs after a moment, in the order of time."""
    listed = sorted(names)
    changes: dict[Name, list[AspectChange]] = {}
    notes = notes_since(session, table, _hashes(listed), at)
    for note in sorted(notes, key=lambda note: (note.us, bytes(note.hash)[:8])):
        if note.name.startswith(KEPT):
            changes.setdefault(listed[note.place], []).append(AspectChange(note.us, Key.of_facet(note.name), note.ref))
    return changes


def aspect_values(session: Session, refs: Sequence[NoteRef]) -> list[Any]:
    """The values of aspects; None is one that was deleted."""
    values: list[Any] = [None] * len(refs)
    for place, content, body in note_bodies(session, refs):
        values[place] = _value(refs[place], content, body)
    return values


def _value(ref: NoteRef, content: str, body: bytes) -> Any:  # noqa: ANN401  JSON
    if content.startswith("{"):  # older stores keep the facet itself
        return json.loads(content)["value"]
    event = json.loads(unpacked(body))
    entity = event["dataset"] if ref.kind == NoteKind.DATASET else event["job"]
    return entity["facets"][ref.name]["value"]


def _hashes(names: Iterable[Name]) -> list[bytes]:
    return [hash_of(*name) for name in names]


def _values(session: Session, listed: Sequence[Name], notes: Iterable[NoteEvent]) -> dict[Name, dict[Key, Any]]:
    """The value of each aspect in its last event, by the store's order of events."""
    last: dict[tuple[int, str], tuple[int, bytes, NoteRef]] = {}
    for note in notes:
        if note.name.startswith(KEPT):
            event = (note.us, bytes(note.hash)[:8], note.ref)
            last[note.place, note.name] = max(last.get((note.place, note.name), event), event)
    values: dict[Name, dict[Key, Any]] = {}
    for (place, name), value in zip(last, aspect_values(session, [ref for _, _, ref in last.values()]), strict=True):
        if value is not None:
            values.setdefault(listed[place], {})[Key.of_facet(name)] = value
    return values


def ever_had_aspects(session: Session, name: Name) -> bool:
    """Whether a dataset ever had an aspect."""
    return has_note(session, hash_of(*name), KEPT)


def readers_of(session: Session, names: Iterable[Name]) -> tuple[set[Name], set[Name]]:
    """The datasets that ever declared to read some datasets, and the jobs that ever read or wrote them."""
    keys = _hashes(sorted(names))
    rows = readers_ever(session, keys)
    datasets = {(row[0], row[1]) for row in rows if row[2] is None}
    jobs = {(namespace, name) for _, _, namespace, name in rows if namespace is not None and name}
    return datasets, jobs | set(writers_ever(session, keys))


def without_urns(aspects: Mapping[Key, Any]) -> dict[str, Any]:
    """The aspects of the dataset or job itself."""
    return {key.aspect: value for key, value in aspects.items() if not key.urn}
