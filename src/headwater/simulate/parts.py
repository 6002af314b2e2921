"""Parts of a history, each of which can be written by itself."""

import itertools
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from headwater.simulate.settings import Settings

EVENTS_A_FILE = 10_000
_EVENTS_A_PIECE = 2_000
_EVENTS_A_RUN = 2


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a history between two moments, in days and shares of a day's events.

    Attributes:
        path: its file; with `split` its folder, for files of at most that many events.
    """

    first: float
    until: float
    path: Path | None = None
    split: int | None = None


def in_a_tree(settings: Settings, folder: Path, events: int = EVENTS_A_FILE) -> list[Part]:
    """Files of at most this many events, in a tree of years, months and days."""
    dates = [settings.start + timedelta(days=day) for day in range(settings.days)]
    return [
        Part(day, day + 1, folder / f"{date.year:04}" / f"{date.month:02}" / f"{date.day:02}", events)
        for day, date in enumerate(dates)
    ]


def in_files(settings: Settings, folder: Path, files: int) -> list[Part]:
    """This many files with about the same number of events, in order.

    >>> [(part.first, part.path.name) for part in in_files(Settings(days=3), Path("here"), 2)]
    [(0.0, 'events-0000.jsonl.gz'), (1.5, 'events-0001.jsonl.gz')]
    """
    ends = [settings.days * number / files for number in range(files + 1)]
    width = max(4, len(str(files)))
    return [
        Part(first, until, folder / f"events-{number:0{width}}.jsonl.gz")
        for number, (first, until) in enumerate(itertools.pairwise(ends))
    ]


def in_pieces(settings: Settings) -> list[Part]:
    """Pieces that fit into memory one by one."""
    a_day = settings.datasets * settings.runs_per_day * _EVENTS_A_RUN
    pieces = max(1, round(a_day / _EVENTS_A_PIECE))
    return [
        Part(day + piece / pieces, day + (piece + 1) / pieces)
        for day in range(settings.days)
        for piece in range(pieces)
    ]
