"""How many steps a regular expression takes over a text: those of a plain backtracking matcher, the same everywhere.

`re` tells nobody how often it goes back. So Python's own parser reads the pattern, and a small machine runs what it
returns: each character that is looked at, and each way that is tried, is a step. It knows no shortcuts: `re` takes
fewer steps, but not of another order.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any

import pytest

from tests.work import TooMuch, work

if sys.version_info >= (3, 11):
    from re import _compiler as sre_compile  # type: ignore[attr-defined]
    from re import _parser as sre_parse  # type: ignore[attr-defined]
else:
    import sre_compile
    import sre_parse

MOST_STEPS = 5000
"""How many steps a pattern may take for each piece of a text, lest what is exponential never ends."""
_UNLIMITED = sre_parse.MAXREPEAT


def grows(
    patterns: Mapping[ModuleType, Sequence[str]], analyse: Callable[[int], object], size: int, patch: pytest.MonkeyPatch
) -> float:
    """How many times the work over a text is that over half the text: lines of our own code, and steps of patterns.

    Args:
        patterns: the names of the compiled patterns in each module that take part.
        analyse: does the work for a size.
        size: the smaller of the two sizes.
        patch: puts counters in the place of the patterns.
    """

    def both(size: int) -> float:
        with patch.context() as patched:
            named = [(module, name) for module, names in patterns.items() for name in names]
            counters = [
                (module, name, CountedPattern(getattr(module, name), MOST_STEPS * size)) for module, name in named
            ]
            for module, name, counter in counters:
                patched.setattr(module, name, counter)
            lines = work(lambda: analyse(size))
        return lines + sum(counter.steps for _, _, counter in counters)

    smaller = both(size)
    return both(2 * size) / smaller if smaller < float("inf") else smaller


class CountedPattern:
    """A compiled pattern that counts the steps of what is asked of it; the answers are those of `re`.

    More steps than the limit raise `TooMuch`.

    Attributes:
        steps: the steps so far.
    """

    def __init__(self, pattern: re.Pattern[str], limit: float = float("inf")) -> None:
        self.steps = 0
        self._limit = limit
        self._pattern = pattern
        self._program: list[tuple[Any, ...]] = []
        flags = pattern.flags
        self._single = flags & ~re.VERBOSE
        self._compile(sre_parse.parse(pattern.pattern, flags))
        self._program.append(("match",))

    def match(self, text: str, place: int = 0) -> re.Match[str] | None:
        """As `re.Pattern.match`."""
        self._run(text, place)
        return self._pattern.match(text, place)

    def search(self, text: str, place: int = 0) -> re.Match[str] | None:
        """As `re.Pattern.search`."""
        next(self._places(text, place), None)
        return self._pattern.search(text, place)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """As `re.Pattern.finditer`."""
        for _ in self._places(text, 0):
            pass
        return self._pattern.finditer(text)

    def sub(self, by: Any, text: str) -> str:  # noqa: ANN401 (a string or a function)
        """As `re.Pattern.sub`."""
        for _ in self._places(text, 0):
            pass
        return self._pattern.sub(by, text)

    def _places(self, text: str, place: int) -> Iterator[int]:
        """The places where the pattern matches, one after the other."""
        while place <= len(text):
            end = self._run(text, place)
            if end is not None:
                yield place
            place = place + 1 if end is None or end == place else end

    # --- the machine --------------------------------------------------------------------------------------------------

    def _compile(self, parsed: Any) -> None:  # noqa: ANN401 (the parser has no types)
        program = self._program
        for code, value in parsed:
            name = str(code)
            if name == "BRANCH":
                self._compile_branches(value[1])
            elif name == "SUBPATTERN":
                self._compile(value[-1])
            elif name == "ATOMIC_GROUP":
                program.append(("look", self._inner(value), True, 0, True))
            elif name in {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}:
                self._compile_repeat(*value, greedy=name != "MIN_REPEAT")
            elif name in {"ASSERT", "ASSERT_NOT"}:
                direction, inside = value
                back = inside.getwidth()[0] if direction < 0 else 0
                program.append(("look", self._inner(inside), name == "ASSERT", back, False))
            else:
                # One character, or a place: `re` itself says whether it is one.
                width = 0 if name == "AT" else 1
                single = sre_compile.compile(_alone(parsed, code, value), self._single)
                program.append(("one", single, width))

    def _inner(self, parsed: Any) -> list[tuple[Any, ...]]:  # noqa: ANN401
        outer, self._program = self._program, []
        self._compile(parsed)
        inner, self._program = [*self._program, ("match",)], outer
        return inner

    def _compile_branches(self, branches: Any) -> None:  # noqa: ANN401
        program, ends = self._program, []
        for branch in branches[:-1]:
            split = len(program)
            program.append(())
            self._compile(branch)
            ends.append(len(program))
            program.append(())
            program[split] = ("split", split + 1, len(program))
        self._compile(branches[-1])
        for end in ends:
            program[end] = ("jump", len(program))

    def _compile_repeat(self, least: int, most: Any, parsed: Any, *, greedy: bool) -> None:  # noqa: ANN401
        program = self._program
        for _ in range(least):
            self._compile(parsed)
        splits = []
        for _ in range(1 if most is _UNLIMITED else most - least):
            splits.append(len(program))
            program.append(())
            self._compile(parsed)
        if most is _UNLIMITED:
            program.append(("loop", splits[0]))
        for split in splits:
            ways = (split + 1, len(program))
            program[split] = ("split", *(ways if greedy else ways[::-1]))

    def _run(self, text: str, place: int, program: list[tuple[Any, ...]] | None = None) -> int | None:  # noqa: C901, PLR0912 (a table)
        """Where a match that begins at a place ends."""
        program = self._program if program is None else program
        ways = [(0, place, -1)]
        while ways:
            at, place, looped = ways.pop()
            while True:
                self.steps += 1
                if self.steps > self._limit:
                    raise TooMuch
                kind, *rest = program[at]
                if kind == "match":
                    return place
                if kind == "one":
                    single, width = rest
                    if place + width > len(text) or single.match(text, place) is None:
                        break
                    at, place = at + 1, place + width
                elif kind == "split":
                    ways.append((rest[1], place, looped))
                    at = rest[0]
                elif kind == "loop":
                    if place == looped:  # nothing was taken in this turn: there is no other
                        at += 1
                    else:
                        at, looped = rest[0], place
                elif kind == "jump":
                    (at,) = rest
                else:
                    inner, wanted, back, takes = rest
                    end = self._run(text, place - back, inner) if place >= back else None
                    if (end is not None) is not wanted:
                        break
                    at, place = at + 1, end if takes and end is not None else place
        return None


def _alone(parsed: Any, code: Any, value: Any) -> Any:  # noqa: ANN401
    alone = sre_parse.SubPattern(parsed.state)
    alone.append((code, value))
    return alone
