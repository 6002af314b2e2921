"""Every regular expression of the package takes linear work over any text, as texts come from outside."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from functools import cache

import pytest

import headwater
from tests.regex_steps import CountedPattern
from tests.work import MOST, TooMuch

# Pieces that repeated make a pattern go back, if it can.
PIECES = (
    "a", "1", " ", "'", '"', "`", "/", ":", "@", "=", "-", ".", ",", "(", "[", "{", "\\", "\n", "*", "a ", "1 ", "a.",
    "1.", "a=", "'a", "''", "/*", "--", "://", "a:", "a@", "\\'", "'a\\", "e1", "ab1_", "a/", "={", "=a&",
)  # fmt: skip
SIZE = 60
MOST_STEPS = 2_000


def _patterns() -> Iterator[tuple[str, re.Pattern[str], bool]]:
    """The compiled patterns of all modules; whether one may begin anywhere in a text, or only where it is told to."""
    for module_info in pkgutil.walk_packages(headwater.__path__, "headwater."):
        if module_info.name.endswith("__main__"):
            continue
        module = importlib.import_module(module_info.name)
        for name, value in vars(module).items():
            if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
                calls = set(re.findall(rf"\b{name}\.(\w+)\(", _source(module_info.name)))
                yield f"{module_info.name}.{name}", value, not calls or bool(calls - {"match", "fullmatch"})


@cache
def _source(module: str) -> str:
    return inspect.getsource(importlib.import_module(module))


def _growth(pattern: re.Pattern[str], piece: str, *, anywhere: bool) -> float:
    def steps(size: int) -> int:
        counted, text = CountedPattern(pattern, MOST_STEPS * size), f"{piece * size}\0"
        if anywhere:
            list(counted.finditer(text))
        else:
            counted.match(text)
        return counted.steps

    try:
        return steps(2 * SIZE) / max(1, steps(SIZE))
    except TooMuch:
        return float("inf")


FOUND = {name: (pattern, anywhere) for name, pattern, anywhere in _patterns()}


def test_patterns_are_found() -> None:
    assert len(FOUND) > 50


@pytest.mark.parametrize("name", FOUND)
def test_a_pattern_takes_linear_work(name: str) -> None:
    pattern, anywhere = FOUND[name]
    words = re.findall(r"[A-Za-z]{2,}", pattern.pattern)[:12]
    pieces = [*PIECES, *words, *(f"{word}=" for word in words), *(f"{word} " for word in words)]
    worst = max(pieces, key=lambda piece: _growth(pattern, piece, anywhere=anywhere))
    assert _growth(pattern, worst, anywhere=anywhere) <= MOST, f"{worst!r} repeated"
