"""Times on the command line: as in the Python API, and a little more freely."""

from datetime import datetime, timedelta, timezone

import typer


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
