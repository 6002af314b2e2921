"""What a relation takes from its inputs: one rule per operator, found by the name of Spark's class.

An operator without a rule is opaque: every output may depend on everything below it, and the answer says so.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from headwater.rules import relations, text
from headwater.rules.expressions import evaluate
from headwater.rules.model import (
    Column,
    How,
    Mark,
    Output,
    Relation,
    SourceField,
    Sources,
    merge,
    settle,
    through,
)
from headwater.rules.tree import Dataset, Expr, NotAsExpected, Plan

_log = logging.getLogger(__name__)

Inputs: TypeAlias = Sequence[Relation]


class Analysis:
    """What is found out on the way through one plan.

    Args:
        qualify: write columns with the name of their dataset, for plans that read more than one.

    Attributes:
        reads: every dataset read, with the attributes that the plan knows of it.
        opaque: how often what was not understood, by the name of Spark's class.
    """

    def __init__(self, *, qualify: bool = False) -> None:
        self._qualify = qualify
        self.reads: dict[Dataset, tuple[Expr, ...]] = {}
        self.opaque: Counter[str] = Counter()
        self.shared: dict[object, Relation] = {}  # the queries of WITH, by their id

    def relation(self, plan: Plan, outer: _Names | None = None) -> Relation:
        """The relation that a plan gives, bottom up with an explicit stack: a plan may be thousands deep."""
        done: dict[int, Relation] = {}
        stack = [plan]
        while stack:
            node = stack[-1]
            if id(node) in done:
                stack.pop()
                continue
            below = _inputs(node)
            waiting = [child for child in below if id(child) not in done]
            if waiting:
                stack.extend(reversed(waiting))
            else:
                done[id(stack.pop())] = self._apply(node, [done[id(child)] for child in below], outer)
        return done[id(plan)]

    def _apply(self, node: Plan, inputs: Inputs, outer: _Names | None) -> Relation:
        names = _Names(inputs, self, outer)
        rule = _RULES.get(node.kind)
        try:
            if rule is not None:
                return rule(node, inputs, names)
            if not inputs:
                return self._leaf(node)
        except Exception:  # noqa: BLE001 (not the shape that the rule knows: say so rather than guess)
            _log.debug("The rule for %s failed.", node.kind, exc_info=True)
        self.opaque[node.kind] += 1
        return _opaque(node, inputs, names)

    def _leaf(self, node: Plan) -> Relation:
        found = relations.datasets(node)
        if found is None:
            self.opaque[node.kind] += 1
            found = ()
        attributes = tuple(attribute for attribute in node.output or () if attribute.id is not None)
        for dataset in found:
            self.reads.setdefault(dataset, attributes)
        identity = frozenset({Mark(How.IDENTITY)})
        prefix = f"{text.identifier(found[0].short_name)}." if self._qualify and found else ""
        outputs = []
        for attribute in attributes:
            sources = {SourceField(dataset, attribute.name): identity for dataset in found}
            outputs.append(
                Output(attribute.id, attribute.name, Column(sources, prefix + text.identifier(attribute.name)))
            )
        return Relation(tuple(outputs))


class _Names:
    """The columns that an operator's expressions may refer to: those of its inputs, and of the query around it."""

    def __init__(self, inputs: Inputs, analysis: Analysis, outer: _Names | None) -> None:
        self.inputs = inputs
        self.analysis = analysis
        self.outer = outer
        self._columns: dict[int, Column] | None = None

    def column(self, reference: Expr) -> Column:
        if self._columns is None:
            self._columns = {}
            for relation in self.inputs:
                for output in relation.outputs:
                    if output.id is not None:
                        self._columns.setdefault(output.id, output.column)
        found = self._columns.get(reference.id) if reference.id is not None else None
        return found if found is not None else self._unresolved(reference)

    def outer_column(self, reference: Expr) -> Column:
        return self.outer.column(reference) if self.outer is not None else self._unresolved(reference)

    def subquery(self, plan: Plan) -> Relation:
        return self.analysis.relation(plan, self)

    def _unresolved(self, reference: Expr) -> Column:
        """A reference that we cannot follow may be to anything in scope."""
        self.analysis.opaque["unresolved reference"] += 1
        scopes: list[Sources] = []
        scope: _Names | None = self
        while scope is not None:
            scopes.append(_everything(scope.inputs))
            scope = scope.outer
        return Column(merge(scopes), text.identifier(reference.name))


def reads_several(plan: Plan) -> bool:
    """Whether the leaves of a plan are of more than one dataset, subqueries in expressions apart."""
    found: set[Dataset] = set()
    stack = [plan]
    while stack and len(found) <= 1:
        node = stack.pop()
        stack.extend(node.plans)
        if not node.plans:
            found.update(relations.datasets(node) or ())
    return len(found) > 1


def _inputs(node: Plan) -> tuple[Plan, ...]:
    """The plans below, in the order in which they must be known: the queries of WITH before what uses them."""
    if node.kind == "WithCTE":
        below = node.plans
        return (*below[1:], below[0])
    return node.plans


def _everything(inputs: Inputs) -> Sources:
    return merge(
        part
        for relation in inputs
        for part in (
            *(through(output.column.sources, How.TRANSFORMATION) for output in relation.outputs),
            relation.rows,
        )
    )


