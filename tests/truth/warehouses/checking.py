"""Hold a store's answers about a warehouse to what happens in it.

A warehouse runs tracked, into a store. Then source columns are changed and everything runs again: what changes must be
in the impact of one of them, as certain, possible or unknown. As with programs, a run changes all columns that some
output is said not to depend on, so a few runs check most pairs. The values of personal data are unique: wherever one
stands in the end, `pii` must call the column clear or possible, or its table unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import headwater
from headwater.store import open_store
from tests.truth.compare import Bags
from tests.truth.programs.answers import Tracking
from tests.truth.programs.checking import Unstable, chosen
from tests.truth.programs.program import Program
from tests.truth.programs.running import Contents
from tests.truth.programs.sources import Leaf

from .answers import LEAVES, Answers, Names, Output, by_table, tags
from .running import CANARY, Run

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Look = Callable[[list[dict[str, Any]], Names, Answers], None]
Known = tuple[Contents, Answers]
"""What a warehouse ends in, and what the store says of it."""


@dataclass
class Checked:
    """What came out of checking a warehouse.

    Attributes:
        outputs: how many columns are there in the end.
        pairs: how many pairs of a source column and an output were checked for having nothing to do with each other.
        false: outputs that changed, or hold personal data, against the answer; in words.
        careful: outputs that are reached by some column, and stay as they are when all columns change.
        clear: outputs that hold personal data in the clear.
        careful_clear: outputs that are called clear, possible or unknown, and hold none.
        events: what went into the store.
    """

    outputs: int = 0
    pairs: int = 0
    false: list[str] = field(default_factory=list)
    careful: int = 0
    clear: int = 0
    careful_clear: int = 0
    runs: int = 0
    events: list[dict[str, Any]] = field(default_factory=list)


class Checker:
    """Checks warehouses, one after another.

    Args:
        spark: a session of the application that runs them, with Iceberg.
        folder: an empty folder.
        look: called with the events of each warehouse, its names, and the answers.
        careful: whether to run each warehouse once more, to see which answers are more careful than needed.
    """

    def __init__(self, spark: SparkSession, folder: Path, look: Look | None = None, *, careful: bool = True) -> None:
        self._spark, self._folder, self._look, self._careful = spark, folder, look, careful
        self._tracking = Tracking(spark)
        self._runs = 0

    def close(self) -> None:
        """Track no more."""
        self._tracking.stop()

    def check(self, warehouse: Program) -> Checked:
        """Run a warehouse, ask about it, change its sources and run it again.

        Raises:
            Unstable: it does not end in the same tables when it runs again.
        """
        before = self._runs
        base, answers, events = self._tracked(warehouse)
        checked = Checked(len(answers.reached), events=events)
        for turn, changes in enumerate(chosen(answers.reached, LEAVES)):
            after = self._run(warehouse, changes, turn=turn)
            concerned = [output for output, leaves in answers.reached.items() if not leaves & changes]
            checked.pairs += len(concerned) * len(changes)
            wrong = [output for output in concerned if _values(base, output) != _values(after, output)]
            if wrong and self._run(warehouse) != base:
                raise Unstable
            checked.false += self._explained(warehouse, wrong, changes, turn, (base, answers))
        if self._careful:
            after = self._run(warehouse, frozenset(LEAVES))
            checked.careful = sum(
                bool(leaves) and _values(base, output) == _values(after, output)
                for output, leaves in answers.reached.items()
            )
        clear = {output for output in answers.reached if any(CANARY in value for value in _values(base, output))}
        checked.clear = len(clear)
        checked.careful_clear = len(answers.exposed - clear)
        checked.false += [
            f"{table}.{column} holds personal data in the clear, and pii does not say so"
            for table, column in sorted(clear - answers.exposed)
        ]
        checked.runs = self._runs - before
        return checked

    def _explained(
        self, warehouse: Program, wrong: Sequence[Output], changes: frozenset[Leaf], turn: int, known: Known
    ) -> Iterator[str]:
        """One change that makes an output another by itself; all of them, if none does alone."""
        base, answers = known
        if not wrong:
            return
        for leaf in sorted(changes):
            after = self._run(warehouse, frozenset({leaf}), turn=turn)
            for output in wrong:
                if _values(base, output) != _values(after, output):
                    exits = ", which is empty: --fail-on any passes" if leaf in answers.empty else ""
                    yield f"{'.'.join(output)} changes with {leaf.table}.{leaf.path}, and is not in its impact{exits}"
                    return
        yield f"{'.'.join(wrong[0])} changes with {', '.join(f'{leaf.table}.{leaf.path}' for leaf in sorted(changes))}"

    def _tracked(self, warehouse: Program) -> tuple[Contents, Answers, list[dict[str, Any]]]:
        store = self._folder / f"store{self._runs}.db"
        root = self._root()
        with self._tracking.into(store) as events:
            tables = str(self._spark.conf.get("spark.sql.warehouse.dir")).removeprefix("file:")
            names = Names(root, f"warehouse_{root.name}", tables)

            def elsewhere(form: str, reads: Sequence[str], writes: str, job: Callable[[], object]) -> None:
                with self._tracking.paused():
                    job()
                event = by_table(form, names, reads, writes)
                with open_store(f"sqlite:///{store}") as opened:
                    opened.ingest([event])
                events.append(event)

            with Run(self._spark, warehouse, root, elsewhere=elsewhere) as run:
                run.execute()
                self._tracking.flush()
                with self._tracking.paused():
                    contents = run.contents()
                    outputs = [(table, column) for table, bags in contents.items() for column in bags]
                    tagging = tags(names)
                    with headwater.connect(f"sqlite:///{store}") as lineage:
                        lineage.ingest(tagging)
                        answers = Answers(lineage, names, outputs)
                    events.extend(tagging)
                    if self._look:
                        self._look(list(events), names, answers)
                kept = list(events)
        for file in self._folder.glob(f"{store.name}*"):
            file.unlink()
        return contents, answers, kept

    def _run(self, warehouse: Program, changes: frozenset[Leaf] = frozenset(), *, turn: int = 0) -> Contents:
        with Run(self._spark, warehouse, self._root(), changes, turn=turn) as run:
            run.execute()
            return run.contents()

    def _root(self) -> Path:
        self._runs += 1
        return self._folder / f"run{self._runs}"


def _values(contents: Contents, output: Output) -> list[str]:
    table, column = output
    bags: Bags = contents.get(table, {})
    return bags.get(column, [])
