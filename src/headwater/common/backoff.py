"""Exponential backoff: how long to wait before the next attempt."""

import random
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pace:
    """Waits `first` seconds after the first failure, twice as long after each further one, up to `longest`."""

    first: float = 0.5
    longest: float = 30.0

    def seconds(self, failures: int) -> float:
        """The pause after this many failures, shortened at random so that many senders do not return at once."""
        return float(min(self.longest, self.first * 2 ** min(failures - 1, 16)) * random.uniform(0.5, 1))  # noqa: S311
