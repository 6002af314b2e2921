"""Change the code in one small way, run the tests that run that line, and see whether one fails; many times.

    python -m tests.mutation.run --mutants 400 --seed 1

The mutants are drawn at random from `rules/`, the folds of the store and the walks of the graph. The score is the share
that a test noticed. A line that no test runs counts as not noticed. Which tests run which lines is kept in
`build/mutation` until a file changes.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import importlib.abc
import importlib.util
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from tests.mutation.mutants import Mutant, mutant, places

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "headwater"
_CACHE = ROOT / "build" / "mutation"
# A mutant whose tests take longer than these seconds, and than so many times what they take unchanged, never ends.
_SECONDS, _TIMES = 90, 10
_ASKED = 0.85


class Area(NamedTuple):
    """Code to change, and the tests that are to notice; the examples in its docstrings are among them."""

    code: tuple[str, ...]
    tests: tuple[str, ...]

    def arguments(self) -> list[str]:
        """What pytest runs: not the processes that are killed, whose lines nobody sees, and one database only."""
        ignored = ("test_crashes.py", "test_writers.py")
        options = ["-k", "not postgresql", *(f"--ignore=tests/store/{name}" for name in ignored)]
        return [*options, *self.tests, *(f"src/headwater/{name}" for name in self.code)]


AREAS = {
    "rules": Area(("rules",), ("tests/rules",)),
    "folds": Area(
        ("store/model/folds.py", "store/model/order.py", "store/timeline"), ("tests/store", "tests/query/lineage")
    ),
    "walks": Area(("query/graph", "query/lineage"), ("tests/query",)),
}


class Covered(NamedTuple):
    """Which tests run which lines, and how long each takes."""

    tests: list[str]
    seconds: list[float]
    lines: dict[str, dict[str, list[int]]]

    def running(self, file: Path, line: int) -> list[int]:
        """The tests that run a line, the quickest first."""
        return sorted(self.lines.get(str(file), {}).get(str(line), []), key=self.seconds.__getitem__)


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw mutants, run their tests, print the survivors and the score."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutants", type=int, default=400, help="how many to draw, over all areas")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--area", choices=AREAS, action="append", help="only this; may be repeated")
    options = parser.parse_args(arguments)
    chance = random.Random(options.seed)  # noqa: S311  a sample
    drawn = _drawn(options.area or list(AREAS), options.mutants, chance)
    fates: dict[str, Counter[str]] = {}
    for area, chosen in drawn.items():
        covered = _covered(AREAS[area])
        fates[area] = Counter()
        for file, where in chosen:
            change = mutant(file.read_text(encoding="utf-8"), *where)
            fate = _fate(file, change, covered)
            fates[area][fate] += 1
            if fate != "noticed":
                _say(f"{fate}: {file.relative_to(SOURCE)} {change.what}")
            elif fates[area].total() % 25 == 0:
                sys.stderr.write(f"{area}: {fates[area]['noticed']} of {fates[area].total()} noticed\n")
    for area, counts in fates.items():
        _say(f"{area}: " + ", ".join(f"{count} {fate}" for fate, count in counts.most_common()))
    all_fates = sum(fates.values(), Counter[str]())
    score = (all_fates["noticed"] + all_fates["without end"]) / all_fates.total()
    _say(f"score: {score:.1%} of {all_fates.total()} (wanted: at least {_ASKED:.0%})")
    return 0 if score >= _ASKED else 1


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _drawn(areas: Sequence[str], number: int, chance: random.Random) -> dict[str, list[tuple[Path, tuple[int, int]]]]:
    """Mutants of each area, as many as its share of all that there are."""
    found = {}
    for area in areas:
        files = [file for name in AREAS[area].code for file in _files(SOURCE / name)]
        found[area] = [(file, where) for file in files for where in places(file.read_text(encoding="utf-8"))]
    total = sum(map(len, found.values()))
    return {
        area: chance.sample(some, min(len(some), max(1, number * len(some) // total))) for area, some in found.items()
    }


def _files(path: Path) -> list[Path]:
    return [path] if path.is_file() else sorted(path.rglob("*.py"))


def _covered(area: Area) -> Covered:
    """Run an area's tests once, to see which run which lines; or what an earlier run saw, if no file changed since."""
    state = hashlib.sha256(repr(area).encode())
    for file in sorted((*_files(SOURCE), *_files(ROOT / "tests"))):
        state.update(file.read_bytes())
    path = _CACHE / f"{state.hexdigest()[:16]}.json"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        environment = {
            **os.environ,
            "HEADWATER_COVER": ":".join(str(SOURCE / name) for name in area.code),
            "HEADWATER_COVER_TO": str(path),
        }
        command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.mutation.covering", *area.arguments()]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            path.unlink(missing_ok=True)
            raise SystemExit(f"The tests must pass before code is changed:\n{done.stdout[-3000:]}")
    return Covered(**json.loads(path.read_text(encoding="utf-8")))


def _fate(file: Path, change: Mutant, covered: Covered) -> str:
    """Whether a test fails with the change: in a process of its own, which has not imported the code yet."""
    numbers = covered.running(file, change.line)
    if not numbers:
        return "run by no test"
    child = os.fork()
    if not child:
        os._exit(_run(file, change.source, [covered.tests[number] for number in numbers]))
    until = time.monotonic() + max(_SECONDS, _TIMES * sum(covered.seconds[number] for number in numbers))
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return "survived" if os.waitstatus_to_exitcode(status) == 0 else "noticed"
        time.sleep(0.02)
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "without end"


def _run(file: Path, source: str, tests: Sequence[str]) -> int:
    import pytest  # noqa: PLC0415  only in the child

    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    os.chdir(ROOT)
    sys.meta_path.insert(0, _Changed(file, source))
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as listed:
        listed.write("\n".join(tests))
        listed.flush()
        options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", f"@{listed.name}"]
        return int(pytest.main(options))


class _Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives one module with another source than that of its file."""

    def __init__(self, file: Path, source: str) -> None:
        parts = file.relative_to(SOURCE.parent).with_suffix("").parts
        self._name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        self._file, self._source = file, source

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """The spec of the module, if it is the one."""
        del path, target
        return importlib.util.spec_from_file_location(name, self._file, loader=self) if name == self._name else None

    def create_module(self, spec: ModuleSpec) -> None:
        """As usual."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the changed source."""
        code: Any = compile(self._source, str(self._file), "exec")
        exec(code, module.__dict__)  # noqa: S102  it is our own code, with a change


if __name__ == "__main__":
    raise SystemExit(main())
