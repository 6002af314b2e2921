"""Work, counted as lines of code that run: the same on every machine, however busy it is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import headwater

MOST = 2.6
"""How much more work twice the size may take: what is sorted on the way takes a little more than twice."""


class TooMuch(BaseException):
    """More work than there may be; it must get past every rule that goes on after an Exception."""


class Work:
    """Lines of our own code, or of other packages, too, that ran."""

    def __init__(self, limit: float, *others: ModuleType) -> None:
        self.lines = 0
        self._limit = limit
        self._folders = tuple(str(Path(str(package.__file__)).parent) for package in (headwater, *others))

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count what runs inside."""
        before = sys.gettrace()
        sys.settrace(self._call)
        try:
            yield
        finally:
            sys.settrace(before)

    def _call(self, frame: FrameType, _event: str, _argument: object) -> Any:  # noqa: ANN401 (as sys.settrace has it)
        return self._line if frame.f_code.co_filename.startswith(self._folders) else None

    def _line(self, _frame: FrameType, event: str, _argument: object) -> Any:  # noqa: ANN401
        if event == "line":
            self.lines += 1
            if self.lines > self._limit:
                raise TooMuch
        return self._line


def work(analyse: Callable[[], object], limit: float = float("inf"), *others: ModuleType) -> float:
    """How much work something is; more than the limit is as much as can be."""
    counter = Work(limit, *others)
    try:
        with counter.counted():
            analyse()
    except TooMuch:
        return float("inf")
    return counter.lines
