"""What a column takes from its arguments: one rule per expression, found by the name of Spark's class.

An expression without a rule takes a TRANSFORMATION of every argument. That is sound for anything that computes its
value from its arguments, which is what an expression is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, Protocol

from headwater.rules import text
from headwater.rules.model import NOTHING, Column, How, Relation, Sources, merge, through
from headwater.rules.tree import Expr, Plan, Type


class Scope(Protocol):
    """What an expression may refer to."""

    def column(self, reference: Expr) -> Column:
        """The column that an attribute refers to."""

    def outer_column(self, reference: Expr) -> Column:
        """The column of the enclosing query that a correlated subquery refers to."""

    def subquery(self, plan: Plan) -> Relation:
        """The relation of a query inside the expression."""


class Take(NamedTuple):
    """What an expression takes from one of its arguments."""

    argument: Expr
    how: How
    masking: bool = False


# A value that passed one of these can no longer be read: hashes, masks, encryption, and counts of anything.
MASKING = frozenset({
    "AesEncrypt", "ApproxCountDistinct", "BitmapCount", "CollationAwareMurmur3Hash", "CollationAwareXxHash64", "Count",
    "CountIf", "CountMinSketchAgg", "Crc32", "HiveHash", "HllSketchAgg", "HllSketchEstimate", "HyperLogLogPlusPlus",
    "Mask", "Md5", "Murmur3Hash", "RegrCount", "Sha1", "Sha2", "XxHash64",
})  # fmt: skip


def evaluate(expr: Expr, scope: Scope) -> Column:
    """The column that an expression gives, by walking it bottom up with an explicit stack.

    An expression may be as deep as a generated sum of a thousand terms; Python's stack is not.
    """
    if not expr.args and expr.kind == "AttributeReference":
        return scope.column(expr)
    done: dict[int, Column] = {}
    stack = [expr]
    while stack:
        node = stack[-1]
        if id(node) in done:
            stack.pop()
            continue
        leaf = _LEAVES.get(node.kind)
        if leaf is not None:
            done[id(stack.pop())] = leaf(node, scope)
            continue
        waiting = [child for child in node.children if id(child) not in done]
        if waiting:
            stack.extend(waiting)
        else:
            done[id(stack.pop())] = _combine(node, done)
    return done[id(expr)]


def _combine(node: Expr, done: dict[int, Column]) -> Column:
    parts = [done[id(child)].text for child in _written(node)]
    takes = _RULES.get(node.kind, _every_argument)(node)
    sources = merge(
        through(
            done[id(take.argument)].sources,
            take.how,
            masking=take.masking,
            text=text.bare(done[id(take.argument)].text),
        )
        for take in takes
    )
    if node.kind in MASKING:
        sources = through(sources, How.TRANSFORMATION, masking=True)
    return Column(sources, text.write(node, parts))


def _written(node: Expr) -> Sequence[Expr]:
    """The arguments as the user wrote them: without what the analyzer put in their place."""
    replacement = node.args.get("replacement")
    return [child for child in node.children if child is not replacement]


# --- rules -----------------------------------------------------------------------------------------------------------


def _every_argument(node: Expr) -> Iterator[Take]:
    replacement = node.args.get("replacement")
    if isinstance(replacement, Expr):
        # nvl(a, b) comes with coalesce(a, b): the replacement knows better what is a condition.
        yield Take(replacement, How.IDENTITY)
        return
    for child in node.children:
        yield Take(child, How.TRANSFORMATION)


def _alias(node: Expr) -> Iterator[Take]:
    yield Take(node.expr("child"), How.IDENTITY)


def _cast(node: Expr) -> Iterator[Take]:
    target = node.args.get("dataType")
    same = isinstance(target, Type) and target.json == node.type
    yield Take(node.expr("child"), How.IDENTITY if same else How.TRANSFORMATION)


def _if(node: Expr) -> Iterator[Take]:
    yield Take(node.expr("predicate"), How.CONDITIONAL)
    yield Take(node.expr("trueValue"), How.TRANSFORMATION)
    yield Take(node.expr("falseValue"), How.TRANSFORMATION)


def _case_when(node: Expr) -> Iterator[Take]:
    branches = node.exprs("branches")
    for condition in branches[0::2]:
        yield Take(condition, How.CONDITIONAL)
    for value in (*branches[1::2], *node.exprs("elseValue")):
        yield Take(value, How.TRANSFORMATION)


def _coalesce(node: Expr) -> Iterator[Take]:
    for child in node.children:
        yield Take(child, How.CONDITIONAL)
        yield Take(child, How.TRANSFORMATION)


def _aggregate_expression(node: Expr) -> Iterator[Take]:
    function = node.expr("aggregateFunction")
    yield Take(function, How.AGGREGATION)
    for condition in node.exprs("filter"):
        yield Take(condition, How.FILTER)


def _window_expression(node: Expr) -> Iterator[Take]:
    yield Take(node.expr("windowFunction"), How.TRANSFORMATION)
    yield Take(node.expr("windowSpec"), How.WINDOW)


def _sort_order(node: Expr) -> Iterator[Take]:
    yield Take(node.expr("child"), How.IDENTITY)


_RULES: dict[str, Callable[[Expr], Iterator[Take]]] = {
    "AggregateExpression": _aggregate_expression,
    "Alias": _alias,
    "CaseWhen": _case_when,
    "Cast": _cast,
    "Coalesce": _coalesce,
    "If": _if,
    "SortOrder": _sort_order,
    "WindowExpression": _window_expression,
}


# --- leaves: what refers to something outside the expression ----------------------------------------------------------


def _attribute(node: Expr, scope: Scope) -> Column:
    return scope.column(node)


def _outer_reference(node: Expr, scope: Scope) -> Column:
    return scope.outer_column(node.children[0])


def _scalar_subquery(node: Expr, scope: Scope) -> Column:
    """What it selects is its value; what decided its rows is its influence."""
    relation = scope.subquery(node.plans[0])
    value: Sources = relation.outputs[0].column.sources if relation.outputs else NOTHING
    return Column(merge([value, relation.rows]), "(subquery)")


def _predicate_subquery(node: Expr, scope: Scope) -> Column:
    """EXISTS and the list behind IN: which rows there are, and what is in them, decides."""
    relation = scope.subquery(node.plans[0])
    values = (through(output.column.sources, How.TRANSFORMATION) for output in relation.outputs)
    return Column(merge([*values, relation.rows]), "(subquery)")


_LEAVES: dict[str, Callable[[Expr, Scope], Column]] = {
    "AttributeReference": _attribute,
    "Exists": _predicate_subquery,
    "ListQuery": _predicate_subquery,
    "OuterReference": _outer_reference,
    "ScalarSubquery": _scalar_subquery,
    "unread": _attribute,  # it may refer to anything in scope
}
