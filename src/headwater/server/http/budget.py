"""Memory that requests may hold at once. Who waits for a slow client with much of it makes room for others."""

import time
from collections.abc import Callable

# Large holds leave a part of the budget to small ones: a few large requests do not keep others out.
_SMALL_SHARE = 256
_LEFT_TO_SMALL = 8
# Whoever has held something for less time than this is not slow.
_GRACE_SECONDS = 2.0


class Budget:
    """A number of bytes for all requests together.

    >>> budget = Budget(1000)
    >>> slow, other = budget.hold(), budget.hold()
    >>> slow.take(800), other.take(800)
    (True, False)
    >>> slow.close()
    >>> other.take(800)
    True
    """

    def __init__(
        self, most: int, note: Callable[[int], object] = id, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.most = most
        self._note = note
        self._now = now
        self._held = 0
        self._holds: set[Hold] = set()

    def hold(self) -> "Hold":
        """A hold of nothing yet."""
        return Hold(self)

    def fits(self, size: int) -> bool:
        """Whether a hold of so many bytes can ever be."""
        return size <= self._room(size)

    def _room(self, size: int) -> int:
        return self.most if size <= self.most // _SMALL_SHARE else self.most - self.most // _LEFT_TO_SMALL

    def _change(self, hold: "Hold", size: int) -> None:
        now = self._now()
        hold.since = hold.since if hold.size else now
        hold.byte_seconds += hold.size * (now - hold.changed)
        hold.changed = now
        hold.size += size
        self._held += size
        (self._holds.add if hold.size else self._holds.discard)(hold)
        self._note(self._held)

    def _make_room(self, hold: "Hold", size: int) -> bool:
        """Make room for more bytes of a hold: cut those that cost more than it does, and can be cut."""
        room = self._room(hold.size + size)
        while self._held + size > room:
            before = self._now() - _GRACE_SECONDS
            slow = [other for other in self._holds if other.cut and other is not hold and other.since <= before]
            costliest = max(slow, key=self._cost, default=None)
            if costliest is None or self._cost(costliest) <= self._cost(hold):
                return False
            costliest.end()
        return True

    def _cost(self, hold: "Hold") -> float:
        return hold.byte_seconds + hold.size * (self._now() - hold.changed)


class Hold:
    """The bytes of one request.

    Attributes:
        since: when it began to hold something.
        byte_seconds: how much it has held, times how long, until `changed`.
        cut: ends the request, to make room; None while it must not be ended.
    """

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self.size = 0
        self.byte_seconds = 0.0
        self.since = self.changed = 0.0
        self.cut: Callable[[], None] | None = None

    def take(self, size: int) -> bool:
        """Hold more bytes; whether there is room for them."""
        if not self._budget._make_room(self, size):  # noqa: SLF001  two sides of one thing
            return False
        self._budget._change(self, size)  # noqa: SLF001
        return True

    def release(self, size: int) -> None:
        """Hold fewer bytes."""
        self._budget._change(self, -min(size, self.size))  # noqa: SLF001

    def close(self) -> None:
        """Hold nothing any more."""
        self.release(self.size)

    def end(self) -> None:
        """Hold nothing any more, and end the request."""
        self.close()
        if self.cut is not None:
            cut, self.cut = self.cut, None
            cut()
