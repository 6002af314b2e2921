"""One step up or down from a set of columns: the statements, each for the whole set.

Every statement starts from the columns at hand and goes by index from there, so its cost is that of what it finds.
"""

import json
import sqlite3
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from headwater.graph.answer import Transformation
from headwater.paths import ancestors
from headwater.store.derive import FOREVER
from headwater.store.mappings import ROWS

# CROSS JOIN keeps SQLite to the order written here.
_UP = """
SELECT edge.in_field, json_extract(pair.value, '$[0]'), slot.dataset, slot.job,
       edge.type, edge.subtype, edge.masking, edge.description
FROM json_each(:pairs) pair
CROSS JOIN field ON field.id = json_extract(pair.value, '$[1]')
CROSS JOIN slot ON slot.dataset = field.dataset AND slot.until_us > :at AND slot.from_us <= :at
CROSS JOIN edge ON edge.mapping = slot.mapping AND edge.out_field = field.id
WHERE edge.type = 'DIRECT' OR :indirect
"""
_ROWS_UP = """
SELECT edge.in_field, :rows, slot.dataset, slot.job, edge.type, edge.subtype, edge.masking, edge.description
FROM json_each(:datasets) dataset
CROSS JOIN slot ON slot.dataset = dataset.value AND slot.until_us > :at AND slot.from_us <= :at
CROSS JOIN edge ON edge.mapping = slot.mapping AND edge.out_field = :rows
WHERE edge.type = 'DIRECT' OR :indirect
"""
_DOWN = """
SELECT json_extract(pair.value, '$[0]'), edge.out_field, slot.dataset, slot.job,
       edge.type, edge.subtype, edge.masking, edge.description
FROM json_each(:pairs) pair
CROSS JOIN edge ON edge.in_field = json_extract(pair.value, '$[1]')
CROSS JOIN slot ON slot.mapping = edge.mapping AND slot.until_us > :at AND slot.from_us <= :at
WHERE edge.type = 'DIRECT' OR :indirect
"""
_COLUMNS = "SELECT id, dataset, path FROM field WHERE id IN (SELECT value FROM json_each(?))"
_INSIDE = """
SELECT struct.id, inside.id
FROM json_each(?) node
CROSS JOIN field struct ON struct.id = node.value
CROSS JOIN field inside ON inside.dataset = struct.dataset
    AND inside.path > struct.path || '.' AND inside.path < struct.path || '/'
"""
_AROUND = """
SELECT json_extract(node.value, '$[0]'), field.id
FROM json_each(?) node
CROSS JOIN field ON field.dataset = json_extract(node.value, '$[1]') AND field.path = json_extract(node.value, '$[2]')
"""
# The columns of the last schema, and those that what is in force writes.
_ALL_COLUMNS = """
SELECT id, path FROM field WHERE dataset = :dataset AND position IS NOT NULL
UNION
SELECT field.id, field.path
FROM slot
CROSS JOIN edge ON edge.mapping = slot.mapping AND edge.out_field <> :rows
CROSS JOIN field ON field.id = edge.out_field
WHERE slot.dataset = :dataset AND slot.until_us > :at AND slot.from_us <= :at
"""


@dataclass(frozen=True, slots=True)
class Hop:
    """An edge by keys; `destination` is ROWS where the origin decides on the rows of `dataset`."""

    origin: int
    destination: int
    dataset: int
    job: int
    transformation: Transformation


class Steps:
    """Steps at one moment of the history."""

    def __init__(self, connection: sqlite3.Connection, *, as_of: int | None, direct: bool) -> None:
        self._connection = connection
        self._moment = {
            "at": FOREVER - 1 if as_of is None else as_of,  # now is the last moment there is
            "indirect": not direct,
            "rows": ROWS,
        }
        self._rows_read: set[int] = set()
        self._columns: dict[int, list[int]] = {}

    def up(self, nodes: Collection[int]) -> tuple[list[Hop], set[int]]:
        """The edges into these columns and, once for each dataset, into its rows; and the columns they come from."""
        datasets = {dataset for _, dataset, _ in self._known(nodes)} - self._rows_read
        self._rows_read |= datasets
        hops = [*self._hops(_UP, pairs=self._matches(nodes)), *self._hops(_ROWS_UP, datasets=sorted(datasets))]
        return hops, {hop.origin for hop in hops}

    def down(self, nodes: Collection[int]) -> tuple[list[Hop], set[int]]:
        """The edges out of these columns, and the columns they reach: all of a dataset where they reach its rows."""
        hops = list(self._hops(_DOWN, pairs=self._matches(nodes)))
        reached = {hop.destination for hop in hops} - {ROWS}
        for dataset in {hop.dataset for hop in hops if hop.destination == ROWS}:
            reached.update(self._columns_of(dataset))
        return hops, reached

    def _hops(self, statement: str, **lists: object) -> Iterator[Hop]:
        values = {**self._moment, **{name: json.dumps(items) for name, items in lists.items()}}
        for origin, destination, dataset, job, kind, subtype, masking, description in self._connection.execute(
            statement, values
        ):
            step = Transformation(kind, subtype, bool(masking), description)
            yield Hop(origin, destination, dataset, job, step)

    def _known(self, nodes: Collection[int]) -> list[tuple[int, int, str]]:
        return self._connection.execute(_COLUMNS, (json.dumps(sorted(nodes)),)).fetchall()

    def _matches(self, nodes: Collection[int]) -> list[tuple[int, int]]:
        """Pairs of a column and one that matches it: itself, the structs around it, the fields inside it."""
        around = [(node, dataset, path) for node, dataset, inner in self._known(nodes) for path in ancestors(inner)]
        pairs = [(node, node) for node in sorted(nodes)]
        pairs += self._connection.execute(_INSIDE, (json.dumps(sorted(nodes)),)).fetchall()
        if around:
            pairs += self._connection.execute(_AROUND, (json.dumps(around),)).fetchall()
        return pairs

    def _columns_of(self, dataset: int) -> list[int]:
        if dataset not in self._columns:
            rows = self._connection.execute(_ALL_COLUMNS, {**self._moment, "dataset": dataset}).fetchall()
            # A struct is there by its fields.
            structs = {outer for _, path in rows for outer in ancestors(path)}
            self._columns[dataset] = [key for key, path in rows if path not in structs]
        return self._columns[dataset]
