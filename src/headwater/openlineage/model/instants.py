"""Instants of events: ISO 8601 with a time zone, as microseconds since 1970 in UTC."""

import re
from datetime import datetime, timedelta, timezone

from headwater.openlineage.model.check import text
from headwater.openlineage.model.event import BadEvent

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_ENDS = (datetime(1, 1, 1, tzinfo=timezone.utc), datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=timezone.utc))
_FIRST, _LAST = ((end - _EPOCH) // timedelta(microseconds=1) for end in _ENDS)
_INSTANT = re.compile(
    r"(?P<date>\d{4}-\d\d-\d\d)[Tt ](?P<minutes>(?:[01]\d|2[0-3]):\d\d)"
    r"(?::(?P<seconds>\d\d)(?:[.,](?P<fraction>\d+))?)?"
    r"(?P<zone>[Zz]|(?P<sign>[+-])(?P<zone_hours>[01]\d|2[0-3]):?(?P<zone_minutes>[0-5]\d)?)?(?:\[[^]]*\])?",
    re.ASCII,
)


def instant_us(value: object, where: str) -> int:
    """Read an instant; a fraction finer than a microsecond is truncated.

    >>> instant_us("1970-01-01T01:00:00.0000019+01:00", "eventTime")
    1
    """
    written = text(value, where)
    match = _INSTANT.fullmatch(written)
    if not match:
        raise BadEvent(where, f"is not an ISO 8601 date and time: {written[:60]!r}")
    if not match["zone"]:
        raise BadEvent(where, f"has no time zone: {written[:60]!r}; write it as {written[:60]}Z if it is UTC")
    try:
        local = datetime.fromisoformat(f"{match['date']}T{match['minutes']}:{match['seconds'] or '00'}+00:00")
    except ValueError as error:
        raise BadEvent(where, f"is not a date and time: {written[:60]!r} ({error})") from None
    micros = int((match["fraction"] or "0")[:6].ljust(6, "0"))
    offset = timedelta(hours=int(match["zone_hours"] or 0), minutes=int(match["zone_minutes"] or 0))
    if match["sign"] == "-":
        offset = -offset
    us = (local - _EPOCH - offset) // timedelta(microseconds=1) + micros
    if not _FIRST <= us <= _LAST:  # it could be stored, but not be shown
        raise BadEvent(where, f"is not in the years 1 to 9999 in UTC: {written[:60]!r}")
    return us


def instant_text(us: int) -> str:
    """Write an instant in UTC.

    >>> instant_text(0)
    '1970-01-01T00:00:00.000000Z'
    """
    return (_EPOCH + timedelta(microseconds=us)).isoformat(timespec="microseconds").replace("+00:00", "Z")


_DAY = 86_400_000_000


def time_text(us: int) -> str:
    """A time for people, which a command takes back: as few digits as it needs, and the last moment of a day as such.

    >>> time_text(0), time_text(1_500_000), time_text(_DAY - 1)
    ('1970-01-01T00:00:00Z', '1970-01-01T00:00:01.5Z', 'the end of 1970-01-01')
    """
    written = instant_text(us)
    if (us + 1) % _DAY == 0:
        return f"the end of {written[: written.index('T')]}"
    return written.removesuffix("Z").rstrip("0").removesuffix(".") + "Z"
