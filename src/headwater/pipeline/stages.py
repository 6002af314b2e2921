"""The stages of a run: reported and timed."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


def _ignore(_stage: str) -> None:
    pass


@dataclass(slots=True)
class Stages:
    """Times stages, and calls `begun` with the name of each as it begins.

    >>> stages = Stages()
    >>> with stages("land"):
    ...     pass
    >>> list(stages.seconds)
    ['land']
    """

    begun: Callable[[str], None] = _ignore
    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        """A stage; a repeated one adds to its time."""
        self.begun(name)
        start = time.monotonic()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.monotonic() - start
