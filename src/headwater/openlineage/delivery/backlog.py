"""What is yet to be sent, oldest first: this process's own, and what processes that are gone have left."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from headwater.openlineage.delivery.segments import Line, Segment
from headwater.openlineage.delivery.spool import Spool

_MEMORY_BYTES = 16 * 1024 * 1024
# What was sent stays in its segment for a while: to make a new one for each event would cost more than sending it.
_WORTH_REMOVING = 256 * 1024
LOOK_AGAIN_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Taken:
    """An event on its way, where it was taken from, and whether this process made it."""

    text: bytes
    place: tuple[Segment, Line] | None
    own: bool = True

    def done(self) -> None:
        """Record that it needs no sending any more."""
        if self.place is not None:
            segment, line = self.place
            segment.done(line)


class Backlog:
    """A queue on disk, and in memory what the disk does not take. Not for several threads at once.

    Attributes:
        on_disk: how many events wait there.
        trouble: what the disk said last.
    """

    def __init__(self, spool: Spool | None) -> None:
        self.on_disk = 0
        self.trouble: OSError | None = None
        self._spool = spool
        self._segments: deque[Segment] = deque()
        self._memory: deque[bytes] = deque()
        self._memory_bytes = 0

    def append(self, text: bytes) -> bool:
        """Add an event; False if there is no room for it anywhere.

        The newest goes when there is no room: what was kept is then complete up to a moment, and nothing that is on its
        way or owned by another process has to be touched.
        """
        self._move_to_disk()
        if not self._memory and self._written(text):
            return True
        if self._memory_bytes + len(text) > _MEMORY_BYTES:
            return False
        self._memory.append(text)
        self._memory_bytes += len(text)
        return True

    def take(self) -> Taken | None:
        """The oldest event that was not taken yet."""
        while self._segments:
            segment = self._segments[0]
            line = segment.take()
            if line is not None:
                return Taken(line.text, (segment, line))
            if len(self._segments) == 1 and segment.size < _WORTH_REMOVING:
                break
            with suppress(OSError):  # nothing waits in it any more
                self._segments.popleft().close()
        if not self._memory:
            return None
        text = self._memory.popleft()
        self._memory_bytes -= len(text)
        return Taken(text, None)

    def put_back(self, taken: Taken) -> None:
        """Undo the last `take` before `close`; what is on disk is there still."""
        if taken.place is None:
            self._memory.appendleft(taken.text)

    def done(self, taken: Taken) -> None:
        """Forget an event that was taken."""
        if taken.place is not None:
            self.on_disk -= 1
        taken.done()

    def close(self) -> int:
        """Leave what waits on disk to the next process; returns how many events were in memory only, and are lost."""
        self._move_to_disk()
        for segment in self._segments:
            with suppress(OSError):  # it could not be brought to the disk itself; it is written all the same
                segment.close()
        self._segments.clear()
        return len(self._memory)

    def _move_to_disk(self) -> None:
        while self._memory and self._written(self._memory[0]):
            self._memory_bytes -= len(self._memory.popleft())

    def _written(self, text: bytes) -> bool:
        if self._spool is None:
            return False
        try:
            if not self._segments or self._segments[-1].size >= self._spool.segment_bytes:
                if self._segments:
                    self._segments[-1].sync()
                self._segments.append(self._spool.create())
            self._spool.reserve(len(text) + 1)
            self._segments[-1].append(text)
        except OSError as error:
            self.trouble = error
            return False
        self.on_disk += 1
        return True


class LeftOver:
    """A queue of what processes that are gone have left for this endpoint. For one thread.

    Attributes:
        damaged: how many lines were skipped because they are no whole event.
    """

    def __init__(self, spool: Spool | None) -> None:
        self.damaged = 0
        self._spool = spool
        self._segments: Iterator[Segment] = iter(())
        self._segment: Segment | None = None
        self._look_again = 0.0

    def take(self) -> Taken | None:
        """The oldest event that nobody owns, or None; the disk is looked at now and then."""
        try:
            while (segment := self._segment or self._claimed()) is not None:
                self._segment = segment
                line = segment.take()
                if line is not None:
                    return Taken(line.text, (segment, line), own=False)
                self.close()
        except OSError:  # it cannot be read now
            self.close()
        return None

    def close(self) -> None:
        """Let go of what was claimed; what was not sent waits for the next who looks."""
        segment, self._segment = self._segment, None
        if segment is not None:
            self.damaged += segment.damaged
            with suppress(OSError):
                segment.close()

    def _claimed(self) -> Segment | None:
        found = next(self._segments, None)
        if found is None and self._spool is not None and time.monotonic() >= self._look_again:
            self._look_again = time.monotonic() + LOOK_AGAIN_SECONDS
            self._segments = self._spool.left_over()
            found = next(self._segments, None)
        return found
