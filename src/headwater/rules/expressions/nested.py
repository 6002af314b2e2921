"""Nested values: structs, arrays and maps, built, opened and rearranged, leaf by leaf.

A function without a rule here takes the whole of its arguments, which is sound.
"""

from __future__ import annotations

from collections.abc import Iterable

from headwater.rules.expressions import text
from headwater.rules.expressions.scope import Columns, Rule
from headwater.rules.expressions.shapes import (
    compared,
    field,
    influence_of,
    influenced,
    merge_leaves,
    nest,
    pick,
    settled_leaves,
    sized,
    stepped,
    whole,
)
from headwater.rules.plan.sources import How, Leaves, Sources, merge, through
from headwater.rules.plan.tree import Expr, NotAsExpected
from headwater.rules.plan.types import ELEMENT, KEY, VALUE, kind

# --- structs ---------------------------------------------------------------------------------------------------------


def _named_struct(node: Expr, of: Columns) -> Leaves:
    """struct(a, b), named_struct('x', a, …): its fields are what went in."""
    values = node.arguments[1::2]
    return merge_leaves(nest(settled_leaves(of(value)), place) for place, value in enumerate(values))


def _get_struct_field(node: Expr, of: Columns) -> Leaves:
    return field(of(node.expr("child")), place_of(node))


def _get_array_struct_fields(node: Expr, of: Columns) -> Leaves:
    """items.price over an array of structs: an array of the prices."""
    return nest(pick(of(node.expr("child")).leaves, ELEMENT, place_of(node)), ELEMENT)


def place_of(node: Expr) -> int:
    """Which field of a struct is taken."""
    ordinal = node.args.get("ordinal")
    if not isinstance(ordinal, int):
        raise NotAsExpected(node.kind, "ordinal")
    return ordinal


def _update_fields(node: Expr, of: Columns) -> Leaves:
    """For withField and dropFields: each field of the result is one of the struct, or a new value.

    The reader says which, by the session's settings for comparing names. Where the struct is null so is the result: a
    struct that may be null decides about every new value.
    """
    struct, operations, origins = node.expr("structExpr"), node.exprs("fieldOps"), node.args.get("made")
    if not isinstance(origins, str):
        raise NotAsExpected(node.kind, "made")
    first = node.__dict__[_FIRST] = struct.__dict__.get(_FIRST, struct)  # of withField on withField on …
    # A struct that is built on the spot is never null.
    decides = [] if first.kind == "CreateNamedStruct" else [influence_of(of(first))]
    shapes = []
    for place, origin in enumerate(origins.split()):
        if origin.startswith("+"):
            leaves = influenced(settled_leaves(of(operations[int(origin)].expr("valExpr"))), *decides)
        else:
            leaves = field(of(struct), int(origin))
        shapes.append(nest(leaves, place))
    return merge_leaves(shapes)


# Where an updated struct keeps the first one: looking for it at every step would take a step for each.
_FIRST = "made_from"


# --- arrays and maps -------------------------------------------------------------------------------------------------


def _array(node: Expr, of: Columns) -> Leaves:
    return nest(merge_leaves(settled_leaves(of(child)) for child in node.arguments), ELEMENT)


def _map(node: Expr, of: Columns) -> Leaves:
    keys = merge_leaves(settled_leaves(of(child)) for child in node.arguments[0::2])
    values = merge_leaves(settled_leaves(of(child)) for child in node.arguments[1::2])
    return merge_leaves([nest(keys, KEY), nest(values, VALUE)])


def _map_from_arrays(node: Expr, of: Columns) -> Leaves:
    keys, values = (pick(of(node.expr(side)).leaves, ELEMENT) for side in ("left", "right"))
    return merge_leaves([nest(keys, KEY), nest(values, VALUE)])


