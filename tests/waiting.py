"""Waiting for a condition, for as long as a busy machine may need."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

SECONDS = 60


def wait_for(event: str, reached: Callable[[], object], seconds: float = SECONDS) -> None:
    """Wait until a condition holds: in another thread, in a process, or on a server."""
    until = time.monotonic() + seconds
    while not reached():
        assert time.monotonic() < until, f"waited {seconds} seconds for {event}"
        time.sleep(0.02)
