"""What a column takes from its arguments: one rule per expression, found by the name of Spark's class.

An expression without a rule takes a TRANSFORMATION of every argument. That is sound for anything that computes its
value from its arguments, which is what an expression is. Rules for nested values are in `nested`, for functions that
take functions in `lambdas`.
"""

from __future__ import annotations

from collections.abc import Sequence

from headwater.common.masking import Masking
from headwater.rules.expressions import lambdas, nested, text
from headwater.rules.expressions.masking import masking_of
from headwater.rules.expressions.scope import Columns, LeafRule, Rule, Scope, key
from headwater.rules.expressions.shapes import (
    cast,
    influence_of,
    influenced,
    merge_leaves,
    settled_leaves,
    stepped,
    whole,
)
from headwater.rules.plan.budget import hold, spend
from headwater.rules.plan.sources import NOTHING, Column, How, Leaves, merge, through
from headwater.rules.plan.tree import Expr, NotAsExpected, Type, any_inside

# The bytes of a column, beside its text and its sources.
_BYTES_OF_A_COLUMN = 450
# How many columns are made before the budget is charged: charging for each costs as much as making some.
_LOT = 100


def evaluate(expr: Expr, scope: Scope) -> Column:
    """The column that an expression gives, by walking it bottom up with an explicit stack.

    An expression may be as deep as a generated sum of a thousand terms; Python's stack is not.
    """
    while expr.kind == "Alias":
        expr = expr.children[0]
    if expr.kind == "AttributeReference":
        return scope.column(expr)
    done: dict[int, Column] = {}
    lost: dict[int, bool] = {}
    stack = [expr]
    texts = counted = 0
    while stack:
        node = stack.pop()
        if id(node) in done:
            continue
        leaf = LEAVES.get(node.kind) or (_any_query if node.plans else None)
        if leaf is not None:
            done[id(node)] = leaf(node, scope)
            continue
        replacement = _only_replacement(node, scope, lost)
        waiting = _waiting(node.children if replacement is None else (replacement,), scope, done)
        if waiting:
            stack.append(node)
            stack.extend(waiting)
            continue
        column = done[id(node)] = _combine(node, done, replacement)
        texts += len(column.text)
        if len(done) - counted > _LOT:
            _charge(len(done) - counted, texts)
            counted, texts = len(done), 0
    _charge(len(done) - counted, texts)
    return done[id(expr)]


def _waiting(exprs: Sequence[Expr], scope: Scope, done: dict[int, Column]) -> list[Expr]:
    """The expressions still to be walked. Columns and literals, which are most, are done at once."""
    waiting = []
    for expr in exprs:
        if id(expr) in done:
            continue
        if expr.kind == "AttributeReference":
            done[id(expr)] = scope.column(expr)
        elif expr.kind == "Literal":
            done[id(expr)] = Column.mixed((), text.write(expr, ()))
        else:
            waiting.append(expr)
    return waiting


def _charge(columns: int, texts: int) -> None:
    """Charge new columns, and the length of their texts, to the statement's budget."""
    hold(_BYTES_OF_A_COLUMN * columns + texts)
    spend(columns)


def _only_replacement(node: Expr, scope: Scope, lost: dict[int, bool]) -> Expr | None:
    """The expression that a function stands for, if the function's own arguments refer to columns no longer there.

    Where a plan reads a table twice, the analyzer gives one of them new ids, and puts them into the replacement alone:
    of nvl(a, b) only the coalesce(a, b) is right then. A SQL function's arguments are in its body. `lost` remembers
    which expressions have such a reference inside, so that nvl in nvl in nvl is checked once for each.
    """
    replacement = node.args.get("child" if node.kind == "SQLScalarFunction" else "replacement")
    if not isinstance(replacement, Expr):
        return None

    def is_lost(expr: Expr) -> bool | None:
        if expr.kind == "AttributeReference":
            return not scope.knows(expr)
        return False if expr.kind == "OuterReference" else None

    return replacement if any_inside(node.arguments, is_lost, lost) else None


def _combine(node: Expr, done: dict[int, Column], replacement: Expr | None) -> Column:
    if replacement is not None:
        column = done[id(replacement)]
        return Column(_masked(column.leaves, masking_of(node)), column.text)
    rule = RULES.get(node.kind)
    written = text.write(node, [done[id(child)].text for child in node.arguments])
    masking = masking_of(node)
    if rule is None and "replacement" not in node.args and not masking:
        return Column.mixed([done[id(child)] for child in node.children], written)
    columns = Columns(done)
    leaves = every_argument(node, columns) if rule is None else rule(node, columns)
    return Column(_masked(leaves, masking), written)


def _masked(leaves: Leaves, masking: Masking) -> Leaves:
    return stepped(leaves, How.TRANSFORMATION, masking=masking) if masking else leaves


# --- rules -----------------------------------------------------------------------------------------------------------


def every_argument(node: Expr, of: Columns) -> Leaves:
    """The default. What comes with a replacement (nvl with its coalesce) is what the replacement is."""
    replacement = node.args.get("replacement")
    if isinstance(replacement, Expr):
        return of(replacement).leaves
    return whole(merge(through(of(child).sources, How.TRANSFORMATION) for child in node.children))