def _map_from_entries(node: Expr, of: Columns) -> Leaves:
    """An array of pairs: the first field is the key."""
    entries = of(node.expr("child")).leaves
    return merge_leaves([nest(pick(entries, ELEMENT, 0), KEY), nest(pick(entries, ELEMENT, 1), VALUE)])


def _item(node: Expr, of: Columns) -> Leaves:
    """An element by its index, a value by its key: the index or key decides."""
    container, place = node.arguments[:2]
    leaves = of(container).leaves
    if _is_map(node, leaves):
        return influenced(pick(leaves, VALUE), influence_of(of(place)), _keys(leaves, text.bare(of(place).text)))
    return influenced(pick(leaves, ELEMENT), influence_of(of(place)))


def _is_map(node: Expr, leaves: Leaves) -> bool:
    return kind(node.type) == "map" or any(path[:1] in {(KEY,), (VALUE,)} for path in leaves)


def _keys(leaves: Leaves, label: str) -> Sources:
    keys = [sources for path, sources in leaves.items() if path[:1] == (KEY,)]
    return through(merge(keys), How.CONDITIONAL, text=label)


def _map_keys(node: Expr, of: Columns) -> Leaves:
    return stepped(nest(pick(of(node.arguments[0]).leaves, KEY), ELEMENT), How.TRANSFORMATION)


def _map_values(node: Expr, of: Columns) -> Leaves:
    return stepped(nest(pick(of(node.arguments[0]).leaves, VALUE), ELEMENT), How.TRANSFORMATION)


def _map_entries(node: Expr, of: Columns) -> Leaves:
    leaves = of(node.arguments[0]).leaves
    entry = merge_leaves([nest(pick(leaves, KEY), 0), nest(pick(leaves, VALUE), 1)])
    return stepped(nest(entry, ELEMENT), How.TRANSFORMATION)


def _arrays_zip(node: Expr, of: Columns) -> Leaves:
    """An array of structs with a field for each array, as long as the longest."""
    arrays = [of(child) for child in node.exprs("children")]
    fields = (nest(pick(array.leaves, ELEMENT), ELEMENT, place) for place, array in enumerate(arrays))
    return stepped(merge_leaves(sized(field, *arrays) for field in fields), How.TRANSFORMATION)


def _flatten(node: Expr, of: Columns) -> Leaves:
    return stepped(nest(pick(of(node.arguments[0]).leaves, ELEMENT, ELEMENT), ELEMENT), How.TRANSFORMATION)


def _first_rearranged(node: Expr, of: Columns) -> Leaves:
    """The first argument's elements, in another order or number; the other arguments decide which."""
    first, *others = node.arguments
    return influenced(stepped(of(first).leaves, How.TRANSFORMATION), *_all_decide(of, others))


def _first_compared(node: Expr, of: Columns) -> Leaves:
    """For array_distinct and sort_array: which elements there are, and in which order, is decided by comparing them."""
    written = text.write(node, [of(child).text for child in node.arguments])
    return compared(_first_rearranged(node, of), of(node.arguments[0]).sources, written)


def _first_with_elements(node: Expr, of: Columns) -> Leaves:
    """The first argument's elements, and one more."""
    first, *others = node.arguments
    added = (nest(of(other).leaves, ELEMENT) for other in others[-1:])
    shape = stepped(merge_leaves([of(first).leaves, *added]), How.TRANSFORMATION)
    return influenced(shape, *_all_decide(of, others[:-1]))


def _all_rearranged(node: Expr, of: Columns) -> Leaves:
    """Several arrays or maps made one."""
    return stepped(merge_leaves(of(child).leaves for child in node.arguments), How.TRANSFORMATION)


def _compared_arrays(node: Expr, of: Columns) -> Leaves:
    """For array_intersect and array_except: the first's elements, by whether the second has them."""
    first, second = node.arguments[:2]
    shape = compared(stepped(of(first).leaves, How.TRANSFORMATION), of(first).sources, of(first).text)
    return influenced(shape, influence_of(of(second)))


