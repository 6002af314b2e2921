"""Namespaces that people described or deleted; `headwater.store.reads.names` has those that names use."""

from typing import NamedTuple

from headwater.store.db.session import Session
from headwater.store.entities.keys import hash_of

_DESCRIBED = """
SELECT namespace.name, namespace.created_us, namespace.updated_us, namespace.owner, namespace.description,
       namespace.hidden_us
FROM namespace WHERE namespace.key = coalesce(:key, namespace.key)
"""


class NamespaceRow(NamedTuple):
    """A described namespace; times in microseconds."""

    name: str
    created_us: int
    updated_us: int
    owner: str
    description: str | None
    hidden_us: int | None = None


def described_namespaces(session: Session, name: str | None) -> list[NamespaceRow]:
    """All described namespaces, or the one of a name."""
    rows = session.rows(_DESCRIBED, key=None if name is None else hash_of(name))
    return [NamespaceRow._make(row) for row in rows]
