"""Tests that pytest collected once, each time run in a fork: to see which lines they run, and with a changed module.

The functions of a fork get the changed code; nothing is imported or collected again. What imports have computed stays
as it was, so a change that shows there alone counts as survived.
"""

from __future__ import annotations

import ast
import gc
import json
import os
import resource
import signal
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, NamedTuple

import pytest

# Seconds are time of the CPU, since the machine may be busy; a test that waits for ever takes none.
_PATIENCE = 900
# A test that takes longer than these seconds, and than so many times what it took unchanged and traced, never ends.
_SECONDS, _TIMES = 20, 5
# What a test runs only after so many seconds is not looked at.
_TRACED = 0.5
# A test that takes longer, traced, is left out.
_LONGEST = 2
_MEMORY = 6 << 30


class Coverage(NamedTuple):
    """The tests, how long each takes, and which of them run which lines of a file, by their numbers."""

    tests: Sequence[str]
    seconds: Sequence[float]
    lines: Mapping[str, Mapping[str, Sequence[int]]]

    def running(self, file: Path, lines: range) -> dict[str, float]:
        """The tests that run one of some lines with their seconds, the quickest first."""
        of_file = self.lines.get(str(file), {})
        numbers = {number for line in lines for number in of_file.get(str(line), ())}
        return {self.tests[number]: self.seconds[number] for number in sorted(numbers, key=self.seconds.__getitem__)}


class Forks:
    """The tests of a session of pytest.

    Args:
        session: the session.
        seconds: how long the tests of a change may take, the quickest first: one that they do not notice until then
            survived.
    """

    def __init__(self, session: pytest.Session, seconds: float) -> None:
        self._seconds = seconds
        self._items = {item.nodeid: item for item in session.items}
        self._functions: dict[object, list[FunctionType]] = defaultdict(list)
        for function in gc.get_objects():
            if isinstance(function, FunctionType):
                self._functions[_place(function.__code__)].append(function)
        session.config.pluginmanager.register(self)
        self._failed: list[str] = []
        gc.freeze()  # no fork has to look through all that was collected

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember that a test failed."""
        if report.failed:
            self._failed.append(f"{report.nodeid} failed:\n{report.longreprtext}\n")

    def coverage(self, files: Sequence[Path], path: Path) -> Coverage:
        """Which tests run which lines of some files: all tests are run in a fork, unless `path` has it already.

        A test that fails, or is slow, is left out.
        """
        if not path.exists() and _forked(lambda: self._trace(frozenset(map(str, files)), path)):
            raise SystemExit("The tests could not be run.")
        return Coverage(**json.loads(path.read_text(encoding="utf-8")))

    def fate(self, file: Path, changed: ast.Module, tests: Mapping[str, float]) -> str:
        """What tests make of a changed module: `noticed`, `survived` or `without end`."""

        def run() -> bool:
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 1)
            os.dup2(null, 2)
            self._put(compile(changed, str(file), "exec"))
            return all(
                self._passes(test, _SECONDS + _TIMES * seconds)
                for test, seconds in tests.items()
                if time.process_time() < self._seconds
            )

        status = _forked(run)
        if -status in {signal.SIGPROF, signal.SIGALRM}:
            return "without end"
        return "noticed" if status else "survived"

    def _put(self, module: CodeType) -> None:
        for code in _within(module):
            for function in self._functions.get(_place(code), ()):
                if function.__code__ != code:
                    function.__code__ = code

    def _passes(self, test: str, seconds: float) -> bool:
        signal.alarm(_PATIENCE)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        item = self._items[test]
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)
        return not self._failed

    def _trace(self, files: frozenset[str], path: Path) -> bool:
        seconds: list[float] = []
        lines: dict[str, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        slow: list[int] = []

        def give_up(signal_number: int, _frame: object) -> None:
            slow.append(signal_number)
            raise TimeoutError

        signal.signal(signal.SIGPROF, give_up)
        for number, test in enumerate(self._items):
            started = time.process_time()
            with _traced(files) as seen:
                passes = self._passes(test, _LONGEST)
            seconds.append(time.process_time() - started)
            if slow or not passes:  # it could not tell anything of a change
                sys.stderr.write(f"left out, {'slow' if slow else 'it fails'}: {test}\n")
                slow.clear()
                self._failed.clear()
                continue
            for file, line in seen:
                lines[file][line].append(number)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"tests": [*self._items], "seconds": seconds, "lines": lines}), encoding="utf-8")
        return True


def _forked(run: Callable[[], bool]) -> int:
    """How a process of its own ends: 0 if `run` says so."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    ended = 1
    try:
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        ended = 0 if run() else 1
    finally:
        os._exit(ended)


def _place(code: CodeType) -> object:
    return code.co_filename, code.co_firstlineno, code.co_name


def _within(code: CodeType) -> Iterator[CodeType]:
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield inner
            yield from _within(inner)


@contextmanager
def _traced(files: frozenset[str]) -> Iterator[set[tuple[str, int]]]:
    """The lines of some files that are run, in any thread."""
    seen: set[tuple[str, int]] = set()
    until = time.process_time() + _TRACED

    def calls(frame: FrameType, _event: str, _argument: object) -> Any:  # noqa: ANN401  as sys.settrace wants it
        file = frame.f_code.co_filename
        if file not in files:
            return None

        def lines(inner: FrameType, event: str, _argument: object) -> Any:  # noqa: ANN401
            if event == "line":
                seen.add((file, inner.f_lineno))
            elif event == "return" and time.process_time() > until:
                sys.settrace(None)
            return lines

        return lines

    threading.settrace(calls)
    sys.settrace(calls)
    try:
        yield seen
    finally:
        sys.settrace(None)
        threading.settrace(None)
