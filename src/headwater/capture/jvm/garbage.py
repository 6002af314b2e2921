"""Python's garbage collector, and plans of a hundred thousand nodes."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

MANY_NODES = 10_000
"""Plans with more nodes than this are worked on while the collector rests."""


@contextmanager
def collector_paused(*, when: bool) -> Iterator[None]:
    """Let the collector rest while very many objects are made that all stay in use for a moment.

    It would look through them again and again and find nothing, for as much time as the work itself takes. A collector
    that somebody has switched off stays off.

    >>> with collector_paused(when=True):
    ...     gc.isenabled()
    False
    >>> gc.isenabled()
    True
    """
    pause = when and gc.isenabled()
    if pause:
        gc.disable()
    try:
        yield
    finally:
        if pause:
            gc.enable()
