"""Fewer runs of Python's cyclic garbage collector: over much live JSON, or a large plan, it finds nothing to free."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

# New objects between two collections; Python's default is some hundreds.
_RARELY = 200_000
# So many plan nodes or more: the collector would take as long as the work itself.
_MANY_NODES = 10_000


def collect_rarely() -> None:
    """Collect less often from now on."""
    gc.set_threshold(_RARELY, *gc.get_threshold()[1:])


@contextmanager
def collecting_rarely() -> Iterator[None]:
    """Collect less often inside this block.

    >>> before = gc.get_threshold()
    >>> with collecting_rarely():
    ...     gc.get_threshold()[0] > before[0]
    True
    >>> gc.get_threshold() == before
    True
    """
    before = gc.get_threshold()
    collect_rarely()
    try:
        yield
    finally:
        gc.set_threshold(*before)


@contextmanager
def collector_paused(nodes: int) -> Iterator[None]:
    """Pause the collector inside this block if a plan has very many nodes; a disabled collector stays disabled.

    >>> with collector_paused(nodes=100_000):
    ...     gc.isenabled()
    False
    >>> gc.isenabled()
    True
    """
    pause = nodes > _MANY_NODES and gc.isenabled()
    if pause:
        gc.disable()
    try:
        yield
    finally:
        if pause:
            gc.enable()
