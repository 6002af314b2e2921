"""Whether an event is what makes its endpoint fail, or the endpoint fails over everything.

A failure alone does not tell. So an event over which the endpoint keeps failing lets the next ones pass. If they are
accepted and it fails again, that counts against the event; if it happens often enough, the event is the cause.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from headwater.common.backoff import Pace

# How often an event may fail, with others accepted in between. The pauses add up to half a minute or so.
MOST = 5
_FIRST_PAUSE = 2


@dataclass(frozen=True, slots=True)
class Suspicion:
    """What speaks against an event.

    Attributes:
        counted: how often it failed after the endpoint had accepted other events since its last failure.
        accepted: how many events the endpoint had accepted when this one failed last; None if it has not failed.
        due: when it may be tried again, on the monotonic clock.

    >>> Suspicion().again(3, Pace()).again(3, Pace()).counted
    0
    >>> Suspicion().again(3, Pace()).again(7, Pace()).counted
    1
    """

    counted: int = 0
    accepted: int | None = None
    due: float = 0.0

    def is_tested(self, accepted: int) -> bool:
        """Whether the endpoint has accepted others since this event failed: its next failure counts."""
        return self.accepted is not None and accepted > self.accepted

    def again(self, accepted: int, pace: Pace) -> Suspicion:
        """After another failure, in every form. Until one counts, the event is due as soon as others are accepted."""
        counted = self.counted + self.is_tested(accepted)
        pause = pace.seconds(counted + _FIRST_PAUSE) if counted else 0.0
        return Suspicion(counted, accepted, time.monotonic() + pause)


NONE = Suspicion()
