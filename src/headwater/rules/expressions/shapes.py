"""Nested values: picking a part of a column, merging columns, leaf by leaf.

The fields of a struct are known by their places, as Spark has them: where it puts two values together (UNION, CASE,
an array, an INSERT) it goes by position, and the names may differ. `named` writes them in the names of a type, once a
value stands in its column.

>>> from headwater.rules.plan.sources import Mark, SourceField
>>> from headwater.rules.plan.tree import Dataset
>>> x = {SourceField(Dataset(table=("t",)), "s.x"): frozenset({Mark(How.IDENTITY)})}
>>> pick({(0,): x, (1,): {}}, 0) == {(): x}
True
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from headwater.common.masking import Masking
from headwater.rules.expressions.text import bare
from headwater.rules.plan.budget import spend
from headwater.rules.plan.sources import NOTHING, Column, How, Leaves, Sources, merge, settle, through
from headwater.rules.plan.tree import NotAsExpected
from headwater.rules.plan.types import DataType, Names, Path, everywhere, kind, same, steps


def whole(sources: Sources) -> Leaves:
    """The leaves of a value that is computed at once."""
    return {(): sources}


def pick(leaves: Leaves, *path: int | str) -> Leaves:
    """What is inside at a path; what holds for the whole holds for the part.

    A value without sources has leaves, too, and they are empty. A path that does not exist raises, and the caller
    becomes opaque.
    """
    gathered: dict[Path, list[Sources]] = {}
    spend(len(leaves))
    for own, sources in leaves.items():
        if own[: len(path)] == path:
            inner = own[len(path) :]
        elif path[: len(own)] == own:
            inner = ()
        else:
            continue
        gathered.setdefault(inner, []).append(sources)
    if not gathered:
        raise NotAsExpected("value", ".".join(map(str, path)))
    return {inner: merge(parts) for inner, parts in gathered.items()}


def field(column: Column, place: int) -> Leaves:
    """A field of a struct. A struct is opened once: `s.*` takes all of a thousand fields, one by one."""
    opened: Mapping[int | str, Leaves] | None = column.__dict__.get("opened")
    if opened is None:
        opened = column.__dict__["opened"] = _opened(column.leaves)
    return opened[place] if place in opened else pick(column.leaves, place)


def _opened(leaves: Leaves) -> Mapping[int | str, Leaves]:
    """The leaves by their first step, unless something holds for the whole."""
    opened: dict[int | str, dict[Path, Sources]] = {}
    spend(len(leaves))
    for path, sources in leaves.items() if () not in leaves else ():
        opened.setdefault(path[0], {})[path[1:]] = sources
    return opened


def nest(leaves: Leaves, *path: int | str) -> Leaves:
    """The leaves as those of a part, at a path of something larger."""
    spend(len(leaves))
    return {(*path, *own): sources for own, sources in leaves.items()}


def merge_leaves(shapes: Iterable[Leaves]) -> Leaves:
    """The union of several shapes, leaf by leaf; a value without sources (a null, a literal) does not shape it."""
    gathered: dict[Path, list[Sources]] = {}
    for leaves in shapes:
        spend(len(leaves))
        for path, sources in leaves.items():
            gathered.setdefault(path, []).append(sources)
    merged = {path: merge(parts) for path, parts in gathered.items()}
    if len(merged) > 1 and not merged.get((), True):
        del merged[()]
    return merged or {(): NOTHING}


def settled_leaves(column: Column) -> Leaves:
    """The leaves with the column's own expression; that of the whole would name its neighbours, too."""
    text = bare(column.text)
    spend(len(column.leaves))
    return {path: settle(sources, text) for path, sources in column.leaves.items()}


def stepped(leaves: Leaves, how: How, *, masking: Masking = Masking.NONE) -> Leaves:
    """The leaves after a step on each of them."""
    return {path: through(sources, how, masking=masking) for path, sources in leaves.items()}


def influence_of(column: Column, how: How = How.CONDITIONAL) -> Sources:
    """The sources of a column whose value decides about something, with its expression as their text."""
    return through(column.sources, how, text=bare(column.text))


def influenced(leaves: Leaves, *influences: Sources) -> Leaves:
    """The leaves with influences on all of them."""
    influence = merge(influences)
    return {path: merge([sources, influence]) for path, sources in leaves.items()} if influence else leaves


def sized(leaves: Leaves, *containers: Column) -> Leaves:
    """The leaves of an array or map that has as many elements as others have.

    A leaf that takes something from the others' elements says so already; else their number is an influence.
    """
    counted = {}
    for path, sources in leaves.items():
        lengths = [
            through(container.sources, How.CONDITIONAL, text=container.text)
            for container in containers
            if not any(source in sources for source in container.sources)
        ]
        counted[path] = merge([sources, *lengths])
    return counted


def compared(leaves: Leaves, by: Sources, text: str) -> Leaves:
    """The leaves of elements that are chosen or ordered by comparison: whatever else is compared decides."""
    deciding = through(by, How.CONDITIONAL, text=text)
    return {
        path: merge([sources, {source: marks for source, marks in deciding.items() if source not in sources}])
        for path, sources in leaves.items()
    }


def cast(leaves: Leaves, type_from: DataType | None, type_to: DataType | None) -> Leaves:
    """The leaves as those of another type: leaf by leaf where both have the same parts, which go by position.

    A leaf whose type stays the same is a copy.
    """
    if same(type_from, type_to):
        return leaves
    inside, target = steps(type_from), steps(type_to)
    if not inside or len(inside) != len(target) or kind(type_from) != kind(type_to):
        return whole(through(merge(leaves.values()), How.TRANSFORMATION))
    opened = _opened(leaves)
    return merge_leaves(
        nest(cast(opened[step] if step in opened else pick(leaves, step), inner, target_inner), step)
        for (step, _, inner), (_, _, target_inner) in zip(inside, target, strict=True)
    )


def named(leaves: Leaves, type_: DataType | None) -> dict[Names, Sources]:
    """The leaves in the names that a type has for them.

    A path that the type does not have counts for what it is inside of; two fields of one name are merged.
    """
    if len(leaves) == 1 and () in leaves:
        return {(): leaves[()]}
    known = {path: names for path, names, _ in everywhere(type_)}
    spend(len(leaves))
    gathered: dict[Names, list[Sources]] = {}
    for path, sources in leaves.items():
        names = next(known[path[:length]] for length in range(len(path), -1, -1) if path[:length] in known)
        gathered.setdefault(names, []).append(sources)
    return {names: merge(parts) for names, parts in gathered.items()}
