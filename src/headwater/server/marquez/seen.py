"""When datasets and jobs were first and last told of: by the shapes of the events that name them, a few for each.

The events themselves are not read: of a shape, an index has the first and the last time.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from headwater.graph.hiding import DATASET
from headwater.store.session import Row, Session, ids
from headwater.store.terms import Kind

_TIMES = """
       (SELECT min(event.us) FROM event WHERE event.shape = {shape}),
       (SELECT max(event.us) FROM event WHERE event.shape = {shape})
"""
_OF_DATASETS = (
    "SELECT given.id, mention.role, mention.shape,"
    + _TIMES.format(shape="mention.shape")
    + "FROM {given} {join} mention ON mention.dataset = given.id"
)
# What is known as another name of a dataset only.
_OF_ALIASES = (
    "SELECT given.id, 0, symlink.shape,"
    + _TIMES.format(shape="symlink.shape")
    + "FROM {given} {join} symlink ON symlink.alias = given.id"
)
_OF_JOBS = (
    "SELECT given.id, shape.streaming, shape.id,"
    + _TIMES.format(shape="shape.id")
    + "FROM {given} {join} shape ON shape.job = given.id"
)
# What is known as the parent of other runs only.
_OF_PARENTS = """
SELECT run.job, 0, 0, min(child.first_us), max(child.first_us) FROM {given}
{join} run ON run.job = given.id {join} run child ON child.parent = run.id
GROUP BY run.job
"""


class Shape(NamedTuple):
    """A shape of events, what it has to do with the thing (a role, or whether it streams), and its last time."""

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
    """When each dataset or job was told of; 1970 where no event is left that does."""
    of_kind, beside = (_OF_DATASETS, _OF_ALIASES) if kind is DATASET else (_OF_JOBS, _OF_PARENTS)
    found = _read(session.rows(of_kind, ids(keys)))
    missing = set(keys) - found.keys()
    return found | _read(session.rows(beside, ids(missing))) if missing else found


def _read(rows: Iterable[Row]) -> defaultdict[int, Seen]:
    found: defaultdict[int, Seen] = defaultdict(Seen)
    for key, role, shape, first, last in rows:
        if first is None:
            continue
        seen = found[key]
        seen.first = min(seen.first, first) if seen.shapes else first
        seen.last = max(seen.last, last) if seen.shapes else last
        seen.shapes.append(Shape(shape, role, last))
    return found