def _repeated(node: Expr, of: Columns) -> Leaves:
    first, times = node.arguments[:2]
    return influenced(stepped(nest(of(first).leaves, ELEMENT), How.TRANSFORMATION), influence_of(of(times)))


def _concat(node: Expr, of: Columns) -> Leaves:
    """Strings, or arrays, of which the elements stay elements."""
    if any(path[:1] == (ELEMENT,) for child in node.arguments for path in of(child).leaves):
        return _all_rearranged(node, of)
    return whole(merge(through(of(child).sources, How.TRANSFORMATION) for child in node.arguments))


def _all_decide(of: Columns, exprs: Iterable[Expr]) -> list[Sources]:
    return [influence_of(of(expr)) for expr in exprs]


# --- aggregates that keep values as they are -------------------------------------------------------------------------


def _collected(node: Expr, of: Columns) -> Leaves:
    return nest(of(node.arguments[0]).leaves, ELEMENT)


def _collected_set(node: Expr, of: Columns) -> Leaves:
    column = of(node.arguments[0])
    return compared(_collected(node, of), column.sources, column.text)


def _united_arrays(node: Expr, of: Columns) -> Leaves:
    leaves = _all_rearranged(node, of)
    return compared(leaves, merge(leaves.values()), node.name)


def _same_value(node: Expr, of: Columns) -> Leaves:
    return of(node.arguments[0]).leaves


def _most_frequent(node: Expr, of: Columns) -> Leaves:
    column = of(node.arguments[0])
    return compared(column.leaves, column.sources, column.text)


def _from_another_row(node: Expr, of: Columns) -> Leaves:
    """For lag and lead: a value as it is, or the default; they go by position, and the offset is a constant."""
    value, _, default = node.arguments[:3]
    return merge_leaves([of(value).leaves, of(default).leaves])


def _by_another(node: Expr, of: Columns) -> Leaves:
    """For max_by and min_by: a value as it is, from the row that another one decides."""
    value, ordering = node.arguments[:2]
    influence = through(of(ordering).sources, How.TRANSFORMATION)
    return {path: merge([sources, influence]) for path, sources in of(value).leaves.items()}


RULES: dict[str, Rule] = {
    "AnyValue": _same_value,
    "ArrayAppend": _first_with_elements,
    "ArrayCompact": _first_rearranged,
    "ArrayDistinct": _first_compared,
    "ArrayExcept": _compared_arrays,
    "ArrayInsert": _first_with_elements,
    "ArrayIntersect": _compared_arrays,
    "ArrayPrepend": _first_with_elements,
    "ArrayRemove": _first_compared,
    "ArrayRepeat": _repeated,
    "ArrayUnion": _united_arrays,
    "ArraysZip": _arrays_zip,
    "CollectList": _collected,
    "CollectSet": _collected_set,
    "Concat": _concat,
    "CreateArray": _array,
    "CreateMap": _map,
    "CreateNamedStruct": _named_struct,
    "ElementAt": _item,
    "First": _same_value,
    "Flatten": _flatten,
    "GetArrayItem": _item,
    "GetArrayStructFields": _get_array_struct_fields,
    "GetMapValue": _item,
    "GetStructField": _get_struct_field,
    "Lag": _from_another_row,
    "Last": _same_value,
    "Lead": _from_another_row,
    "MapConcat": _all_rearranged,
    "MaxBy": _by_another,
    "MinBy": _by_another,
    "MapEntries": _map_entries,
    "MapFromArrays": _map_from_arrays,
    "MapFromEntries": _map_from_entries,
    "MapKeys": _map_keys,
    "MapValues": _map_values,
    "Mode": _most_frequent,
    "NthValue": _same_value,
    "Reverse": _first_rearranged,
    "Shuffle": _first_rearranged,
    "Slice": _first_rearranged,
    "SortArray": _first_compared,
    "UpdateFields": _update_fields,
}
