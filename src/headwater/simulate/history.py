"""A history, day by day, as lines of JSON."""

from collections.abc import Iterator
from datetime import datetime, timezone
from functools import lru_cache
from typing import NamedTuple

from headwater.simulate.calendar import Calendar, Due, EventKind
from headwater.simulate.chance import luck_of
from headwater.simulate.events import Events
from headwater.simulate.jobs import APPLICATION, Jobs
from headwater.simulate.settings import Settings
from headwater.simulate.warehouse import Warehouse
from headwater.simulate.words import TEAMS

_MOST_ROWS = 2_000_000
_ENDS = {EventKind.COMPLETE: "COMPLETE", EventKind.FAIL: "FAIL", EventKind.RUNNING: "RUNNING"}
_APPLICATIONS = {EventKind.APPLICATION_START: "START", EventKind.APPLICATION_END: "COMPLETE"}
_MAINTENANCE = {
    EventKind.RENAME_START: (True, "START"),
    EventKind.RENAME: (True, "COMPLETE"),
    EventKind.DROP_START: (False, "START"),
    EventKind.DROP: (False, "COMPLETE"),
}


class Line(NamedTuple):
    """An event as a line, and its record."""

    text: str
    due: Due


class History:
    """The events of a simulated warehouse, in the order in which they are delivered.

    >>> history = History(Settings(datasets=10, days=2))
    >>> lines = list(history.lines(0))
    >>> lines == list(History(Settings(datasets=10, days=2)).lines(0))
    True
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.warehouse = Warehouse(settings)
        self.jobs = Jobs(self.warehouse)
        self._calendar = Calendar(self.jobs)
        self._events = Events(self.jobs)
        # Callers may read a day in parts.
        self._day = lru_cache(2)(self._calendar.day)

    def lines(self, day: int, first: float = 0, until: float = 1) -> Iterator[Line]:
        """The lines delivered on a day, or in a part of it: from one share of its events to another."""
        dues = self._day(day)
        for due in dues[round(first * len(dues)) : round(until * len(dues))]:
            yield Line(self._write(due), due)

    def _write(self, due: Due) -> str:
        values = {"time": _time(due.moment), "day": _time(due.moment)[:10]}
        seed = self.settings.seed
        if due.kind == EventKind.DECLARED:
            return self._events.declared(due.of, TEAMS[due.of % len(TEAMS)]).fill(values)
        if due.kind == EventKind.PLANNED:
            return self._events.planned(due.of, self.jobs.job(due.of).variant(due.day)).fill(values)
        if due.kind in _APPLICATIONS:
            values["run"] = self._calendar.application_luck(due.of, due.day, due.round).uuid
            name = self.jobs.job(due.of * 2).application
            return self._events.application(name, _APPLICATIONS[due.kind]).fill(values)
        if due.kind in _MAINTENANCE:
            renames, state = _MAINTENANCE[due.kind]
            values["run"] = luck_of(seed, "maintenance", renames, due.day, due.round).uuid
            return self._events.maintenance(due.of, renames=renames, state=state).fill(values)
        return self._write_run(due, values)

    def _write_run(self, due: Due, values: dict[str, str]) -> str:
        job = self.jobs.job(due.of)
        day = due.round if job.streaming else due.day
        luck = self._calendar.run_luck(due.of, day, due.round, due.attempt)
        values["run"] = luck.uuid
        if not job.streaming:
            application = self._application_of(job.target)
            values["parent"] = self._calendar.application_luck(application, due.day, due.round).uuid
        if due.kind == EventKind.START:
            return self._events.start(due.of).fill(values)
        rows = (luck.large + due.moment) % _MOST_ROWS
        values |= {"rows": str(rows), "size": str(rows * 97), "files": str(1 + rows % 9), "task": str(rows % 200)}
        values["version"] = self._version(due.of, due.moment)
        for place, parent in enumerate(job.parents):
            if self.warehouse.table(parent).versioned:
                values[f"read{place}"] = self._version_read(parent, due)
        return self._events.end(due.of, job.variant(due.day), _ENDS[due.kind]).fill(values)

    def _application_of(self, table: int) -> int:
        """The number of a table's application: that of its first table."""
        first = self.warehouse.layer(self.warehouse.layer_of(table)).start
        return table - (table - first) % APPLICATION

    def _version(self, job: int, moment: int) -> str:
        """The version that a write at a moment creates."""
        return str(luck_of(self.settings.seed, "version", job, moment).large)

    def _version_read(self, table: int, due: Due) -> str:
        """The version that the table's first job wrote last before this run; a failed run is retried."""
        job = table * 2
        if self.warehouse.is_streamed(table):
            return self._version(job, self._calendar.batch_before(job, due.moment))
        _, end, fails = self._calendar.span(job, due.day, due.round, 0)
        if fails:
            _, end, _ = self._calendar.span(job, due.day, due.round, 1)
        return self._version(job, end)


def _time(moment: int) -> str:
    """A time as text.

    >>> _time(1_767_225_600_123)
    '2026-01-01T00:00:00.123Z'
    """
    seconds, milliseconds = divmod(moment, 1000)
    days, second = divmod(seconds, 86_400)
    hour, rest = divmod(second, 3600)
    return f"{_date(days)}T{hour:02}:{rest // 60:02}:{rest % 60:02}.{milliseconds:03}Z"


@lru_cache(64)
def _date(days: int) -> str:
    return datetime.fromtimestamp(days * 86_400, tz=timezone.utc).date().isoformat()
