"""What happens on a day, and when it is delivered: light records from which events are written one by one."""

from collections.abc import Iterator
from datetime import datetime, timezone
from enum import IntEnum
from typing import NamedTuple

from headwater.simulate.chance import Luck, luck_of
from headwater.simulate.jobs import MONTH, Jobs

DAY = 86_400_000
"""Times are in milliseconds, as OpenLineage's clients write them."""
LONGEST_DELAY = 6
"""How many days the latest delivery can take."""
_HOUR = 3_600_000
_BUSY = 0.9  # the share of a day's round in which jobs run
_PLANNED_EVERY = 25


class EventKind(IntEnum):
    """Kinds of events, in the order in which those of one moment come."""

    DECLARED = 0
    PLANNED = 1
    APPLICATION_START = 2
    START = 3
    RUNNING = 4
    FAIL = 5
    COMPLETE = 6
    APPLICATION_END = 7
    RENAME_START = 8
    RENAME = 9
    DROP_START = 10
    DROP = 11

    def __repr__(self) -> str:
        """Chance is drawn from this text: the same seed gives the same history only as long as it stays as it is."""
        return f"<What.{self.name}: {self.value}>"


class Due(NamedTuple):
    """An event to deliver: when, when it happened, its kind, its job, table or application, and its run.

    `round` is the run of the day, or of a streaming job the day on which its run began; `attempt` counts tries, `copy`
    deliveries.
    """

    at: int
    moment: int
    kind: EventKind
    of: int
    day: int
    round: int
    attempt: int
    copy: int


