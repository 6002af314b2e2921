"""What lineage is made of, and how it adds up along a path.

A `Column` of a relation has, for every leaf of its type, the source fields that the leaf takes anything from, and the
ways it does so (`Mark`s). What decides which rows there are (filters, joins, grouping, order) is kept beside the
columns, once per relation: the `rows`.

How many rows there are, and which, also depends on how many rows every dataset that is read has, whether or not a
column of it is taken. So among the sources of `rows` there is one for each such dataset, without a field, and it goes
wherever `rows` go: a scalar subquery has it in its column. `without_counts` takes these out of an answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property, lru_cache
from typing import NamedTuple, TypeAlias

from headwater.common.masking import Masking, then
from headwater.rules.plan.budget import spend
from headwater.rules.plan.tree import Dataset, drain
from headwater.rules.plan.types import Path

# An edge with more marks than this keeps their kinds without their texts.
_MOST_MARKS = 64
# Up to this many sources are copied with the text of a column; more are kept once, beside the text.
_FEW = 16


class How(Enum):
    """How a value is taken, in the order of strength along a path: the stronger one wins."""

    IDENTITY = 0
    TRANSFORMATION = 1
    AGGREGATION = 2
    JOIN = 3
    GROUP_BY = 4
    FILTER = 5
    SORT = 6
    WINDOW = 7
    CONDITIONAL = 8

    # Each is one object and hashed for every mark; Enum's own hash is Python code.
    __hash__ = object.__hash__

    @property
    def direct(self) -> bool:
        """Whether the value itself goes on, not only its influence."""
        return self.value <= How.AGGREGATION.value


ALL_ROWS = ""
"""In place of the path of a field: no column has this name."""


class SourceField(NamedTuple):
    """A field of a dataset that a plan reads, by its path: `header.customerId`; or `ALL_ROWS` of it."""

    dataset: Dataset
    field: str


class Mark(NamedTuple):
    """One way in which a source field reaches a column.

    A direct mark with no text takes the text of the column that it ends in; an indirect one has its own, the
    condition or key that it was used in.
    """

    how: How
    masking: Masking = Masking.NONE
    text: str = ""


Sources: TypeAlias = Mapping[SourceField, frozenset[Mark]]
Leaves: TypeAlias = Mapping[Path, Sources]
Counted: TypeAlias = "Mapping[str | None, frozenset[Dataset]]"
"""Per column, the datasets of which it depends on how many rows they have; None is for all columns."""
NOTHING: Sources = {}
_COUNTED = frozenset({Mark(How.FILTER)})


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

        Its sources are worked out on demand. A sum of a thousand terms is a thousand columns inside each other, and
        only the outermost is asked: adding up at every step would take a million steps.
        """
        column = cls.__new__(cls)
        column.__dict__.update(text=text, parts=parts)
        return column

    def __getattr__(self, name: str) -> Leaves:
        if name != "leaves" or "parts" not in self.__dict__:
            raise AttributeError(name)
        return self.work_out(shares=True)

    def work_out(self, *, shares: bool) -> Leaves:
        """Work out the sources of a mixed column; `_sources_inside` explains `shares`."""
        leaves: Leaves = {(): merge(self._sources_inside(shares=shares))}
        # Its parts are of no more use, and may be as long as the program.
        del self.__dict__["parts"]
        self.__dict__["leaves"] = leaves
        return leaves

    def _sources_inside(self, *, shares: bool) -> Iterator[Sources]:
        """The sources of the columns inside, each visited once: `x = x + x * y` has all of the last x in it twice.

        A column that an earlier walk has passed is shared with others. With `shares` it is worked out by itself, so
        that no later walk passes it again.
        """
        visited = 0
        stack: list[Column] = list(self.__dict__["parts"])
        for column in drain(stack):
            visited += 1
            own = column.__dict__
            if shares and "walked" in own and "parts" in own:
                column.work_out(shares=False)
            if "parts" in own:
                own["walked"] = True
                stack.extend(own["parts"])
            else:
                yield through(column.sources, How.TRANSFORMATION)
        spend(visited)

    @cached_property
    def sources(self) -> Sources:
        """The sources of the value as a whole."""
        if len(self.leaves) == 1:
            (sources,) = self.leaves.values()
            return sources
        return merge(self.leaves.values())


class Gathered(Mapping[SourceField, "frozenset[Mark]"]):
    """The union of several sources, worked out on demand.

    What decides the rows grows with every operator, and only the last one's is asked for: adding up at each of a
    thousand filters would take a million steps.
    """

    def __init__(self, parts: Sequence[Sources]) -> None:
        self._parts = parts

    @cached_property
    def _merged(self) -> Sources:
        merged = merge(self._inside())
        self._parts = ()
        return merged

    def _inside(self) -> Iterator[Sources]:
        """What is inside, each part once: both sides of a join may have come from the same rows."""
        stack: list[Sources] = [self]
        for part in drain(stack):
            spend(1)
            if isinstance(part, Gathered) and "_merged" not in part.__dict__:
                stack.extend(reversed(part._parts))  # noqa: SLF001 (its own)
            else:
                yield part

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
        columns: dict[int | None, Column] = {}
        for output in self:
            if output.id is not None:
                columns.setdefault(output.id, output.column)
        return columns


