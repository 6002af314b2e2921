"""What a relation takes from its inputs: one rule per operator, found by the name of Spark's class.

A rule takes the operator, the relations of the plans below it, and the names that its expressions may use.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from headwater.rules.expressions import text
from headwater.rules.expressions.expressions import evaluate
from headwater.rules.expressions.generators import generated, has_fixed_rows
from headwater.rules.expressions.names import Inputs, Names, renamed
from headwater.rules.expressions.shapes import merge_leaves, whole
from headwater.rules.plan.sources import Column, Gathered, How, Output, Relation, through
from headwater.rules.plan.tree import NotAsExpected, Plan, any_inside
from headwater.rules.sets import compared, matched, same, union


def inputs(node: Plan) -> tuple[Plan, ...]:
    """The plans that must be analysed before an operator, in order."""
    rule = _INPUTS.get(node.kind)
    return node.plans if rule is None else rule(node)


def _with_cte_inputs(node: Plan) -> tuple[Plan, ...]:
    """The queries of WITH before what uses them."""
    below = node.plans
    return (*below[1:], below[0])


def _project_inputs(node: Plan) -> tuple[Plan, ...]:
    """window() comes with a filter on its timestamp that nobody wrote: skip it."""
    child = node.plan("child")
    if child.kind == "Filter" and child.expr("condition").kind == "IsNotNull" and _has_time_window(node):
        return (child.plan("child"),)
    return (child,)


def _is_of_time_windows(node: Plan) -> bool:
    """Whether nobody wrote this filter: window() and session_window() drop the rows that are in none."""
    child = node.plan("child")
    if child.kind == "Project":
        return any(expr.args.get("name") == "session_window" for expr in child.children) and _has_time_window(child)
    return child.kind == "Expand" and _has_time_window(child)


def _has_time_window(node: Plan) -> bool:
    return any_inside(node.children, lambda expr: True if expr.kind == "PreciseTimestampConversion" else None, {})


def _aggregate_inputs(node: Plan) -> tuple[Plan, ...]:
    """PIVOT groups twice, once with the pivot column and once without: the two are read as one."""
    child = node.plan("child")
    return (child.plan("child") if _is_pivot(node) else child,)


def _is_pivot(node: Plan) -> bool:
    return any(
        function.kind == "PivotFirst"
        for alias in node.exprs("aggregateExpressions")
        for aggregate in alias.children
        for function in aggregate.children
    )


def _union_inputs(node: Plan) -> tuple[Plan, ...]:
    """All branches at once: a chain of unions is as deep as it is long."""
    branches: list[Plan] = []
    stack = list(reversed(node.plans))
    while stack:
        branch = stack.pop()
        if branch.kind == "Union":
            stack.extend(reversed(branch.plans))
        else:
            branches.append(branch)
    return tuple(branches)


_INPUTS: dict[str, Callable[[Plan], tuple[Plan, ...]]] = {
    "Aggregate": _aggregate_inputs,
    "Project": _project_inputs,
    "Union": _union_inputs,
    "UnionLoop": lambda node: (node.plan("anchor"),),
    "WithCTE": _with_cte_inputs,
}


# --- rules -----------------------------------------------------------------------------------------------------------


def _project(node: Plan, below: Inputs, names: Names) -> Relation:
    return Relation.of(names.computed(node.exprs("projectList")), below[0].rows)


def _filter(node: Plan, below: Inputs, names: Names) -> Relation:
    if _is_of_time_windows(node):
        return below[0]
    rows = Gathered([below[0].rows, names.influence([node.expr("condition")], How.FILTER)])
    return Relation(below[0].outputs, rows)


def _join(node: Plan, below: Inputs, names: Names) -> Relation:
    left, right = below
    conditions = (*node.exprs("condition"), *node.exprs("asOfCondition"), *node.exprs("orderExpression"))
    rows = Gathered([left.rows, right.rows, names.influence(conditions, How.JOIN)])
    one_sided = node.args.get("joinType") in {"LeftSemi", "LeftAnti"}
    return Relation(left.outputs, rows) if one_sided else Relation.of(left.outputs + right.outputs, rows)


def _lateral_join(node: Plan, below: Inputs, names: Names) -> Relation:
    """The right side is a query that may refer to the left one's columns."""
    (left,) = below
    right = names.subquery(node.expr("right").plans[0])
    both = Names([left, right], names.analysis, names.outer)
    rows = Gathered([left.rows, right.rows, both.influence(node.exprs("condition"), How.JOIN)])
    return Relation.of(left.outputs + right.outputs, rows)


