"""Routes of namespaces: they are there by the datasets and jobs in them; people may describe and delete them."""

from collections.abc import Mapping
from dataclasses import dataclass

from fastapi import APIRouter
from fastapi.responses import Response

from headwater.query.metadata.deleted import DATASET, JOB, NOT_HIDDEN
from headwater.server.http.errors import ApiError
from headwater.server.http.query_threads import Asking
from headwater.server.marquez.bodies import NamespaceBody
from headwater.server.marquez.clock import now_us
from headwater.server.marquez.entities.seen import times_seen
from headwater.server.marquez.entities.values import Json, instant
from headwater.server.marquez.graphs.json import json_response
from headwater.server.marquez.models import NamespaceModel, Namespaces
from headwater.server.marquez.parameters import NOT_FOUND, WRONG, Limit, Offset
from headwater.store.db.session import Session
from headwater.store.entities.keys import hash_of

router = APIRouter(prefix="/api/v1", tags=["Marquez: namespaces"])

DEFAULT = "default"
_DEFAULT_WORDS = "The namespace of everything that names no other."
_OWNER = "anonymous"
_BY_HAND = """
SELECT namespace.name, namespace.created_us, namespace.updated_us, namespace.owner, namespace.description,
       namespace.hidden_us
FROM namespace WHERE namespace.key = coalesce(:key, namespace.key)
"""
# The first dataset and the first job of a namespace tell since when it is there.
_NAMED = {
    kind: f"SELECT t.namespace, min(t.id) FROM {table} t"  # noqa: S608  our own words
    " WHERE t.namespace = coalesce(:name, t.namespace) GROUP BY t.namespace"
    for kind, table in ((DATASET, "dataset"), (JOB, "job"))
}
_USED = [
    f"SELECT 1 FROM {table} t WHERE t.namespace = :name AND {NOT_HIDDEN[kind]} LIMIT 1"  # noqa: S608  our own words
    for kind, table in ((DATASET, "dataset"), (JOB, "job"))
]


@dataclass(frozen=True, slots=True)
class Namespace:
    """A namespace; times in microseconds."""

    name: str
    created: int
    updated: int
    owner: str = _OWNER
    description: str | None = None
    hidden: bool = False

    def to_json(self) -> Json:
        """As Marquez shows it."""
        return {
            "name": self.name,
            "createdAt": instant(self.created),
            "updatedAt": instant(self.updated),
            "ownerName": self.owner,
            "description": self.description,
            "isHidden": self.hidden,
        }


@router.get("/namespaces", response_model=Namespaces, responses=WRONG)
async def list_namespaces(asker: Asking, limit: Limit = 100, offset: Offset = 0) -> Response:
    """List all namespaces, by name."""

    def answer(session: Session) -> Json:
        found = sorted(all_namespaces(session).values(), key=lambda one: one.name)
        shown = [one for one in found if not one.hidden]
        return {"namespaces": [one.to_json() for one in shown[offset : offset + limit]]}

    return json_response(await asker.ask(answer))


@router.get("/namespaces/{namespace}", response_model=NamespaceModel, responses=NOT_FOUND)
async def get_namespace(asker: Asking, namespace: str) -> Response:
    """Get a namespace."""
    return json_response(await asker.ask(lambda session: namespace_called(session, namespace).to_json()))


@router.put("/namespaces/{namespace}", response_model=NamespaceModel, responses=WRONG)
async def put_namespace(asker: Asking, namespace: str, body: NamespaceBody) -> Response:
    """Describe a namespace."""

    def work(session: Session) -> Json:
        before = all_namespaces(session, namespace).get(namespace)
        now = now_us()
        described = Namespace(namespace, before.created if before else now, now, body.owner_name, body.description)
        write_namespace(session, described)
        return described.to_json()

    return json_response(await asker.change(work))


def namespace_called(session: Session, name: str) -> Namespace:
    """A namespace that is there and not hidden."""
    found = all_namespaces(session, name).get(name)
    if found is None or found.hidden:
        raise ApiError(404, f"Namespace '{name}' not found.")
    return found


def all_namespaces(session: Session, name: str | None = None) -> Mapping[str, Namespace]:
    """All namespaces, or the one of a name, hidden ones too."""
    found = _named(session, name)
    found.setdefault(DEFAULT, Namespace(DEFAULT, 0, 0, description=_DEFAULT_WORDS))
    key = None if name is None else hash_of(name)
    for text, created, updated, owner, words, hidden_us in session.rows(_BY_HAND, key=key):
        hidden = hidden_us is not None and not _is_used(session, text)
        found[text] = Namespace(text, created, updated, owner, words, hidden)
    return found


def _named(session: Session, name: str | None) -> dict[str, Namespace]:
    """Namespaces by the names in them, each since its first dataset or job."""
    found: dict[str, Namespace] = {}
    for kind, statement in _NAMED.items():
        first: dict[str, int] = dict(session.rows(statement, name=name))
        seen = times_seen(session, kind, first.values())
        for text, key in first.items():
            us = seen[key].first if key in seen else 0
            if text not in found or us < found[text].created:
                found[text] = Namespace(text, us, us)
    return found


def _is_used(session: Session, name: str) -> bool:
    """Whether a dataset or a job of a namespace is to be seen."""
    return any(session.rows(statement, name=name) for statement in _USED)


def write_namespace(session: Session, namespace: Namespace, hidden_us: int | None = None) -> None:
    """Keep what someone said of a namespace."""
    row = (
        hash_of(namespace.name),
        namespace.created,
        namespace.updated,
        hidden_us,
        namespace.name,
        namespace.owner,
        namespace.description,
    )
    session.insert(
        "namespace",
        "key, created_us, updated_us, hidden_us, name, owner, description",
        [row],
        conflict="(key) DO UPDATE SET updated_us = excluded.updated_us, hidden_us = excluded.hidden_us,"
        " owner = excluded.owner, description = excluded.description",
    )
