"""The facets that say something of datasets and jobs beside their lineage: the last of each name."""

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from headwater.store.session import Session, ids

# Of each facet the time of the last event that carries it.
_NOTES = """
SELECT note.entity, note.name, note.content, (SELECT max(event.us) FROM event WHERE event.shape = note.shape)
FROM {given} {join} note ON note.kind = :kind AND note.entity = given.id
"""


class Of(IntEnum):
    """What notes are about, as the store writes it."""

    DATASET = 0
    JOB = 1


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag of a dataset, of one of its columns where `field` names it, or of a job."""

    key: str
    value: str | None
    field: str | None


def last_notes(session: Session, kind: Of, entities: Collection[int]) -> dict[int, dict[str, str]]:
    """For each thing its last facet of each name."""
    found: dict[int, dict[str, str]] = {entity: {} for entity in entities}
    rows = [
        (us, content, entity, name)
        for entity, name, content, us in session.rows(_NOTES, ids(entities), kind=int(kind))
        if us is not None
    ]
    for _, content, entity, name in sorted(rows):
        found[entity][name] = content
    return found


def description_in(notes: Mapping[str, str]) -> str:
    """What a documentation facet says; nothing, where there is none that is understood.

    >>> description_in({"documentation": '{"description": "All orders."}'})
    'All orders.'
    """
    words = _facet(notes, "documentation").get("description")
    return words if isinstance(words, str) else ""


def tags_in(notes: Mapping[str, str]) -> Iterator[Tag]:
    """The tags that a tags facet names; whatever is not understood is left out."""
    listed = _facet(notes, "tags").get("tags")
    for one in listed if isinstance(listed, list) else ():
        if isinstance(one, dict) and isinstance(one.get("key"), str):
            value, field = (one[name] if isinstance(one.get(name), str) else None for name in ("value", "field"))
            yield Tag(one["key"], value, field)


def _facet(notes: Mapping[str, str], name: str) -> Mapping[str, Any]:
    found = json.loads(notes.get(name) or "{}")
    return found if isinstance(found, dict) else {}
