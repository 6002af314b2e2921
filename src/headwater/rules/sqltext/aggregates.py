"""Calls of functions: aggregates, with what orders and filters their rows, windows, and all others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from sqlglot import exp

from headwater.rules.plan.tree import Expr
from headwater.rules.sqltext.functions import IN_ORDER, KEY_FIRST, KINDS, is_aggregate, written_name
from headwater.rules.sqltext.nodes import Node

if TYPE_CHECKING:
    from headwater.rules.sqltext.terms import Terms

Of: TypeAlias = "Callable[[Node], Expr]"


def constant(said: str) -> Expr:
    """What comes from no column."""
    return Expr("Literal", args={"sql": said})


def function(name: str, arguments: Sequence[Expr], kind: str = "") -> Expr:
    """A function or an operator; of a kind that the rules for Spark's expressions know, or of none."""
    return Expr(kind or f"sql.{name}", name=name, args={"arguments": tuple(arguments)})


def call(node: Node, of: Of, _terms: Terms) -> Expr:
    """A function, an operator, or anything else: of all its arguments; if it is an aggregate, as one."""
    name = written_name(node)
    values, orders, distinct = _arguments(node)
    arguments = [of(value) for value in values]
    if name in KEY_FIRST:
        arguments.reverse()
    symbol = _OPERATORS.get(type(node).__name__, name)
    # DISTINCT and ORDER BY stand in aggregates alone, also in those that nobody knows.
    if not (is_aggregate(node) or orders or distinct):
        return function(symbol, arguments, KINDS.get(name, ""))
    return _aggregate(_ordered(name, arguments, [of(order) for order in orders]), distinct=distinct)


def _arguments(node: Node) -> tuple[list[Node], list[Node], bool]:
    """The arguments of a function, what orders them, and whether each counts once."""
    orders: list[Node] = []
    distinct = False
    values: list[Node] = []
    waiting = list(node.iter_expressions())
    while waiting:
        child = waiting.pop(0)
        if isinstance(child, exp.Order) and child.this:
            orders += child.expressions
            waiting.insert(0, child.this)
        elif isinstance(child, exp.Distinct):
            distinct = True
            waiting = [*child.expressions, *waiting]
        elif not isinstance(child, exp.Identifier) or not isinstance(node, exp.Anonymous):
            values.append(child)
    return values, orders, distinct


def _ordered(name: str, arguments: Sequence[Expr], orders: Sequence[Expr]) -> Expr:
    if not orders:
        return function(name, arguments, KINDS.get(name, ""))
    return Expr("ListAgg", name=name, args={"arguments": tuple(arguments), "orderExpressions": tuple(orders)})


def _aggregate(function: Expr, *, distinct: bool = False, condition: Expr | None = None) -> Expr:
    args = {"aggregateFunction": function, "filter": condition, "isDistinct": distinct}
    return Expr("AggregateExpression", args=args)


def filtered(node: Node, of: Of, _terms: Terms) -> Expr:
    """An aggregate with FILTER."""
    inner, condition = of(node.this), of(node.expression.this)
    if inner.kind != "AggregateExpression":
        return _aggregate(inner, condition=condition)
    return _aggregate(inner.expr("aggregateFunction"), distinct=inner.args["isDistinct"] is True, condition=condition)


def within_group(node: Node, of: Of, _terms: Terms) -> Expr:
    """For what puts values behind each other it is their order; for percentiles and ranks it is the values."""
    name = written_name(node.this)
    values, _, distinct = _arguments(node.this)
    arguments = [of(value) for value in values]
    orders = [of(order) for order in node.expression.expressions]
    if name in IN_ORDER:
        return _aggregate(_ordered(name, arguments, orders), distinct=distinct)
    return _aggregate(function(name, [*arguments, *orders]), distinct=distinct)


def window(node: Node, of: Of, terms: Terms) -> Expr:
    """A function over a window, which may have been named elsewhere."""
    keys: list[Node] = []
    orders: list[Node] = []
    frame: list[Node] = []
    scope, window = terms.scope, node
    for _ in range(len(scope.windows) + 1):
        keys += window.args.get("partition_by") or []
        orders += window.args["order"].expressions if window.args.get("order") else []
        spec = window.args.get("spec")
        frame += spec.iter_expressions() if spec else ()
        alias = window.args.get("alias")
        named = scope.windows.get(scope.findings.name(alias).casefold()) if alias else None
        if named is None or window.args.get("over") == "KEEP":
            break
        window = named
    spec_term = Expr(
        "WindowSpecDefinition",
        args={
            "partitionSpec": tuple(of(key) for key in keys),
            "orderSpec": tuple(of(order) for order in orders),
            "frame": tuple(of(bound) for bound in frame),
        },
    )
    return Expr("WindowExpression", args={"windowFunction": of(node.this), "windowSpec": spec_term})


_OPERATORS = {
    "Add": "+", "And": "AND", "BitwiseAnd": "&", "BitwiseOr": "|", "BitwiseXor": "^", "DPipe": "||", "Div": "/",
    "EQ": "=", "GT": ">", "GTE": ">=", "IntDiv": "div", "LT": "<", "LTE": "<=", "Mod": "%", "Mul": "*", "NEQ": "<>",
    "NullSafeEQ": "<=>", "Or": "OR", "Sub": "-",
}  # fmt: skip
