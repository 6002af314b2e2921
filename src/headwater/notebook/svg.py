"""Small pictures for notebooks, as self-contained SVG: boxes with rows, and lines between them.

They look like the page of `headwater serve`: its colours, light and dark, and a pattern for each class of line.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from headwater.notebook.svg_layout import MOST_LINES, Box, Line, Place, fit, order_layers

_COLOURS = {
    "ground": ("#ffffff", "#12161c"),
    "raised": ("#f6f7f9", "#1b2129"),
    "line": ("#d9dde3", "#333c48"),
    "ink": ("#1c2430", "#e4e8ee"),
    "quiet": ("#57616f", "#a2adbb"),
    "copy": ("#1463c6", "#6aa9f7"),
    "transformed": ("#6b46c1", "#b79bf5"),
    "aggregated": ("#a3530a", "#f0a35e"),
    "indirect": ("#6b7583", "#93a0b0"),
    "masked": ("#0a7a55", "#4fd1a1"),
}
# Colour, width and pattern of a line, by its class.
_LINES = {
    "IDENTITY": ("copy", 1.4, "", "copied"),
    "TRANSFORMATION": ("transformed", 1.4, "9 4", "transformed"),
    "AGGREGATION": ("aggregated", 2.6, "", "aggregated"),
    "INDIRECT": ("indirect", 1.3, "2 4", "indirect"),
}
_DARK = ";".join(f"--hw-{name}:{dark}" for name, (_, dark) in _COLOURS.items())
# Notebooks have a theme of their own; elsewhere, the system has one.
_STYLE = (
    "<style>@media (prefers-color-scheme:dark){body:not([data-jp-theme-light]):not(.vscode-light) .headwater{"
    f'{_DARK}}}}}body[data-jp-theme-light="false"] .headwater,body.vscode-dark .headwater,'
    f'html[theme="dark"] .headwater{{{_DARK}}}</style>'
)
_FONT = 'font-family="ui-monospace,\'SF Mono\',Menlo,Consolas,monospace" font-size="12"'
_LETTER = 7.3
_LONGEST_LABEL = 40
_PAD, _ROW, _HEAD = 9, 18, 24
_GAP, _BETWEEN, _MARGIN = 90, 14, 10
_NOWHERE: Place = ("", None)


@dataclass(frozen=True, slots=True)
class _Placed:
    """A box where it stands."""

    box: Box
    x: float
    y: float
    width: float

    @property
    def height(self) -> float:
        return _HEAD + len(self.rows) * _ROW + (4 if self.rows else 0)

    @property
    def rows(self) -> tuple[tuple[str, str], ...]:
        more = f"+ {self.box.more:,} more"
        return (*self.box.rows, (more, more)) if self.box.more else self.box.rows

    def port(self, row: int | None) -> float:
        """The height at which the lines of a row begin and end; without a row, that of the head."""
        return self.y + (_HEAD / 2 if row is None else _HEAD + min(row, len(self.rows) - 1) * _ROW + _ROW / 2)


def picture(layers: Sequence[Sequence[Box]], lines: Sequence[Line], *, leftwards: bool = False) -> str:
    """Draw boxes in layers from left to right, or from right to left, and the lines between them.

    A small picture has limits: what exceeds them is left out, the last layers first, and counted below.

    >>> picture([[Box("a", "a")], [Box("b", "b")]], [Line(("a", None), ("b", None), "IDENTITY", "copied")])[:22]
    '<svg class="headwater"'
    """
    shown, hidden = fit(layers)
    places = _place_boxes(order_layers(shown[::-1] if leftwards else shown, lines))
    drawn = [line for line in lines if line.start[0] in places and line.end[0] in places]
    if len(drawn) > MOST_LINES:
        hidden = (*hidden, f"{len(drawn) - MOST_LINES:,} lines")
    drawn = drawn[:MOST_LINES]
    width = max((placed.x + placed.width for placed in places.values()), default=0.0) + _MARGIN
    bottom = max((placed.y + placed.height for placed in places.values()), default=0.0) + _MARGIN
    legend = list(_legend(drawn, bottom + 8))
    notes = [f"Not shown: {', '.join(hidden)}."] if hidden else []
    below = [_text(_MARGIN, bottom + 12 + _ROW * bool(legend), note, "quiet") for note in notes]
    height = bottom + _ROW * (bool(legend) + len(below)) + 4
    width = max(width, *(len(note) * _LETTER + 2 * _MARGIN for note in notes), 380.0 if legend else 0.0)
    ground = f'<rect width="100%" height="100%" rx="6" fill="{_colour("raised")}"/>'
    parts = (*(_line(line, places) for line in drawn), *(_box(placed) for placed in places.values()), *legend, *below)
    return (
        f'<svg class="headwater" width="{width:.0f}" height="{height:.0f}" role="img" {_FONT}>'
        f"{_STYLE}{ground}{''.join(parts)}</svg>"
    )


def _colour(name: str) -> str:
    return f"var(--hw-{name},{_COLOURS[name][0]})"


def _place_boxes(layers: Sequence[Sequence[Box]]) -> dict[str, _Placed]:
    places: dict[str, _Placed] = {}
    x = float(_MARGIN)
    tallest = max((sum(map(_height, layer)) + _BETWEEN * (len(layer) - 1) for layer in layers), default=0.0)
    for layer in layers:
        texts = [text for box in layer for text in (box.label, *(label for label, _ in box.rows))]
        width = max((len(_cut(text)) for text in texts), default=0) * _LETTER + 2 * _PAD
        # Layers are centred on the tallest.
        y = _MARGIN + (tallest - sum(map(_height, layer)) - _BETWEEN * (len(layer) - 1)) / 2
        for box in layer:
            places[box.key] = _Placed(box, x, y, width)
            y += _height(box) + _BETWEEN
        x += width + _GAP
    return places


def _height(box: Box) -> float:
    return _Placed(box, 0, 0, 0).height


def _box(placed: _Placed) -> str:
    edge = _colour("ink" if placed.box.chosen else "line")
    size = f'x="{placed.x:.0f}" y="{placed.y:.0f}" width="{placed.width:.0f}" height="{placed.height:.0f}"'
    parts = [
        f'<rect {size} rx="5" fill="{_colour("ground")}" stroke="{edge}"/>',
        _text(placed.x + _PAD, placed.y + 16, placed.box.label, "ink", placed.box.title, bold=True),
    ]
    for row, (label, title) in enumerate(placed.rows):
        parts.append(_text(placed.x + _PAD, placed.port(row) + 4, label, "quiet", title))
    return "".join(parts)


def _text(x: float, y: float, label: str, colour: str, title: str = "", *, bold: bool = False) -> str:  # noqa: PLR0913  the parts of a text
    full = title or label
    hover = f"<title>{html.escape(full)}</title>" if full != _cut(label) else ""
    weight = ' font-weight="600"' if bold else ""
    return f'<text x="{x:.0f}" y="{y:.0f}" fill="{_colour(colour)}"{weight}>{hover}{html.escape(_cut(label))}</text>'


def _line(line: Line, places: dict[str, _Placed]) -> str:
    (from_key, from_row), (to_key, to_row) = line.start, line.end
    start, end = places[from_key], places[to_key]
    forward, back = end.x > start.x, end.x < start.x
    # Out on the side that looks at the other end; a line within a layer bends out on the right.
    x, to_x = (start.x if back else start.x + start.width), (end.x if forward else end.x + end.width)
    y, to_y = start.port(from_row), end.port(to_row)
    outward, inward = (-1 if back else 1), (-1 if forward else 1)
    bend = _GAP * 0.45
    path = (
        f"M{x:.0f} {y:.0f}C{x + outward * bend:.0f} {y:.0f} {to_x + inward * bend:.0f} {to_y:.0f} {to_x:.0f} {to_y:.0f}"
    )
    tip = f"M{to_x:.0f} {to_y:.0f}l{inward * 6} -3v6z"
    title = f"<title>{html.escape(line.title)}</title>" if line.title else ""
    colour = _colour(_colour_of(line))
    return f'<g>{title}<path d="{path}" fill="none" {_stroke(line)}/><path d="{tip}" fill="{colour}"/></g>'


def _colour_of(line: Line) -> str:
    return "masked" if line.masked else _LINES[line.kind][0]


def _stroke(line: Line) -> str:
    _, width, dash, _ = _LINES[line.kind]
    pattern = f' stroke-dasharray="{dash}"' if dash else ""
    return f'stroke="{_colour(_colour_of(line))}" stroke-width="{width}"{pattern}'


def _legend(lines: Sequence[Line], y: float) -> Iterator[str]:
    """A sample of each style in use; none where all lines are plain copies."""
    there = {line.kind for line in lines if not line.masked}
    kinds = [kind for kind in _LINES if kind in there]
    looks = [Line(_NOWHERE, _NOWHERE, kind, "") for kind in kinds]
    if any(line.masked for line in lines):
        looks.append(Line(_NOWHERE, _NOWHERE, "IDENTITY", "", masked=True))
    elif set(kinds) <= {"IDENTITY"}:
        return
    x = float(_MARGIN)
    for look in looks:
        words = "masked" if look.masked else _LINES[look.kind][3]
        yield f'<path d="M{x:.0f} {y:.0f}h22" {_stroke(look)}/>{_text(x + 28, y + 4, words, "quiet")}'
        x += 44 + len(words) * _LETTER


def _cut(label: str) -> str:
    return label if len(label) <= _LONGEST_LABEL else f"{label[: _LONGEST_LABEL - 1]}…"


__all__ = ["Box", "Line", "Place", "picture"]
