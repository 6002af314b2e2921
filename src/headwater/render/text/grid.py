"""Tables in a terminal: columns without borders, so that a line can be copied, or cut in a pipe."""

from collections.abc import Iterable, Iterator, Sequence

from rich.cells import cell_len
from rich.text import Text

from headwater.notebook.words import printable

_STYLES = ("dim", "cyan", "", "dim")
_WIDEST = 60
_GAP = "  "


def grid(rows: Iterable[Sequence[object]], styles: Sequence[str] = _STYLES) -> Iterator[Text]:
    """Rows with aligned columns; no cell can break a line or control the terminal."""
    listed = [[printable(str(cell)) for cell in row] for row in rows]
    lengths = [[cell_len(cell) for cell in row] for row in listed]
    # One long name does not push all the others to the right.
    widths = [
        max([length for length in column if length <= _WIDEST], default=0) for column in zip(*lengths, strict=True)
    ]
    for row, measured in zip(listed, lengths, strict=True):
        line = Text()
        for place, (cell, length) in enumerate(zip(row, measured, strict=True)):
            style = styles[place] if place < len(styles) else ""
            line.append(cell, style).append(" " * max(widths[place] - length, 0) + _GAP)
        line.rstrip()
        yield line
