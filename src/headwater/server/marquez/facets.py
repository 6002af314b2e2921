"""The facets of datasets, jobs and runs, from the raw events that carry them: of each the one that came last.

Only the last event of a shape is read, and only the newest shapes: what older ones said is in these, or was replaced.
"""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from headwater.graph.answer import TableName
from headwater.openlineage.check import is_object
from headwater.openlineage.parse import is_deleted
from headwater.server.marquez.seen import Seen, Shape
from headwater.server.marquez.values import Json
from headwater.store.meaning import Role
from headwater.store.packing import unpacked
from headwater.store.parts import Parts, join
from headwater.store.session import Given, Session

_SHAPES = 6
_RAW = """
SELECT given.shape, body.id, body.content, event.rest FROM {given}
{join} event ON event.shape = given.shape AND event.us = given.us
{join} body ON body.id = event.body
WHERE event.rest IS NOT NULL
"""
_LISTS = ("inputs", "outputs")


def last_events(session: Session, wanted: Iterable[Shape], names: Collection[bytes] = ()) -> Mapping[int, list[Json]]:
    """The last raw events of shapes; none where retention has dropped them, or where none of some names is in them."""
    given = Given("shape int, us int", sorted({(shape.shape, shape.last) for shape in wanted}))
    bodies: dict[int, Json | None] = {}
    found: defaultdict[int, list[Json]] = defaultdict(list)
    for shape, key, body, rest in session.rows(_RAW, given):
        if key not in bodies:
            content = unpacked(body)
            # To look for a name is much faster than to read all that is said of columns.
            bodies[key] = None if names and not any(name in content for name in names) else json.loads(content)
        if (known := bodies[key]) is None:
            continue
        found[shape].append(join(Parts(known, json.loads(unpacked(rest)))))
    return found


def newest(seen: Seen, roles: Iterable[int] | None = None) -> list[Shape]:
    """The newest shapes, the last one at the end; those of some roles come after all others."""
    first = set(roles or ())
    return sorted(seen.shapes, key=lambda shape: (shape.role in first, shape.last, shape.shape))[-_SHAPES:]


WRITING = (Role.WRITTEN, Role.DECLARED)
"""Roles in which an event says what a dataset is; a reader may know less."""


def dataset_facets(session: Session, seen: Mapping[int, Seen], names: Mapping[int, TableName]) -> Mapping[int, Json]:
    """The facets of datasets."""
    shapes = {key: newest(seen[key], WRITING) for key in names if key in seen}
    events = last_events(session, [shape for some in shapes.values() for shape in some])
    return {
        key: merged(
            facets for shape in some for event in events.get(shape.shape, ()) for facets in facets_in(event, names[key])
        )
        for key, some in shapes.items()
    }


def job_facets(
    session: Session, shapes: Mapping[int, Sequence[Shape]], names: Collection[str] = ()
) -> Mapping[int, Json]:
    """The facets of jobs, each with some of its shapes in their order; all, or at least those of some names."""
    quoted = [f'"{name}"'.encode() for name in names]
    events = last_events(session, [shape for some in shapes.values() for shape in some], quoted)
    return {
        key: merged(event.get("job", {}).get("facets") or {} for shape in some for event in events.get(shape.shape, ()))
        for key, some in shapes.items()
    }


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