def first_argument(node: Expr, of: Columns) -> Leaves:
    """The value itself, where the analyzer wraps something around it to check or mark it."""
    return of(node.children[0]).leaves


def nothing(_node: Expr, _of: Columns) -> Leaves:
    """No sources: the value depends on the place of the row, not on any column."""
    return whole(NOTHING)


def _cast(node: Expr, of: Columns) -> Leaves:
    """A copy if the types are the same; leaf by leaf for nested ones."""
    target = node.args.get("dataType")
    leaves = of(node.expr("child")).leaves
    if node.type is None or not isinstance(target, Type):
        raise NotAsExpected(node.kind, "dataType")
    return cast(leaves, node.type, target.json)


def _if(node: Expr, of: Columns) -> Leaves:
    predicate = node.expr("predicate")
    if predicate.kind == "Literal":  # an artefact of the analyzer: one branch is all there is
        chosen = "falseValue" if predicate.args.get("sql") == "false" else "trueValue"
        return of(node.expr(chosen)).leaves
    if _keeps_null(node):
        return of(node.expr("falseValue")).leaves
    return _chosen(of, [predicate], [node.expr("trueValue"), node.expr("falseValue")])


def _keeps_null(choice: Expr) -> bool:
    """Whether a struct is rebuilt from the fields of another one, and only stays null where that one is.

    The analyzer writes it to reorder fields, to pad CHARs, or to give a branch of a union the fields that it lacks.
    Where the other struct is null so are its fields, so the condition adds nothing to what they take.
    """
    predicate, rebuilt = choice.expr("predicate"), choice.expr("falseValue")
    return (
        predicate.kind == "IsNull"
        and _is_null(choice.expr("trueValue"))
        and rebuilt.kind == "CreateNamedStruct"
        and all(_is_null_with(predicate.children[0], field) for field in rebuilt.arguments[1::2])
    )


def _is_null_with(struct: Expr, expr: Expr) -> bool:
    """Whether an expression is null where a struct is: it is taken from the struct, and at most changed."""
    while not _same(struct, expr):
        if expr.kind == "If" and _keeps_null(expr):
            expr = expr.expr("predicate").children[0]
        elif expr.kind in _OF_NULL_IS_NULL or _checks_chars(expr):
            expr = expr.children[0]
        else:
            return _is_null(expr)
    return True


def _is_null(expr: Expr) -> bool:
    while expr.kind == "Cast":
        expr = expr.expr("child")
    return expr.kind == "Literal" and str(expr.args.get("sql")).startswith(("NULL", "CAST(NULL "))


def _same(left: Expr, right: Expr) -> bool:
    """Whether two expressions are the same column, or the same field of one."""
    while left.kind == right.kind == "GetStructField" and nested.place_of(left) == nested.place_of(right):
        left, right = left.expr("child"), right.expr("child")
    return left is right or (left.kind == right.kind in _NAMES and key(left) is not None and key(left) == key(right))


def _checks_chars(expr: Expr) -> bool:
    return expr.kind == "StaticInvoke" and expr.args.get("functionName") in text.CHAR_CHECKS


_NAMES = frozenset({"AttributeReference", "NamedLambdaVariable"})
_OF_NULL_IS_NULL = frozenset({
    "Alias", "ArrayTransform", "Cast", "CheckOverflowInTableInsert", "GetArrayStructFields", "GetStructField",
    "KnownNotNull", "KnownNullable", "MapFromArrays", "MapKeys", "MapValues",
})  # fmt: skip


def _case_when(node: Expr, of: Columns) -> Leaves:
    branches = node.exprs("branches")
    return _chosen(of, branches[0::2], [*branches[1::2], *node.exprs("elseValue")])


def _coalesce(node: Expr, of: Columns) -> Leaves:
    return _chosen(of, node.children, node.children)


def _chosen(of: Columns, conditions: Sequence[Expr], values: Sequence[Expr]) -> Leaves:
    """One of the values, by the conditions."""
    shape = merge_leaves(stepped(of(value).leaves, How.TRANSFORMATION) for value in values)
    return influenced(shape, *(influence_of(of(condition)) for condition in conditions))


def _aggregate_expression(node: Expr, of: Columns) -> Leaves:
    shape = stepped(of(node.expr("aggregateFunction")).leaves, How.AGGREGATION)
    return influenced(shape, *(influence_of(of(condition), How.FILTER) for condition in node.exprs("filter")))


def _ordered_aggregate(node: Expr, of: Columns) -> Leaves:
    """listagg(x) WITHIN GROUP (ORDER BY y): the order is an influence."""
    ordering = node.exprs("orderExpressions")
    shape = whole(merge(through(of(c).sources, How.TRANSFORMATION) for c in node.children if c not in ordering))
    return influenced(shape, *(through(of(o).sources, How.SORT, text=of(o).text) for o in ordering))


