"""Generators: one row becomes several. One rule per generator, found by the name of Spark's class."""

from __future__ import annotations

from collections.abc import Callable

from headwater.rules.expressions.masking import masking_of
from headwater.rules.expressions.shapes import field, merge_leaves, pick, whole
from headwater.rules.plan.sources import NOTHING, Column, How, Leaves, merge, through
from headwater.rules.plan.tree import Expr, any_inside, drain
from headwater.rules.plan.types import ELEMENT, KEY, VALUE


def generated(generator: Expr, count: int, evaluate: Callable[[Expr], Column]) -> list[Leaves]:
    """What a generator's columns take, by position; without a rule each takes all arguments."""
    rule = RULES.get(generator.kind)
    shapes = None if rule is None else rule(generator, count, evaluate)
    if shapes is None or len(shapes) != count:
        masking = masking_of(generator)
        arguments = merge(
            through(evaluate(child).sources, How.TRANSFORMATION, masking=masking) for child in generator.children
        )
        shapes = [whole(arguments)] * count
    return shapes


def has_fixed_rows(generator: Expr) -> bool:
    """Whether the number of rows does not depend on the values: then a generator's arguments decide nothing about rows.

    `stack(2, …)` always gives two, `json_tuple` always one, `explode(array(a, b))` one for each element that is
    written there. A map may have fewer entries than were written, where keys are equal: unless they are constants.
    """
    while generator.kind == "GeneratorOuter":
        generator = generator.children[0]
    if generator.kind in _OF_ARRAYS_AND_MAPS:
        return _has_fixed_length(generator.expr("child"))
    return generator.kind in _FIXED


def _has_fixed_length(container: Expr) -> bool:
    """Whether the length of an array or a map does not depend on the values, nor whether it is null."""
    known: dict[int, bool] = {}
    stack = [container]
    for expr in drain(stack):
        if expr.kind in _SAME_LENGTH:
            stack.append(expr.arguments[0])
        elif expr.kind in _LENGTH_OF_ALL:
            stack += expr.exprs(_LENGTH_OF_ALL[expr.kind])
        elif expr.kind in _LENGTH_BY_CONSTANTS:
            first, *others = expr.arguments
            if any_inside(others, _varies, known):
                return False
            stack += () if expr.kind == "ArrayRepeat" else (first,)
        elif expr.kind == "CreateMap":
            if any_inside(expr.arguments[0::2], _varies, known):
                return False
        elif expr.kind != "CreateArray" and any_inside([expr], _varies, known):
            return False
    return True


def _varies(expr: Expr) -> bool | None:
    """Whether the value of an expression may differ from row to row."""
    return True if expr.kind in _REFERENCES or expr.plans else None


def _explode(generator: Expr, count: int, evaluate: Callable[[Expr], Column]) -> list[Leaves]:
    """The elements of an array, or the keys and values of a map; before them, for posexplode, where they stood."""
    leaves = evaluate(generator.expr("child")).leaves
    is_map = count == len(_POSITION[generator.kind]) + 2
    shapes = [pick(leaves, KEY), pick(leaves, VALUE)] if is_map else [pick(leaves, ELEMENT)]
    return [*_POSITION[generator.kind], *shapes]


def _inline(generator: Expr, count: int, evaluate: Callable[[Expr], Column]) -> list[Leaves]:
    """The fields of the structs in an array."""
    array = evaluate(generator.expr("child"))
    struct = Column(pick(array.leaves, ELEMENT), array.text)
    return [field(struct, place) for place in range(count)]


def _stack(generator: Expr, count: int, evaluate: Callable[[Expr], Column]) -> list[Leaves]:
    """Its arguments in rows: a column is every `count`-th of them."""
    values = [evaluate(child).leaves for child in generator.children[1:]]
    return [merge_leaves(values[place::count]) for place in range(count)]


def _outer(generator: Expr, count: int, evaluate: Callable[[Expr], Column]) -> list[Leaves]:
    return generated(generator.children[0], count, evaluate)


_FIXED = frozenset({"JsonTuple", "Stack"})
_OF_ARRAYS_AND_MAPS = frozenset({"Explode", "Inline", "PosExplode"})
# These change the elements of their first argument, or their order, but not their number.
_SAME_LENGTH = frozenset({
    "Alias", "ArrayAppend", "ArrayPrepend", "ArraySort", "ArrayTransform", "Cast", "MapEntries", "MapKeys", "MapValues",
    "Reverse", "Shuffle", "SortArray", "TransformValues",
})  # fmt: skip
# As long as all arrays in these fields together, or as the longest of them.
_LENGTH_OF_ALL = {"ArraysZip": "children", "Concat": "children"}
# Their other arguments say how many elements there are.
_LENGTH_BY_CONSTANTS = frozenset({"ArrayRepeat", "Slice"})
_REFERENCES = frozenset({
    "AttributeReference", "CommonExpressionRef", "NamedLambdaVariable", "OuterReference", "PosParameter",
    "VariableReference", "unread",
})  # fmt: skip

_POSITION: dict[str, list[Leaves]] = {"Explode": [], "PosExplode": [whole(NOTHING)]}

RULES: dict[str, Callable[[Expr, int, Callable[[Expr], Column]], list[Leaves]]] = {
    "Explode": _explode,
    "GeneratorOuter": _outer,
    "Inline": _inline,
    "PosExplode": _explode,
    "Stack": _stack,
}
