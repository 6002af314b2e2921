"""A plugin for pytest: which tests run which lines of some files, written as JSON.

`HEADWATER_COVER` names the folders, with `:` between, and `HEADWATER_COVER_TO` the file to write.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

_FOLDERS = tuple(os.environ.get("HEADWATER_COVER", "").split(":"))
_lines: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
_seconds: dict[str, float] = {}
_seen: set[tuple[str, int]] = set()


def _trace(frame: FrameType, _event: str, _argument: object) -> Any:  # noqa: ANN401  as sys.settrace wants it
    if not frame.f_code.co_filename.startswith(_FOLDERS):
        return None
    file, seen = frame.f_code.co_filename, _seen

    def local(inner: FrameType, event: str, _argument: object) -> Any:  # noqa: ANN401
        if event == "line":
            seen.add((file, inner.f_lineno))
        return local

    return local


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Trace the test itself; what fixtures share is run for all."""
    _seen.clear()
    started = time.perf_counter()
    sys.settrace(_trace)
    try:
        yield
    finally:
        sys.settrace(None)
        _seconds[item.nodeid] = time.perf_counter() - started
        for file, line in _seen:
            _lines[file][line].add(item.nodeid)


def pytest_sessionfinish() -> None:
    """Write it all."""
    numbers = {name: number for number, name in enumerate(_seconds)}
    found = {
        file: {str(line): [numbers[name] for name in names] for line, names in lines.items()}
        for file, lines in _lines.items()
    }
    document = {"tests": list(_seconds), "seconds": list(_seconds.values()), "lines": found}
    Path(os.environ["HEADWATER_COVER_TO"]).write_text(json.dumps(document), encoding="utf-8")
