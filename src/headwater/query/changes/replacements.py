"""Datasets and columns that go on under another name, as far as a difference shows it; pure.

A landing file of another day is one: `orders/2026-11-14.csv`, then `orders/2026-11-15.csv`. A column that a job writes
just as it wrote another, which is gone, is probably that one, renamed.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeVar

from headwater.common.groups import lists_by_key
from headwater.query.graph.answer import Edge, FieldName, TableName, Transformation

T = TypeVar("T")
# A rename may show only once another is known; chains of more are left as they are.
_ROUNDS = 10
_DATE = re.compile(
    r"(?<!\d)(?:19|20)\d\d(?P<separator>[-_/.]?)(?:0[1-9]|1[0-2])(?P=separator)(?:0[1-9]|[12]\d|3[01])"
    r"(?:[T_ -]?[0-2]\d(?:[-_:]?[0-5]\d){0,2}Z?)?(?!\d)"
    r"|year=\d{4}/month=\d\d?/day=\d\d?"
)


class ReplacedBy(Enum):
    """What a name stands for that replaces another."""

    OTHER_DATE = "other date"
    """The same file or table, of another day."""
    PROBABLE_RENAME = "probable rename"
    """Probably the same column: nothing says so, but it is written or read just as the other was."""


@dataclass(frozen=True, slots=True)
class Replacement:
    """A dataset (a name without a field) or a column, and the one that took its place."""

    by: ReplacedBy
    before: FieldName
    after: FieldName


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a difference: the columns and the edges that the other side has not, and all its datasets."""

    columns: Collection[FieldName]
    edges: Collection[Edge]
    tables: Collection[TableName]


def without_dates(text: str) -> str:
    """A text with a mark in place of each date, so that those of two days are equal.

    >>> without_dates("/landing/orders/2026-11-14.csv"), without_dates("events_20261114T0930.json")
    ('/landing/orders/{date}.csv', 'events_{date}.json')
    """
    return _DATE.sub("{date}", text)


def replacements(before: Side, after: Side) -> tuple[Replacement, ...]:
    """What probably took the place of what, files of another day first."""
    files = _other_dates(before, after)
    renaming = Renaming(files)
    columns: dict[FieldName, FieldName] = {}
    for _ in range(_ROUNDS):
        found = _renamed(before, after, renaming)
        if not found:
            break
        columns |= found
        renaming = Renaming(files, columns)
    return (
        *(
            Replacement(ReplacedBy.OTHER_DATE, FieldName(*_pair(old), None), FieldName(*_pair(new), None))
            for old, new in sorted(files.items())
        ),
        *(Replacement(ReplacedBy.PROBABLE_RENAME, old, new) for old, new in sorted(columns.items())),
    )


class Renaming:
    """Names before as they are after."""

    def __init__(
        self, tables: Mapping[TableName, TableName], columns: Mapping[FieldName, FieldName] | None = None
    ) -> None:
        self._tables = tables
        self._columns = columns or {}

    @staticmethod
    def of(replaced: Iterable[Replacement]) -> "Renaming":
        """What replacements do to names."""
        listed = list(replaced)
        return Renaming(
            {item.before.table: item.after.table for item in listed if item.before.field is None},
            {item.before: item.after for item in listed if item.before.field is not None},
        )

    def name(self, name: FieldName) -> FieldName:
        """A column, or a dataset's rows, by its later name."""
        if name in self._columns:
            return self._columns[name]
        table = self._tables.get(name.table)
        return name if table is None else replace(name, namespace=table.namespace, name=table.name)

    def edge(self, edge: Edge) -> Edge:
        """An edge by the later names of its ends, also in its expression."""
        origin, destination = self.name(edge.origin), self.name(edge.destination)
        if (origin, destination) == (edge.origin, edge.destination):
            return edge
        steps = edge.transformations
        if edge.origin.field and origin.field and origin.field != edge.origin.field:
            steps = tuple(_respelled(step, edge.origin.field, origin.field) for step in steps)
        return replace(edge, origin=origin, destination=destination, transformations=steps)


