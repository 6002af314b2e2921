"""Asking a store about a column, by name."""

from headwater.graph.answer import Answer, Direction
from headwater.graph.names import resolve_column, resolve_dataset
from headwater.graph.traverse import traverse
from headwater.store import Store


def ask(  # noqa: PLR0913  the parts of a question
    store: Store,
    direction: Direction,
    dataset: str,
    column: str,
    *,
    depth: int | None = None,
    direct: bool = False,
    as_of: int | None = None,
) -> Answer:
    """Where a column comes from, or what it reaches.

    Args:
        store: the store to ask.
        direction: UPSTREAM or DOWNSTREAM.
        dataset: `namespace/name`, or any end of the name that no other dataset has.
        column: the column's path; upper and lower case matter only where two columns differ in nothing else.
        depth: how many edges to follow at most; None for all.
        direct: leave out what only decides on rows or conditions (INDIRECT).
        as_of: the moment to look at, in microseconds UTC; None for now.

    Raises:
        UnknownName: nothing has that name; carries the nearest.
        AmbiguousName: several have it; carries them.
        StoreError: the store cannot be read.
    """
    with store.read() as connection:
        found = resolve_dataset(connection, dataset)
        field = resolve_column(connection, found, column)
        return traverse(connection, field, direction, depth=depth, direct=direct, as_of=as_of)
