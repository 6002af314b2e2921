"""Upstream and downstream of a column: breadth first, a level at a time, each column visited once."""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable

from headwater.graph.answer import Answer, Direction, Edge, FieldName, Node, Transformation
from headwater.graph.steps import Hop, Steps
from headwater.graph.summary import summarise
from headwater.store.derive import FOREVER
from headwater.store.mappings import ROWS

_LAST_RUN = """
SELECT run.uuid FROM version JOIN run ON run.id = version.run
WHERE version.dataset = ? AND version.job = ? AND version.us <= ? ORDER BY version.us DESC, version.stamp DESC LIMIT 1
"""


def traverse(  # noqa: PLR0913  the parts of a question
    connection: sqlite3.Connection,
    field: int,
    direction: Direction,
    *,
    depth: int | None = None,
    direct: bool = False,
    as_of: int | None = None,
) -> Answer:
    """Follow the edges in force from one column.

    Args:
        connection: a connection to read the store.
        field: the key of the column.
        direction: towards the sources, or away from them.
        depth: how many edges to follow at most; None for all.
        direct: leave out what only decides on rows or conditions (INDIRECT).
        as_of: the moment to look at, in microseconds UTC; None for now.
    """
    steps = Steps(connection, as_of=as_of, direct=direct)
    step = steps.up if direction is Direction.UPSTREAM else steps.down
    distances = {field: 0}
    hops: list[Hop] = []
    level, frontier = 0, {field}
    while frontier and (depth is None or level < depth):
        level += 1
        found, reached = step(frontier)
        hops += found
        frontier = reached - distances.keys()
        distances.update(dict.fromkeys(frontier, level))
    fields = _fields(connection, distances)
    edges = _edges(connection, as_of, {key: name for key, (name, _) in fields.items()}, hops)
    start = fields[field][0]
    summaries = summarise(start, [name for name, _ in fields.values()], edges, direction)
    nodes = [
        Node(name, kind, distances[key], summaries[name].kind, summaries[name].masked)
        for key, (name, kind) in fields.items()
    ]
    nodes.sort(key=lambda node: (node.distance, node.field))
    return Answer(direction, start, as_of, tuple(nodes), edges)


def _fields(connection: sqlite3.Connection, keys: Iterable[int]) -> dict[int, tuple[FieldName, str]]:
    rows = connection.execute(
        "SELECT field.id, dataset.namespace, dataset.name, field.path, field.type FROM json_each(?) node"
        " CROSS JOIN field ON field.id = node.value CROSS JOIN dataset ON dataset.id = field.dataset",
        (json.dumps(sorted(keys)),),
    )
    return {key: (FieldName(namespace, name, path), kind) for key, namespace, name, path, kind in rows}


def _edges(
    connection: sqlite3.Connection, as_of: int | None, fields: dict[int, FieldName], hops: Iterable[Hop]
) -> tuple[Edge, ...]:
    grouped: dict[tuple[int, int, int, int], set[Transformation]] = defaultdict(set)
    for hop in hops:
        grouped[hop.origin, hop.destination, hop.dataset, hop.job].add(hop.transformation)
    datasets = _names(connection, "dataset", {key[2] for key in grouped})
    jobs = _names(connection, "job", {key[3] for key in grouped})
    until = FOREVER if as_of is None else as_of
    runs = {
        slot: str(connection.execute(_LAST_RUN, (*slot, until)).fetchone()[0])
        for slot in {(dataset, job) for _, _, dataset, job in grouped}
    }
    edges = [
        Edge(
            origin=fields[origin],
            destination=FieldName(*datasets[dataset], None) if destination == ROWS else fields[destination],
            transformations=tuple(sorted(steps, key=_place)),
            job=jobs[job],
            run=runs[dataset, job],
        )
        for (origin, destination, dataset, job), steps in grouped.items()
    ]
    edges.sort(key=lambda edge: (_sortable(edge.destination), _sortable(edge.origin), edge.job))
    return tuple(edges)


def _names(connection: sqlite3.Connection, table: str, keys: Iterable[int]) -> dict[int, tuple[str, str]]:
    statement = f"SELECT id, namespace, name FROM {table} WHERE id IN (SELECT value FROM json_each(?))"  # noqa: S608  our own words
    return {
        key: (namespace, name) for key, namespace, name in connection.execute(statement, (json.dumps(sorted(keys)),))
    }


def _place(step: Transformation) -> tuple[int, str, bool, str]:
    return step.kind, step.subtype, step.masking, step.description


def _sortable(name: FieldName) -> tuple[str, str, bool, str]:
    return name.namespace, name.name, name.field is not None, name.field or ""
