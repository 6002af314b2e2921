"""The clock of whoever asks: events later than it by more than a tolerance are stored, and are not yet "now"."""

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from headwater.common.errors import StoreError

TOLERANCE_VARIABLE = "HEADWATER_CLOCK_TOLERANCE"
"""The environment variable with the tolerance of every store that a process opens, in seconds."""
DEFAULT_TOLERANCE = 24 * 60 * 60.0
"""A day, in seconds: enough for a sender whose clock is in another time zone."""
MOST_TOLERANCE = 10_000 * 366 * DEFAULT_TOLERANCE
"""In seconds, more than there is between any two times of events: with so much, no event lies ahead."""
_MICROSECONDS = 1_000_000


def _clock_us() -> int:
    return time.time_ns() // 1000


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock, and by how many seconds the times of events may be ahead of it.

    >>> Clock(60, lambda: 1_000_000).latest_us()
    61000000
    """

    tolerance: float = DEFAULT_TOLERANCE
    now_us: Callable[[], int] = _clock_us

    def latest_us(self) -> int:
        """The last moment that does not lie ahead, in microseconds UTC."""
        return self.now_us() + int(self.tolerance * _MICROSECONDS)

    @staticmethod
    def of_environment(environment: Mapping[str, str] | None = None) -> "Clock":
        """The clock of this machine, with the tolerance that the environment sets.

        Raises:
            StoreError: it is no number of seconds, or less than 0.

        >>> Clock.of_environment({"HEADWATER_CLOCK_TOLERANCE": "3600"}).tolerance
        3600.0
        """
        text = (os.environ if environment is None else environment).get(TOLERANCE_VARIABLE)
        if not text:
            return Clock()
        try:
            tolerance = float(text)
        except ValueError:
            tolerance = -1
        if not 0 <= tolerance <= MOST_TOLERANCE:
            raise StoreError(f"{TOLERANCE_VARIABLE} is not a number of seconds, 0 or more: {text!r}.")
        return Clock(tolerance)
