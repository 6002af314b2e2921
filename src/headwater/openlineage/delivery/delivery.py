"""Delivery that never harms the job: an event is on disk before anything tries to send it.

`emit` writes the event to the spool and returns. A thread sends waiting events, oldest first, and marks each one when
the endpoint has acknowledged it. When the endpoint fails, the thread pauses, longer each time, while events accumulate
on disk. So a dead or slow endpoint costs the job one small write per event, a killed process loses nothing, and the
next process sends what this one could not. An event over which the endpoint fails, while it accepts others, is held
back and in the end set aside (see `suspicion`).
"""

from __future__ import annotations

import json
import logging
import operator
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import astuple, dataclass

from openlineage.client.client import Event
from openlineage.client.serde import Serde
from openlineage.client.transport import Transport

from headwater.common.backoff import Pace
from headwater.openlineage.build.fallback import smaller
from headwater.openlineage.build.rebuild import event_for
from headwater.openlineage.delivery.backlog import LOOK_AGAIN_SECONDS, Backlog, OrphanedEvents, PendingEvent
from headwater.openlineage.delivery.endpoint import endpoint_of
from headwater.openlineage.delivery.failures import Failure, failure
from headwater.openlineage.delivery.spool import Spool, SpoolSettings
from headwater.openlineage.delivery.suspicion import MOST

_LONGEST_CLOSE = 30.0
# An endpoint that takes this long to fail may do so again.
_SLOW_SECONDS = 1.0
# A single failure may be a stale connection.
_OPEN_AFTER = 2
# After this many failures that the event may have caused, try its smaller forms: if one arrives, it was the event.
# Else try the next event.
_SUSPECT_AFTER = 3

_log = logging.getLogger("headwater")


