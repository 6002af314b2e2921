"""Generators: one row becomes several. One rule per generator, found by the name of Spark's class."""

from __future__ import annotations

from collections.abc import Callable

from headwater.rules.model import NOTHING, Column, How, Leaves, merge, through
from headwater.rules.shapes import field, pick, together, whole
from headwater.rules.tree import Expr
from headwater.rules.types import ELEMENT, KEY, VALUE


def generated(generator: Expr, count: int, evaluate: Callable[[Expr], Column]) -> list[Leaves]:
    """What a generator's columns take, by position; what has no rule gives all of its arguments to each."""
    rule = RULES.get(generator.kind)
    found = None if rule is None else rule(generator, count, evaluate)
    if found is None or len(found) != count:
        arguments = merge(through(evaluate(child).sources, How.TRANSFORMATION) for child in generator.children)
        found = [whole(arguments)] * count
    return found


def has_fixed_rows(generator: Expr) -> bool:
    """Whether a generator gives as many rows whatever the values are: then its arguments decide nothing about them.

    `stack(2, …)` always gives two, `json_tuple` always one, `explode(array(a, b))` one for each element that is
    written there. A map may have fewer entries than were written, where keys are equal.
    """
    while generator.kind == "GeneratorOuter":
        generator = generator.children[0]
    if generator.kind in _ARRAY_GENERATORS:
        return _has_fixed_length(generator.expr("child"))
    return generator.kind in _FIXED


def _has_fixed_length(array: Expr) -> bool:
    """Whether an array has as many elements whatever the values are, and is never null."""
    while array.kind in _SAME_LENGTH:
        array = array.children[0]
    return array.kind == "CreateArray"


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
    """Its arguments in rows: a column is every so many of them."""
    values = [evaluate(child).leaves for child in generator.children[1:]]
    return [together(values[place::count]) for place in range(count)]


def _outer(generator: Expr, count: int, evaluate: Callable[[Expr], Column]) -> list[Leaves]:
    return generated(generator.children[0], count, evaluate)


_FIXED = frozenset({"JsonTuple", "Stack"})
_ARRAY_GENERATORS = frozenset({"Explode", "Inline", "PosExplode"})
# They change the elements of their first argument or the order of them, and not how many there are.
_SAME_LENGTH = frozenset({"ArraySort", "ArrayTransform", "Cast", "Reverse", "Shuffle", "SortArray"})

_POSITION: dict[str, list[Leaves]] = {"Explode": [], "PosExplode": [whole(NOTHING)]}

RULES: dict[str, Callable[[Expr, int, Callable[[Expr], Column]], list[Leaves]]] = {
    "Explode": _explode,
    "GeneratorOuter": _outer,
    "Inline": _inline,
    "PosExplode": _explode,
    "Stack": _stack,
}
