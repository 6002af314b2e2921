"""Unsent events, oldest first: this process's own, and those of processes that have ended."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from headwater.openlineage.delivery.segments import Line, Segment
from headwater.openlineage.delivery.spool import Spool

_MEMORY_BYTES = 16 * 1024 * 1024
# Sent events stay in their segment for a while: a new segment for each event would cost more than sending it.
_WORTH_REMOVING = 256 * 1024
LOOK_AGAIN_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class PendingEvent:
    """An event that is being sent, its place on disk, and whether this process emitted it."""

    text: bytes
    place: tuple[Segment, Line] | None
    own: bool = True

    def done(self) -> None:
        """Mark the event on disk as sent."""
        if self.place is not None:
            segment, line = self.place
            segment.done(line)


class Backlog:
    """A queue on disk, and in memory where the disk accepts nothing. Not thread-safe.

    Attributes:
        on_disk: how many events wait on disk.
        trouble: the last error of the disk.
    """

    def __init__(self, spool: Spool | None) -> None:
        self.on_disk = 0
        self.trouble: OSError | None = None
        self._spool = spool
        self._segments: deque[Segment] = deque()
        self._memory: deque[bytes] = deque()
        self._memory_bytes = 0

    def append(self, text: bytes) -> bool:
        """Add an event; False if neither disk nor memory has room for it.

        A full queue drops the newest event: it is then complete up to a moment, and touches no event that is being sent
        or belongs to another process.
        """
        self._move_to_disk()
        if not self._memory and self._write(text):
            return True
        if self._memory_bytes + len(text) > _MEMORY_BYTES:
            return False
        self._memory.append(text)
        self._memory_bytes += len(text)
        return True

    def take(self) -> PendingEvent | None:
        """The oldest event that is not being sent yet."""
        while self._segments:
            segment = self._segments[0]
            line = segment.take()
            if line is not None:
                return PendingEvent(line.text, (segment, line))
            if len(self._segments) == 1 and segment.size < _WORTH_REMOVING:
                break
            with suppress(OSError):  # all its events are sent
                self._segments.popleft().close()
        if not self._memory:
            return None
        text = self._memory.popleft()
        self._memory_bytes -= len(text)
        return PendingEvent(text, None)

    def put_back(self, event: PendingEvent) -> None:
        """Undo the last `take` before `close`; an event on disk is still there."""
        if event.place is None:
            self._memory.appendleft(event.text)

    def done(self, event: PendingEvent) -> None:
        """Remove an event that has been sent."""
        if event.place is not None:
            self.on_disk -= 1
        event.done()

    def close(self) -> int:
        """Leave the events on disk to the next process; return how many were only in memory, and are lost."""
        self._move_to_disk()
        for segment in self._segments:
            with suppress(OSError):  # fsync failed, but the events are written
                segment.close()
        self._segments.clear()
        return len(self._memory)

    def _move_to_disk(self) -> None:
        while self._memory and self._write(self._memory[0]):
            self._memory_bytes -= len(self._memory.popleft())

    def _write(self, text: bytes) -> bool:
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


class OrphanedEvents:
    """A queue of the events for this endpoint that ended processes have left. Not thread-safe.

    Attributes:
        damaged: how many incomplete lines were skipped.
    """

    def __init__(self, spool: Spool | None) -> None:
        self.damaged = 0
        self._spool = spool
        self._segments: Iterator[Segment] = iter(())
        self._segment: Segment | None = None
        self._look_again = 0.0

    def take(self) -> PendingEvent | None:
        """The oldest event that no process owns, or None; it scans the disk now and then."""
        try:
            while (segment := self._segment or self._claim_next()) is not None:
                self._segment = segment
                line = segment.take()
                if line is not None:
                    return PendingEvent(line.text, (segment, line), own=False)
                self.close()
        except OSError:  # unreadable for now
            self.close()
        return None

    def close(self) -> None:
        """Release the claimed segment; its unsent events wait for the next process."""
        segment, self._segment = self._segment, None
        if segment is not None:
            self.damaged += segment.damaged
            with suppress(OSError):
                segment.close()

    def _claim_next(self) -> Segment | None:
        segment = next(self._segments, None)
        if segment is None and self._spool is not None and time.monotonic() >= self._look_again:
            self._look_again = time.monotonic() + LOOK_AGAIN_SECONDS
            self._segments = self._spool.orphaned_segments()
            segment = next(self._segments, None)
        return segment
