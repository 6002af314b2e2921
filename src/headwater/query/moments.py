"""Moments as people give them in Python: a datetime, a date, or either as ISO text; as microseconds UTC."""

from datetime import date, datetime, timedelta, timezone
from typing import TypeAlias

from headwater.openlineage.model.event import BadEvent
from headwater.openlineage.model.instants import instant_us
from headwater.query.errors import BadQuestion

Time: TypeAlias = datetime | date | str | int | None
"""A moment: with a zone, or a date, which is a day in UTC; an integer is microseconds UTC; None is no limit, or now."""

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_MICROSECOND = timedelta(microseconds=1)
_DAY = timedelta(days=1) // _MICROSECOND


def moment_us(value: Time, option: str) -> int | None:
    """A moment to look at; a date is the last moment of that day, so that all that happened on it counts.

    Raises:
        BadQuestion: it is no moment, or has no zone.

    >>> moment_us("1970-01-01T01:00:00+01:00", "as_of"), moment_us(None, "as_of")
    (0, None)
    >>> moment_us("1970-01-01", "as_of") == 24 * 60 * 60 * 10**6 - 1
    True
    """
    day = _as_date(value)
    return _us(value, option) if day is None else _midnight(day) + _DAY - 1


def beginning_us(value: Time, option: str) -> int | None:
    """The beginning of a window; a date is the first moment of that day.

    Raises:
        BadQuestion: it is no moment, or has no zone.

    >>> beginning_us("1970-01-01", "since")
    0
    """
    day = _as_date(value)
    return _us(value, option) if day is None else _midnight(day)


def lies_ahead(us: int | None, now: datetime | None = None) -> bool:
    """Whether a moment is after today: nobody knows what will hold then.

    >>> noon = datetime(1970, 1, 1, 12, tzinfo=timezone.utc)
    >>> lies_ahead(_DAY - 1, noon), lies_ahead(_DAY, noon), lies_ahead(None, noon)
    (False, True, False)
    """
    today = (now or datetime.now(timezone.utc)).date()
    return us is not None and us >= _midnight(today) + _DAY


def _as_date(value: Time) -> date | None:
    if isinstance(value, str):
        try:
            return date.fromisoformat(value.strip())
        except ValueError:
            return None
    return value if isinstance(value, date) and not isinstance(value, datetime) else None


def _midnight(day: date) -> int:
    return (datetime(day.year, day.month, day.day, tzinfo=timezone.utc) - _EPOCH) // _MICROSECOND


def _us(value: Time, option: str) -> int | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    if isinstance(value, datetime):
        if value.utcoffset() is None:
            raise BadQuestion(f"{option} has no time zone: {value.isoformat()}; add tzinfo=timezone.utc if it is UTC")
        return (value - _EPOCH) // _MICROSECOND
    if isinstance(value, str):
        try:
            return instant_us(value.strip(), option)
        except BadEvent as bad:
            raise BadQuestion(f"{bad.field} {bad.reason}") from None
    raise BadQuestion(f"{option} is not a time: {value!r}; give a datetime, a date or ISO 8601 text")