def _opaque(node: Plan, inputs: Inputs, names: _Names) -> Relation:
    own = {
        attribute.id for attribute in node.output or ()
    }  # an operator that makes columns lists them among its fields
    arguments = (expr for expr in node.expressions if expr.id is None or expr.id not in own)
    everything = merge(
        [
            _everything(inputs),
            *(through(evaluate(expr, names).sources, How.TRANSFORMATION) for expr in arguments),
        ]
    )
    if node.output is not None:
        given = [(attribute.id, attribute.name) for attribute in node.output]
    else:
        given = [(output.id, output.name) for relation in inputs for output in relation.outputs]
    rows = merge([*(relation.rows for relation in inputs), through(everything, How.FILTER, text=node.kind)])
    return Relation(tuple(Output(id_, name, Column(everything, node.kind)) for id_, name in given), rows)


def _influence(exprs: Iterable[Expr], how: How, names: _Names) -> Sources:
    """What some expressions take, as influence on the rows."""
    found = [evaluate(expr, names) for expr in exprs]
    return merge(through(column.sources, how, text=text.bare(column.text)) for column in found)


def _computed(exprs: Iterable[Expr], names: _Names) -> tuple[Output, ...]:
    return tuple(Output(expr.id, _name(expr), evaluate(expr, names)) for expr in exprs)


def _name(expr: Expr) -> str:
    alias = expr.args.get("name")
    return alias if isinstance(alias, str) else expr.name


# --- rules -----------------------------------------------------------------------------------------------------------


def _project(node: Plan, inputs: Inputs, names: _Names) -> Relation:
    return Relation(_computed(node.exprs("projectList"), names), inputs[0].rows)


def _filter(node: Plan, inputs: Inputs, names: _Names) -> Relation:
    rows = merge([inputs[0].rows, _influence([node.expr("condition")], How.FILTER, names)])
    return Relation(inputs[0].outputs, rows)


def _join(node: Plan, inputs: Inputs, names: _Names) -> Relation:
    left, right = inputs
    rows = merge([left.rows, right.rows, _influence(node.exprs("condition"), How.JOIN, names)])
    one_sided = node.args.get("joinType") in {"LeftSemi", "LeftAnti"}
    return Relation(left.outputs if one_sided else left.outputs + right.outputs, rows)


def _aggregate(node: Plan, inputs: Inputs, names: _Names) -> Relation:
    rows = merge([inputs[0].rows, _influence(node.exprs("groupingExpressions"), How.GROUP_BY, names)])
    return Relation(_computed(node.exprs("aggregateExpressions"), names), rows)


def _sort(node: Plan, inputs: Inputs, names: _Names) -> Relation:
    rows = merge([inputs[0].rows, _influence(node.exprs("order"), How.SORT, names)])
    return Relation(inputs[0].outputs, rows)


def _distinct(_node: Plan, inputs: Inputs, _names: _Names) -> Relation:
    below = inputs[0]
    keys = (through(output.column.sources, How.GROUP_BY, text=output.name) for output in below.outputs)
    return Relation(below.outputs, merge([below.rows, *keys]))


def _union(_node: Plan, inputs: Inputs, _names: _Names) -> Relation:
    """By position. Each branch's expressions are told apart, so their texts are settled here."""
    outputs = []
    for branches in zip(*(relation.outputs for relation in inputs), strict=True):
        first = branches[0]
        column = Column(merge(settle(branch.column) for branch in branches), text.identifier(first.name))
        outputs.append(Output(first.id, first.name, column))
    return Relation(tuple(outputs), merge(relation.rows for relation in inputs))


def _unchanged(_node: Plan, inputs: Inputs, _names: _Names) -> Relation:
    return inputs[0]


def _view(node: Plan, inputs: Inputs, _names: _Names) -> Relation:
    """A view gives its query's columns, by position, under ids of its own."""
    if node.output is None:
        return inputs[0]
    outputs = tuple(
        Output(attribute.id, attribute.name, output.column)
        for attribute, output in zip(node.output, inputs[0].outputs, strict=True)
    )
    return Relation(outputs, inputs[0].rows)


def _with_cte(_node: Plan, inputs: Inputs, _names: _Names) -> Relation:
    return inputs[-1]


def _cte_definition(node: Plan, inputs: Inputs, names: _Names) -> Relation:
    names.analysis.shared[node.args.get("id")] = inputs[0]
    return inputs[0]


def _cte_reference(node: Plan, _inputs: Inputs, names: _Names) -> Relation:
    shared = names.analysis.shared.get(node.args.get("cteId"))
    if shared is None or node.output is None:
        raise NotAsExpected(node.kind, "cteId")
    outputs = tuple(
        Output(attribute.id, attribute.name, output.column)
        for attribute, output in zip(node.output, shared.outputs, strict=True)
    )
    return Relation(outputs, shared.rows)


_RULES: dict[str, Callable[[Plan, Inputs, _Names], Relation]] = {
    "Aggregate": _aggregate,
    "CTERelationDef": _cte_definition,
    "CTERelationRef": _cte_reference,
    "Distinct": _distinct,
    "Filter": _filter,
    "GlobalLimit": _unchanged,
    "Join": _join,
    "LocalLimit": _unchanged,
    "Offset": _unchanged,
    "Project": _project,
    "RebalancePartitions": _unchanged,
    "Repartition": _unchanged,
    "RepartitionByExpression": _unchanged,
    "ResolvedHint": _unchanged,
    "Sort": _sort,
    "SubqueryAlias": _unchanged,
    "Tail": _unchanged,
    "Union": _union,
    "View": _view,
    "WithCTE": _with_cte,
}
