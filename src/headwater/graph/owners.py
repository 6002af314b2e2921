"""Who owns datasets and jobs, as their last ownership facets say."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from headwater.graph.answer import TableName
from headwater.store.keys import hash_of
from headwater.store.session import Given, Row, Session

_DATASET, _JOB = 0, 1
# Of each facet the time of the last event that carries it.
_OWNERSHIP = """
SELECT given.place, note.content, (SELECT max(event.us) FROM event WHERE event.shape = note.shape)
FROM {{given}}
{{join}} {table} t ON t.key = given.key
{{join}} note ON note.kind = :kind AND note.entity = t.id AND note.name = 'ownership'
"""
_TABLES = {_DATASET: "dataset", _JOB: "job"}


@dataclass(frozen=True, slots=True, order=True)
class Owner:
    """An owner, and in which role; roles are as the facet names them."""

    name: str
    type: str

    def to_dict(self) -> dict[str, object]:
        """As plain JSON."""
        return {"name": self.name, "type": self.type}


def owners_of_datasets(session: Session, names: Collection[TableName]) -> dict[TableName, tuple[Owner, ...]]:
    """The owners of each dataset that has some."""
    return _owners(session, _DATASET, names)


def owners_of_jobs(session: Session, names: Collection[TableName]) -> dict[TableName, tuple[Owner, ...]]:
    """The owners of each job that has some."""
    return _owners(session, _JOB, names)


def read_owners(content: str) -> tuple[Owner, ...]:
    """The owners that an ownership facet names; whatever is not understood is left out.

    >>> read_owners('{"owners": [{"name": "team:data", "type": "MAINTAINER"}, {"name": "jo"}, 7]}')
    (Owner(name='jo', type=''), Owner(name='team:data', type='MAINTAINER'))
    """
    return owners_in(json.loads(content) if content else {})


def owners_in(facet: object) -> tuple[Owner, ...]:
    """The same of a facet that was read already."""
    listed = facet.get("owners") if isinstance(facet, Mapping) else None
    found = set()
    for one in listed if isinstance(listed, list) else []:
        if isinstance(one, Mapping) and isinstance(one.get("name"), str):
            role = one.get("type")
            found.add(Owner(one["name"], role if isinstance(role, str) else ""))
    return tuple(sorted(found))


def _owners(session: Session, kind: int, names: Collection[TableName]) -> dict[TableName, tuple[Owner, ...]]:
    ordered = sorted(set(names))
    if not ordered:
        return {}
    rows: list[Row] = [(place, hash_of(name.namespace, name.name)) for place, name in enumerate(ordered)]
    last: dict[int, tuple[int, str]] = {}
    statement = _OWNERSHIP.format(table=_TABLES[kind])
    for place, content, us in session.rows(statement, Given("place int, key bytes", rows), kind=kind):
        if us is not None:
            last[place] = max((us, content), last.get(place, (us, content)))
    return {ordered[place]: found for place, (_, content) in last.items() if (found := read_owners(content))}
