"""What the last events say of datasets and jobs beside lineage: descriptions, tags, sources, what was registered."""

import json
from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import TypeAlias

from headwater.openlineage.check import is_object
from headwater.server.marquez.hiding import DATASET
from headwater.server.marquez.values import Json
from headwater.store.meaning import REGISTERED
from headwater.store.session import Session, ids
from headwater.store.terms import Kind

Notes: TypeAlias = Mapping[str, Json]
"""Facets by their names."""

DEFAULT_SOURCE = "default"
_NOTES = """
SELECT given.id, note.name, note.content, event.us, event.hash
FROM {given} {join} note ON note.kind = :kind AND note.entity = given.id
{join} event ON event.shape = note.shape
    AND event.us = (SELECT max(last.us) FROM event last WHERE last.shape = note.shape)
"""
_OF_DATASET, _OF_JOB = 0, 1
_TYPES = ("DB_TABLE", "STREAM")
_STREAMS = ("kafka", "kinesis", "pulsar", "pubsub", "eventhub", "amqp", "mqtt", "nats")


def notes_of(session: Session, kind: Kind, keys: Collection[int]) -> Mapping[int, Notes]:
    """Of each facet the one that came last; what was deleted is not there."""
    last: defaultdict[int, dict[str, tuple[int, bytes, str]]] = defaultdict(dict)
    rows = session.rows(_NOTES, ids(keys), kind=_OF_DATASET if kind is DATASET else _OF_JOB)
    for key, name, content, us, hashed in rows:
        one = (us, bytes(hashed), content)
        last[key][name] = max(one, last[key].get(name, one))
    return {
        key: {name: json.loads(content) for name, (_, _, content) in facets.items() if content}
        for key, facets in last.items()
    }


def description(notes: Notes) -> str | None:
    """What the documentation says."""
    return _text(notes, "documentation", "description") or None


def source_name(notes: Notes) -> str:
    """The source of a dataset.

    >>> source_name({"dataSource": {"name": "db", "uri": "postgres://db"}}), source_name({})
    ('db', 'default')
    """
    return _text(notes, "dataSource", "name") or DEFAULT_SOURCE


def dataset_type(notes: Notes, namespace: str) -> str:
    """Whether a dataset is a table or a stream: as it was registered, else by where it is.

    >>> dataset_type({}, "kafka://broker:9092"), dataset_type({}, "postgres://db:5432")
    ('STREAM', 'DB_TABLE')
    """
    if (registered := _text(notes, REGISTERED, "type")) in _TYPES:
        return registered
    places = (namespace, _text(notes, "dataSource", "uri"))
    return "STREAM" if any(place.casefold().startswith(_STREAMS) for place in places) else "DB_TABLE"


def physical_name(notes: Notes, name: str) -> str:
    """The physical name of a dataset: its name, unless another was registered."""
    return _text(notes, REGISTERED, "physicalName") or name


def tag_names(notes: Notes) -> list[tuple[str | None, str]]:
    """The tags that a tags facet gives: the field, or None for the whole, and the tag.

    >>> tags = [{"key": "PII", "value": "true", "field": "email"}, {"key": "tier", "value": "1"}]
    >>> tag_names({"tags": {"tags": tags}})
    [('email', 'PII'), (None, 'tier:1')]
    """
    facet = notes.get("tags")
    found: list[tuple[str | None, str]] = []
    for tag in (facet.get("tags") or ()) if is_object(facet) else ():
        if is_object(tag) and isinstance(key := tag.get("key"), str):
            value, on = tag.get("value"), tag.get("field")
            plain = not isinstance(value, str) or value.casefold() in {"", "true"}
            found.append((on if isinstance(on, str) else None, key if plain else f"{key}:{value}"))
    return found


def _text(notes: Notes, facet: str, key: str) -> str:
    known = notes.get(facet)
    found = known.get(key) if is_object(known) else None
    return found if isinstance(found, str) else ""
