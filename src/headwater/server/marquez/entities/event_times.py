"""When events first and last named datasets and jobs: by the shapes of these events, a few for each.

The events themselves are not read: of a shape, an index has the first and the last time.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from headwater.store.db.codes import Kind
from headwater.store.db.session import Session
from headwater.store.reads.events import ShapeTimes, times_by_relation, times_of_shapes


class Shape(NamedTuple):
    """A shape of events, its role (of a dataset) or whether it streams (of a job), and its last time."""

    shape: int
    role: int
    last: int


@dataclass(slots=True)
class Seen:
    """The first and the last time, and the shapes."""

    first: int = 0
    last: int = 0
    shapes: list[Shape] = field(default_factory=list)


def times_seen(session: Session, kind: Kind, keys: Collection[int]) -> Mapping[int, Seen]:
    """When events named each dataset or job; 1970 where no such event is left."""
    seen = _by_entity(times_of_shapes(session, kind, keys))
    missing = set(keys) - seen.keys()
    return seen | _by_entity(times_by_relation(session, kind, missing)) if missing else seen


def _by_entity(rows: Iterable[ShapeTimes]) -> defaultdict[int, Seen]:
    by_entity: defaultdict[int, Seen] = defaultdict(Seen)
    for key, role, shape, first, last in rows:
        if first is None or last is None:
            continue
        seen = by_entity[key]
        seen.first = min(seen.first, first) if seen.shapes else first
        seen.last = max(seen.last, last) if seen.shapes else last
        seen.shapes.append(Shape(shape, role, last))
    return by_entity
