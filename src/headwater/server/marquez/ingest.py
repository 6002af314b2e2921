"""Writes the events of Marquez's calls in the transaction of the call: all of it is stored, or nothing."""

from collections.abc import Iterable

from headwater.openlineage.model.event import BadEvent
from headwater.server.http.errors import ApiError
from headwater.server.marquez.entities.values import Json
from headwater.store.db.session import Session
from headwater.store.entities.key_cache import Cache
from headwater.store.ingest.batch import write_events
from headwater.store.ingest.prepared_event import make_ready


def write(session: Session, events: Iterable[Json]) -> None:
    """Write events as the store ingests them.

    The store's cache between transactions is for one writer at a time; this one starts with an empty cache.

    Raises:
        ApiError: an event cannot be stored; says which field is at fault.
    """
    try:
        ready = [make_ready(event, keep_secrets=session.keep_secrets) for event in events]
    except BadEvent as bad:
        raise ApiError(400, f"{bad.field}: {bad.reason}") from None
    if ready:
        write_events(session, Cache(), ready)