class Calendar:
    """The days of a history, each by itself."""

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs
        self._warehouse = jobs.warehouse
        self._settings = jobs.warehouse.settings
        start = self._settings.start
        self._zero = int(datetime(start.year, start.month, start.day, tzinfo=timezone.utc).timestamp()) * 1000
        self._carried: dict[int, list[Due]] = {}

    def day(self, day: int) -> list[Due]:
        """The events delivered on a day, in order; on the last day also all that are still on their way."""
        end = self._zero + (day + 1) * DAY
        last = day == self._settings.days - 1
        events = self._happened(day)
        for before in range(max(0, day - LONGEST_DELAY), day):
            if before not in self._carried:
                self._happened(before)
            events += [due for due in self._carried[before] if due.at >= end - DAY]
        return sorted(due for due in events if last or due.at < end)

    def run_luck(self, job: int, day: int, round_: int, attempt: int) -> Luck:
        """The luck of a run."""
        return luck_of(self._settings.seed, "run", job, day, round_, attempt)

    def application_luck(self, application: int, day: int, round_: int) -> Luck:
        """The luck of an application's run."""
        return luck_of(self._settings.seed, "application", application, day, round_)

    def span(self, job: int, day: int, round_: int, attempt: int) -> tuple[int, int, bool]:
        """When a run starts and ends, and whether it fails."""
        window, length = self._window(self._warehouse.layer_of(job // 2), day, round_)
        luck = self.run_luck(job, day, round_, 0)
        start = window + int(length * (0.05 + 0.5 * luck.first))
        took = int(length * (0.01 + 0.14 * luck.second))
        fails = luck.third < self._settings.failures
        if not attempt:
            return start, start + took, fails
        again = start + took + int(length * 0.02)
        return again, again + int(length * (0.01 + 0.14 * luck.fourth)), False

    def batch_before(self, job: int, moment: int) -> int:
        """When a streaming job wrote last before a moment."""
        first = self._zero + _HOUR // 2 + job
        return first + (moment - first) // _HOUR * _HOUR

    def _window(self, layer: int, day: int, round_: int) -> tuple[int, int]:
        """The time in which the jobs of a layer run: after the layer below."""
        whole = DAY // self._settings.runs_per_day
        length = int(whole * _BUSY / (self._settings.layers - 1))
        return self._zero + day * DAY + round_ * whole + (layer - 1) * length, length

    def _happened(self, day: int) -> list[Due]:
        events: list[Due] = []
        carried: list[Due] = []
        end = self._zero + (day + 1) * DAY
        for due in self._delivered(self._happenings(day)):
            events.append(due)
            if due.at >= end:
                carried.append(due)
        self._carried[day] = carried
        self._carried.pop(day - LONGEST_DELAY - 1, None)
        return events

    def _delivered(self, happenings: Iterator[Due]) -> Iterator[Due]:
        """Delay some events and duplicate some."""
        settings = self._settings
        for due in happenings:
            luck = luck_of(settings.seed, "delivery", *due[1:])
            at = due.moment
            if luck.first < settings.late:
                at += DAY + int(luck.second * 4 * DAY)
            yield due._replace(at=at)
            if luck.third < settings.duplicates:
                yield due._replace(at=at + 1000 + int(luck.fourth * DAY * 0.8), copy=1)

    def _happenings(self, day: int) -> Iterator[Due]:
        settings, house = self._settings, self._warehouse
        midnight = self._zero + day * DAY
        if day % MONTH == 0:
            for number, table in enumerate(house.layer(0)):
                yield _due(midnight + number, EventKind.DECLARED, table, day)
            for number, table in enumerate(house.layer(settings.layers - 1)[::_PLANNED_EVERY]):
                yield _due(midnight + number, EventKind.PLANNED, table * 2, day)
        for table in filter(house.is_streamed, house.layer(1)):
            yield from self._streamed(table * 2, day)
        for round_ in range(settings.runs_per_day):
            for layer in range(1, settings.layers):
                window, length = self._window(layer, day, round_)
                for tables in self._jobs.applications(layer):
                    yield _due(window + int(length * 0.02), EventKind.APPLICATION_START, tables.start, day, round_)
                    for job in self._jobs.of_tables(tables):
                        yield from self._run(job, day, round_)
                    yield _due(window + int(length * 0.97), EventKind.APPLICATION_END, tables.start, day, round_)
        yield from self._maintained(day)

    def _run(self, job: int, day: int, round_: int) -> Iterator[Due]:
        start, end, fails = self.span(job, day, round_, 0)
        yield _due(start, EventKind.START, job, day, round_)
        yield _due(end, EventKind.FAIL if fails else EventKind.COMPLETE, job, day, round_)
        if fails:
            start, end, _ = self.span(job, day, round_, 1)
            yield _due(start, EventKind.START, job, day, round_, 1)
            yield _due(end, EventKind.COMPLETE, job, day, round_, 1)

    def _streamed(self, job: int, day: int) -> Iterator[Due]:
        """A run of a month: its first event, one every hour, and its last."""
        midnight = self._zero + day * DAY
        began = day - day % MONTH
        if day == began:
            yield _due(midnight + 1000, EventKind.START, job, day, began)
        for hour in range(24):
            yield _due(midnight + hour * _HOUR + _HOUR // 2 + job, EventKind.RUNNING, job, day, began)
        if day == began + MONTH - 1:
            yield _due(midnight + DAY - 1000, EventKind.COMPLETE, job, day, began)

    def _maintained(self, day: int) -> Iterator[Due]:
        """Each week some tables of the last layer are archived and some are dropped; their jobs create them again."""
        tables = self._warehouse.layer(self._settings.layers - 1)
        for weekday, first, last in (
            (3, EventKind.RENAME_START, EventKind.RENAME),
            (5, EventKind.DROP_START, EventKind.DROP),
        ):
            if day % 7 == weekday:
                for number in range(1 + len(tables) // 100):
                    table = tables[luck_of(self._settings.seed, last, day, number).large % len(tables)]
                    moment = self._zero + day * DAY + DAY - _HOUR + number * 1000
                    yield _due(moment, first, table, day, number)
                    yield _due(moment + 500, last, table, day, number)


def _due(moment: int, kind: EventKind, of: int, day: int, *run: int) -> Due:
    """An event delivered on time; `run` is its round and attempt, by default the first."""
    round_, attempt = (*run, 0, 0)[:2]
    return Due(moment, moment, kind, of, day, round_, attempt, 0)
