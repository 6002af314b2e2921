"""The facets of datasets, jobs and runs, from the raw events that carry them: of each the one that came last.

Only the last event of a shape is read, and only the newest shapes: what older ones said is in these, or was replaced.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from headwater.openlineage.model.check import is_object
from headwater.openlineage.model.parse import is_deleted
from headwater.query.graph.answer import TableName
from headwater.server.marquez.entities.seen import Seen, Shape
from headwater.server.marquez.entities.values import Json
from headwater.store.db.codes import Role
from headwater.store.db.predicates import raw_kept
from headwater.store.db.session import Given, Session, ids
from headwater.store.model.compression import unpacked
from headwater.store.model.event_parts import Parts, join

_SHAPES = 6
_RAW = f"""
SELECT given.shape, body.id, body.content, event.rest FROM {{given}}
{{join}} event ON event.shape = given.shape AND event.us = given.us
{{join}} body ON body.id = event.body
WHERE {raw_kept("event")}
"""  # noqa: S608  our own words
# All that an event says of its job is in its body.
_BODIES = f"""
SELECT DISTINCT given.shape, body.id, body.hash FROM {{given}}
{{join}} event ON event.shape = given.shape AND event.us = given.us
{{join}} body ON body.id = event.body
WHERE {raw_kept("event")}
"""  # noqa: S608  our own words
_CONTENTS = "SELECT body.id, body.content FROM {given} {join} body ON body.id = given.id"
_LISTS = ("inputs", "outputs")
# By the hashes of bodies, of any store: the same hash is the same content.
_JOB_FACETS: dict[bytes, Json] = {}
_MOST_REMEMBERED = 20_000


def _last_events(session: Session, wanted: Iterable[Shape]) -> Mapping[int, list[Json]]:
    """The last raw events of shapes; none where retention has dropped them."""
    bodies: dict[int, Json] = {}
    found: defaultdict[int, list[Json]] = defaultdict(list)
    for shape, key, body, rest in session.rows(_RAW, _given(wanted)):
        if key not in bodies:
            bodies[key] = json.loads(unpacked(body))
        found[shape].append(join(Parts(bodies[key], json.loads(unpacked(rest)))))
    return found


def _given(shapes: Iterable[Shape]) -> Given:
    return Given("shape int, us int", sorted({(shape.shape, shape.last) for shape in shapes}))


def newest(seen: Seen, roles: Iterable[int] | None = None) -> list[Shape]:
    """The newest shapes, the last one at the end; those of some roles come after all others."""
    first = set(roles or ())
    return sorted(seen.shapes, key=lambda shape: (shape.role in first, shape.last, shape.shape))[-_SHAPES:]


WRITING = (Role.WRITTEN, Role.DECLARED)
"""Roles in which an event says what a dataset is; a reader may know less."""


def dataset_facets(session: Session, seen: Mapping[int, Seen], names: Mapping[int, TableName]) -> Mapping[int, Json]:
    """The facets of datasets."""
    shapes = {key: newest(seen[key], WRITING) for key in names if key in seen}
    events = _last_events(session, [shape for some in shapes.values() for shape in some])
    return {
        key: merged(
            facets for shape in some for event in events.get(shape.shape, ()) for facets in facets_in(event, names[key])
        )
        for key, some in shapes.items()
    }


def job_facets(session: Session, shapes: Mapping[int, Sequence[Shape]]) -> Mapping[int, Json]:
    """The facets of jobs, each with some of its shapes in their order."""
    bodies: defaultdict[int, list[bytes]] = defaultdict(list)
    keys: dict[bytes, int] = {}
    for shape, key, hashed in session.rows(_BODIES, _given(shape for some in shapes.values() for shape in some)):
        bodies[shape].append(bytes(hashed))
        keys[bytes(hashed)] = key
    facets = _of_bodies(session, keys)
    return {
        key: merged(facets[hashed] for shape in some for hashed in bodies.get(shape.shape, ()) if hashed in facets)
        for key, some in shapes.items()
    }


def _of_bodies(session: Session, keys: Mapping[bytes, int]) -> Mapping[bytes, Json]:
    """What bodies say of their job, by their hashes: read once, since the rest of them is long."""
    found = {hashed: known for hashed in keys if (known := _JOB_FACETS.get(hashed)) is not None}
    missing = {key: hashed for hashed, key in keys.items() if hashed not in found}
    for key, content in session.rows(_CONTENTS, ids(missing)):
        found[missing[key]] = json.loads(unpacked(content)).get("job", {}).get("facets") or {}
    if len(_JOB_FACETS) > _MOST_REMEMBERED:
        _JOB_FACETS.clear()
    _JOB_FACETS.update((hashed, found[hashed]) for hashed in missing.values() if hashed in found)
    return found


def facets_in(event: Json, name: TableName) -> Iterable[Json]:
    """What an event says of a dataset, once for each time that it names it."""
    listed: list[Any] = [item for key in _LISTS for item in event.get(key) or ()]
    if is_object(event.get("dataset")):
        listed.append(event["dataset"])
    for item in listed:
        if is_object(item) and (item.get("namespace"), item.get("name")) == (name.namespace, name.name):
            yield item.get("facets") or {}


def merged(said: Iterable[Json]) -> Json:
    """Facets that were said in turn: of each the last one, none that was deleted.

    >>> merged([{"a": {"x": 1}, "b": {}}, {"a": {"x": 2}, "b": {"_deleted": True}}])
    {'a': {'x': 2}}
    """
    found: Json = {}
    for facets in said:
        for name, facet in facets.items():
            if facet is None:
                continue
            found.pop(name, None)
            if not (is_object(facet) and is_deleted(facet)):
                found[name] = facet
    return found
