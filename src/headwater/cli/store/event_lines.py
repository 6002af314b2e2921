"""Reads files of events: JSON lines, plain or gzip, or standard input."""

import gzip
import io
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast

from headwater.openlineage.model.event import BadEvent
from headwater.openlineage.model.event_text import event_of

_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class EventLine:
    """A line of a file: an event, or why it is not one. `number` is 0 for the whole file."""

    number: int
    event: Mapping[str, object] | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RawLine:
    """A raw line of a file, or why the rest of the file cannot be read."""

    number: int
    text: bytes
    reason: str = ""

    def read(self) -> EventLine:
        """The event in it."""
        return EventLine(self.number, None, self.reason) if self.reason else event_line(self.number, self.text)


@contextmanager
def opened(path: str) -> Iterator[io.BufferedReader]:
    """A file to read, or standard input for `-`."""
    if path == "-":
        # Buffered, so that it can be peeked at; not ours to close.
        stream: io.BufferedReader = io.BufferedReader(cast("Any", sys.stdin.buffer))
        try:
            yield stream
        finally:
            stream.detach()
    else:
        with open(path, "rb") as file:  # noqa: PTH123  a Path would turn `./x` into `x` in messages
            yield file


def raw_lines(file: io.BufferedReader) -> Iterator[RawLine]:
    """The non-blank lines of a file; a damaged file gives the lines before the damage, then the reason."""
    number = 0
    try:
        for number, line in enumerate(_unpacked(file), start=1):
            if line.strip():
                yield RawLine(number, line)
    except (OSError, EOFError, zlib.error) as error:
        yield RawLine(number + 1, b"", f"Cannot read the rest of the file: {error}")


def _unpacked(file: io.BufferedReader) -> Iterable[bytes]:
    # By content, not by name: standard input has none.
    return gzip.open(file) if file.peek(2)[:2] == _GZIP else file


def event_line(number: int, line: bytes) -> EventLine:
    """Read one line."""
    try:
        return EventLine(number, event_of(line))
    except BadEvent as bad:
        return EventLine(number, None, bad.reason)
