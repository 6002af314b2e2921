"""MERGE, UPDATE and DELETE as they were written, and where the table's columns come from afterwards.

`row_level` reads them from the many forms that plans have for them; this module says what they mean:

- a column that is assigned takes what its expression takes, and the condition decides about it (CONDITIONAL);
- a column that is not assigned, and a row that no clause touches, stays what it was (IDENTITY);
- the condition of a deletion or insertion decides about rows (FILTER), and so does the ON of a MERGE (JOIN).
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias

from headwater.rules.expressions import text
from headwater.rules.expressions.expressions import evaluate
from headwater.rules.expressions.names import Names, PlanAnalysis, everything
from headwater.rules.expressions.shapes import influence_of, merge_leaves, nest, settled_leaves, whole
from headwater.rules.plan.budget import Exceeded
from headwater.rules.plan.sources import NOTHING, Column, Gathered, How, Leaves, Output, Relation, Sources, merge
from headwater.rules.plan.tree import Expr, Plan
from headwater.rules.plan.types import Path

_log = logging.getLogger(__name__)

Assignment: TypeAlias = "tuple[Path, Expr]"
"""A column, or a path inside one, and its new value."""


class RowChange(Protocol):
    """A change of the rows of a table."""

    @property
    def output(self) -> tuple[Expr, ...]:
        """The table's columns as they are afterwards."""

    def relation(self, analysis: PlanAnalysis) -> Relation:
        """Where the table's columns come from, and what decides its rows."""


@dataclass(frozen=True)
class Clause:
    """One WHEN of a MERGE.

    Attributes:
        condition: its AND, if it has one.
        assignments: which column gets which value; None for DELETE.
    """

    condition: Expr | None
    assignments: tuple[Assignment, ...] | None


@dataclass(frozen=True)
class _OfTable:
    """A statement that changes the rows of its target, and may leave the columns as they are."""

    target: Plan

    @property
    def output(self) -> tuple[Expr, ...]:
        """The table's columns."""
        return self.target.output or ()


@dataclass(frozen=True)
class Delete(_OfTable):
    """DELETE FROM target WHERE condition; everything if there is no condition."""

    condition: Expr | None

    def relation(self, analysis: PlanAnalysis) -> Relation:
        """What is left of the table: the condition decides which rows."""
        target = analysis.relation(self.target)
        names = Names([target], analysis, None)
        return Relation(
            target.outputs, Gathered([target.rows, _influence(names, _present(self.condition), How.FILTER)])
        )


@dataclass(frozen=True)
class Update(_OfTable):
    """UPDATE target SET assignments WHERE condition."""

    assignments: tuple[Assignment, ...]
    condition: Expr | None

    def relation(self, analysis: PlanAnalysis) -> Relation:
        """The same rows. Without a condition no row keeps its old value in a column that is assigned."""
        target = analysis.relation(self.target)
        names = Names([target], analysis, None)
        influence = _influence(names, _present(self.condition), How.CONDITIONAL)
        values = _values(self.assignments, names, influence)
        replaced = () if self.condition is not None else [value.path for value in values]
        return Relation.of(_columns(target, values, self.output, replaced), target.rows)


@dataclass(frozen=True)
class Merge(_OfTable):
    """MERGE INTO target USING source ON on WHEN ….

    Attributes:
        schema: the table's columns as they are afterwards, where its schema may evolve.
    """

    source: Plan
    on: Expr | None
    matched: tuple[Clause, ...] = ()
    not_matched: tuple[Clause, ...] = ()
    not_matched_by_source: tuple[Clause, ...] = ()
    schema: tuple[Expr, ...] = ()

    @property
    def output(self) -> tuple[Expr, ...]:
        """The table's columns, the new ones among them."""
        return self.schema or super().output

    def relation(self, analysis: PlanAnalysis) -> Relation:
        """The target's rows that are left, as the clauses change them, and those that are inserted."""
        target, source = analysis.relation(self.target), analysis.relation(self.source)
        names = Names([target, source], analysis, None)
        rows = [target.rows, source.rows, _influence(names, _present(self.on), How.JOIN)]
        values: list[_Value] = []
        for clauses in (self.matched, self.not_matched, self.not_matched_by_source):
            # Only the rows that no earlier clause took reach a clause.
            conditions = _ClauseConditions(names)
            for clause in clauses:
                conditions.add(clause.condition)
                if clauses is self.not_matched or clause.assignments is None:
                    rows.append(conditions.influence(How.FILTER))
                    influence = NOTHING
                else:
                    influence = conditions.influence(How.CONDITIONAL)
                values += _values(clause.assignments or (), names, influence)
        # A MERGE that only inserts is an INSERT: the rows that are there already stay as they are.
        changes_rows = bool(self.matched or self.not_matched_by_source)
        replaced = () if changes_rows else [(output.name,) for output in target.outputs]
        return Relation.of(_columns(target, values, self.output, replaced), Gathered(rows))


