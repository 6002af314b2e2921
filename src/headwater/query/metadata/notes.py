"""What the last events say of datasets and jobs beside lineage: facets, as of a moment."""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any, TypeAlias

from headwater.openlineage.model.check import is_object
from headwater.query.graph.intervals import NOW
from headwater.store.db.codes import Kind, NoteKind
from headwater.store.db.predicates import last_event
from headwater.store.db.session import Row, Session, ids
from headwater.store.model.meaning import KEPT

Notes: TypeAlias = Mapping[str, dict[str, Any]]
"""Facets by their names."""

# Of each the last event that carries it; of two of one moment, the one with the greater hash is the later.
_EVENT = f"""event ON event.shape = note.shape
    AND event.us = {last_event("note.shape", ":at")}"""
_NOTES = f"""
SELECT given.id, note.name, note.content, event.us, event.hash
FROM {{given}} {{join}} note ON note.kind = :kind AND note.entity = given.id {{join}} {_EVENT}
"""  # noqa: S608  our own words
_CALLED = f"""
SELECT note.entity, note.name, note.content, event.us, event.hash
FROM note JOIN {_EVENT} WHERE note.kind = {NoteKind.DATASET} AND note.name = :name
"""  # noqa: S608  our own words
TERM = "glossaryTerm"
"""The key under which a term of a glossary is a tag; a tag's own key is its name."""


def notes_of(session: Session, kind: Kind, keys: Collection[int], at: int = NOW) -> Mapping[int, Notes]:
    """Of each facet the one that came last, up to a moment; what was deleted is not there."""
    of = NoteKind.DATASET if kind is Kind.DATASET else NoteKind.JOB
    rows = session.rows(_NOTES, ids(keys), kind=int(of), at=at)
    return {key: {name: facet for name, (_, facet) in found.items() if facet} for key, found in _last(rows).items()}


def datasets_with_note(session: Session, name: str, at: int = NOW) -> Mapping[int, tuple[int, dict[str, Any]]]:
    """All datasets that had a facet: when it came last, and the facet; nothing is in it where it was deleted."""
    return {key: found[name] for key, found in _last(session.rows(_CALLED, name=name, at=at)).items()}


def _last(rows: Iterable[Row]) -> dict[int, dict[str, tuple[int, dict[str, Any]]]]:
    last: defaultdict[int, dict[str, tuple[int, bytes, str]]] = defaultdict(dict)
    for key, name, content, us, hashed in rows:
        if name.startswith(KEPT):
            continue  # an aspect of DataHub: its text is in the event
        one = (us, bytes(hashed), content)
        last[key][name] = max(one, last[key].get(name, one))
    return {
        key: {name: (us, json.loads(content or "{}")) for name, (us, _, content) in found.items()}
        for key, found in last.items()
    }


def tag_names(facet: object) -> list[tuple[str | None, str]]:
    """The tags that a tags facet gives: the field, or None for the whole, and the tag.

    >>> tags = [{"key": "PII", "value": "true", "field": "email"}, {"key": "tier", "value": "1"}]
    >>> tag_names({"tags": tags})
    [('email', 'PII'), (None, 'tier:1')]
    """
    listed = facet.get("tags") if is_object(facet) else None
    found: list[tuple[str | None, str]] = []
    for tag in listed if isinstance(listed, list) else ():
        if is_object(tag) and isinstance(key := tag.get("key"), str):
            value, on = tag.get("value"), tag.get("field")
            name = key if not isinstance(value, str) or _is_plain(value) else f"{key}:{value}"
            found.append((on if isinstance(on, str) else None, name))
    return found


def tag_parts(name: str) -> tuple[str, str]:
    """The key and the value of a tag, by which a facet lists it.

    >>> tag_parts("PII"), tag_parts("tier:1"), tag_parts("a:true")
    (('PII', 'true'), ('tier', '1'), ('a:true', 'true'))
    """
    key, _, value = name.partition(":")
    return (name, "true") if _is_plain(value) or not key else (key, value)


def _is_plain(value: str) -> bool:
    return value.casefold() in {"", "true"}
