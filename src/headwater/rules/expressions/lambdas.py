"""Functions that take lambdas: a lambda's arguments stand for the elements that it is called with."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable

from headwater.rules.expressions import text
from headwater.rules.expressions.scope import EMPTY, Bound, Evaluate, LeafRule, Scope, key
from headwater.rules.expressions.shapes import (
    compared,
    influence_of,
    influenced,
    merge_leaves,
    nest,
    pick,
    sized,
    stepped,
    whole,
)
from headwater.rules.plan.sources import Column, How, Leaves, through
from headwater.rules.plan.tree import Expr, NotAsExpected
from headwater.rules.plan.types import ELEMENT, KEY, VALUE


class _Call:
    """A call of such a function: its arguments as columns, and its lambdas."""

    def __init__(self, node: Expr, scope: Scope, evaluate: Evaluate) -> None:
        self._scope = scope
        self._evaluate = evaluate
        self.node = node
        self.texts: dict[int, str] = {}

    def column(self, name: str) -> Column:
        """An argument that is no function."""
        argument = self.node.expr(name)
        column = self._evaluate(argument, self._scope)
        self.texts[id(argument)] = column.text
        return column

    def body(self, name: str, *arguments: Leaves) -> Column:
        """What the lambda in a field returns for these arguments; further parameters are counters."""
        function = self.node.expr(name)
        if function.kind != "LambdaFunction":
            column = self._evaluate(function, self._scope)
            self.texts[id(function)] = column.text
            return column
        names: dict[Hashable, Column] = {}
        parameters = function.exprs("arguments")
        for place, parameter in enumerate(parameters):
            leaves = arguments[place] if place < len(arguments) else EMPTY.leaves
            names[key(parameter)] = Column(leaves, _parameter_name(parameter))
        column = self._evaluate(function.expr("function"), Bound(self._scope, names))
        signature = ", ".join(_parameter_name(parameter) for parameter in parameters)
        head = signature if len(parameters) == 1 else f"({signature})"
        self.texts[id(function)] = f"{head} -> {text.bare(column.text)}"
        return column

    def result(self, leaves: Leaves) -> Column:
        """The column, with its text."""
        return Column(leaves, text.write(self.node, [self.texts.get(id(child), "?") for child in self.node.children]))


def _parameter_name(parameter: Expr) -> str:
    """The name without the number that Spark adds, which differs from run to run."""
    name = parameter.args.get("name")
    return re.sub(r"_\d+$", "", name) if isinstance(name, str) else "x"


def rules(evaluate: Evaluate) -> dict[str, LeafRule]:
    """The rules, each with a way to evaluate what is inside."""

    def rule(shape: Callable[[_Call], Leaves]) -> LeafRule:
        def apply(node: Expr, scope: Scope) -> Column:
            call = _Call(node, scope, evaluate)
            return call.result(shape(call))

        return apply

    return {**{kind: rule(shape) for kind, shape in _SHAPES.items()}, "With": _with(evaluate)}


def _with(evaluate: Evaluate) -> LeafRule:
    """Common expressions, named once and used several times, as in BETWEEN and NULLIF."""

    def apply(node: Expr, scope: Scope) -> Column:
        names: dict[Hashable, Column] = {}
        for definition in node.exprs("defs"):
            names[_definition_key(definition)] = evaluate(definition.expr("child"), Bound(scope, names))
        return evaluate(node.expr("child"), Bound(scope, names))

    return apply


def _definition_key(definition: Expr) -> Hashable:
    id_ = key(definition)
    if id_ is None:
        raise NotAsExpected(definition.kind, "id")
    return id_


# --- what each function makes of its arguments -----------------------------------------------------------------------


def _transform(call: _Call) -> Leaves:
    array = call.column("argument")
    return nest(sized(call.body("function", pick(array.leaves, ELEMENT)).leaves, array), ELEMENT)


def _filter(call: _Call) -> Leaves:
    array = call.column("argument").leaves
    return influenced(array, influence_of(call.body("function", pick(array, ELEMENT))))


def _predicate(call: _Call) -> Leaves:
    """For exists and forall: whether the condition holds, and whether there is an element at all."""
    array = call.column("argument")
    body = call.body("function", pick(array.leaves, ELEMENT))
    return sized(whole(through(body.sources, How.TRANSFORMATION)), array)


def _aggregate(call: _Call) -> Leaves:
    """For aggregate and reduce: the accumulator comes from the start value, the elements, and itself."""
    array = call.column("argument")
    elements = pick(array.leaves, ELEMENT)
    gathered = call.column("zero").leaves
    for _ in range(_MOST_ROUNDS):
        grown = merge_leaves([gathered, call.body("merge", gathered, elements).leaves])
        if grown == gathered:
            break
        gathered = grown
    return sized(stepped(call.body("finish", gathered).leaves, How.TRANSFORMATION), array)


# A value may be handed on from field to field of what is gathered, one field further with every element.
_MOST_ROUNDS = 100


def _sort(call: _Call) -> Leaves:
    array = call.column("argument").leaves
    elements = pick(array, ELEMENT)
    comparison = call.body("function", elements, elements)
    return compared(stepped(array, How.TRANSFORMATION), comparison.sources, text.bare(comparison.text))


def _zip_with(call: _Call) -> Leaves:
    left, right = call.column("left"), call.column("right")
    body = call.body("function", pick(left.leaves, ELEMENT), pick(right.leaves, ELEMENT))
    return nest(sized(body.leaves, left, right), ELEMENT)


def _map_parts(call: _Call) -> tuple[Column, Leaves, Leaves]:
    column = call.column("argument")
    return column, pick(column.leaves, KEY), pick(column.leaves, VALUE)


def _map_filter(call: _Call) -> Leaves:
    column, keys, values = _map_parts(call)
    return influenced(column.leaves, influence_of(call.body("function", keys, values)))


def _transform_keys(call: _Call) -> Leaves:
    column, keys, values = _map_parts(call)
    return merge_leaves([nest(sized(call.body("function", keys, values).leaves, column), KEY), nest(values, VALUE)])


def _transform_values(call: _Call) -> Leaves:
    column, keys, values = _map_parts(call)
    return merge_leaves([nest(keys, KEY), nest(sized(call.body("function", keys, values).leaves, column), VALUE)])


def _map_zip_with(call: _Call) -> Leaves:
    """Two maps by their keys: a value is looked up by its key in both."""
    left, right = (call.column(side).leaves for side in ("left", "right"))
    keys = merge_leaves([pick(left, KEY), pick(right, KEY)])
    body = call.body("function", keys, pick(left, VALUE), pick(right, VALUE))
    looked_up = influence_of(Column(keys, KEY))
    return merge_leaves([nest(keys, KEY), nest(influenced(body.leaves, looked_up), VALUE)])


_SHAPES: dict[str, Callable[[_Call], Leaves]] = {
    "ArrayAggregate": _aggregate,
    "ArrayExists": _predicate,
    "ArrayFilter": _filter,
    "ArrayForAll": _predicate,
    "ArraySort": _sort,
    "ArrayTransform": _transform,
    "MapFilter": _map_filter,
    "MapZipWith": _map_zip_with,
    "TransformKeys": _transform_keys,
    "TransformValues": _transform_values,
    "ZipWith": _zip_with,
}
