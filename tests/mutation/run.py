"""Change the code in one small way, run the tests that run that line, and see whether one fails; many times.

    python -m tests.mutation.run --mutants 400 --seed 1

The mutants are drawn at random from `rules/`, the folds of the store and the walks of the graph. The score is the share
that a test noticed; it is a lower bound, since tests that start Spark or PostgreSQL, and tests that take longer than
`--seconds`, do not run. A line that no test runs counts as not noticed. Which tests run which lines is kept in
`build/mutation` until a file changes.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import Phase, settings

from tests.mutation.forks import Coverage, Forks
from tests.mutation.mutants import Mutant, mutant, places

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "headwater"
_CACHE = ROOT / "build" / "mutation"
_ASKED = 0.85


class Area(NamedTuple):
    """Code to change, and the tests that are to notice; the examples in its docstrings are among them."""

    code: tuple[str, ...]
    tests: tuple[str, ...]

    def files(self) -> list[Path]:
        """The modules to change."""
        return [file for name in self.code for file in _files(SOURCE / name)]

    def arguments(self) -> list[str]:
        """What pytest collects."""
        return [*self.tests, *(f"src/headwater/{name}" for name in self.code)]

    def has(self, test: str) -> bool:
        """Whether a test is one of those that are to notice."""
        return test.startswith(tuple(self.arguments()))


AREAS = {
    "rules": Area(("rules",), ("tests/rules",)),
    "folds": Area(
        ("store/model/folds.py", "store/model/order.py", "store/timeline"), ("tests/store", "tests/query/lineage")
    ),
    "walks": Area(("query/graph", "query/lineage"), ("tests/query",)),
}


class Drawn(NamedTuple):
    """A mutant that was drawn."""

    area: str
    file: Path
    source: str
    place: tuple[int, int]


class Mutation:
    """A plugin for pytest that runs the tests of each mutant in the place of all tests."""

    def __init__(self, drawn: Sequence[Drawn], seconds: float) -> None:
        self._drawn = drawn
        self._seconds = seconds
        self.fates: dict[str, Counter[str]] = {one.area: Counter() for one in drawn}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out what starts a database: a test that fails ends without stopping it."""
        items[:] = [item for item in items if not _starts_a_database(item)]

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Say how each mutant ends."""
        forks = Forks(session, self._seconds)
        areas = [AREAS[name] for name in self.fates]
        files = [file for area in areas for file in area.files()]
        coverage = forks.coverage(files, _CACHE / f"{_state([*areas, self._seconds])}.json")
        for number, one in enumerate(self._drawn, start=1):
            change = mutant(one.source, *one.place)
            fate = _fate(one, change, forks, coverage)
            self.fates[one.area][fate] += 1
            if fate != "noticed":
                _say(f"{fate}: {one.file.relative_to(SOURCE)} {change.what}")
            if number % 25 == 0:
                sys.stderr.write(f"{number} of {len(self._drawn)}: {_score(self.fates):.1%}\n")
        return True


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw mutants, run their tests, print the survivors and the score."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutants", type=int, default=400, help="how many to draw, over all areas")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--area", choices=AREAS, action="append", help="only this; may be repeated")
    parser.add_argument(
        "--seconds", type=float, default=4, help="how long the tests of a mutant may take, as time of the CPU"
    )
    parser.add_argument("--file", action="append", help="only files whose path contains this; may be repeated")
    options = parser.parse_args(arguments)
    areas = options.area or list(AREAS)
    chance = random.Random(options.seed)  # noqa: S311  a sample
    mutation = Mutation(_drawn(areas, options.file or [""], options.mutants, chance), options.seconds)
    # A failure is enough: no smaller example is looked for or remembered. The examples are the same each time.
    settings.register_profile("mutation", phases=[Phase.explicit, Phase.generate], derandomize=True, database=None)
    settings.load_profile("mutation")
    with tempfile.TemporaryDirectory() as scratch:
        given = dict.fromkeys(argument for area in areas for argument in AREAS[area].arguments())
        asked = ["-s", "-q", "-Wignore:Module already imported", "-p", "no:cacheprovider", f"--basetemp={scratch}/a"]
        if status := pytest.main([*asked, *given], plugins=[mutation]):
            return int(status)
    return _report(mutation.fates)


def _report(fates: dict[str, Counter[str]]) -> int:
    for area, counts in fates.items():
        _say(f"{area}: " + ", ".join(f"{count} {fate}" for fate, count in counts.most_common()))
    score, drawn = _score(fates), sum(counts.total() for counts in fates.values())
    _say(f"score: {score:.1%} of {drawn} (wanted: at least {_ASKED:.0%})")
    return 0 if score >= _ASKED else 1


def _score(fates: dict[str, Counter[str]]) -> float:
    together = sum(fates.values(), Counter[str]())
    return (together["noticed"] + together["without end"]) / together.total()


def _fate(one: Drawn, change: Mutant, forks: Forks, coverage: Coverage) -> str:
    # A value in a statement of several lines may have no code of its own on its line.
    running = coverage.running(one.file, change.lines[-1:]) or coverage.running(one.file, change.lines)
    tests = {test: seconds for test, seconds in running.items() if AREAS[one.area].has(test)}
    return forks.fate(one.file, change.tree, tests) if tests else "run by no test"


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _drawn(areas: Sequence[str], parts: Sequence[str], number: int, chance: random.Random) -> list[Drawn]:
    """Mutants of all areas in any order: the first of them are a sample, too."""
    found = [
        Drawn(area, file, source, place)
        for area in areas
        for file in AREAS[area].files()
        if any(part in str(file) for part in parts)
        for source in [file.read_text(encoding="utf-8")]
        for place in places(source)
    ]
    return chance.sample(found, min(len(found), number))


def _files(path: Path) -> Iterator[Path]:
    yield from [path] if path.is_file() else sorted(path.rglob("*.py"))


def _state(asked: Sequence[object]) -> str:
    """The state of the code and the tests, with what was asked for."""
    state = hashlib.sha256(repr(asked).encode())
    for file in sorted((*_files(SOURCE), *_files(ROOT / "tests"))):
        state.update(file.read_bytes())
    return state.hexdigest()[:16]


def _starts_a_database(item: pytest.Item) -> bool:
    names = getattr(item, "fixturenames", ())
    return "postgresql" in item.name or "postgres_server" in names or "durable_server" in names


if __name__ == "__main__":
    raise SystemExit(main())
