"""Who owns datasets and jobs, as their last ownership facets say."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from headwater.query.graph.answer import TableName
from headwater.store.db.codes import NoteKind
from headwater.store.db.predicates import last_event
from headwater.store.db.session import Given, Row, Session
from headwater.store.entities.keys import hash_of

# Of each facet the time of the last event that carries it.
_OWNERSHIP = """
SELECT given.place, note.content, {last_event}
FROM {{given}}
{{join}} {table} t ON t.key = given.key
{{join}} note ON note.kind = :kind AND note.entity = t.id AND note.name = 'ownership'
"""
_TABLES = {NoteKind.DATASET: "dataset", NoteKind.JOB: "job"}


@dataclass(frozen=True, slots=True, order=True)
class Owner:
    """An owner, and in which role; roles are as the facet names them."""

    name: str
    type: str


def owners_of_datasets(session: Session, names: Collection[TableName]) -> dict[TableName, tuple[Owner, ...]]:
    """The owners of each dataset that has some."""
    return _owners(session, NoteKind.DATASET, names)


def owners_of_jobs(session: Session, names: Collection[TableName]) -> dict[TableName, tuple[Owner, ...]]:
    """The owners of each job that has some."""
    return _owners(session, NoteKind.JOB, names)


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


def _owners(session: Session, kind: NoteKind, names: Collection[TableName]) -> dict[TableName, tuple[Owner, ...]]:
    ordered = sorted(set(names))
    if not ordered:
        return {}
    rows: list[Row] = [(place, hash_of(name.namespace, name.name)) for place, name in enumerate(ordered)]
    last: dict[int, tuple[int, str]] = {}
    statement = _OWNERSHIP.format(table=_TABLES[kind], last_event=last_event("note.shape"))
    for place, content, us in session.rows(statement, Given("place int, key bytes", rows), kind=int(kind)):
        if us is not None:
            last[place] = max((us, content), last.get(place, (us, content)))
    return {ordered[place]: found for place, (_, content) in last.items() if (found := read_owners(content))}
