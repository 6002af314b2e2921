"""What a small picture is made of, how much of it fits, and in which order boxes cross the fewest lines; pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

MOST_LAYERS = 8
MOST_BOXES = 12
"""In one layer."""
MOST_ROWS = 20
"""In one box."""
MOST_LINES = 300

Place: TypeAlias = tuple[str, int | None]
"""The key of a box, and one of its rows; None is the box as a whole."""


@dataclass(frozen=True, slots=True)
class Box:
    """A box with rows, each a label and what is shown where the mouse rests on it.

    Attributes:
        key: by which lines know it.
        label: its head.
        title: what is shown where the mouse rests on its head.
        rows: those that matter most come first.
        more: how many more there are, that are not drawn.
        chosen: whether the picture is about it.
    """

    key: str
    label: str
    title: str = ""
    rows: tuple[tuple[str, str], ...] = ()
    more: int = 0
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """From a place to another; the title shows where the mouse rests on it. `kind` is one of the four classes."""

    start: Place
    end: Place
    kind: str
    title: str
    masked: bool = False


def fitted(layers: Sequence[Sequence[Box]]) -> tuple[list[list[Box]], tuple[str, ...]]:
    """As much as a small picture holds, and in words what was left out.

    >>> fitted([[Box("a", "a", rows=(("x", ""),) * 25)]])[1]
    ('5 rows',)
    """
    kept = [[_short(box) for box in layer[:MOST_BOXES]] for layer in layers[:MOST_LAYERS]]
    boxes = sum(map(len, layers)) - sum(map(len, kept))
    rows = sum(box.more for layer in kept for box in layer)
    counted = ((boxes, "box", "boxes"), (rows, "row", "rows"))
    return kept, tuple(f"{number:,} {one if number == 1 else many}" for number, one, many in counted if number)


def _short(box: Box) -> Box:
    return replace(box, rows=box.rows[:MOST_ROWS], more=box.more + max(0, len(box.rows) - MOST_ROWS))


def in_order(layers: Sequence[Sequence[Box]], lines: Sequence[Line]) -> list[list[Box]]:
    """The boxes of each layer in the order of those that they are tied to, in the layers before.

    >>> tied = [Line(("a", None), ("y", None), "IDENTITY", ""), Line(("b", None), ("x", None), "IDENTITY", "")]
    >>> [box.key for box in in_order([[Box("a", ""), Box("b", "")], [Box("x", ""), Box("y", "")]], tied)[1]]
    ['y', 'x']
    """
    tied: defaultdict[str, set[str]] = defaultdict(set)
    for line in lines:
        tied[line.start[0]].add(line.end[0])
        tied[line.end[0]].add(line.start[0])
    places: dict[str, float] = {}
    found = []
    for layer in layers:
        here = [
            (_middle([places[key] for key in tied[box.key] if key in places], row), box)
            for row, box in enumerate(layer)
        ]
        ordered = [box for _, box in sorted(here, key=lambda one: one[0])]
        # From the top of the layer to its end: layers of few and of many boxes are compared.
        places |= {box.key: (row + 0.5) / len(ordered) for row, box in enumerate(ordered)}
        found.append(ordered)
    return found


def _middle(places: Sequence[float], row: int) -> float:
    return sum(places) / len(places) if places else float(row)