@dataclass(frozen=True)
class Relation:
    """What an operator gives: its columns by position, and what decided its rows."""

    outputs: Outputs
    rows: Sources = field(default_factory=dict)

    @classmethod
    def of(cls, outputs: Iterable[Output], rows: Sources = NOTHING) -> Relation:
        """A relation with columns of its own."""
        return cls(Outputs(outputs), rows)

    def worked_out(self) -> Relation:
        """The relation with nothing left to work out: whoever keeps it keeps none of its parts."""
        for output in self.outputs:
            _ = output.column.leaves
        return Relation(self.outputs, dict(self.rows) if isinstance(self.rows, Gathered) else self.rows)


class Shared(dict[SourceField, "frozenset[Mark]"]):
    """Sources that all columns of a relation have, as opaque code gives them: one object, not one for each column.

    A step on them is worked out once and gives such an object again, so that a thousand columns that each come from a
    thousand others stay a thousand sources.
    """

    def __init__(self, sources: Sources) -> None:
        super().__init__(sources)
        self._steps: dict[tuple[How, Masking, str], Shared] = {}

    def step(self, how: How, text: str, *, masking: Masking) -> Shared:
        """The sources of whatever takes `how` from these."""
        key = how, masking, text
        if key not in self._steps:
            self._steps[key] = Shared(_stepped(self, how, text, masking=masking))
        return self._steps[key]


class Settled(Mapping[SourceField, "frozenset[Mark]"]):
    """Sources with the text of a column on every direct mark that waits for one, written on demand.

    Attributes:
        base: the sources, which other columns may have as well.
        text: the text.
    """

    def __init__(self, base: Sources, text: str) -> None:
        self.base = base
        self.text = text

    def __getitem__(self, source: SourceField) -> frozenset[Mark]:
        return _settled(self.base[source], self.text)

    def __iter__(self) -> Iterator[SourceField]:
        return iter(self.base)

    def __len__(self) -> int:
        return len(self.base)


def base_of(sources: Sources) -> Sources:
    """The sources that columns share, whatever their texts."""
    return sources.base if isinstance(sources, Settled) else sources


def through(sources: Sources, how: How, *, masking: Masking = Masking.NONE, text: str = "") -> Sources:
    """The sources of something that takes `how` from something with these `sources`.

    An outer INDIRECT wins over all below it; an inner INDIRECT stays what it is; of direct ones the stronger wins;
    what `masking` does comes after what was done before.
    """
    if not sources or (how is How.IDENTITY and not masking):
        return sources
    if isinstance(sources, Shared):
        return sources.step(how, text, masking=masking)
    return _stepped(sources, how, text, masking=masking)


def _stepped(sources: Sources, how: How, text: str, *, masking: Masking) -> Sources:
    spend(len(sources))
    return {source: _steps(marks, how, masking, text) for source, marks in sources.items()}


@lru_cache(maxsize=4096)
def _steps(marks: frozenset[Mark], how: How, masking: Masking, text: str) -> frozenset[Mark]:
    return frozenset([_step(mark, how, masking=masking, text=text) for mark in marks])


def _step(mark: Mark, how: How, *, masking: Masking, text: str) -> Mark:
    masked = then(mark.masking, masking)
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
            spend(len(first))
            merged.update(first)
        spend(len(part))
        for source, marks in part.items():
            known = merged.get(source)
            merged[source] = marks if known is None else _both(known, marks)
    return merged or first or NOTHING


def _both(first: frozenset[Mark], second: frozenset[Mark]) -> frozenset[Mark]:
    """All marks of an edge. A long program may have one for each step: very many lose their texts."""
    if first == second:
        return first
    marks = first | second
    if len(marks) <= _MOST_MARKS:
        return marks
    return frozenset([mark._replace(text="" if mark.how.direct else "…") for mark in marks])


def counts_of(datasets: Iterable[Dataset]) -> Sources:
    """The sources of what depends on how many rows datasets have.

    >>> fields, counted = without_counts(counts_of([Dataset(table=("t",))]))
    >>> fields, [dataset.short_name for dataset in counted]
    ({}, ['t'])
    """
    return {SourceField(dataset, ALL_ROWS): _COUNTED for dataset in datasets}


def without_counts(sources: Sources) -> tuple[Sources, frozenset[Dataset]]:
    """The sources that are fields, and the datasets of which only the number of rows counts; most have none such."""
    counted = [source.dataset for source in sources if not source.field]
    if not counted:
        return sources, _NO_DATASETS
    spend(len(sources))
    return {source: marks for source, marks in sources.items() if source.field}, frozenset(counted)


def both_counted(first: Counted, other: Counted) -> Counted:
    """What either says."""
    return {key: first.get(key, _NO_DATASETS) | other.get(key, _NO_DATASETS) for key in {**first, **other}}


_NO_DATASETS: frozenset[Dataset] = frozenset()


def settle(sources: Sources, text: str) -> Sources:
    """The sources with a column's text written into every direct mark that waits for it."""
    if isinstance(sources, Settled):  # every mark that waited for a text has one
        return sources
    if len(sources) > _FEW:
        return Settled(sources, text)
    settled = {source: _settled(marks, text) for source, marks in sources.items()}
    # Copies wait for no text: of a struct of very many fields there is one object for each.
    return sources if all(settled[source] is marks for source, marks in sources.items()) else settled


@lru_cache(maxsize=4096)
def _settled(marks: frozenset[Mark], text: str) -> frozenset[Mark]:
    if not any(map(_waits, marks)):
        return marks
    return frozenset([mark._replace(text=text) if _waits(mark) else mark for mark in marks])


def _waits(mark: Mark) -> bool:
    return not mark.text and mark.how in {How.TRANSFORMATION, How.AGGREGATION}


def forget() -> None:
    """Clear the caches that speed up one statement: its texts may be long."""
    _steps.cache_clear()
    _settled.cache_clear()
