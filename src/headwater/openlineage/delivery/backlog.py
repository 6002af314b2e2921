"""Unsent events, oldest first: this process's own, and those of processes that have ended."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from headwater.openlineage.delivery.segments import Line, Segment
from headwater.openlineage.delivery.spool import Spool
from headwater.openlineage.delivery.suspicion import NONE, Suspicion

_MEMORY_BYTES = 16 * 1024 * 1024
# Sent events stay in their segment for a while: a new segment for each event would cost more than sending it.
_WORTH_REMOVING = 256 * 1024
LOOK_AGAIN_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class PendingEvent:
    """An event that is being sent.

    Attributes:
        place: where it is on disk; None if it is only in memory.
        own: whether this process emitted it.
        number: its place in the order of events.
        suspicion: what speaks for it as the cause, where its endpoint fails over it.
    """

    text: bytes
    place: tuple[Segment, Line] | None
    own: bool = True
    number: int = 0
    suspicion: Suspicion = NONE

    def done(self) -> None:
        """Mark the event on disk as sent."""
        if self.place is not None:
            segment, line = self.place
            segment.done(line)


class Backlog:
    """A queue on disk, and in memory where the disk accepts nothing. Not thread-safe.

    An event over which the endpoint fails can be held back: those behind it pass, and it is tried again later.

    Attributes:
        on_disk: how many events wait on disk.
        trouble: the last error of the disk.
    """

    def __init__(self, spool: Spool | None) -> None:
        self.on_disk = 0
        self.trouble: OSError | None = None
        self._spool = spool
        self._segments: deque[Segment] = deque()
        # Segments of which only events that are held back are left.
        self._remainders: list[Segment] = []
        self._held: list[PendingEvent] = []
        self._memory: deque[bytes] = deque()
        self._memory_bytes = 0
        self._taken = 0

    @property
    def held(self) -> int:
        """How many events are held back."""
        return len(self._held)

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

    def take(self, accepted: int) -> PendingEvent | None:
        """The next event to send, or None for now.

        First what was held back and can be judged now, then the oldest that was not tried yet, then what was held back
        while the endpoint failed over everything.

        Args:
            accepted: how many events the endpoint has accepted so far.
        """
        now = time.monotonic()
        for event in self._held:
            if event.suspicion.is_tested(accepted) and event.suspicion.due <= now:
                return self._retake(event)
        return self._next() or next(
            (self._retake(event) for event in self._held if not event.suspicion.is_tested(accepted)), None
        )

    def _next(self) -> PendingEvent | None:
        self._taken += 1
        while self._segments:
            segment = self._segments[0]
            line = segment.take()
            if line is not None:
                return PendingEvent(line.text, (segment, line), number=self._taken)
            if len(self._segments) == 1 and segment.size < _WORTH_REMOVING:
                break
            self._release(self._segments.popleft())
        if not self._memory:
            return None
        text = self._memory.popleft()
        self._memory_bytes -= len(text)
        return PendingEvent(text, None, number=self._taken)

    def hold(self, event: PendingEvent, suspicion: Suspicion) -> None:
        """Hold an event back. One that is on disk takes no memory."""
        text, place = event.text, event.place
        if place is None:
            self._memory_bytes += len(text)
        else:
            segment, line = place
            place, text = (segment, replace(line, text=b"", size=len(text))), b""
        self._held.append(replace(event, text=text, place=place, suspicion=suspicion))
        self._held.sort(key=lambda held: held.number)

    def _retake(self, event: PendingEvent) -> PendingEvent:
        if event.place is None:
            self._held.remove(event)
            self._memory_bytes -= len(event.text)
            return event
        segment, line = event.place
        text = segment.read(line)
        self._held.remove(event)  # not before it is read: the disk may fail
        return replace(event, text=text)

    def next_due(self) -> float:
        """When the first event that is held back may be tried again, on the monotonic clock."""
        return min((event.suspicion.due for event in self._held), default=float("inf"))

    def put_back(self, event: PendingEvent) -> None:
        """Undo the last `take` before `close`; an event on disk is still there."""
        if event.place is None:
            self._memory.appendleft(event.text)

    def done(self, event: PendingEvent) -> None:
        """Remove an event that has been sent."""
        if event.place is None:
            return
        self.on_disk -= 1
        event.done()
        segment, _ = event.place
        if segment in self._remainders and segment.finished:
            self._remainders.remove(segment)
            self._release(segment)

    def _release(self, segment: Segment) -> None:
        """Close a segment whose events are all sent; one that is held back in it keeps it open."""
        if not segment.finished:
            self._remainders.append(segment)
            return
        with suppress(OSError):
            segment.close()

    def close(self) -> int:
        """Leave the events on disk to the next process; return how many were only in memory, and are lost."""
        self._memory.extendleft(event.text for event in reversed(self._held) if event.place is None)
        self._move_to_disk()
        for segment in (*self._remainders, *self._segments):
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
        self._put_back: PendingEvent | None = None
        self._suspicions: dict[tuple[str, int], Suspicion] = {}

    def put_back(self, event: PendingEvent) -> None:
        """Undo the last `take`."""
        self._put_back = event

    def hold(self, event: PendingEvent, suspicion: Suspicion) -> None:
        """Leave an event in its segment: the next scan of the disk finds it again."""
        self._suspicions[_key(event)] = suspicion

    def done(self, event: PendingEvent) -> None:
        """Remove an event that has been sent."""
        self._suspicions.pop(_key(event), None)
        event.done()

    def take(self) -> PendingEvent | None:
        """The oldest event that no process owns, or None; it scans the disk now and then."""
        if self._put_back is not None:
            event, self._put_back = self._put_back, None
            return event
        try:
            while (segment := self._segment or self._claim_next()) is not None:
                self._segment = segment
                line = segment.take()
                if line is not None:
                    event = PendingEvent(line.text, (segment, line), own=False)
                    return replace(event, suspicion=self._suspicions.get(_key(event), event.suspicion))
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


def _key(event: PendingEvent) -> tuple[str, int]:
    if event.place is None:
        return "", 0
    segment, line = event.place
    return segment.path.name, line.number
