"""The expressions of a text as expressions of Spark's: one rule per class of sqlglot's.

So both get the same answers and texts. An expression without a rule here becomes a function of all that is in it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from sqlglot import exp

from headwater.rules.plan.sources import Column
from headwater.rules.plan.tree import Expr, Type
from headwater.rules.plan.types import ELEMENT
from headwater.rules.sqltext.findings import NotUnderstood
from headwater.rules.sqltext.frames import inside
from headwater.rules.sqltext.functions import IN_ORDER, KEY_FIRST, is_aggregate, kind_of, written_name
from headwater.rules.sqltext.nodes import Node, name_parts

if TYPE_CHECKING:
    from headwater.rules.sqltext.terms import Terms


Of: TypeAlias = "Callable[[Node], Expr]"


def constant(sql: str) -> Expr:
    """A constant, which comes from no column."""
    return Expr("Literal", args={"sql": sql})


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
        return function(symbol, arguments, kind_of(node, name))
    return _aggregate(_ordered(node, arguments, [of(order) for order in orders]), distinct=distinct)


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


def _ordered(node: Node, arguments: Sequence[Expr], orders: Sequence[Expr]) -> Expr:
    name = written_name(node)
    if not orders:
        return function(name, arguments, kind_of(node, name))
    return Expr("ListAgg", name=name, args={"arguments": tuple(arguments), "orderExpressions": tuple(orders)})


def _aggregate(function: Expr, *, distinct: bool = False, condition: Expr | None = None) -> Expr:
    args = {"aggregateFunction": function, "filter": condition, "isDistinct": distinct}
    return Expr("AggregateExpression", args=args)


def _filtered(node: Node, of: Of, _terms: Terms) -> Expr:
    """An aggregate with FILTER."""
    inner, condition = of(node.this), of(node.expression.this)
    if inner.kind != "AggregateExpression":
        return _aggregate(inner, condition=condition)
    return _aggregate(inner.expr("aggregateFunction"), distinct=inner.args["isDistinct"] is True, condition=condition)


def _within_group(node: Node, of: Of, _terms: Terms) -> Expr:
    """WITHIN GROUP: the order of concatenated values; the values of percentiles and ranks."""
    name = written_name(node.this)
    values, _, distinct = _arguments(node.this)
    arguments = [of(value) for value in values]
    orders = [of(order) for order in node.expression.expressions]
    if name in IN_ORDER:
        return _aggregate(_ordered(node.this, arguments, orders), distinct=distinct)
    return _aggregate(function(name, [*arguments, *orders]), distinct=distinct)


def _window(node: Node, of: Of, terms: Terms) -> Expr:
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


def _case(node: Node, of: Of, _terms: Terms) -> Expr:
    subject = node.args.get("this")
    branches: list[Expr] = []
    for branch in node.args["ifs"]:
        condition = of(branch.this)
        branches += [function("=", [of(subject), condition]) if subject else condition, of(branch.args["true"])]
    return _chosen(branches, node.args.get("default"), of)


def _decode(node: Node, of: Of, _terms: Terms) -> Expr:
    """DECODE(x, 1, a, 2, b, c): a CASE of x."""
    subject, *rest = node.expressions
    branches: list[Expr] = []
    for value, result in zip(rest[0::2], rest[1::2], strict=False):
        branches += [function("=", [of(subject), of(value)]), of(result)]
    return _chosen(branches, rest[-1] if len(rest) % 2 else None, of)


def _if(node: Node, of: Of, _terms: Terms) -> Expr:
    return _chosen([of(node.this), of(node.args["true"])], node.args.get("false"), of)


def _nvl2(node: Node, of: Of, _terms: Terms) -> Expr:
    present = Expr("IsNotNull", args={"child": of(node.this)})
    return _chosen([present, of(node.args["true"])], node.args.get("false"), of)


def _nullif(node: Node, of: Of, _terms: Terms) -> Expr:
    value, other = of(node.this), of(node.expression)
    same = function("=", [value, other])
    replacement = Expr("CaseWhen", args={"branches": (same, constant("NULL")), "elseValue": value})
    return Expr("NullIf", name="nullif", args={"left": value, "right": other, "replacement": replacement})


def _chosen(branches: Sequence[Expr], otherwise: Node | None, of: Of) -> Expr:
    return Expr("CaseWhen", args={"branches": tuple(branches), "elseValue": of(otherwise) if otherwise else None})


def _between(node: Node, of: Of, _terms: Terms) -> Expr:
    value = of(node.this)
    bounds = [function(">=", [value, of(node.args["low"])]), function("<=", [value, of(node.args["high"])])]
    return function("AND", bounds)


def _in(node: Node, of: Of, _terms: Terms) -> Expr:
    sought = node.this.expressions if isinstance(node.this, exp.Tuple) else [node.this]
    query = node.args.get("query")
    if query is not None:
        return function("in", [*(of(value) for value in sought), of(query)], "InSubquery")
    return function("in", [of(child) for child in node.iter_expressions()], "In")


def _is(node: Node, of: Of, terms: Terms) -> Expr:
    if not isinstance(node.expression, exp.Null):
        return call(node, of, terms)
    return Expr("IsNotNull" if node.args.get("negate") else "IsNull", args={"child": of(node.this)})


def _cast(node: Node, of: Of, terms: Terms) -> Expr:
    """The type before is unknown: it is taken to be another one."""
    target = Type(node.args["to"].sql(terms.scope.findings.dialect))
    return Expr("Cast", name="cast", type="unknown", args={"child": of(node.this), "dataType": target})


def _item(node: Node, of: Of, terms: Terms) -> Expr:
    if len(node.expressions) != 1 or isinstance(node.expressions[0], exp.Slice):
        return call(node, of, terms)
    place = of(node.expressions[0])
    if node.expressions[0].is_int and node.args.get("offset") is None:
        # sqlglot counts from 0, whatever the language does.
        place = constant(str(int(node.expressions[0].name) + terms.scope.findings.dialect.INDEX_OFFSET))
    return Expr("GetArrayItem", args={"child": of(node.this), "ordinal": place})


def _unnest(node: Node, of: Of, terms: Terms) -> Expr:
    """The elements of an array."""
    arguments = node.expressions or [node.this]
    name = written_name(node)
    if len(arguments) != 1 or (parts := name_parts(arguments[0])) is None:
        return call(node, of, terms)
    array = terms.scope.column([terms.scope.findings.name(part) for part in parts], node)
    return terms.reference(Column(inside(array, (ELEMENT,)).leaves, f"{name}({array.text})"))


def _dot(node: Node, of: Of, terms: Terms) -> Expr:
    """A function of a schema, `dbo.f(a)`, or a method, `doc.value('…')`; else a field of something computed."""
    if not isinstance(node.expression, exp.Func):
        return function(node.expression.name, [of(node.this)])
    path: list[Node] = []
    owner = node.this
    while isinstance(owner, exp.Dot) and isinstance(owner.expression, exp.Identifier):
        path.insert(0, owner.expression)
        owner = owner.this
    result = of(node.expression)
    if not isinstance(owner, exp.Identifier):
        return function(written_name(node.expression), [of(owner), result])
    if not _is_method(written_name(node.expression), terms.scope.findings.language):
        return result
    names = [terms.scope.findings.name(part) for part in (owner, *path)]
    return function(written_name(node.expression), [terms.reference(terms.scope.column(names)), result])


def _is_method(name: str, language: str) -> bool:
    return language == "duckdb" or (language == "tsql" and (name in _XML_METHODS or name.startswith("st")))


_XML_METHODS = frozenset({"exist", "nodes", "query", "value"})


def _not_understood(node: Node, _of: Of, _terms: Terms) -> Expr:
    raise NotUnderstood(type(node).__name__)


def _sort(node: Node, of: Of, _terms: Terms) -> Expr:
    direction = "Descending" if node.args.get("desc") else "Ascending"
    return Expr("SortOrder", args={"child": of(node.this), "direction": direction})


def _same(node: Node, of: Of, _terms: Terms) -> Expr:
    return of(node.this)


def _interval(node: Node, of: Of, terms: Terms) -> Expr:
    if isinstance(node.this, exp.Literal):
        return constant(node.sql(terms.scope.findings.dialect))
    return call(node, of, terms)


RULES: dict[str, Callable[[Node, Of, Terms], Expr]] = {
    "Alias": _same,
    "Between": _between,
    "Bracket": _item,
    "Case": _case,
    "Cast": _cast,
    "Coalesce": lambda node, of, _terms: function(
        "coalesce", [of(child) for child in node.iter_expressions()], "Coalesce"
    ),
    "DecodeCase": _decode,
    "Dot": _dot,
    "Explode": _unnest,
    "Filter": _filtered,
    "If": _if,
    "IgnoreNulls": _same,
    "In": _in,
    "Interval": _interval,
    "Is": _is,
    "Kwarg": lambda node, of, _terms: of(node.expression),
    "Like": lambda node, of, _terms: function("like", [of(node.this), of(node.expression)], "Like"),
    "Neg": lambda node, of, _terms: Expr("UnaryMinus", args={"child": of(node.this)}),
    "Not": lambda node, of, _terms: Expr("Not", args={"child": of(node.this)}),
    "Nullif": _nullif,
    "Nvl2": _nvl2,
    "Ordered": _sort,
    "Paren": _same,
    "Prior": _same,
    "QueryTransform": _not_understood,
    "RespectNulls": _same,
    "TryCast": _cast,
    "Unnest": _unnest,
    "Where": _same,
    "Window": _window,
    "WithinGroup": _within_group,
}
