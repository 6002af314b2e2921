"""The names that an operator's expressions may use: the columns of its inputs, and of the query around it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Protocol, TypeAlias

from headwater.common.masking import Masking
from headwater.rules.expressions import text
from headwater.rules.expressions.expressions import evaluate
from headwater.rules.expressions.shapes import influence_of, whole
from headwater.rules.plan.sources import Column, How, Output, Relation, Shared, Sources, merge, through
from headwater.rules.plan.tree import Expr, Plan

Inputs: TypeAlias = "Sequence[Relation]"


class PlanAnalysis(Protocol):
    """The analysis of a whole plan, as far as an operator needs it.

    Attributes:
        opaque: what was not understood, and how often.
        shared: relations that other places refer to, such as the queries of WITH, by their ids.
    """

    opaque: Counter[str]
    shared: dict[object, Relation]

    def relation(self, plan: Plan, outer: Names | None = None) -> Relation:
        """The relation that a plan gives."""

    def variable(self, reference: Expr) -> Column:
        """What a variable of the session was set from."""


class Names:
    """One operator's scope. No map of ids is shared between operators: the same id may mean two things in a plan."""

    def __init__(self, inputs: Inputs, analysis: PlanAnalysis, outer: Names | None) -> None:
        self.inputs = inputs
        self.analysis = analysis
        self.outer = outer
        self._queries: dict[int, Relation] = {}

    def column(self, reference: Expr) -> Column:
        """The column of an input that an attribute refers to."""
        for relation in self.inputs:
            column = relation.outputs.by_id.get(reference.id)
            if column is not None:
                return column
        return self._unresolved(reference)

    def knows(self, reference: Expr) -> bool:
        """Whether an attribute refers to a column of an input."""
        return any(reference.id in relation.outputs.by_id for relation in self.inputs)

    def outer_column(self, reference: Expr) -> Column:
        """The column of the query around this one, or of one further out."""
        scope = self.outer
        while scope is not None:
            if scope.knows(reference):
                return scope.column(reference)
            scope = scope.outer
        return self._unresolved(reference)

    def subquery(self, plan: Plan) -> Relation:
        """The relation of a query inside an expression of this operator, analysed once."""
        if id(plan) not in self._queries:
            self._queries[id(plan)] = self.analysis.relation(plan, self)
        return self._queries[id(plan)]

    def bound(self, reference: Expr) -> Column:
        """A variable that nothing around it has bound."""
        return self._unresolved(reference)

    def variable(self, reference: Expr) -> Column:
        """What a variable of the session was set from."""
        return self.analysis.variable(reference)

    def _unresolved(self, reference: Expr) -> Column:
        """A reference that leads nowhere may mean anything in scope."""
        self.analysis.opaque["unresolved reference"] += 1
        return Column(whole(self._anything), text.identifier(reference.name))

    @cached_property
    def _anything(self) -> Sources:
        scopes: list[Sources] = []
        scope: Names | None = self
        while scope is not None:
            scopes.append(everything(scope.inputs))
            scope = scope.outer
        return Shared(through(merge(scopes), How.TRANSFORMATION, masking=Masking.MAY_UNMASK))

    def computed(self, exprs: Iterable[Expr]) -> tuple[Output, ...]:
        """Expressions as columns, under their own names and ids."""
        return tuple(Output(expr.id, name_of(expr), evaluate(expr, self)) for expr in exprs)

    def influence(self, exprs: Iterable[Expr], how: How) -> Sources:
        """What some expressions take, as influence on the rows."""
        return merge([influence_of(evaluate(expr, self), how) for expr in exprs])


def everything(inputs: Inputs) -> Sources:
    """All sources of some relations."""
    return merge(
        part
        for relation in inputs
        for part in (
            *(through(output.column.sources, How.TRANSFORMATION) for output in relation.outputs),
            relation.rows,
        )
    )


def renamed(relation: Relation, attributes: Sequence[Expr] | None) -> Relation:
    """A relation's columns by position, under other names and ids."""
    if attributes is None:
        return relation
    outputs = (
        Output(attribute.id, attribute.name, output.column)
        for attribute, output in zip(attributes, relation.outputs, strict=True)
    )
    return Relation.of(outputs, relation.rows)


def name_of(expr: Expr) -> str:
    """The name that an expression gives to its column: that of an alias, or of the attribute that it is."""
    alias = expr.args.get("name")
    return alias if isinstance(alias, str) else expr.name
