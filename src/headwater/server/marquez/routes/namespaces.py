"""Routes of namespaces: datasets and jobs use them; people may describe and delete them."""

from collections.abc import Mapping

from headwater.server.http.errors import ApiError
from headwater.server.marquez.bodies import NamespaceBody
from headwater.server.marquez.entities.event_times import times_seen
from headwater.server.marquez.entities.values import Json, instant, now_us
from headwater.server.marquez.models import NamespaceModel, Namespaces
from headwater.server.marquez.parameters import NOT_FOUND, WRONG, Limit, Offset
from headwater.server.marquez.routing import SessionRoutes
from headwater.store.by_hand import NamespaceRow, describe, described_namespaces
from headwater.store.db.codes import Kind
from headwater.store.db.session import Session
from headwater.store.reads.names import first_ids, is_namespace_used

router = SessionRoutes("namespaces")

_DEFAULT = NamespaceRow("default", 0, 0, "anonymous", "The namespace of everything that names no other.")


@router.get("/namespaces", response_model=Namespaces, responses=WRONG)
def list_namespaces(session: Session, limit: Limit = 100, offset: Offset = 0) -> Json:
    """List all namespaces, by name."""
    visible = sorted(row for row in _all_namespaces(session).values() if row.hidden_us is None)
    return {"namespaces": [namespace_json(row) for row in visible[offset : offset + limit]]}


@router.get("/namespaces/{namespace}", response_model=NamespaceModel, responses=NOT_FOUND)
def get_namespace(session: Session, namespace: str) -> Json:
    """Get a namespace."""
    return namespace_json(namespace_called(session, namespace))


@router.put("/namespaces/{namespace}", response_model=NamespaceModel, responses=WRONG)
def put_namespace(session: Session, namespace: str, body: NamespaceBody) -> Json:
    """Describe a namespace."""
    before, now = _all_namespaces(session, namespace).get(namespace), now_us()
    row = NamespaceRow(namespace, before.created_us if before else now, now, body.owner_name, body.description)
    describe(session, row)
    return namespace_json(row)


def namespace_json(row: NamespaceRow) -> Json:
    """A namespace as Marquez shows it."""
    return {
        "name": row.name,
        "createdAt": instant(row.created_us),
        "updatedAt": instant(row.updated_us),
        "ownerName": row.owner,
        "description": row.description,
        "isHidden": row.hidden_us is not None,
    }


def namespace_called(session: Session, name: str) -> NamespaceRow:
    """A namespace that exists and is not hidden, or a 404."""
    row = _all_namespaces(session, name).get(name)
    if row is None or row.hidden_us is not None:
        raise ApiError(404, f"Namespace '{name}' not found.")
    return row


def _all_namespaces(session: Session, name: str | None = None) -> Mapping[str, NamespaceRow]:
    """All namespaces, or the one of a name, hidden ones too; used ones exist since their first dataset or job."""
    namespaces: dict[str, NamespaceRow] = {}
    for kind in (Kind.DATASET, Kind.JOB):
        first = first_ids(session, kind, name)
        seen = times_seen(session, kind, first.values())
        for text, key in first.items():
            us = seen[key].first if key in seen else 0
            if text not in namespaces or us < namespaces[text].created_us:
                namespaces[text] = NamespaceRow(text, us, us, _DEFAULT.owner, None)
    namespaces.setdefault(_DEFAULT.name, _DEFAULT)
    for row in described_namespaces(session, name):
        used = row.hidden_us is not None and is_namespace_used(session, row.name)
        namespaces[row.name] = row._replace(hidden_us=None) if used else row
    return namespaces
