"""Events that lie ahead of the clock: found among those that come, and said once for each sender."""

import json
import logging
from collections.abc import Iterable, Sequence

from headwater.openlineage.model.instants import time_text
from headwater.store.db.clock import Clock
from headwater.store.ingest.prepared_event import Ready

_log = logging.getLogger(__name__)
_MOST_SENDERS = 100
_MOST_LETTERS = 200


def ahead_of(clock: Clock, events: Iterable[Ready]) -> list[int]:
    """The places of the events that lie ahead of a clock."""
    latest = clock.latest_us()
    return [place for place, event in enumerate(events) if event.us > latest]


def reason_ahead(clock: Clock, us: int) -> str:
    """What it means that an event lies ahead.

    >>> reason_ahead(Clock(60), 253_402_300_799_000_000)
    'eventTime 9999-12-31T23:59:59Z is more than 60 s ahead of the clock: it is stored, and counts from then on.'
    """
    return (
        f"eventTime {time_text(us)} is more than {clock.tolerance:g} s ahead of the clock:"
        " it is stored, and counts from then on."
    )


class AheadNotices:
    """Logs that events lie ahead: once for each job, or dataset, that they are of."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._known: set[str] = set()

    def tell(self, events: Sequence[Ready]) -> None:
        """Log what lies ahead and was not said before."""
        for place in ahead_of(self._clock, events):
            if len(self._known) > _MOST_SENDERS:
                return
            sender = _sender(events[place])
            if sender in self._known:
                continue
            self._known.add(sender)
            if len(self._known) > _MOST_SENDERS:
                _log.warning("More than %d senders have clocks that are ahead: no further one is logged", _MOST_SENDERS)
                return
            reason = reason_ahead(self._clock, events[place].us)
            _log.warning("The clock that sends events of %s is ahead: %s Correct that clock.", sender, reason)


def _sender(event: Ready) -> str:
    """The job that an event is of, or the dataset, in quotes and in one line, however it is called."""
    meaning = event.read()
    name = meaning.job or next((mention.dataset for mention in meaning.mentions), None)
    return json.dumps("/".join(name) if name else "?")[:_MOST_LETTERS]
