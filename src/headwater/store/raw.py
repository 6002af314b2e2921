"""Raw events, put together again from their parts."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from headwater.store.derive import FOREVER
from headwater.store.packing import unpacked
from headwater.store.parts import Parts, join

if TYPE_CHECKING:
    from headwater.store.store import Store

_BATCH = 1_000
_EVENTS = """
SELECT event.us, event.hash, body.content, event.rest
FROM event JOIN body ON body.id = event.body
WHERE event.us >= :since AND (event.us > :since OR event.hash > :hash) AND event.us <= :until
    AND event.rest IS NOT NULL
ORDER BY event.us, event.hash LIMIT :most
"""


def put_together(body: bytes, rest: bytes) -> dict[str, Any]:
    """An event from what is stored of it."""
    return join(Parts(json.loads(unpacked(body)), json.loads(unpacked(rest))))


def raw_events(store: "Store", since: int | None, until: int | None) -> Iterator[dict[str, Any]]:
    """All raw events in order of time, a batch at a time."""
    at, last = (-FOREVER if since is None else since), b""
    end = FOREVER if until is None else until
    while True:
        with store.read() as session:
            rows = session.rows(_EVENTS, since=at, hash=last, until=end, most=_BATCH)
        for _, _, body, rest in rows:
            yield put_together(body, rest)
        if len(rows) < _BATCH:
            return
        at, last = rows[-1][0], bytes(rows[-1][1])
