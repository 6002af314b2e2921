"""Python's search for garbage in cycles, less often: of much JSON that is held it finds none, time after time."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

# New objects after which it looks, instead of some hundreds.
_RARELY = 200_000


def collect_rarely() -> None:
    """Look less often from now on."""
    gc.set_threshold(_RARELY, *gc.get_threshold()[1:])


@contextmanager
def collecting_rarely() -> Iterator[None]:
    """Look less often for as long as this lasts.

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
