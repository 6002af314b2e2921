"""The last facets of datasets, jobs and runs, from the raw events that carry them.

Only the last event of a shape is read, and only the newest shapes: these repeat or replace what older ones held.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from headwater.openlineage.model.check import is_object
from headwater.openlineage.model.parse import is_deleted
from headwater.query.graph.answer import TableName
from headwater.server.marquez.entities.event_times import Seen, Shape
from headwater.server.marquez.entities.values import Json
from headwater.store.db.codes import Role
from headwater.store.db.session import Session
from headwater.store.model.compression import unpacked
from headwater.store.model.event_parts import Parts, join
from headwater.store.reads.events import bodies_of_shapes, body_contents, raw_of_shapes

_SHAPES = 6
_LISTS = ("inputs", "outputs")
# By the hashes of bodies, of any store: the same hash is the same content.
_JOB_FACETS: dict[bytes, Json] = {}
_MOST_REMEMBERED = 20_000


def _last_events(session: Session, shapes: Iterable[Shape]) -> Mapping[int, list[Json]]:
    """The last raw events of shapes; none where retention has dropped them."""
    bodies: dict[int, Json] = {}
    events: defaultdict[int, list[Json]] = defaultdict(list)
    for shape_key, body, content, rest in raw_of_shapes(session, ((shape.shape, shape.last) for shape in shapes)):
        if body not in bodies:
            bodies[body] = json.loads(unpacked(content))
        events[shape_key].append(join(Parts(bodies[body], json.loads(unpacked(rest)))))
    return events


def newest(seen: Seen, roles: Iterable[int] | None = None) -> list[Shape]:
    """The newest shapes, the last one at the end; those of some roles come after all others."""
    first = set(roles or ())
    return sorted(seen.shapes, key=lambda shape: (shape.role in first, shape.last, shape.shape))[-_SHAPES:]


WRITING = (Role.WRITTEN, Role.DECLARED)
"""Roles in which an event describes a dataset; a reader may know less of it."""


def dataset_facets(session: Session, seen: Mapping[int, Seen], names: Mapping[int, TableName]) -> Mapping[int, Json]:
    """The facets of datasets."""
    shapes = {key: newest(seen[key], WRITING) for key in names if key in seen}
    events = _last_events(session, [shape for group in shapes.values() for shape in group])
    return {
        key: merged(
            facets
            for shape in group
            for event in events.get(shape.shape, ())
            for facets in facets_in(event, names[key])
        )
        for key, group in shapes.items()
    }


def job_facets(session: Session, shapes: Mapping[int, Sequence[Shape]]) -> Mapping[int, Json]:
    """The facets of jobs, each with some of its shapes in their order."""
    bodies: defaultdict[int, list[bytes]] = defaultdict(list)
    keys: dict[bytes, int] = {}
    # All that an event says of its job is in its body.
    times = ((shape.shape, shape.last) for group in shapes.values() for shape in group)
    for shape_key, body, hashed in bodies_of_shapes(session, times):
        bodies[shape_key].append(hashed)
        keys[hashed] = body
    facets = _job_facets_of_bodies(session, keys)
    return {
        key: merged(facets[hashed] for shape in group for hashed in bodies.get(shape.shape, ()) if hashed in facets)
        for key, group in shapes.items()
    }


def _job_facets_of_bodies(session: Session, keys: Mapping[bytes, int]) -> Mapping[bytes, Json]:
    """The job's facets in bodies, by the bodies' hashes: read once, since the rest of a body is long."""
    facets = {hashed: known for hashed in keys if (known := _JOB_FACETS.get(hashed)) is not None}
    missing = {key: hashed for hashed, key in keys.items() if hashed not in facets}
    for key, content in body_contents(session, missing):
        facets[missing[key]] = json.loads(unpacked(content)).get("job", {}).get("facets") or {}
    if len(_JOB_FACETS) > _MOST_REMEMBERED:
        _JOB_FACETS.clear()
    _JOB_FACETS.update((hashed, facets[hashed]) for hashed in missing.values() if hashed in facets)
    return facets


def facets_in(event: Json, name: TableName) -> Iterable[Json]:
    """The facets of a dataset in an event, once for each time that the event names it."""
    listed: list[Any] = [item for key in _LISTS for item in event.get(key) or ()]
    if is_object(event.get("dataset")):
        listed.append(event["dataset"])
    for item in listed:
        if is_object(item) and (item.get("namespace"), item.get("name")) == (name.namespace, name.name):
            yield item.get("facets") or {}


def merged(history: Iterable[Json]) -> Json:
    """Facets in the order of their events as one: the last of each, without deleted ones.

    >>> merged([{"a": {"x": 1}, "b": {}}, {"a": {"x": 2}, "b": {"_deleted": True}}])
    {'a': {'x': 2}}
    """
    last: Json = {}
    for facets in history:
        for name, facet in facets.items():
            if facet is None:
                continue
            last.pop(name, None)
            if not (is_object(facet) and is_deleted(facet)):
                last[name] = facet
    return last