def _respelled(step: Transformation, old: str, new: str) -> Transformation:
    """A step with another name in its text, where that is a whole word."""
    text, parts, done = step.description, list[str](), 0
    at = text.find(old)
    while at >= 0:
        end = at + len(old)
        if not (at and _is_word(text[at - 1])) and not _is_word(text[end : end + 1]):
            parts += (text[done:at], new)
            done = end
        at = text.find(old, end)
    return replace(step, description="".join((*parts, text[done:])))


def _is_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


def _other_dates(before: Side, after: Side) -> dict[TableName, TableName]:
    """Datasets that are gone, each with one that is new and differs in a date alone."""
    gone, new = (
        lists_by_key(
            (TableName(table.namespace, pattern), table)
            for table in sorted(set(one.tables) - set(other.tables))
            if (pattern := without_dates(table.name)) != table.name
        )
        for one, other in ((before, after), (after, before))
    )
    return {
        old: later for pattern, olds in gone.items() for old, later in zip(olds, new.get(pattern, ()), strict=False)
    }


def _renamed(before: Side, after: Side, renaming: Renaming) -> dict[FieldName, FieldName]:
    """Columns that are gone, each with the only new one of its dataset that is written or read in the same way."""
    there = set(after.columns)
    new = there - {renaming.name(name) for name in before.columns}
    gone = [name for name in before.columns if renaming.name(name) not in there]
    edges_before = [renaming.edge(edge) for edge in before.edges]
    written_before = _by_end(edges_before, lambda edge: edge.destination)
    written_after = _by_end(after.edges, lambda edge: edge.destination)
    read_before = _by_end(edges_before, lambda edge: edge.origin)
    read_after = _by_end(after.edges, lambda edge: edge.origin)
    pairs = (
        *_only_pairs(
            _signed(gone, lambda name: _written_as(written_before[renaming.name(name)]), renaming.name),
            _signed(new, lambda name: _written_as(written_after[name])),
        ),
        *_only_pairs(
            _signed(
                [name for name in gone if not written_before[renaming.name(name)]],
                lambda name: _read_as(read_before[renaming.name(name)]),
                renaming.name,
            ),
            _signed([name for name in new if not written_after[name]], lambda name: _read_as(read_after[name])),
        ),
    )
    return dict(pairs)


def _by_end(edges: Iterable[Edge], end: Callable[[Edge], FieldName]) -> defaultdict[FieldName, list[Edge]]:
    by_end: defaultdict[FieldName, list[Edge]] = defaultdict(list)
    for edge in edges:
        by_end[end(edge)].append(edge)
    return by_end


def _written_as(edges: Iterable[Edge]) -> frozenset[Hashable]:
    """What a column is written from, and how."""
    return frozenset((edge.origin, edge.job, frozenset(edge.transformations)) for edge in edges)


def _read_as(edges: Iterable[Edge]) -> frozenset[Hashable]:
    """Where a column goes, and how; not into which column, which may have a new name, too."""
    return frozenset((edge.destination.table, edge.job, edge.dataset_level, _structure(edge)) for edge in edges)


def _structure(edge: Edge) -> frozenset[tuple[str, str, bool]]:
    return frozenset((step.type, step.subtype, step.masking) for step in edge.transformations)


def _signed(
    names: Iterable[FieldName],
    signature: Callable[[FieldName], frozenset[Hashable]],
    called: Callable[[FieldName], FieldName] = lambda name: name,
) -> dict[tuple[TableName, frozenset[Hashable]], list[FieldName]]:
    """Columns by their dataset and by what is said of them; those of which nothing is said are left out."""
    return lists_by_key(((called(name).table, signed), name) for name in names if (signed := signature(name)))


def _only_pairs(
    gone: Mapping[T, list[FieldName]], new: Mapping[T, list[FieldName]]
) -> list[tuple[FieldName, FieldName]]:
    return [(olds[0], new[key][0]) for key, olds in gone.items() if len(olds) == 1 and len(new.get(key, ())) == 1]


def _pair(name: TableName) -> tuple[str, str]:
    return name.namespace, name.name
