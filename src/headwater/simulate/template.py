"""An event written once as JSON, with slots for what differs from run to run."""

import json
import re
from collections.abc import Mapping
from typing import Any

# Slots are marked with signs that no name has. A number loses the quotes around it.
_SLOT = re.compile(r'"<<#(\w+)>>"|<<(\w+)>>')


def text(name: str) -> str:
    """A slot for a text."""
    return f"<<{name}>>"


def number(name: str) -> str:
    """A slot for a number."""
    return f"<<#{name}>>"


class Template:
    """JSON with slots.

    >>> Template({"eventTime": text("time"), "rows": number("rows")}).fill({"time": "now", "rows": "7"})
    '{"eventTime":"now","rows":7}'
    """

    __slots__ = ("_pieces", "_places")

    def __init__(self, event: Mapping[str, Any]) -> None:
        written = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
        self._pieces: list[str] = []
        self._places: list[tuple[int, str]] = []
        last = 0
        for slot in _SLOT.finditer(written):
            self._pieces += [written[last : slot.start()], ""]
            self._places.append((len(self._pieces) - 1, slot[1] or slot[2]))
            last = slot.end()
        self._pieces.append(written[last:])

    def fill(self, values: Mapping[str, str]) -> str:
        """The event as one line of JSON."""
        pieces = self._pieces.copy()
        for place, name in self._places:
            pieces[place] = values[name]
        return "".join(pieces)
