"""The parts of a small picture, how many of them fit, and an order of boxes with few crossing lines; pure."""

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
    """A box with rows, each a label and a tooltip.

    Attributes:
        key: by which lines refer to it.
        label: its head.
        title: the tooltip of its head.
        rows: the most important first.
        more: the number of further rows, which are not drawn.
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
    """A line from one place to another; the title is its tooltip, and `kind` one of the four classes."""

    start: Place
    end: Place
    kind: str
    title: str
    masked: bool = False


def fit(layers: Sequence[Sequence[Box]]) -> tuple[list[list[Box]], tuple[str, ...]]:
    """The boxes and rows that a small picture has room for, and in words what is left out.

    >>> fit([[Box("a", "a", rows=(("x", ""),) * 25)]])[1]
    ('5 rows',)
    """
    shown = [[_short(box) for box in layer[:MOST_BOXES]] for layer in layers[:MOST_LAYERS]]
    boxes = sum(map(len, layers)) - sum(map(len, shown))
    rows = sum(box.more for layer in shown for box in layer)
    counted = ((boxes, "box", "boxes"), (rows, "row", "rows"))
    return shown, tuple(
        f"{number:,} {singular if number == 1 else plural}" for number, singular, plural in counted if number
    )


def _short(box: Box) -> Box:
    return replace(box, rows=box.rows[:MOST_ROWS], more=box.more + max(0, len(box.rows) - MOST_ROWS))


def order_layers(layers: Sequence[Sequence[Box]], lines: Sequence[Line]) -> list[list[Box]]:
    """Order the boxes of each layer like the boxes before them that lines tie them to.

    >>> tied = [Line(("a", None), ("y", None), "IDENTITY", ""), Line(("b", None), ("x", None), "IDENTITY", "")]
    >>> [box.key for box in order_layers([[Box("a", ""), Box("b", "")], [Box("x", ""), Box("y", "")]], tied)[1]]
    ['y', 'x']
    """
    tied: defaultdict[str, set[str]] = defaultdict(set)
    for line in lines:
        tied[line.start[0]].add(line.end[0])
        tied[line.end[0]].add(line.start[0])
    places: dict[str, float] = {}
    layers_in_order = []
    for layer in layers:
        here = [
            (_middle([places[key] for key in tied[box.key] if key in places], row), box)
            for row, box in enumerate(layer)
        ]
        ordered = [box for _, box in sorted(here, key=lambda pair: pair[0])]
        # From the top of the layer to its end, so that layers of few and of many boxes compare.
        places |= {box.key: (row + 0.5) / len(ordered) for row, box in enumerate(ordered)}
        layers_in_order.append(ordered)
    return layers_in_order


def _middle(places: Sequence[float], row: int) -> float:
    return sum(places) / len(places) if places else float(row)
