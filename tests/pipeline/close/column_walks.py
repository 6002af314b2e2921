"""What close says, asked of the store column by column."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from headwater.query.graph.answer import Answer, Direction, Moment
from headwater.query.lineage.traversal import Walk, traverse
from headwater.store.entities.keys import dataset_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from headwater.store.db.session import Session


class Root(NamedTuple):
    """A root of a column, by names."""

    column: tuple[str, str, str]
    root: tuple[str, str, str]
    distance: int
    kind: str
    masked: bool


class Reach(NamedTuple):
    """What a column reaches."""

    column: tuple[str, str, str]
    roots: int
    columns: int
    datasets: int
    jobs: int
    orphan: bool


def asked(session: Session, fields: Iterable[int], as_of: int | None) -> tuple[set[Root], set[Reach]]:
    """The roots and the reach of columns, as `upstream` and `downstream` tell them."""
    roots: set[Root] = set()
    reached: set[Reach] = set()
    for field in fields:
        up, down = (_ask(session, field, direction, as_of) for direction in Direction)
        found = _roots(up)
        roots |= found
        columns = [node.field for node in down.nodes if node.distance]
        jobs = {edge.job for edge in down.edges} - {None}
        read = any(edge.origin == down.root != edge.destination for edge in down.edges)
        reached.add(
            Reach(
                _name(up),
                len(found),
                len(columns),
                len({column.table for column in columns}),
                len(jobs),
                orphan=not read,
            )
        )
    return roots, reached


def _ask(session: Session, field: int, direction: Direction, as_of: int | None) -> Answer:
    walk = Walk(direction, Moment.at(as_of), limit=1_000_000)
    return traverse(session, dataset_of(field), field, walk)


def _roots(up: Answer) -> set[Root]:
    """The columns of an answer that nothing leads to: neither to themselves nor to the rows that they are in."""
    made: defaultdict[object, bool] = defaultdict(bool)
    for edge in up.edges:
        # Copied rows lead to what counts them, and to no column that they are in.
        made[edge.destination] |= any(step.subtype != "COPIED_ROWS" for step in edge.transformations)
    return {
        Root(
            _name(up),
            (node.field.namespace, node.field.name, node.field.field or ""),
            node.distance,
            node.kind.name,
            node.masked,
        )
        for node in up.nodes
        if node.distance and not made[node.field] and not made[node.field.rows]
    }


def _name(answer: Answer) -> tuple[str, str, str]:
    return answer.root.namespace, answer.root.name, answer.root.field or ""