def _aggregate(node: Plan, below: Inputs, names: Names) -> Relation:
    if _is_pivot(node):
        first = Relation.of(names.computed(node.plan("child").exprs("aggregateExpressions")), below[0].rows)
        names = Names([first], names.analysis, names.outer)
    rows = Gathered([below[0].rows, names.influence(node.exprs("groupingExpressions"), How.GROUP_BY)])
    return Relation.of(names.computed(node.exprs("aggregateExpressions")), rows)


def _sort(node: Plan, below: Inputs, names: Names) -> Relation:
    return Relation(below[0].outputs, Gathered([below[0].rows, names.influence(node.exprs("order"), How.SORT)]))


def _window(node: Plan, below: Inputs, names: Names) -> Relation:
    """Adds its columns to those below; rows stay as they are."""
    return Relation.of(below[0].outputs + names.computed(node.exprs("windowExpressions")), below[0].rows)


def _distinct(_node: Plan, below: Inputs, _names: Names) -> Relation:
    return Relation(below[0].outputs, Gathered([below[0].rows, compared(below[0], How.GROUP_BY)]))


def _deduplicate(node: Plan, below: Inputs, names: Names) -> Relation:
    return Relation(below[0].outputs, Gathered([below[0].rows, names.influence(node.exprs("keys"), How.GROUP_BY)]))


def _union(_node: Plan, below: Inputs, _names: Names) -> Relation:
    return union(below)


def _intersect_or_except(_node: Plan, below: Inputs, _names: Names) -> Relation:
    left, right = below
    return matched(left, right)


def _expand(node: Plan, below: Inputs, names: Names) -> Relation:
    """Every row several times, each time by another list of expressions: ROLLUP, CUBE, UNPIVOT."""
    projections = node.args.get("projections")
    attributes = node.exprs("output")
    if not isinstance(projections, tuple):
        raise NotAsExpected(node.kind, "projections")
    lists = [[evaluate(expr, names) for expr in projection] for projection in projections]  # type: ignore[union-attr, arg-type]
    outputs = []
    for attribute, columns in zip(attributes, zip(*lists, strict=True), strict=True):
        leaves = merge_leaves(column.leaves for column in columns)
        texts = {column.text for column in columns if column.sources}
        label = texts.pop() if len(texts) == 1 else text.identifier(attribute.name)
        outputs.append(Output(attribute.id, attribute.name, Column(leaves, label)))
    return Relation.of(outputs, below[0].rows)


def _generate(node: Plan, below: Inputs, names: Names) -> Relation:
    """The generator's argument gives the new columns their values, and decides how many rows there are if it varies."""
    generator = node.expr("generator")
    attributes = node.exprs("generatorOutput")
    shapes = generated(generator, len(attributes), lambda expr: evaluate(expr, names))
    exploded = evaluate(generator, names)
    outputs = tuple(
        Output(attribute.id, attribute.name, Column(leaves, exploded.text))
        for attribute, leaves in zip(attributes, shapes, strict=True)
    )
    rows = below[0].rows
    if not has_fixed_rows(generator):
        rows = Gathered([rows, through(exploded.sources, How.JOIN, text=exploded.text)])
    return Relation.of(below[0].outputs + outputs, rows)


