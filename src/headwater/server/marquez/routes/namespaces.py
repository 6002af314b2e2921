"""Routes of namespaces: datasets and jobs use them; people may describe and delete them."""

from collections.abc import Mapping
from dataclasses import dataclass

from fastapi import APIRouter
from fastapi.responses import Response

from headwater.server.http.errors import ApiError
from headwater.server.http.query_threads import Asking
from headwater.server.marquez.bodies import NamespaceBody
from headwater.server.marquez.clock import now_us
from headwater.server.marquez.entities.event_times import times_seen
from headwater.server.marquez.entities.values import Json, instant
from headwater.server.marquez.graphs.json import json_response
from headwater.server.marquez.models import NamespaceModel, Namespaces
from headwater.server.marquez.parameters import NOT_FOUND, WRONG, Limit, Offset
from headwater.store.by_hand import NamespaceRow, describe, described_namespaces
from headwater.store.db.codes import Kind
from headwater.store.db.session import Session
from headwater.store.reads.names import first_ids, is_namespace_used

router = APIRouter(prefix="/api/v1", tags=["Marquez: namespaces"])

DEFAULT = "default"
_DEFAULT_DESCRIPTION = "The namespace of everything that names no other."
_OWNER = "anonymous"


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
        visible = [item for item in all_namespaces(session).values() if not item.hidden]
        visible.sort(key=lambda item: item.name)
        return {"namespaces": [item.to_json() for item in visible[offset : offset + limit]]}

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
    """A namespace that exists and is not hidden, or a 404."""
    namespace = all_namespaces(session, name).get(name)
    if namespace is None or namespace.hidden:
        raise ApiError(404, f"Namespace '{name}' not found.")
    return namespace


def all_namespaces(session: Session, name: str | None = None) -> Mapping[str, Namespace]:
    """All namespaces, or the one of a name, hidden ones too."""
    namespaces = _used(session, name)
    namespaces.setdefault(DEFAULT, Namespace(DEFAULT, 0, 0, description=_DEFAULT_DESCRIPTION))
    for row in described_namespaces(session, name):
        hidden = row.hidden_us is not None and not is_namespace_used(session, row.name)
        namespaces[row.name] = Namespace(*row[:5], hidden)
    return namespaces


def _used(session: Session, name: str | None) -> dict[str, Namespace]:
    """The namespaces of datasets and jobs, each since its first dataset or job."""
    namespaces: dict[str, Namespace] = {}
    for kind in (Kind.DATASET, Kind.JOB):
        first = first_ids(session, kind, name)
        seen = times_seen(session, kind, first.values())
        for text, key in first.items():
            us = seen[key].first if key in seen else 0
            if text not in namespaces or us < namespaces[text].created:
                namespaces[text] = Namespace(text, us, us)
    return namespaces


def write_namespace(session: Session, namespace: Namespace, hidden_us: int | None = None) -> None:
    """Store the description of a namespace."""
    row = (namespace.name, namespace.created, namespace.updated, namespace.owner, namespace.description, hidden_us)
    describe(session, NamespaceRow(*row))
