"""Places in a text, and what is written there instead."""

from collections.abc import Iterable, Iterator
from typing import TypeAlias

MASK = "***"
"""What stands where a secret was."""
Place: TypeAlias = tuple[int, int, str]
"""Where a text begins and ends that is replaced, and by what."""


def in_order(places: Iterable[Place]) -> Iterator[Place]:
    """Places in order, without those inside others."""
    done = -1
    for start, end, instead in sorted(places):
        if start >= done:
            yield start, end, instead
            done = end


def replaced(text: str, places: Iterable[Place]) -> str:
    """A text with something else at some places, which come in order.

    >>> replaced("password=hunter2;", [(9, 16, "***")])
    'password=***;'
    """
    pieces: list[str] = []
    done = 0
    for start, end, instead in places:
        pieces += (text[done:start], instead)
        done = end
    return "".join((*pieces, text[done:])) if pieces else text
