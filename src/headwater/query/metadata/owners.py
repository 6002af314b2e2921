"""The owners of datasets and jobs, by their last ownership facets."""

import json
from collections.abc import Collection, Mapping

from headwater.query.graph.answer import Owner, TableName
from headwater.store.db.codes import NoteKind
from headwater.store.db.session import Session
from headwater.store.reads.notes import ownership

__all__ = ["Owner", "owners_in", "owners_of_datasets", "owners_of_jobs", "read_owners"]


def owners_of_datasets(session: Session, names: Collection[TableName]) -> dict[TableName, tuple[Owner, ...]]:
    """The owners of each dataset that has some."""
    return _owners(session, NoteKind.DATASET, names)


def owners_of_jobs(session: Session, names: Collection[TableName]) -> dict[TableName, tuple[Owner, ...]]:
    """The owners of each job that has some."""
    return _owners(session, NoteKind.JOB, names)


def read_owners(content: str) -> tuple[Owner, ...]:
    """The owners in an ownership facet; entries without a name are left out.

    >>> read_owners('{"owners": [{"name": "team:data", "type": "MAINTAINER"}, {"name": "jo"}, 7]}')
    (Owner(name='jo', type=''), Owner(name='team:data', type='MAINTAINER'))
    """
    return owners_in(json.loads(content) if content else {})


def owners_in(facet: object) -> tuple[Owner, ...]:
    """The owners in a parsed ownership facet."""
    listed = facet.get("owners") if isinstance(facet, Mapping) else None
    owners = set()
    for owner in listed if isinstance(listed, list) else []:
        if isinstance(owner, Mapping) and isinstance(owner.get("name"), str):
            role = owner.get("type")
            owners.add(Owner(owner["name"], role if isinstance(role, str) else ""))
    return tuple(sorted(owners))


def _owners(session: Session, kind: NoteKind, names: Collection[TableName]) -> dict[TableName, tuple[Owner, ...]]:
    ordered = sorted(set(names))
    last: dict[int, tuple[int, str]] = {}
    for place, content, us in ownership(session, kind, ((name.namespace, name.name) for name in ordered)):
        if us is not None:
            last[place] = max((us, content), last.get(place, (us, content)))
    return {ordered[place]: owners for place, (_, content) in last.items() if (owners := read_owners(content))}
