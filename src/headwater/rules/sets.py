"""Set operations on relations: UNION, INTERSECT, EXCEPT, DISTINCT."""

from __future__ import annotations

from collections.abc import Sequence

from headwater.rules.expressions import text
from headwater.rules.expressions.shapes import merge_leaves
from headwater.rules.plan.sources import Column, Gathered, How, Output, Relation, Sources, merge, settle, through


def union(branches: Sequence[Relation]) -> Relation:
    """Union by position. Each branch has its own expressions, so their texts are settled here."""
    outputs = []
    for columns in zip(*(relation.outputs for relation in branches), strict=True):
        first = columns[0]
        shapes = (
            {path: settle(sources, branch.column.text) for path, sources in branch.column.leaves.items()}
            for branch in columns
        )
        outputs.append(Output(first.id, first.name, Column(merge_leaves(shapes), text.identifier(first.name))))
    return Relation.of(outputs, Gathered([relation.rows for relation in branches]))


def matched(left: Relation, right: Relation) -> Relation:
    """INTERSECT and EXCEPT: the left side's rows, by whether the right side has them. Whole rows are compared."""
    rows = Gathered([left.rows, right.rows, compared(left, How.FILTER), compared(right, How.FILTER)])
    return Relation(left.outputs, rows)


def compared(relation: Relation, how: How) -> Sources:
    """What whole rows are compared by: all their columns."""
    return merge(through(output.column.sources, how, text=output.name) for output in relation.outputs)


def same(left: Relation, right: Relation) -> bool:
    """Whether two relations have the same sources in the same ways."""
    return left.rows == right.rows and all(
        a.column.leaves == b.column.leaves for a, b in zip(left.outputs, right.outputs, strict=True)
    )
