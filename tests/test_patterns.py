"""Every regular expression of the package takes linear work over any text, as texts come from outside."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import headwater
from tests.regex_growth import growth
from tests.regex_steps import CountedPattern
from tests.work import MOST, TooMuch

ROOT = Path(headwater.__file__).parent
METHODS = frozenset({"search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer"})
OURS = {
    r"CREATE TABLE (\w+) \((.*?)\n\)": "our own schema.sql",
    r"^(CREATE INDEX (\w+) ON [^;]*);": "our own schema.sql",
    r"^    (?:PRIMARY KEY|UNIQUE) \(([^)]*)\)": "our own schema.sql",
}
"""Patterns that read our own texts only."""
MADE = {
    "common/redaction/text.py: f\"(?:{'|'.join(sorted(KEYS))})[^a-z]?key\"": "words of our own, none of which repeats",
    "openlineage/naming/resolvers.py: re.escape(host)": "literal text of the user's own settings",
    "openlineage/naming/java_regex.py: _JAVAS_OWN.sub(_in_python, pattern)": "the user's own setting",
    "capture/settings/events.py: spark[key]": "Spark's own setting for what to redact",
    "lake/failures.py: pattern": "of _EXPLANATIONS, which is looked at below",
}
"""Patterns that are made while the program runs: where, and why that is no matter of texts from outside."""
HOW = {"headwater.openlineage.naming.partitions._TYPES": {"fullmatch"}}
"""How patterns are used that are used under another name."""


class Use(NamedTuple):
    """A pattern, and how it is used."""

    pattern: re.Pattern[Any]
    method: str


def _tables() -> Iterator[tuple[str, re.Pattern[Any]]]:
    """The compiled patterns of all modules, also those in lists and tables."""
    for module_info in pkgutil.walk_packages(headwater.__path__, "headwater."):
        if not module_info.name.endswith("__main__"):
            for name, value in vars(importlib.import_module(module_info.name)).items():
                for pattern in _inside(value):
                    yield f"{module_info.name}.{name}", pattern


def _inside(value: object) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _inside(item)
    elif isinstance(value, dict):
        yield from _inside([*value.values()])


@cache
def _calls() -> dict[Path, list[ast.Call]]:
    """Every call of a method in the sources."""
    return {
        path: [
            node
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        ]
        for path in ROOT.rglob("*.py")
    }


def _methods(name: str) -> set[str]:
    """How a compiled pattern of a module is used; one that is used under another name, in any way."""
    if name in HOW:
        return HOW[name]
    module, _, last = name.rpartition(".")
    own = Path(str(importlib.import_module(module).__file__))
    found = set()
    for path, calls in _calls().items():
        for call in calls if path == own or not last.startswith("_") else ():
            assert isinstance(call.func, ast.Attribute)
            owner = call.func.value
            if call.func.attr in METHODS and isinstance(owner, ast.Name) and owner.id == last:
                found.add(call.func.attr)
    return found or {"search"}


def _direct(sources: dict[Path, list[ast.Call]]) -> Iterator[tuple[str, Use | None]]:
    """Calls of `re` itself; None where the pattern is made while the program runs."""
    for path, calls in sources.items():
        for call in calls:
            assert isinstance(call.func, ast.Attribute)
            if not (isinstance(call.func.value, ast.Name) and call.func.value.id == "re" and call.args):
                continue
            name, pattern = call.func.attr, call.args[0]
            if name not in {*METHODS, "compile"}:
                continue
            at_top = name == "compile" and _is_constant(pattern)
            if at_top:
                continue  # among the tables
            place = f"{path.relative_to(ROOT) if path.is_relative_to(ROOT) else path.name}: {ast.unparse(pattern)}"
            if isinstance(pattern, ast.Constant):
                flags = [word.value for word in call.keywords if word.arg == "flags"]
                if name in {"search", "match", "fullmatch", "findall", "finditer"}:
                    flags += call.args[2:3]
                number = eval(ast.unparse(flags[0]), {"re": re}) if flags else 0  # noqa: S307  our own sources
                yield place, Use(re.compile(pattern.value, number), name)
            else:
                yield place, None


def _is_constant(pattern: ast.expr) -> bool:
    """Whether a pattern is made of the module's own texts, when it is imported."""
    names = {node.id for node in ast.walk(pattern) if isinstance(node, ast.Name)}
    calls = [node for node in ast.walk(pattern) if isinstance(node, ast.Call)]
    own = all(isinstance(call.func, ast.Attribute) and call.func.attr == "rpartition" for call in calls)
    return own and all(name.isupper() for name in names)


