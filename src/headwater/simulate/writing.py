"""Writes a history to files or a stream, with one process or several: the bytes are the same."""

import gzip
import io
import itertools
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, TypeVar

from headwater.common.worker_processes import in_processes
from headwater.simulate.history import History, Line
from headwater.simulate.parts import Part
from headwater.simulate.settings import Settings
from headwater.simulate.summary import Summary

_LEVEL = 4  # half the time of gzip's own default, for files a fifth larger
_Result = TypeVar("_Result")
_history: History | None = None


def write_files(settings: Settings, parts: Sequence[Part], jobs: int = 1) -> Iterator[Summary]:
    """Write parts to their files; yields a summary of each."""
    return _process_parts(settings, jobs, _write_part, parts)


def write_stream(settings: Settings, parts: Sequence[Part], out: BinaryIO, jobs: int = 1) -> Iterator[Summary]:
    """Write parts to a stream in order; yields a summary of each."""
    for data, summary in _process_parts(settings, jobs, _make_part, parts):
        out.write(data)
        yield summary


def _process_parts(
    settings: Settings, jobs: int, make: Callable[[Part], _Result], parts: Sequence[Part]
) -> Iterator[_Result]:
    """Process every part; results come in order."""
    if jobs > 1:
        return in_processes(jobs, _begin, (settings,), make, parts)
    _begin(settings)
    return map(make, parts)


def _begin(settings: Settings) -> None:
    global _history  # noqa: PLW0603  a process has one history
    _history = History(settings)


def _lines(part: Part) -> Iterator[Line]:
    assert _history is not None  # noqa: S101  set by _begin
    day = int(part.first)
    while day < part.until:
        yield from _history.lines(day, max(part.first - day, 0), min(part.until - day, 1))
        day += 1


def _make_part(part: Part) -> tuple[bytes, Summary]:
    summary, data = Summary(), io.BytesIO()
    _write(_lines(part), data, summary)
    return data.getvalue(), summary


def _write_part(part: Part) -> Summary:
    assert part.path is not None  # noqa: S101  it goes to a file
    summary, lines = Summary(), _lines(part)
    if part.split is None:
        _write_file(lines, part.path, summary)
        return summary
    for number, first in enumerate(lines):
        chunk = itertools.chain([first], itertools.islice(lines, part.split - 1))
        _write_file(chunk, part.path / f"events-{number:04}.jsonl.gz", summary)
    return summary


def _write_file(lines: Iterator[Line], path: Path, summary: Summary) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # No file name and time in the header: equal events make equal files.
    with path.open("wb") as raw, gzip.GzipFile("", "wb", _LEVEL, raw, mtime=0) as file:
        _write(lines, file, summary)
    summary.add_file(path.stat().st_size)


def _write(lines: Iterator[Line], out: BinaryIO | gzip.GzipFile, summary: Summary) -> None:
    for text, due in lines:
        data = text.encode()
        summary.add(due, len(data))
        out.write(data)
        out.write(b"\n")
