"""Times as people write them on the command line."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest
import typer

from headwater.cli.times import beginning, moment


def _us(*parts: int) -> int:
    return int(datetime(*parts, tzinfo=timezone.utc).timestamp()) * 1_000_000  # type: ignore[misc,arg-type]


@pytest.mark.parametrize(
    ("text", "us"),
    [
        ("2026-05-12T09:30:00Z", _us(2026, 5, 12, 9, 30)),
        ("2026-05-12T09:30", _us(2026, 5, 12, 9, 30)),
        ("2026-05-12 09:30:00+02:00", _us(2026, 5, 12, 7, 30)),
        ("2026-05-12T09:30:00.000001Z", _us(2026, 5, 12, 9, 30) + 1),
        ("2026-05-12", _us(2026, 5, 13) - 1),
    ],
)
def test_a_time_is_utc_unless_it_says_otherwise_and_a_date_is_its_end(text: str, us: int) -> None:
    assert moment(text) == us


def test_a_window_begins_with_the_start_of_a_date() -> None:
    assert beginning("2026-05-12") == _us(2026, 5, 12)
    assert beginning("2026-05-12T09:30Z") == _us(2026, 5, 12, 9, 30)


def test_yesterday_ends_where_today_begins() -> None:
    assert moment("yesterday") + 1 == beginning("today")


@pytest.mark.parametrize("text", ["", "soon", "2026-13-01", "12.05.2026", "2026-05-12T25:00", "Z"])
def test_what_is_no_time_is_refused_with_what_to_write(text: str) -> None:
    with pytest.raises(typer.BadParameter, match="is not a time: write 2026-05-12"):
        moment(text)