def _found() -> dict[str, Use]:
    found = {
        f"{name} {method} {pattern.pattern!r}": Use(pattern, method)
        for name, pattern in _tables()
        for method in sorted(_methods(name))
    }
    found |= {f"{place} {use.method}": use for place, use in _direct(_calls()) if use is not None}
    explanations = importlib.import_module("headwater.lake.failures")._EXPLANATIONS
    found |= {f"_EXPLANATIONS {pattern}": Use(re.compile(pattern), "search") for pattern, _ in explanations}
    return {name: use for name, use in found.items() if use.pattern.pattern not in OURS}


FOUND = _found()


def test_patterns_are_found() -> None:
    assert len(FOUND) > 100


@pytest.mark.parametrize("name", FOUND)
def test_a_pattern_takes_linear_work(name: str) -> None:
    use = FOUND[name]
    assert not growth(use.pattern, use.method)


def test_what_is_made_while_the_program_runs_is_known() -> None:
    made = {place for place, use in _direct(_calls()) if use is None}
    assert made == MADE.keys(), "say why its texts are not from outside, or use a scanner"


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("re.search(r'(a+)+b', text)", "exponential"),
        ("re.sub('[^/@]*@', '', text)", "quadratic"),
        ("re.match(r'\\d+\\d+x', text)", "quadratic"),
        ("re.findall(r'\\([^)]*\\)', text)", "quadratic"),
        ("re.search('^a+b', text, re.MULTILINE)", ""),
        ("re.fullmatch('[^/]*/[^/]*', text)", ""),
        ("re.compile(f'{name}+')", None),
        ("re.search(name, text)", None),
    ],
)
def test_a_bad_pattern_would_be_found(source: str, reason: str | None, tmp_path: Path) -> None:
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    ((_, use),) = _direct({tmp_path / "bad.py": calls})
    if reason is None:
        assert use is None
    else:
        assert use is not None
        assert growth(use.pattern, use.method).startswith(reason)
        assert bool(growth(use.pattern, use.method)) is bool(reason)


def _steps(pattern: re.Pattern[str], piece: str, size: int, *, anywhere: bool) -> float:
    counted, text = CountedPattern(pattern, 1_000 * size), f"{piece * size}\0"
    try:
        if anywhere:
            list(counted.finditer(text))
        else:
            counted.match(text)
    except TooMuch:
        return float("inf")
    return counted.steps


@pytest.mark.parametrize(
    ("pattern", "method", "piece"),
    [
        ("a+b", "search", "a"), (r"'(?:[^'\\]|\\.|'')*'", "search", "'a\\"),
        (r"a*b?a*c", "match", "a"), ("x(?=.*y)", "search", "x"), (r"\s+$", "search", " "),
    ],
)  # fmt: skip
def test_what_is_said_to_grow_does(pattern: str, method: str, piece: str) -> None:
    """The steps of a plain matcher agree with what is read off the pattern."""
    assert growth(pattern, method)
    anywhere = method != "match"
    steps = [_steps(re.compile(pattern), piece, size, anywhere=anywhere) for size in (16, 32)]
    assert steps[1] == float("inf") or steps[1] / steps[0] > MOST
