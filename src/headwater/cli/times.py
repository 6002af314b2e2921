"""Times on the command line: as in the Python API, and a little more freely."""

from datetime import datetime, timedelta, timezone

import typer

# Of a number of hours, days or weeks: the calendar ends at the year 9999.
_DIGITS = 4


def moment(text: str) -> int:
    """A moment in microseconds UTC; a date is the end of that day, so that the whole day counts.

    >>> moment("1970-01-01T00:00:01") == moment("1970-01-01T01:00:01+01:00") == 1_000_000
    True
    >>> moment("1970-01-01") == moment("1970-01-02T00:00Z") - 1
    True
    """
    return _read(text, end=True)


def beginning(text: str) -> int:
    """A moment in microseconds UTC; a date is the start of that day.

    >>> beginning("1970-01-01")
    0
    """
    return _read(text, end=False)


_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}


def later(text: str, now: int) -> int:
    """A moment that lies ahead: so long from now (`12h`, `90d`, `4w`), or a time.

    >>> later("2d", 0) == later("48h", 0) == 172_800_000_000
    True

    Raises:
        BadParameter: it is over, or not understood.
    """
    count, unit = text.strip()[:-1], _UNITS.get(text.strip()[-1:].lower())
    if unit is not None and count.isascii() and count.isdigit() and len(count) <= _DIGITS:
        us = now + int(count) * (unit // timedelta(microseconds=1))
    else:
        us = moment(text)
    if us <= now:
        raise typer.BadParameter(f"{text!r} is over already: write a time that lies ahead, or 90d.")
    return us


def _read(text: str, *, end: bool) -> int:
    # Here, not above: `--help` starts without it.
    from headwater.query.moments import beginning_us, moment_us  # noqa: PLC0415

    today = datetime.now(tz=timezone.utc).date()
    days = {"today": today, "yesterday": today - timedelta(days=1)}
    written = days.get(text.strip().lower(), text.strip())
    # Without a zone it is UTC: at a terminal, a wrong guess costs less than a refusal.
    for time in (written, f"{written}Z"):
        try:
            us = moment_us(time, "") if end else beginning_us(time, "")
        except ValueError:
            continue
        if us is not None:
            return us
    raise typer.BadParameter(
        f"{text!r} is not a time: write 2026-05-12, 2026-05-12T09:30, 2026-05-12T09:30+02:00, today or yesterday."
    )