def _pivot_first(node: Expr, of: Columns) -> Leaves:
    """What PIVOT makes of its aggregates: the value, where the pivot column says so."""
    shape = whole(through(of(node.expr("valueColumn")).sources, How.AGGREGATION))
    return influenced(shape, influence_of(of(node.expr("pivotColumn"))))


def _window_expression(node: Expr, of: Columns) -> Leaves:
    spec = of(node.expr("windowSpec"))
    shape = stepped(of(node.expr("windowFunction")).leaves, How.TRANSFORMATION)
    return influenced(shape, through(spec.sources, How.WINDOW, text=spec.text))


def _time_window(node: Expr, of: Columns) -> Leaves:
    """The arithmetic of window() has conditions that nobody wrote: all of it is a computation on the timestamp."""
    sources = of(node.expr("child")).sources
    return whole(
        {
            source: frozenset(
                mark._replace(how=How.TRANSFORMATION, text="") if mark.how is How.CONDITIONAL else mark
                for mark in marks
            )
            for source, marks in through(sources, How.TRANSFORMATION).items()
        }
    )


def _static_invoke(node: Expr, of: Columns) -> Leaves:
    """CHAR and VARCHAR columns are padded and checked by a static method: the value is the same."""
    if _checks_chars(node):
        return of(node.exprs("arguments")[0]).leaves
    return every_argument(node, of)


def _sql_function(node: Expr, of: Columns) -> Leaves:
    """A function written in SQL: its body, which has the arguments in it."""
    return of(node.expr("child")).leaves


RULES: dict[str, Rule] = {
    "AggregateExpression": _aggregate_expression,
    "Alias": first_argument,
    "AssertNotNull": first_argument,
    "CaseWhen": _case_when,
    "Cast": _cast,
    "CheckOverflowInTableInsert": first_argument,
    "CheckOverflowInTableWrite": first_argument,  # Delta's
    "Coalesce": _coalesce,
    "CumeDist": nothing,
    "DenseRank": nothing,
    "If": _if,
    "KnownFloatingPointNormalized": first_argument,
    "KnownNotContainsNull": first_argument,
    "KnownNotNull": first_argument,
    "KnownNullable": first_argument,
    "ListAgg": _ordered_aggregate,
    "NormalizeNaNAndZero": first_argument,
    "PercentRank": nothing,
    "PivotFirst": _pivot_first,
    "PreciseTimestampConversion": _time_window,
    "Rank": nothing,
    "RowNumber": nothing,
    "SQLScalarFunction": _sql_function,
    "SortOrder": first_argument,
    "StaticInvoke": _static_invoke,
    "TempResolvedColumn": first_argument,
    "WindowExpression": _window_expression,
    **nested.RULES,
}


# --- leaves: what refers to something outside the expression, or has names of its own inside -------------------------


def _attribute(node: Expr, scope: Scope) -> Column:
    return scope.column(node)


def _bound(node: Expr, scope: Scope) -> Column:
    return scope.bound(node)


def _outer_reference(node: Expr, scope: Scope) -> Column:
    return scope.outer_column(node.children[0])


def _scalar_subquery(node: Expr, scope: Scope) -> Column:
    """What it selects is its value; what decided its rows is its influence."""
    relation = scope.subquery(node.plans[0])
    if not relation.outputs:
        return Column(whole(relation.rows), "(subquery)")
    return Column(influenced(settled_leaves(relation.outputs[0].column), relation.rows), "(subquery)")


def _list_query(node: Expr, scope: Scope) -> Column:
    """The list behind IN: what is in it, and which rows there are."""
    relation = scope.subquery(node.plans[0])
    values = (through(output.column.sources, How.TRANSFORMATION) for output in relation.outputs)
    return Column(whole(merge([*values, relation.rows])), "(subquery)")


def _any_query(node: Expr, scope: Scope) -> Column:
    """An expression over a query that no rule knows: it may take anything from the query, and from its arguments."""
    relations = [scope.subquery(plan) for plan in node.plans]
    values = (output.column.sources for relation in relations for output in relation.outputs)
    arguments = (evaluate(child, scope).sources for child in node.children)
    inside = merge(through(sources, How.TRANSFORMATION) for sources in (*values, *arguments))
    return Column(whole(merge([inside, *(relation.rows for relation in relations)])), "(subquery)")


def _exists(node: Expr, scope: Scope) -> Column:
    """Whether there are rows at all: what is in them does not matter."""
    return Column(whole(scope.subquery(node.plans[0]).rows), "EXISTS (subquery)")


LEAVES: dict[str, LeafRule] = {
    "AttributeReference": _attribute,
    "CommonExpressionRef": _bound,
    "Exists": _exists,
    "ListQuery": _list_query,
    "NamedLambdaVariable": _bound,
    "OuterReference": _outer_reference,
    "PosParameter": lambda node, scope: scope.variable(node),  # a literal: see `variables.mark_parameters`
    "ScalarSubquery": _scalar_subquery,
    "VariableReference": lambda node, scope: scope.variable(node),
    "unread": _attribute,  # it may refer to anything in scope
    **lambdas.rules(evaluate),
}
