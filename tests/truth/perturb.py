"""Check the lineage of one query against Spark: change one input field, run again, see which columns changed.

A column that changed depends on the field. If the lineage has no edge for it, that is a miss. Fields that the lineage
does not mention at all are changed together, many in one run; only if something changes are they taken one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import headwater

from .compare import Bags, bags, meet
from .tables import Change

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from headwater.rules.statements.lineage import Lineage

    from .engine import Engine

TOGETHER = 4
"""How many runs change all unmentioned fields at once, each with other values."""
_SAMPLE = 6


@dataclass(frozen=True)
class Edge:
    """An edge of the lineage: an output path, or None for all of them, from a field of a table."""

    column: str | None
    table: str
    field: str
    direct: str | None

    def touches(self, change: Change) -> bool:
        """Whether the change is of what the edge comes from."""
        return self.table == change.table and meet(self.field, change.leaf)

    def reaches(self, output: str) -> bool:
        """Whether the output is what the edge goes to."""
        return self.column is None or meet(self.column, output)


@dataclass(frozen=True)
class Miss:
    """A column that changed though no edge says so."""

    change: Change
    output: str
    before: Sequence[str]
    after: Sequence[str]


@dataclass
class Checked:
    """What came out of checking a query.

    Attributes:
        seen: dependencies that were seen, as (table.field, output).
        misses: those without an edge.
        direct: how many direct edges there are, by their `How`; none are counted for an opaque answer.
        unconfirmed: the direct edges that no change confirmed.
        opaque: what the lineage did not understand.
        runs: how often the query was run.
    """

    seen: set[tuple[str, str]] = field(default_factory=set)
    misses: list[Miss] = field(default_factory=list)
    direct: dict[str, int] = field(default_factory=dict)
    unconfirmed: list[Edge] = field(default_factory=list)
    opaque: dict[str, int] = field(default_factory=dict)
    runs: int = 0


class Unstable(Exception):  # noqa: N818 (it is no error: the query is put aside)
    """The same rows in another order give another answer: a change proves nothing."""


def edges_of(lineage: Lineage) -> list[Edge]:
    """The edges of an answer."""
    found = [Edge(None, source.dataset.short_name, source.field, None) for source in lineage.rows]
    for column, sources in lineage.columns.items():
        for source, marks in sources.items():
            direct = min((mark.how for mark in marks if mark.how.direct), key=lambda how: how.value, default=None)
            found.append(Edge(column, source.dataset.short_name, source.field, direct.name if direct else None))
    return found


def check(engine: Engine, frame: DataFrame, answer: Callable[[DataFrame], Lineage] = headwater.lineage) -> Checked:
    """Check what `answer` says of a query.

    Raises:
        Unstable: if what the query gives depends on the order of its tables' rows.
    """
    lineage = answer(frame)
    return Check(engine, frame, edges_of(lineage), dict(lineage.opaque)).run()


class Check:
    """One query's check.

    Args:
        engine: runs it.
        frame: the query.
        edges: what its lineage says.
        opaque: what its lineage did not understand.
    """

    def __init__(self, engine: Engine, frame: DataFrame, edges: Sequence[Edge], opaque: dict[str, int]) -> None:
        self._engine = engine
        self._plan: Any = engine.prepare(frame)
        self._schema = frame.schema
        self._edges = edges
        self._found = Checked(opaque=opaque)
        self._read = engine.tables_of(self._plan)
        self._base = self._run(())
        if self._base != bags(engine.run_backwards(self._plan), self._schema):
            raise Unstable

    def run(self) -> Checked:
        """Change everything that the query could read."""
        changes = [change for change in self._engine.changes if change.table in self._read]
        mentioned = {change for change in changes if any(edge.touches(change) for edge in self._edges)}
        # A column can only be changed as a whole together with others if none of it is mentioned.
        partly = {(change.table, change.column) for change in mentioned}
        alone = [change for change in changes if (change.table, change.column) in partly]
        for leaf in _by_leaf(alone):
            self._one_by_one(leaf)
        rest = [change for change in changes if (change.table, change.column) not in partly]
        for together in _together(rest):
            after = self._run(together)
            if after != self._base:
                for leaf in _by_leaf(rest):
                    self._one_by_one(leaf)
                if not self._found.misses:
                    self._missed_together(together, after)
                break
        self._count_direct()
        return self._found

    def _missed_together(self, changes: Sequence[Change], after: Bags) -> None:
        """Record what changed only when several unmentioned fields did: at least one of them is missing."""
        leaves = " + ".join(f"{change.table}.{change.leaf}" for change in changes)
        for output, values in after.items():
            if values != self._base[output]:
                self._saw(Change("several", leaves, leaves, 0), output, values)

    def _one_by_one(self, leaf: Sequence[Change]) -> None:
        """Change one field in several ways, until there is nothing more to see."""
        for change in leaf:
            after = self._run([change])
            for output, values in after.items():
                if values != self._base[output]:
                    self._saw(change, output, values)
            source = f"{change.table}.{change.leaf}"
            if all((source, output) in self._found.seen for output in self._base):
                return

    def _saw(self, change: Change, output: str, after: list[str]) -> None:
        key = (f"{change.table}.{change.leaf}", output)
        if key in self._found.seen:
            return
        self._found.seen.add(key)
        if not any(edge.touches(change) and edge.reaches(output) for edge in self._edges):
            before = self._base[output]
            lost, new = _difference(before, after), _difference(after, before)
            self._found.misses.append(Miss(change, output, lost[:_SAMPLE], new[:_SAMPLE]))

    def _count_direct(self) -> None:
        if self._found.opaque:
            return
        for edge in self._edges:
            if edge.direct is None:
                continue
            self._found.direct[edge.direct] = self._found.direct.get(edge.direct, 0) + 1
            if not any(
                edge.reaches(output) and source.startswith(f"{edge.table}.")
                and meet(source.partition(".")[2], edge.field)
                for source, output in self._found.seen
            ):  # fmt: skip
                self._found.unconfirmed.append(edge)

    def _run(self, changes: Sequence[Change]) -> Bags:
        self._found.runs += 1
        return bags(self._engine.run(self._plan, changes), self._schema)


def _by_leaf(changes: Sequence[Change]) -> list[list[Change]]:
    leaves: dict[tuple[str, str], list[Change]] = {}
    for change in changes:
        leaves.setdefault((change.table, change.leaf), []).append(change)
    return list(leaves.values())


def _together(changes: Sequence[Change]) -> Iterator[list[Change]]:
    """Sets of changes with one of each column; a few sets, chosen so that each takes another change of a column."""
    columns: dict[tuple[str, str], list[Change]] = {}
    for change in changes:
        columns.setdefault((change.table, change.column), []).append(change)
    if columns:
        for turn in range(TOGETHER):
            yield [held[turn * max(len(held) // TOGETHER, 1) % len(held)] for held in columns.values()]


def _difference(one: Sequence[str], other: Sequence[str]) -> list[str]:
    rest = list(other)
    left = []
    for value in one:
        if value in rest:
            rest.remove(value)
        else:
            left.append(value)
    return left