@dataclass(frozen=True, slots=True)
class Counts:
    """The outcome for the events of one process.

    Attributes:
        sent: delivered to the endpoint.
        reduced: of these, delivered without column lineage, because the endpoint refused them with it.
        recovered: events of ended processes that this one delivered.
        spooled: waiting on disk.
        rejected: refused by the endpoint, or set aside because it fails over them; the spool keeps them in a folder of
            their own.
        dropped: lost, because neither disk nor memory had room.
        damaged: lines that a dying process left incomplete, and this one skipped.
        last_error: the last reason why an event did not arrive, without secrets.
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
        *numbers, error = astuple(self)
        *others, later_error = astuple(other)
        return Counts(*[*map(operator.add, numbers, others), later_error or error])


class Delivery(Transport):
    """A transport that delivers through another one, by way of the spool; thread-safe.

    In a forked process it does nothing: the parent sends its own events.

    Args:
        transport: sends the events; its `emit` must raise when an event has not arrived (see `acknowledging`).
        settings: where events wait.
        pace: how long to wait after failures.
    """

    def __init__(self, transport: Transport, settings: SpoolSettings, pace: Pace | None = None) -> None:
        self.kind, self.name, self.priority = transport.kind, transport.name, transport.priority
        self.endpoint = endpoint_of(transport)
        self._transport = transport
        self._pace = pace or Pace()
        self._process = os.getpid()
        self._warned: set[str] = set()
        self._spool = self._open_spool(settings)
        self._backlog = Backlog(self._spool)
        self._orphaned = OrphanedEvents(self._spool)

        # Guards all attributes below; only the thread uses `_orphaned` and `_pending`.
        self._changed = threading.Condition()
        self._closing = self._closed = False
        self._emitted = self._sent = self._reduced = self._recovered = self._rejected = self._dropped = 0
        self._accepted = 0
        self._failures = 0
        self._slow = False
        self._last_error = ""

        self._pending: PendingEvent | None = None
        threading.Thread(target=self._work, name="headwater-delivery", daemon=True).start()

    def emit(self, event: Event) -> None:
        """Queue an event. Never waits for the endpoint."""
        if os.getpid() != self._process:
            return
        text = Serde.to_json(event).encode()
        with self._changed:
            accepted = not self._closed and self._backlog.append(text)
            self._emitted += accepted
            self._dropped += not accepted
            trouble = self._backlog.trouble
            self._changed.notify_all()
        if trouble is not None and self._spool is not None:
            why = f"{self._spool.folder} does not accept events ({trouble.strerror or type(trouble).__name__})"
            self._warn_once("disk", f"{why}: they wait in memory only; the job continues.")
        if not accepted:
            self._warn_once("dropped", "The queue of unsent events is full: dropping new events.")

    def wait_for_completion(self, timeout: float = -1) -> bool:
        """Wait until all events so far have arrived; False on a timeout, or if the endpoint is down.

        It does not wait for an event that is held back.
        """
        return self._wait(timeout, lambda emitted: self._finished() + self._backlog.held >= emitted or self._is_down())

    def close(self, timeout: float = -1) -> bool:
        """Send as much as the timeout allows and leave the rest in the spool; True if nothing is left."""
        if os.getpid() != self._process:
            return True
        self._closing = True
        if self._failures and self._slow:
            # The endpoint was slow before and may be again: wait only for the file to be closed.
            timeout = _SLOW_SECONDS if timeout < 0 else min(timeout, _SLOW_SECONDS)
        arrived = self._wait(timeout, lambda _emitted: self._closed)
        self._warn_about_unsent()
        return arrived

    def counts(self) -> Counts:
        """The outcome for the events so far."""
        return Counts(
            sent=self._sent,
            reduced=self._reduced,
            recovered=self._recovered,
            spooled=self._backlog.on_disk,
            rejected=self._rejected,
            dropped=self._dropped,
            damaged=self._orphaned.damaged,
            last_error=self._last_error,
        )

    def _wait(self, timeout: float, reached: Callable[[int], bool]) -> bool:
        if os.getpid() != self._process:
            return True
        timeout = timeout if timeout >= 0 else _LONGEST_CLOSE
        until = time.monotonic() + timeout
        # Another thread may hold the lock while the disk hangs.
        if not self._changed.acquire(timeout=timeout):
            return False
        try:
            self._changed.notify_all()
            emitted = self._emitted
            self._changed.wait_for(lambda: reached(emitted), max(0.0, until - time.monotonic()))
            return self._finished() >= emitted
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
            except Exception as error:  # noqa: BLE001, PERF203 (a bug, or the disk: the thread must survive)
                _log.debug("Delivery failed.", exc_info=True)
                self._record_failure(failure(error), slow=False)
                go_on = self._pause()
        with self._changed:
            if self._pending is not None and self._pending.own:
                self._backlog.put_back(self._pending)
            self._dropped += self._backlog.close()
            # Before anybody hears of it: whoever waited may look at the spool at once.
            self._orphaned.close()
            if self._spool is not None:
                self._spool.close()
            self._closed = True
            self._changed.notify_all()
        try:
            self._transport.close(0)
        except Exception:  # noqa: BLE001 (nobody is left to handle it)
            _log.debug("Could not close the transport.", exc_info=True)

    def _step(self) -> bool:
        """Send the next event, or wait for one; False at the end."""
        with self._changed:
            seen = self._emitted
            # Own events first: a job that starts after a long outage does not wait for the backlog.
            if self._pending is None or not self._pending.own:
                own = self._backlog.take(self._accepted)
                if own is not None and self._pending is not None:
                    self._orphaned.put_back(self._pending)
                self._pending = own or self._pending
        if self._pending is None and not self._closing:
            self._pending = self._orphaned.take()
        if self._pending is not None:
            return self._deliver(self._pending) or self._pause()
        with self._changed:
            until_due = max(0.0, self._backlog.next_due() - time.monotonic())
            self._changed.wait_for(lambda: self._closing or self._emitted != seen, min(LOOK_AGAIN_SECONDS, until_due))
        return not self._closing or self._emitted != seen

    def _deliver(self, pending: PendingEvent) -> bool:
        """Try to send an event; False if it still has to be sent."""
        started = time.monotonic()
        refusal = outcome = self._try(pending.text)
        suspect = refusal is not None and self._suspects_event(pending, refusal)
        if refusal is not None and (refusal.refused or suspect):
            for form in _smaller(pending.text, refusal.reason):
                outcome = self._try(form)
                if outcome is None or not (outcome.refused or outcome.unclear):
                    break
            if outcome is not None and not refusal.refused:
                outcome = refusal  # the event's size is not the only cause: the whole event is tried again
        if outcome is not None and not outcome.refused:
            self._record_failure(outcome, slow=time.monotonic() - started > _SLOW_SECONDS)
            if suspect or (outcome.unclear and self._closing):
                self._hold(pending, outcome.reason)
            return False
        if refusal is not None:
            self._record_refusal(pending, refusal.reason, reduced=outcome is None)
        with self._changed:
            self._accepted += outcome is None
            self._sent += outcome is None and pending.own
            self._recovered += outcome is None and not pending.own
            self._mark_done(pending)
        return True

    def _suspects_event(self, pending: PendingEvent, failed: Failure) -> bool:
        """Whether the event may be what makes the endpoint fail.

        That is so at every third failure in a row, and where the endpoint has accepted others since this one failed.
        """
        third = self._failures % _SUSPECT_AFTER == _SUSPECT_AFTER - 1
        return failed.unclear and (third or pending.suspicion.is_tested(self._accepted))

    def _hold(self, pending: PendingEvent, reason: str) -> None:
        """Let others pass an event over which the endpoint fails; set it aside, if it is the cause."""
        with self._changed:
            suspicion = pending.suspicion.again(self._accepted, self._pace)
            if suspicion.counted < MOST or not self._set_aside(pending, reason):
                (self._backlog if pending.own else self._orphaned).hold(pending, suspicion)
                self._pending = None
            self._changed.notify_all()

    def _set_aside(self, pending: PendingEvent, reason: str) -> bool:
        """Move an event out of the queue; False if it cannot be kept elsewhere."""
        if self._spool is None:
            return False
        reason = f"{reason}, {MOST} times in every form, while other events were accepted"
        try:
            self._spool.reject(pending.text, reason)
        except OSError:  # no room: it stays where it is
            return False
        self._rejected += pending.own
        self._last_error = reason
        self._mark_done(pending)
        self._warn_once(
            "aside", f"{self.endpoint} fails over an event ({reason}). It is kept in {self._spool.rejected}."
        )
        return True

    def _try(self, text: bytes) -> Failure | None:
        """Send an event; returns why it did not arrive, or None."""
        try:
            self._transport.emit(event_for(self._transport, text))
        except Exception as error:  # noqa: BLE001 (any transport, any error)
            return failure(error)
        return None

    def _record_refusal(self, pending: PendingEvent, reason: str, *, reduced: bool) -> None:
        """Keep an event that the endpoint refuses; it may have accepted a smaller form (`reduced`)."""
        where = "nowhere"
        with self._changed:
            if self._spool is not None:
                try:
                    self._spool.reject(pending.text, reason)
                    where = str(self._spool.rejected)
                except OSError as error:
                    where += f" ({error.strerror})"
            self._reduced += reduced and pending.own
            self._rejected += not reduced and pending.own
            self._last_error = reason
        sentence = f"{self.endpoint} refused an event: {reason}. The event is kept in {where}."
        if reduced:
            sentence += " It was accepted without its columns."
        self._warn_once("reduced" if reduced else "refused", sentence)

    def _mark_done(self, pending: PendingEvent) -> None:
        self._pending = None
        back, self._failures = self._failures >= _OPEN_AFTER, 0
        try:
            (self._backlog if pending.own else self._orphaned).done(pending)
        except OSError:  # another process will send it again
            _log.debug("Could not mark an event as sent.", exc_info=True)
        self._changed.notify_all()
        if back:
            _log.info("Headwater: %s accepts events again.", self.endpoint)

    def _record_failure(self, failed: Failure, *, slow: bool) -> None:
        with self._changed:
            self._failures += 1
            self._slow = slow
            self._last_error = failed.reason
            self._changed.notify_all()
        if self._failures >= _OPEN_AFTER or slow:
            where = self._spool.folder if self._spool is not None else "memory"
            why = f"{self.endpoint} does not accept events ({failed.reason})"
            self._warn_once("down", f"{why}. They wait in {where}; the job continues.")

    def _pause(self) -> bool:
        """Wait before the next attempt; False if there is none."""
        with self._changed:
            if self._closing:
                # The event may have been the cause: those behind it get their chance, a few times.
                return self._pending is None and self._failures < _SUSPECT_AFTER and not self._slow
            ending = self._changed.wait_for(lambda: self._closing, self._pace.seconds(self._failures))
            # When the job ends there is one last attempt, unless the endpoint is slow.
            return not (ending and self._slow)

    # --- warnings -----------------------------------------------------------------------------------------------------

    def _open_spool(self, settings: SpoolSettings) -> Spool | None:
        # Windows has neither the file locks nor the forks that a spool relies on.
        if settings.disabled or sys.platform == "win32":
            return None
        try:
            return Spool(settings, self.endpoint)
        except OSError as error:
            self._warn_once("disk", f"Cannot create a spool ({error.strerror}): events wait in memory only.")
            return None

    def _warn_about_unsent(self) -> None:
        counts = self.counts()
        if counts.spooled and self._spool is not None:
            left = f"Events still waiting for {self.endpoint}: {counts.spooled}, in {self._spool.folder}"
            ways = "The next application sends them, or run `headwater ingest --spool` to store them."
            self._warn_once("left", f"{left} ({counts.last_error or 'ran out of time'}). {ways}")
        if counts.dropped:
            self._warn_once("lost", f"Lost {counts.dropped} events for {self.endpoint}.")

    def _warn_once(self, kind: str, sentence: str) -> None:
        if kind not in self._warned:
            self._warned.add(kind)
            _log.warning("Headwater: %s", sentence)


def _smaller(text: bytes, reason: str) -> Iterator[bytes]:
    """The smaller forms of a refused event, largest first."""
    try:
        event = json.loads(text)
    except ValueError:  # invalid JSON has no smaller form
        event = None
    for form in smaller(event, reason) if isinstance(event, dict) else ():
        yield json.dumps(form, ensure_ascii=False).encode()
