"""What a sender is told of events that lie ahead of the server's clock: they are stored, and count from then on."""

from collections.abc import Sequence
from typing import Any

from headwater.openlineage.model.instants import instant_text
from headwater.server.ingest.event_bodies import Batch
from headwater.store.ahead import ahead_of, reason_ahead
from headwater.store.db.clock import Clock
from headwater.store.ingest.prepared_event import Ready

MOST_AHEAD_LISTED = 100
"""Of the events of a batch that lie ahead: the first are listed, all are counted."""


def warning(clock: Clock, ready: Sequence[Ready]) -> dict[str, str]:
    """The header that says that events lie ahead, if any does; clients that do not know it ignore it."""
    ahead = ahead_of(clock, ready)
    if not ahead:
        return {}
    more = f" (and {len(ahead) - 1} more)" if len(ahead) > 1 else ""
    # 299 is a warning of one's own (RFC 7234, 5.5.7), by nobody in particular.
    return {"Warning": f'299 - "{reason_ahead(clock, ready[ahead[0]].us)}{more}"'}


def listed_ahead(clock: Clock, batch: Batch) -> dict[str, Any]:
    """The members of the answer to a batch: the first events that lie ahead, and how many do; none if none does."""
    ahead = ahead_of(clock, batch.ready)
    if not ahead:
        return {}
    listed = [
        {"index": batch.indices[place], "eventTime": instant_text(batch.ready[place].us)}
        for place in ahead[:MOST_AHEAD_LISTED]
    ]
    return {"ahead": listed, "ahead_count": len(ahead)}
