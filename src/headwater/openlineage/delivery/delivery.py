"""Delivery that never harms: an event is on disk before anybody tries to send it.

`emit` writes the event to the spool and returns. A thread sends what waits, oldest first, and marks each event when the
endpoint has answered. When the endpoint fails, the thread pauses, for longer each time, while events go on gathering on
disk. So a dead or slow endpoint costs the job one small write for each event, a process that is killed loses nothing,
and the next process sends what this one could not.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from openlineage.client.client import Event
from openlineage.client.serde import Serde
from openlineage.client.transport import Transport

from headwater.common.backoff import Pace
from headwater.openlineage.build.fallback import smaller
from headwater.openlineage.build.rebuild import as_taken_by
from headwater.openlineage.delivery.backlog import LOOK_AGAIN_SECONDS, Backlog, LeftOver, Taken
from headwater.openlineage.delivery.endpoint import endpoint_of
from headwater.openlineage.delivery.failures import Failure, failure
from headwater.openlineage.delivery.spool import Spool, SpoolSettings

_LONGEST_CLOSE = 30.0
# Who fails this late has kept us waiting, and may do so again.
_SLOW_SECONDS = 1.0
# One failure alone may be a connection that had grown old.
_OPEN_AFTER = 2
# An event that fails so often, in a way that may be its own, is tried in its smaller forms: if one of them arrives it
# was the event.
_DOUBTED_AFTER = 3

_log = logging.getLogger("headwater")


@dataclass(frozen=True, slots=True)
class Counts:
    """What became of the events of one process.

    Attributes:
        sent: the endpoint has them.
        reduced: of these, how many without their lineage by columns, since the endpoint refused them with it.
        recovered: events of processes that are gone which this one sent.
        spooled: they wait on disk.
        rejected: the endpoint refused them; they are kept in the spool, apart.
        dropped: lost, because neither disk nor memory had room.
        damaged: lines that a dying process left half written, and this one skipped.
        last_error: the last reason why something did not arrive, without secrets.
    """

    sent: int = 0
    reduced: int = 0
    recovered: int = 0
    spooled: int = 0
    rejected: int = 0
    dropped: int = 0
    damaged: int = 0
    last_error: str = ""

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.sent + other.sent,
            self.reduced + other.reduced,
            self.recovered + other.recovered,
            self.spooled + other.spooled,
            self.rejected + other.rejected,
            self.dropped + other.dropped,
            self.damaged + other.damaged,
            other.last_error or self.last_error,
        )


class Delivery(Transport):
    """A transport that delivers through another one, by way of the spool. Threads may share it.

    In a forked process it does nothing: the parent sends what is the parent's.

    Args:
        transport: what sends; its `emit` must raise when an event has not arrived (see `acknowledging`).
        settings: where events wait.
        pace: how long it waits after failures.
    """

    def __init__(self, transport: Transport, settings: SpoolSettings, pace: Pace | None = None) -> None:
        self.kind, self.name, self.priority = transport.kind, transport.name, transport.priority
        self.endpoint = endpoint_of(transport)
        self._transport = transport
        self._pace = pace or Pace()
        self._process = os.getpid()
        self._said: set[str] = set()
        self._spool = self._opened(settings)
        self._backlog = Backlog(self._spool)
        self._left_over = LeftOver(self._spool)

        # All that follows is guarded by it; `_left_over` and `_taken` are the thread's alone.
        self._changed = threading.Condition()
        self._closing = self._closed = False
        self._emitted = self._sent = self._reduced = self._recovered = self._rejected = self._dropped = 0
        self._failures = 0
        self._slow = False
        self._last_error = ""

        self._taken: Taken | None = None
        threading.Thread(target=self._work, name="headwater-delivery", daemon=True).start()

    def emit(self, event: Event) -> None:
        """Take an event; it is sent when its turn comes. Never waits for the endpoint."""
        if os.getpid() != self._process:
            return
        text = Serde.to_json(event).encode()
        with self._changed:
            kept = not self._closed and self._backlog.append(text)
            self._emitted += kept
            self._dropped += not kept
            trouble = self._backlog.trouble
            self._changed.notify_all()
        if trouble is not None and self._spool is not None:
            why = trouble.strerror or type(trouble).__name__
            self._say_once(
                "disk",
                "%s does not accept events (%s): they wait in memory only; the job continues.",
                self._spool.folder,
                why,
            )
        if not kept:
            self._say_once("dropped", "The queue of unsent events is full: dropping new events.")

    def wait_for_completion(self, timeout: float = -1) -> bool:
        """Wait until all events so far have arrived; False if they have not in time, or if the endpoint is down."""
        return self._wait(timeout, lambda wanted: self._finished() >= wanted or self._is_down())

    def close(self, timeout: float = -1) -> bool:
        """Send what can be sent in time and leave the rest in the spool; True if nothing is left."""
        if os.getpid() != self._process:
            return True
        self._closing = True
        if self._failures and self._slow:
            # It has kept us waiting before, and may be doing it again: there is only the file to be closed.
            timeout = _SLOW_SECONDS if timeout < 0 else min(timeout, _SLOW_SECONDS)
        arrived = self._wait(timeout, lambda _wanted: self._closed)
        self._say_what_is_left()
        return arrived

    def counts(self) -> Counts:
        """What became of the events so far."""
        return Counts(
            sent=self._sent,
            reduced=self._reduced,
            recovered=self._recovered,
            spooled=self._backlog.on_disk,
            rejected=self._rejected,
            dropped=self._dropped,
            damaged=self._left_over.damaged,
            last_error=self._last_error,
        )

    def _wait(self, timeout: float, reached: Callable[[int], bool]) -> bool:
        if os.getpid() != self._process:
            return True
        timeout = timeout if timeout >= 0 else _LONGEST_CLOSE
        until = time.monotonic() + timeout
        # Somebody may be inside with a disk that does not answer.
        if not self._changed.acquire(timeout=timeout):
            return False
        try:
            self._changed.notify_all()
            wanted = self._emitted
            self._changed.wait_for(lambda: reached(wanted), max(0.0, until - time.monotonic()))
            return self._finished() >= wanted
        finally:
            self._changed.release()

    def _finished(self) -> int:
        return self._sent + self._rejected

    def _is_down(self) -> bool:
        return self._closed or self._failures >= _OPEN_AFTER or (self._failures > 0 and self._slow)

    # --- the thread ---------------------------------------------------------------------------------------------------

    def _work(self) -> None:
        go_on = True
        while go_on:
            try:
                go_on = self._step()
            except Exception as error:  # noqa: BLE001, PERF203 (a bug of ours, or the disk: the thread must live)
                _log.debug("Delivery failed.", exc_info=True)
                self._failed(failure(error), slow=False)
                go_on = self._pause()
        with self._changed:
            if self._taken is not None and self._taken.own:
                self._backlog.put_back(self._taken)
            self._dropped += self._backlog.close()
            self._closed = True
            self._changed.notify_all()
        self._left_over.close()
        if self._spool is not None:
            self._spool.close()
        try:
            self._transport.close(0)
        except Exception:  # noqa: BLE001 (there is nobody left who could do anything about it)
            _log.debug("Could not close the transport.", exc_info=True)

    def _step(self) -> bool:
        """Do the next thing that there is to do; False at the end."""
        with self._changed:
            seen = self._emitted
            self._taken = self._taken or self._backlog.take()
        if self._taken is None and not self._closing:
            # Own events first: a job that begins after a long outage need not wait behind it.
            self._taken = self._left_over.take()
        if self._taken is not None:
            return self._deliver(self._taken) or self._pause()
        with self._changed:
            self._changed.wait_for(lambda: self._closing or self._emitted != seen, LOOK_AGAIN_SECONDS)
        return not self._closing or self._emitted != seen

    def _deliver(self, taken: Taken) -> bool:
        """Try to send an event; False if it is still there to be sent."""
        started = time.monotonic()
        refused = found = self._try(taken.text)
        if refused is not None and (refused.refused or self._doubts(refused)):
            for form in _smaller(taken.text, refused.reason):
                found = self._try(form)
                if found is None or not (found.refused or found.unclear):
                    break
            if found is not None and not refused.refused:
                found = refused  # it is not the event's size, or not that alone: all of it is tried again
        if found is not None and not found.refused:
            self._failed(found, slow=time.monotonic() - started > _SLOW_SECONDS)
            return False
        if refused is not None:
            self._refused(taken, refused.reason, reduced=found is None)
        with self._changed:
            self._sent += found is None and taken.own
            self._recovered += found is None and not taken.own
            self._done(taken)
        return True

    def _doubts(self, found: Failure) -> bool:
        """Whether it may be the event that makes the endpoint fail: not the first time, and each time anew."""
        return found.unclear and self._failures % _DOUBTED_AFTER == _DOUBTED_AFTER - 1

    def _try(self, text: bytes) -> Failure | None:
        """Send an event; why it did not arrive, if it did not."""
        try:
            self._transport.emit(as_taken_by(self._transport, text))
        except Exception as error:  # noqa: BLE001 (any transport, any error)
            return failure(error)
        return None

    def _refused(self, taken: Taken, reason: str, *, reduced: bool) -> None:
        """Keep what the endpoint does not take as it is; it may have taken less of it (`reduced`)."""
        where = "nowhere"
        with self._changed:
            if self._spool is not None:
                try:
                    self._spool.reject(taken.text, reason)
                    where = str(self._spool.rejected)
                except OSError as error:
                    where += f" ({error.strerror})"
            self._reduced += reduced and taken.own
            self._rejected += not reduced and taken.own
            self._last_error = reason
        sentence = "%s refused an event: %s. The event is kept in %s."
        if reduced:
            sentence += " It was accepted without its columns."
        self._say_once("reduced" if reduced else "refused", sentence, self.endpoint, reason, where)

    def _done(self, taken: Taken) -> None:
        self._taken = None
        back, self._failures = self._failures >= _OPEN_AFTER, 0
        try:
            if taken.own:
                self._backlog.done(taken)
            else:
                taken.done()
        except OSError:  # it will be sent again one day
            _log.debug("Could not mark an event as sent.", exc_info=True)
        self._changed.notify_all()
        if back:
            _log.info("Headwater: %s accepts events again.", self.endpoint)

    def _failed(self, found: Failure, *, slow: bool) -> None:
        with self._changed:
            self._failures += 1
            self._slow = slow
            self._last_error = found.reason
            self._changed.notify_all()
        if self._failures >= _OPEN_AFTER or slow:
            where = self._spool.folder if self._spool is not None else "memory"
            self._say_once(
                "down",
                "%s does not accept events (%s). They wait in %s; the job continues.",
                self.endpoint,
                found.reason,
                where,
            )

    def _pause(self) -> bool:
        """Wait before the next try; False if there is to be none."""
        with self._changed:
            if self._closing:
                return False
            ending = self._changed.wait_for(lambda: self._closing, self._pace.seconds(self._failures))
            # When the job ends there is one last try, if it will be quick.
            return not (ending and self._slow)

    # --- what is said -------------------------------------------------------------------------------------------------

    def _opened(self, settings: SpoolSettings) -> Spool | None:
        # Windows has neither the locks nor the forks that a spool is made for.
        if settings.disabled or sys.platform == "win32":
            return None
        try:
            return Spool(settings, self.endpoint)
        except OSError as error:
            self._say_once("disk", "Cannot create a spool (%s): events wait in memory only.", error.strerror)
            return None

    def _say_what_is_left(self) -> None:
        counts = self.counts()
        if counts.spooled and self._spool is not None:
            self._say_once(
                "left",
                "Events still waiting for %s: %d, in %s (%s). The next application sends them, or run `headwater"
                " ingest --spool` to store them.",
                self.endpoint,
                counts.spooled,
                self._spool.folder,
                counts.last_error or "ran out of time",
            )
        if counts.dropped:
            self._say_once("lost", "Lost %d events for %s.", counts.dropped, self.endpoint)

    def _say_once(self, kind: str, sentence: str, *values: object) -> None:
        if kind not in self._said:
            self._said.add(kind)
            _log.warning("Headwater: " + sentence, *values)


def _smaller(text: bytes, reason: str) -> Iterator[bytes]:
    """The smaller forms of an event that was refused, one after the other."""
    try:
        event = json.loads(text)
    except ValueError:  # what is no JSON has no smaller form
        event = None
    for form in smaller(event, reason) if isinstance(event, dict) else ():
        yield json.dumps(form, ensure_ascii=False).encode()
