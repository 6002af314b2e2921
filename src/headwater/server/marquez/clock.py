"""The current time, for calls that name none."""

import time


def now_us() -> int:
    """Now, in microseconds UTC."""
    return time.time_ns() // 1_000