class _ClauseConditions:
    """The conditions that decide about a clause: its own, and those of the clauses before it."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._merged: dict[How, Sources] = {}
        self._conditions: list[Column] = []
        self._counted: dict[How, int] = {}

    def add(self, condition: Expr | None) -> None:
        """Add the condition of a clause."""
        self._conditions += (_evaluated(expr, self._names) for expr in _present(condition))

    def influence(self, how: How) -> Sources:
        """The influence of all conditions so far. It contains the one before, which is not merged again."""
        new = self._conditions[self._counted.get(how, 0) :]
        if new or how not in self._merged:
            self._merged[how] = Gathered(
                [self._merged.get(how, NOTHING), *(influence_of(condition, how) for condition in new)]
            )
            self._counted[how] = len(self._conditions)
        return self._merged[how]


class _Value(NamedTuple):
    """The new value of a column, or of a path inside one, and what decides whether it is set."""

    path: Path
    leaves: Leaves
    influence: Sources


def _values(assignments: Iterable[Assignment], names: Names, influence: Sources) -> list[_Value]:
    columns = ((path, _evaluated(expr, names)) for path, expr in assignments)
    # A value without sources has no shape, however the analyzer wraps it.
    return [
        _Value(path, settled_leaves(column) if column.sources else whole(NOTHING), influence)
        for path, column in columns
    ]


def _influence(names: Names, conditions: Iterable[Expr], how: How) -> Sources:
    return merge([influence_of(_evaluated(condition, names), how) for condition in conditions])


def _evaluated(expr: Expr, names: Names) -> Column:
    """The column of an expression; where its rule fails, it may take anything in scope."""
    try:
        return evaluate(expr, names)
    except RecursionError:
        raise Exceeded("depth") from None
    except Exception:  # noqa: BLE001 (say so rather than guess)
        _log.debug("The rule for %s failed.", expr.kind, exc_info=True)
        names.analysis.opaque[expr.kind] += 1
        return Column(whole(everything(names.inputs)), expr.kind)


def _columns(
    target: Relation, values: Sequence[_Value], schema: Sequence[Expr], replaced: Sequence[Path]
) -> list[Output]:
    """The columns of the table; those that are new in the schema come from their assignments alone."""
    known = {output.name for output in target.outputs}
    added = (Output(None, column.name, Column({}, column.name)) for column in schema if column.name not in known)
    return [_column(output, values, replaced) for output in (*target.outputs, *added)]


def _column(output: Output, values: Sequence[_Value], replaced: Sequence[Path]) -> Output:
    """A column of the table: its old value, as far as it is not replaced, and its assignments."""
    assigned = [value for value in values if value.path[0] == output.name]
    replaced_inside = [path[1:] for path in replaced if path[0] == output.name]
    if not assigned and not replaced_inside:
        return output
    unchanged = {
        path: sources
        for path, sources in settled_leaves(output.column).items()
        if not any(path[: len(inside)] == inside for inside in replaced_inside)
    }
    shape = merge_leaves([unchanged, *(nest(value.leaves, *value.path[1:]) for value in assigned)])
    leaves = {
        path: Gathered([sources, *(value.influence for value in assigned if _meet(path, value.path[1:]))])
        for path, sources in shape.items()
    }
    return Output(output.id, output.name, Column(leaves, text.identifier(output.name)))


def _meet(path: Path, other: Path) -> bool:
    return all(a == b for a, b in zip(path, other, strict=False))


def _present(expr: Expr | None) -> tuple[Expr, ...]:
    return () if expr is None else (expr,)
