"""Three business days within a minute: each day's events are dated back to the day that they play on."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

import attr
from openlineage.client.client import Event

from headwater.store.transport import StoreConfig, StoreTransport

_SATURDAY = 5


def business_days(last: date, count: int) -> list[date]:
    """The last few days that are no weekend, oldest first.

    >>> [str(day) for day in business_days(date(2024, 5, 6), 2)]
    ['2024-05-03', '2024-05-06']
    """
    days: list[date] = []
    while len(days) < count:
        if last.weekday() < _SATURDAY:
            days.insert(0, last)
        last -= timedelta(days=1)
    return days


@attr.define
class DatedBackConfig(StoreConfig):
    """A store, and how many days to date events back by."""

    days: int = 0

    @classmethod
    def from_dict(cls, params: dict[str, Any]) -> DatedBackConfig:
        """The configuration as Spark's settings have it: all strings."""
        return cls(store=params["store"], days=int(params["days"]))


class DatedBackTransport(StoreTransport):
    """Stores events as if they had happened some days ago."""

    kind = "headwater_demo"
    config_class = DatedBackConfig

    def __init__(self, config: DatedBackConfig) -> None:
        super().__init__(config)
        self._back = timedelta(days=config.days)

    def emit(self, event: Event) -> None:
        """Store one event, dated back."""
        moment = datetime.fromisoformat(event.eventTime.replace("Z", "+00:00")) - self._back
        event.eventTime = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        super().emit(event)
