"""Check what the store says of one program: change source fields that it knows no way from, run again, compare.

Every output has source fields that do not reach it, as far as the store knows. They are changed together, and the
program runs again, untracked: an output that is another then depends on one of them, and that was missed. A run serves
all outputs that none of its changes should reach, so a few runs do for one program.

Which rows are left of a table after some of its partitions were replaced is decided by its partition column. No
statement says that of the rows that an earlier one wrote, so what reaches the partition column is taken to reach all
columns of the table, and of tables that are made of it.

A constant is there as often as its table has rows. What an earlier statement let into the tables that these come from
is known by table, not by column: such a change is counted by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from .answers import Answer, Tracking
from .program import Program
from .running import Contents, Run
from .sources import LEAVES, Leaf
from .writer import PARTITION

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

RUNS = 2
"""How many runs with changes a program gets at most."""
_CONFIRMING = 8
_SAMPLE = 6

Output = tuple[str, str]
"""A folder, relative to the program's own, and a leaf of what is in it."""
Found = Mapping[Output, frozenset[Leaf]]


@dataclass(frozen=True)
class Miss:
    """An output that changed though the store knows no way from what was changed.

    Attributes:
        changes: what was changed: one field, or several where none does it alone.
        turn: which other values they had.
        in_events: whether the events have such a way: then it is the store that lost it.
    """

    changes: frozenset[Leaf]
    turn: int
    output: Output
    before: list[str]
    after: list[str]
    in_events: bool = False

    @property
    def source(self) -> str:
        """What was changed, in words."""
        return " + ".join(f"{leaf.table}.{leaf.path}" for leaf in sorted(self.changes))


@dataclass
class Checked:
    """What came out of checking a program.

    Attributes:
        outputs: how many leaves it wrote.
        pairs: how many pairs of a source field and an output were checked for having nothing to do with each other.
        confirmed: of a run with everything changed, how many outputs changed with it; None where there was none.
        unknown: outputs that changed, and whose events say that they have sources which nobody knows.
        by_table: constants that were there more or less often, which only the lineage of tables explains.
        runs: how often the program was run.
    """

    outputs: int = 0
    pairs: int = 0
    confirmed: int | None = None
    misses: list[Miss] = field(default_factory=list)
    unknown: int = 0
    by_table: int = 0
    opaque: dict[str, int] = field(default_factory=dict)
    events: int = 0
    runs: int = 0


@dataclass(frozen=True)
class _Wrong:
    """Outputs that changed with what should not reach them."""

    changes: frozenset[Leaf]
    turn: int
    outputs: list[Output]
    base: Contents
    after: Contents


class Unstable(Exception):  # noqa: N818 (it is no error: the program is put aside)
    """The same rows in another order, or once more, give another answer: a change proves nothing."""