def _numbered(node: Plan, below: Inputs, _names: Names) -> Relation:
    """A number for each row, before its columns."""
    sequence = node.expr("sequenceAttr")
    return Relation.of(
        (Output(sequence.id, sequence.name, Column(whole({}), "number")), *below[0].outputs), below[0].rows
    )


def _unchanged(_node: Plan, below: Inputs, _names: Names) -> Relation:
    return below[0]


def _limited(node: Plan, below: Inputs, names: Names) -> Relation:
    """LIMIT and OFFSET: a variable may say how many rows."""
    influence = names.influence((*node.exprs("limitExpr"), *node.exprs("offsetExpr")), How.FILTER)
    return Relation(below[0].outputs, Gathered([below[0].rows, influence])) if influence else below[0]


def _renamed(node: Plan, below: Inputs, _names: Names) -> Relation:
    """A view or a SQL function gives its query's columns, by position, under ids of its own."""
    return renamed(below[0], node.output)


def _last_input(_node: Plan, below: Inputs, _names: Names) -> Relation:
    return below[-1]


def _shared_query(node: Plan, below: Inputs, names: Names) -> Relation:
    names.analysis.shared[node.args.get("id")] = below[0]
    return below[0]


def _shared_reference(node: Plan, _below: Inputs, names: Names) -> Relation:
    shared = names.analysis.shared.get(node.args.get("cteId", node.args.get("loopId")))
    if shared is None or node.output is None:
        raise NotAsExpected(node.kind, "id")
    return renamed(shared, node.output)


def _recursive(node: Plan, below: Inputs, names: Names) -> Relation:
    """WITH RECURSIVE: the result of a step goes into the next one, until nothing is new."""
    id_ = node.args.get("id")
    relation = renamed(below[0], node.output)
    for _ in range(_MOST_STEPS):
        names.analysis.shared[id_] = relation
        step = names.analysis.relation(node.plan("recursion"), names.outer)
        grown = union([relation, renamed(step, node.output)])
        if same(grown, relation):
            break
        relation = replace(grown, rows=Gathered([relation.rows, grown.rows]))
    return relation


# Every step but the last adds an edge; a chain of columns that hand on values to each other is short.
_MOST_STEPS = 100


RULES: dict[str, Callable[[Plan, Inputs, Names], Relation]] = {
    "Aggregate": _aggregate,
    "AsOfJoin": _join,
    "AttachDistributedSequence": _numbered,
    "CTERelationDef": _shared_query,
    "CTERelationRef": _shared_reference,
    "CollectMetrics": _unchanged,
    "Deduplicate": _deduplicate,
    "DeduplicateWithinWatermark": _deduplicate,
    "Distinct": _distinct,
    "EventTimeWatermark": _unchanged,
    "Except": _intersect_or_except,
    "Expand": _expand,
    "Filter": _filter,
    "Generate": _generate,
    "GlobalLimit": _limited,
    "Intersect": _intersect_or_except,
    "Join": _join,
    "LateralJoin": _lateral_join,
    "LimitAll": _unchanged,
    "LocalLimit": _unchanged,  # always below another one, with the same number
    "Offset": _limited,
    "PipeOperator": _unchanged,
    "Project": _project,
    "RebalancePartitions": _unchanged,
    "Repartition": _unchanged,
    "RepartitionByExpression": _unchanged,
    "ResolvedHint": _unchanged,
    "SQLFunctionNode": _renamed,
    "Sample": _unchanged,
    "Sort": _sort,
    "StreamingDataSourceV2ScanRelation": _renamed,
    "SubqueryAlias": _unchanged,
    "Tail": _limited,
    "Union": _union,
    "UpdateEventTimeWatermarkColumn": _unchanged,
    "UnionLoop": _recursive,
    "UnionLoopRef": _shared_reference,
    "View": _renamed,
    "Window": _window,
    "WithCTE": _last_input,
}
