"""Raw events, put together again from their parts."""

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from headwater.store.db.codes import FOREVER
from headwater.store.db.predicates import raw_kept
from headwater.store.db.session import Session
from headwater.store.model.compression import unpacked
from headwater.store.model.event_parts import RECEIVED, Parts, join

if TYPE_CHECKING:
    from headwater.store.store import Store

_BATCH = 1_000
_PACKED_BYTES = 4_000_000
_EVENTS = f"""
SELECT event.us, event.hash, body.content, event.rest
FROM event JOIN body ON body.id = event.body
WHERE event.us >= :since AND (event.us > :since OR event.hash > :hash) AND event.us <= :until
    AND {raw_kept("event")}
ORDER BY event.us, event.hash LIMIT :most
"""  # noqa: S608  our own words


def put_together(body: bytes, rest: bytes) -> dict[str, Any]:
    """An event from what is stored of it, without secrets."""
    return join(Parts(json.loads(unpacked(body)), json.loads(unpacked(rest))))


def as_received(body: bytes, rest: bytes) -> dict[str, Any]:
    """An event as it came, where the store was told to keep that; else without secrets."""
    parts = Parts(json.loads(unpacked(body)), json.loads(unpacked(rest)))
    received: dict[str, Any] | None = parts.rest.get(RECEIVED)
    return join(parts) if received is None else received


class Place(NamedTuple):
    """Where an event stands among all, by time."""

    us: int
    hash: bytes


def read_events(  # noqa: PLR0913  each is a part of one question
    session: Session,
    after: Place | None = None,
    *,
    since: int | None = None,
    until: int | None = None,
    most: int,
    read: Callable[[bytes, bytes], dict[str, Any]] = put_together,
) -> tuple[list[dict[str, Any]], Place | None]:
    """The next raw events in order of time, and the place of the last one; None where no more follow.

    Where events are large there are fewer, so that they fit into memory.
    """
    start = after or Place(-FOREVER if since is None else since, b"")
    end = FOREVER if until is None else until
    rows = session.rows(_EVENTS, since=start.us, hash=start.hash, until=end, most=most)
    size = 0
    events: list[dict[str, Any]] = []
    for us, hashed, body, rest in rows:
        events.append(read(body, rest))
        size += len(body) + len(rest)
        if size > _PACKED_BYTES or len(events) == most:
            return events, Place(us, bytes(hashed))
    return events, None


def raw_events(store: "Store", since: int | None, until: int | None) -> Iterator[dict[str, Any]]:
    """All raw events in order of time, a batch at a time; as they came, where the store was told to keep that."""
    place: Place | None = None
    while True:
        with store.read() as session:
            events, place = read_events(session, place, since=since, until=until, most=_BATCH, read=as_received)
        yield from events
        if place is None:
            return
