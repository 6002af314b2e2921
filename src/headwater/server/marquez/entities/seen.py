"""When datasets and jobs were first and last told of: by the shapes of the events that name them, a few for each.

The events themselves are not read: of a shape, an index has the first and the last time.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from headwater.query.metadata.deleted import DATASET
from headwater.store.db.codes import Kind
from headwater.store.db.predicates import first_event, last_event
from headwater.store.db.session import Row, Session, ids

_OF_DATASETS = f"""
SELECT given.id, mention.role, mention.shape, {first_event("mention.shape")}, {last_event("mention.shape")}
FROM {{given}} {{join}} mention ON mention.dataset = given.id
"""  # noqa: S608  our own words
# What is known as another name of a dataset only.
_OF_ALIASES = f"""
SELECT given.id, 0, symlink.shape, {first_event("symlink.shape")}, {last_event("symlink.shape")}
FROM {{given}} {{join}} symlink ON symlink.alias = given.id
"""  # noqa: S608  our own words
_OF_JOBS = f"""
SELECT given.id, shape.streaming, shape.id, {first_event("shape.id")}, {last_event("shape.id")}
FROM {{given}} {{join}} shape ON shape.job = given.id
"""  # noqa: S608  our own words
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
