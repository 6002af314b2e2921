"""The time at which someone does something by hand, for what names no time itself."""

import time


def now_us() -> int:
    """Now, in microseconds UTC."""
    return time.time_ns() // 1_000