class Checker:
    """Checks programs, one after another.

    Args:
        spark: a session of the application that runs them; checkpoints must be possible.
        folder: an empty folder.
        forget: source fields that are taken out of every answer, to see that this is found.
    """

    def __init__(self, spark: SparkSession, folder: Path, forget: Callable[[Leaf], bool] = lambda _: False) -> None:
        self._spark = spark
        self._folder = folder
        self._forget = forget
        self._tracking = Tracking(spark)
        self._runs = 0

    def close(self) -> None:
        """Track no more."""
        self._tracking.stop()

    def check(self, program: Program, *, confirm: bool | None = None) -> Checked:
        """Check a program.

        Args:
            program: what to check.
            confirm: also change everything at once, to see that outputs do change; now and then, if it is not said.

        Raises:
            Unstable: a change was seen, but what the program writes depends on the order of rows.
            Exception: what Spark says of a program that cannot be run.
        """
        runs = self._runs
        base, answer, events = self._tracked(program)
        found = self._found(answer)
        checked = Checked(outputs=len(found), opaque=answer.opaque, events=events)
        for turn, changes in enumerate(chosen(found)):
            concerned = [output for output, leaves in found.items() if not leaves & changes]
            checked.pairs += len(changes) * len(concerned)
            after = self._run(program, changes, turn=turn)
            outputs = [output for output in concerned if _values(after, output) != _values(base, output)]
            if not outputs:
                continue
            if not self._is_stable(program, base):
                raise Unstable
            for miss in self._culprits(program, _Wrong(changes, turn, outputs, base, after)):
                trail = answer.by_events(miss.output)
                if trail.unknown:
                    checked.unknown += 1
                elif _only_how_often(answer, miss):
                    checked.by_table += 1
                else:
                    checked.misses.append(replace(miss, in_events=bool(miss.changes & trail.leaves)))
            break  # the next runs would most likely tell of the same
        if program.number % _CONFIRMING == 0 if confirm is None else confirm:
            after = self._run(program, frozenset(LEAVES))
            checked.confirmed = sum(_values(after, output) != _values(base, output) for output in found)
        checked.runs = self._runs - runs
        return checked

    def _found(self, answer: Answer) -> Found:
        return {
            output: frozenset(leaf for leaf in _with_partitions(answer, output) if not self._forget(leaf))
            for output in answer.found
        }

    def _tracked(self, program: Program) -> tuple[Contents, Answer, int]:
        """Run the program as a user does, with events and a store."""
        store = self._folder / f"store{self._runs}.db"
        with Run(self._spark, program, self._root()) as run:
            with self._tracking.into(store) as events:
                run.execute()
            contents = run.contents()
            answer = Answer(store, events, contents, run.root)
        for file in self._folder.glob(f"{store.name}*"):
            file.unlink()
        return contents, answer, len(events)

    def _is_stable(self, program: Program, base: Contents) -> bool:
        return self._run(program) == base and self._run(program, backwards=True) == base

    def _run(
        self, program: Program, changes: frozenset[Leaf] = frozenset(), *, turn: int = 0, backwards: bool = False
    ) -> Contents:
        with Run(self._spark, program, self._root(), changes, turn=turn, backwards=backwards) as run:
            run.execute()
            return run.contents()

    def _root(self) -> Path:
        self._runs += 1
        return self._folder / f"run{self._runs}"

    def _culprits(self, program: Program, wrong: _Wrong) -> Iterator[Miss]:
        """One change that makes outputs change by itself; all of them together, if none does alone."""
        for leaf in sorted(wrong.changes):
            after = self._run(program, frozenset({leaf}), turn=wrong.turn)
            outputs = [output for output in wrong.outputs if _values(after, output) != _values(wrong.base, output)]
            if outputs:
                yield from _misses(replace(wrong, changes=frozenset({leaf}), outputs=outputs, after=after))
                return
        yield from _misses(wrong)

    def shows(self, program: Program, miss: Miss) -> bool:
        """Whether a program, made smaller, still has a miss: False also if it cannot be run."""
        try:
            base, answer, _ = self._tracked(program)
            found = self._found(answer)
            if miss.output not in found or found[miss.output] & miss.changes:
                return False
            after = self._run(program, miss.changes, turn=miss.turn)
        except Exception:  # noqa: BLE001 (without a step that it needs it fails in any way)
            return False
        return _values(after, miss.output) != _values(base, miss.output)


def _with_partitions(answer: Answer, output: Output) -> frozenset[Leaf]:
    """What reaches an output, and what decides how many rows its table has: the partition columns of tables on the way.

    That goes for every column, whatever it takes itself: a constant is there as often as there are rows.
    """
    read: dict[str, set[str]] = {}
    for (folder, _), folders in answer.folders.items():
        read.setdefault(folder, {folder}).update(folders)
    reached = set(answer.found[output])
    seen: set[str] = set()
    stack = [output[0]]
    while stack:
        folder = stack.pop()
        if folder not in seen:
            seen.add(folder)
            reached |= answer.found.get((folder, PARTITION), frozenset())
            stack += read.get(folder, ())
    return frozenset(reached)


def _only_how_often(answer: Answer, miss: Miss) -> bool:
    """Whether a column that takes nothing from anywhere has the same values as before, and only not as often."""
    constant = not answer.found[miss.output] and not miss.before and not miss.after
    return constant and any(leaf.table in answer.tables(miss.output[0]) for leaf in miss.changes)


def _misses(wrong: _Wrong) -> Iterator[Miss]:
    for output in wrong.outputs:
        before, now = _values(wrong.base, output), _values(wrong.after, output)
        lost = [value for value in before if value not in now][:_SAMPLE]
        new = [value for value in now if value not in before][:_SAMPLE]
        yield Miss(wrong.changes, wrong.turn, output, lost, new)


def chosen(found: Found, every: Iterable[Leaf] = LEAVES) -> Iterator[frozenset[Leaf]]:
    """What to change in which run: those changes that check the most pairs that were not checked yet.

    >>> [len(run) for run in chosen({("t", "x"): frozenset(LEAVES), ("t", "y"): frozenset(LEAVES[:2])})]
    [11]
    """
    every = frozenset(every)
    waiting = {(leaf, output) for output, leaves in found.items() for leaf in every - leaves}
    covered: dict[frozenset[Leaf], set[tuple[Leaf, Output]]] = {}
    for changes in sorted({every - leaves for leaves in found.values()}, key=sorted):
        concerned = [output for output, leaves in found.items() if not leaves & changes]
        covered[changes] = {(leaf, output) for leaf in changes for output in concerned}
    for _ in range(RUNS):
        best = max(covered, key=lambda changes: len(covered[changes] & waiting), default=frozenset[Leaf]())
        if not covered.get(best, set()) & waiting:
            return
        waiting -= covered[best]
        yield best


def _values(contents: Contents, output: Output) -> list[str]:
    folder, leaf = output
    return contents.get(folder, {}).get(leaf, [])
