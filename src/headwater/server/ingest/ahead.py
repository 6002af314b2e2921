"""What a sender is told of events that lie ahead of the server's clock: they are stored, and count from then on."""

from collections.abc import Sequence
from typing import Any

from headwater.openlineage.model.instants import instant_text
from headwater.server.ingest.event_bodies import Batch
from headwater.store.ahead import ahead_of, reason_ahead
from headwater.store.db.clock import Clock
from headwater.store.ingest.prepared_event import Ready

_MOST_LISTED = 100


def warning(clock: Clock, ready: Sequence[Ready]) -> dict[str, str]:
    """The header that says that events lie ahead, if any does; clients that do not know it ignore it."""
    ahead = ahead_of(clock, ready)
    if not ahead:
        return {}
    more = f" (and {len(ahead) - 1} more)" if len(ahead) > 1 else ""
    # 299 is a warning of one's own (RFC 7234, 5.5.7), by nobody in particular.
    return {"Warning": f'299 - "{reason_ahead(clock, ready[ahead[0]].us)}{more}"'}


def listed_ahead(clock: Clock, batch: Batch) -> dict[str, Any]:
    """The members of the answer to a batch: how many events lie ahead, and the first by index; none if none does."""
    ahead = ahead_of(clock, batch.ready)
    if not ahead:
        return {}
    rejected = {bad.index for bad in batch.rejected}
    places = [index for index in range(batch.received) if index not in rejected]
    listed = [
        {"index": places[place], "eventTime": instant_text(batch.ready[place].us)} for place in ahead[:_MOST_LISTED]
    ]
    return {"ahead": len(ahead), "aheadEvents": listed}
