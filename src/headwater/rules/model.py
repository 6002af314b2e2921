"""What lineage is made of, and how it adds up along a path.

A `Column` of a relation has, for every leaf of its type, the source fields that the leaf takes anything from, and the
ways it does so (`Mark`s). What decides which rows there are (filters, joins, grouping, order) is kept beside the
columns, once per relation: the `rows`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property, lru_cache
from typing import NamedTuple, TypeAlias

from headwater.rules.tree import Dataset
from headwater.rules.types import Path


class How(Enum):
    """How a value is taken. The order is the order of strength along a path: the stronger one wins."""

    IDENTITY = 0
    TRANSFORMATION = 1
    AGGREGATION = 2
    JOIN = 3
    GROUP_BY = 4
    FILTER = 5
    SORT = 6
    WINDOW = 7
    CONDITIONAL = 8

    @property
    def direct(self) -> bool:
        """Whether the value itself goes on, not only its influence."""
        return self.value <= How.AGGREGATION.value


class SourceField(NamedTuple):
    """A field of a dataset that a plan reads, by its path: `header.customerId`."""

    dataset: Dataset
    field: str


class Mark(NamedTuple):
    """One way in which a source field reaches a column.

    A direct mark with no text takes the text of the column that it ends in; an indirect one has its own, the
    condition or key that it was used in.
    """

    how: How
    masking: bool = False
    text: str = ""


Sources: TypeAlias = Mapping[SourceField, frozenset[Mark]]
Leaves: TypeAlias = Mapping[Path, Sources]
NOTHING: Sources = {}


@dataclass(frozen=True)
class Column:
    """A column's sources by the paths of its leaves, and its expression in the names of the source columns.

    What stands at a path holds for all that is inside: a value that is computed as a whole has its sources at `()`.
    """

    leaves: Leaves
    text: str

    @classmethod
    def mixed(cls, parts: Sequence[Column], text: str) -> Column:
        """A column that takes a TRANSFORMATION of several others.

        Its sources are worked out when somebody asks. A sum of a thousand terms is a thousand columns inside each
        other, and only the outermost is asked: adding up at every step would take a million steps.
        """
        column = cls.__new__(cls)
        column.__dict__.update(text=text, parts=parts)
        return column

    def __getattr__(self, name: str) -> Leaves:
        if name != "leaves" or "parts" not in self.__dict__:
            raise AttributeError(name)
        found: list[Sources] = []
        stack = [self]
        while stack:
            column = stack.pop()
            parts = column.__dict__.get("parts") if "leaves" not in column.__dict__ else None
            if parts is None:
                found.append(through(column.sources, How.TRANSFORMATION))
            else:
                stack.extend(parts)
        leaves: Leaves = {(): merge(found)}
        self.__dict__["leaves"] = leaves
        return leaves

    @cached_property
    def sources(self) -> Sources:
        """The sources of the value as a whole."""
        if len(self.leaves) == 1:
            (sources,) = self.leaves.values()
            return sources
        return merge(self.leaves.values())


class Gathered(Mapping[SourceField, "frozenset[Mark]"]):
    """The union of several sources, worked out when somebody looks.

    What decides the rows grows with every operator, and only the last one's is asked for: adding up at each of a
    thousand filters would take a million steps.
    """

    def __init__(self, parts: Sequence[Sources]) -> None:
        self._parts = parts

    @cached_property
    def _merged(self) -> Sources:
        found: list[Sources] = []
        stack: list[Sources] = [self]
        while stack:
            part = stack.pop()
            if isinstance(part, Gathered) and "_merged" not in part.__dict__:
                stack.extend(reversed(part._parts))  # noqa: SLF001 (its own)
            else:
                found.append(part)
        return merge(found)

    def __getitem__(self, source: SourceField) -> frozenset[Mark]:
        return self._merged[source]

    def __iter__(self) -> Iterator[SourceField]:
        return iter(self._merged)

    def __len__(self) -> int:
        return len(self._merged)


@dataclass(frozen=True)
class Output:
    """A column in its place in a relation: under which id and name others refer to it."""

    id: int | None
    name: str
    column: Column


class Outputs(tuple[Output, ...]):  # noqa: SLOT001 (the index is kept in its dictionary)
    """The columns of a relation by position. Operators that hand them on share them, and the index of their ids."""

    @cached_property
    def by_id(self) -> Mapping[int | None, Column]:
        """The columns by their ids; where two have the same, the first."""
        found: dict[int | None, Column] = {}
        for output in self:
            if output.id is not None:
                found.setdefault(output.id, output.column)
        return found


@dataclass(frozen=True)
class Relation:
    """What an operator gives: its columns by position, and what decided its rows."""

    outputs: Outputs
    rows: Sources = field(default_factory=dict)

    @classmethod
    def of(cls, outputs: Iterable[Output], rows: Sources = NOTHING) -> Relation:
        """A relation with columns of its own."""
        return cls(Outputs(outputs), rows)


def through(sources: Sources, how: How, *, masking: bool = False, text: str = "") -> Sources:
    """The sources of something that takes `how` from something with these `sources`.

    An outer INDIRECT wins over all below it; an inner INDIRECT stays what it is; of direct ones the stronger wins;
    masking sticks.
    """
    if not sources or (how is How.IDENTITY and not masking):
        return sources
    return {source: _steps(marks, how, masking, text) for source, marks in sources.items()}


@lru_cache(maxsize=4096)
def _steps(marks: frozenset[Mark], how: How, masking: bool, text: str) -> frozenset[Mark]:  # noqa: FBT001 (a cache's key)
    return frozenset(_step(mark, how, masking=masking, text=text) for mark in marks)


def _step(mark: Mark, how: How, *, masking: bool, text: str) -> Mark:
    masked = mark.masking or masking
    if not how.direct:
        return Mark(how, masked, text)
    if not mark.how.direct:
        return mark._replace(masking=masked)
    # A direct step changes the expression, so the text is the new column's again.
    return Mark(how if how.value > mark.how.value else mark.how, masked)


def merge(parts: Iterable[Sources]) -> Sources:
    """The union of several sources."""
    merged: dict[SourceField, frozenset[Mark]] = {}
    first: Sources | None = None
    for part in parts:
        if not part or part is first:
            continue
        if first is None:
            first = part
            continue
        if not merged:
            merged.update(first)
        for source, marks in part.items():
            known = merged.get(source)
            merged[source] = marks if known is None else known | marks
    return merged or first or NOTHING


def settle(sources: Sources, text: str) -> Sources:
    """The sources with a column's text written into every direct mark that waits for it."""
    return {source: _settled(marks, text) for source, marks in sources.items()}


def _settled(marks: frozenset[Mark], text: str) -> frozenset[Mark]:
    return frozenset(
        mark._replace(text=text) if not mark.text and mark.how in {How.TRANSFORMATION, How.AGGREGATION} else mark
        for mark in marks
    )
