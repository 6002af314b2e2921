"""Small pictures for notebooks: names in columns, lines between them, as SVG."""

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_LINE = 22
_WIDTH_OF_A_LETTER = 7
_LONGEST_LABEL = 40
_GAP = 120
_MARGIN = 6


@dataclass(frozen=True, slots=True)
class Line:
    """From a place (column, row) to another; the title shows where the mouse rests on it."""

    start: tuple[int, int]
    end: tuple[int, int]
    title: str
    direct: bool = True
    masking: bool = False


def picture(columns: Sequence[Sequence[str]], lines: Sequence[Line]) -> str:
    """Draw names and the lines between them. What has no direct influence is dashed; what is masked is red.

    >>> picture([["a"], ["b"]], [Line((0, 0), (1, 0), "copied")])[:12]
    '<svg width="'
    """
    edges = _edges(columns)
    drawn = "".join((*(_line(line, edges) for line in lines), *_labels(columns, edges)))
    width = edges[-1][1] + _MARGIN if edges else 0
    height = max((len(column) for column in columns), default=0) * _LINE
    return f'<svg width="{width}" height="{max(height, _LINE)}" font-size="13" fill="currentColor">{drawn}</svg>'


def _edges(columns: Sequence[Sequence[str]]) -> list[tuple[int, int]]:
    """Where each column begins and ends, from left to right."""
    edges: list[tuple[int, int]] = []
    at = _MARGIN
    for column in columns:
        width = max((len(_cut(label)) for label in column), default=0) * _WIDTH_OF_A_LETTER
        edges.append((at, at + width))
        at += width + _GAP
    return edges


def _line(line: Line, edges: Sequence[tuple[int, int]]) -> str:
    (from_column, from_row), (to_column, to_row) = line.start, line.end
    # Out on the side that looks at the other end; a line within a column bends out on the right.
    forward = to_column > from_column
    start = edges[from_column][1 if to_column >= from_column else 0]
    end = edges[to_column][0 if forward else 1]
    inward = _GAP // 3 if to_column >= from_column else -_GAP // 3
    outward = -inward if to_column != from_column else inward
    path = f"M{start} {_y(from_row)} C{start + inward} {_y(from_row)} {end + outward} {_y(to_row)} {end} {_y(to_row)}"
    dash = "" if line.direct else ' stroke-dasharray="4"'
    color = "#b36" if line.masking else "#2a6"
    return f'<path d="{path}" fill="none" stroke="{color}"{dash}><title>{html.escape(line.title)}</title></path>'


def _labels(columns: Sequence[Sequence[str]], edges: Sequence[tuple[int, int]]) -> Iterator[str]:
    for (left, right), column in zip(edges, columns, strict=True):
        # The first column leans on its lines, like the others.
        x, anchor = (right - 4, "end") if left == _MARGIN and len(columns) > 1 else (left + 4, "start")
        for row, label in enumerate(column):
            title = f"<title>{html.escape(label)}</title>" if _cut(label) != label else ""
            text = html.escape(_cut(label))
            yield f'<text x="{x}" y="{_y(row) + 4}" text-anchor="{anchor}">{title}{text}</text>'


def _cut(label: str) -> str:
    return label if len(label) <= _LONGEST_LABEL else f"{label[: _LONGEST_LABEL - 1]}…"


def _y(row: int) -> int:
    return _LINE // 2 + row * _LINE
