"""A segment: a file of unsent events, one JSON object per line.

The process that holds the file's lock owns the segment. Its writer holds the lock as long as it lives, so no other
process sends its events; when it ends, in whatever way, the lock is free. A line that begins with `{` is unsent; once
its event has arrived, that byte becomes `#`. Writing one byte is atomic, and there is no second file to disagree.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from uuid import uuid4

if sys.platform != "win32":
    import fcntl

SUFFIX = ".jsonl"
_WAITING, _DONE = b"{", b"#"
_OURS_ALONE = 0o600

# A forked process would share the parent's locks as long as it keeps the files open.
_open_files: set[int] = set()


def _let_go_in_a_fork() -> None:
    for file in _open_files:
        with suppress(OSError):
            os.close(file)
    _open_files.clear()


if sys.platform != "win32":
    os.register_at_fork(after_in_child=_let_go_in_a_fork)


@dataclass(frozen=True, slots=True)
class Line:
    """An unsent line: its number and position in the file, and its event, or only the event's size."""

    number: int
    position: int
    text: bytes
    size: int = 0


class Segment:
    """A segment that this process owns; made by `create` or `claim`. Not thread-safe."""

    def __init__(self, path: Path, file: int) -> None:
        self.path = path
        self.size = os.fstat(file).st_size
        self.damaged = 0
        self._file = file
        self._reader = open(file, "rb", closefd=False)  # noqa: SIM115 (it reads what `_file` has open)
        self._number = 0
        self._position = 0
        self._taken = 0

    @classmethod
    def create(cls, folder: Path) -> Segment:
        """A new, empty segment; names sort by time."""
        moment = datetime.now(timezone.utc).strftime("%Y%m%dT%H%M%S.%fZ")
        path = folder / f"{moment}-{os.getpid()}-{uuid4().hex[:8]}{SUFFIX}"
        # Other processes ignore hidden names: the segment appears when its lock is held.
        hidden = folder / f".{path.name}"
        file = _opened(hidden, os.O_CREAT | os.O_EXCL)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            hidden.rename(path)
        except OSError:
            _close(file)
            with suppress(OSError):
                hidden.unlink()
            raise
        return cls(path, file)

    @classmethod
    def claim(cls, path: Path) -> Segment | None:
        """Claim a segment without an owner; None if it has one, or no longer exists."""
        try:
            file = _opened(path)
        except FileNotFoundError:
            return None
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Its last owner may have removed it since it was opened here.
            if os.fstat(file).st_nlink:
                return cls(path, file)
        except BlockingIOError:
            pass
        except OSError:
            _close(file)
            raise
        _close(file)
        return None

    def append(self, text: bytes) -> None:
        """Append an event, whole or not at all. When this returns, the event survives the death of the process."""
        left = memoryview(text + b"\n")
        at = self.size
        try:
            while left:
                written = os.pwrite(self._file, left, at)
                left, at = left[written:], at + written
        except OSError:
            with suppress(OSError):
                os.ftruncate(self._file, self.size)
            raise
        self.size = at

    def take(self) -> Line | None:
        """The next unsent line, or None at the end; incomplete lines count as damaged."""
        while line := self._reader.readline():
            position = self._position
            self._position += len(line)
            self._number += 1
            if line.startswith(_WAITING) and line.endswith(b"\n"):
                self._taken += 1
                return Line(self._number, position, line[:-1])
            if not line.startswith(_DONE):
                self.damaged += 1
        return None

    def read(self, line: Line) -> bytes:
        """The event of a line that was taken before, and of which only the size is known."""
        return os.pread(self._file, line.size, line.position)

    def done(self, line: Line) -> None:
        """Mark a line's event as arrived."""
        self._taken -= 1
        os.pwrite(self._file, _DONE, line.position)

    def sync(self) -> None:
        """Flush unsent events to the disk, in case the whole machine dies."""
        if not self.finished:
            os.fsync(self._file)

    def close(self) -> None:
        """Release the segment: remove it if all its events are sent, else leave it to the next process."""
        try:
            if self.finished:
                self.path.unlink(missing_ok=True)
            else:
                os.fsync(self._file)
        finally:
            self._reader.close()
            _close(self._file)

    @property
    def finished(self) -> bool:
        """Whether all its events are sent."""
        return self._taken == 0 and self._position >= self.size


def _opened(path: Path, flags: int = 0) -> int:
    file = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC | flags, _OURS_ALONE)
    _open_files.add(file)
    return file


def _close(file: int) -> None:
    _open_files.discard(file)
    os.close(file)
