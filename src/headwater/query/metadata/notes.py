"""Facets of datasets and jobs beside lineage, as of a moment."""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any, TypeAlias

from headwater.openlineage.model.check import is_object
from headwater.store.db.codes import Kind
from headwater.store.db.session import Session
from headwater.store.model.meaning import KEPT
from headwater.store.reads.notes import NoteRow, notes_named_until, notes_until

Notes: TypeAlias = Mapping[str, dict[str, Any]]
"""Facets by their names."""

TERM = "glossaryTerm"
"""The key under which a term of a glossary is a tag; a tag's own key is its name."""


def notes_of(session: Session, kind: Kind, keys: Collection[int], at: int | None = None) -> Mapping[int, Notes]:
    """The last facets up to a moment, or now, without deleted ones."""
    last = _last(notes_until(session, kind, keys, session.moment(at)))
    return {key: {name: facet for name, (_, facet) in facets.items() if facet} for key, facets in last.items()}


def datasets_with_note(session: Session, name: str, at: int | None = None) -> Mapping[int, tuple[int, dict[str, Any]]]:
    """All datasets that had a facet by a moment, or now: when it was last sent, and what it is, empty if deleted."""
    last = _last(notes_named_until(session, Kind.DATASET, name, session.moment(at)))
    return {key: facets[name] for key, facets in last.items()}


def tags_stated(session: Session) -> set[str]:
    """The tags that the last facets of all datasets, their fields and jobs name."""
    last = (_last(notes_named_until(session, kind, "tags", session.now)) for kind in (Kind.DATASET, Kind.JOB))
    facets = (facet for by_entity in last for named in by_entity.values() for _, facet in named.values())
    return {name for facet in facets for _, name in tag_names(facet)}


def _last(rows: Iterable[NoteRow]) -> dict[int, dict[str, tuple[int, dict[str, Any]]]]:
    last: defaultdict[int, dict[str, tuple[int, bytes, str]]] = defaultdict(dict)
    for key, name, content, us, hashed in rows:
        if name.startswith(KEPT):
            continue  # an aspect of DataHub, whose text is in the event
        note = (us, bytes(hashed), content)
        last[key][name] = max(note, last[key].get(name, note))
    return {
        key: {name: (us, json.loads(content or "{}")) for name, (us, _, content) in notes.items()}
        for key, notes in last.items()
    }


def tag_names(facet: object) -> list[tuple[str | None, str]]:
    """The tags in a tags facet, each after its field; None for the whole dataset or job.

    >>> tags = [{"key": "PII", "value": "true", "field": "email"}, {"key": "tier", "value": "1"}]
    >>> tag_names({"tags": tags})
    [('email', 'PII'), (None, 'tier:1')]
    """
    listed = facet.get("tags") if is_object(facet) else None
    tags: list[tuple[str | None, str]] = []
    for tag in listed if isinstance(listed, list) else ():
        if is_object(tag) and isinstance(key := tag.get("key"), str):
            value, field = tag.get("value"), tag.get("field")
            name = key if not isinstance(value, str) or _is_plain(value) else f"{key}:{value}"
            tags.append((field if isinstance(field, str) else None, name))
    return tags


def tag_parts(name: str) -> tuple[str, str]:
    """The key and the value of a tag, as a facet lists them.

    >>> tag_parts("PII"), tag_parts("tier:1"), tag_parts("a:true")
    (('PII', 'true'), ('tier', '1'), ('a:true', 'true'))
    """
    key, _, value = name.partition(":")
    return (name, "true") if _is_plain(value) or not key else (key, value)


def _is_plain(value: str) -> bool:
    return value.casefold() in {"", "true"}
