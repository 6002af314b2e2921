"""What a table or a query gives, where not all of its columns are known.

A text names the columns that it uses, but not those that `*` stands for. So a frame has the known columns, and in the
places of the others something to look them up by name:

>>> table = Others(lambda name: Column({(): {}}, f"t.{name}"))
>>> frame = Frame((table, Output(None, "x", Column({(): {}}, "1"))))
>>> [output.column.text for output in fitted(frame, ("a", "b", "c"), either=lambda columns, _name: columns[0])]
['t.a', 't.b', '1']
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TypeAlias

from headwater.common.column_path import join_path
from headwater.rules.expressions import text
from headwater.rules.expressions.shapes import pick
from headwater.rules.plan.sources import Column, How, Mark, Output, Relation, SourceField, Sources
from headwater.rules.plan.tree import Dataset
from headwater.rules.plan.types import ELEMENT


class Others:
    """Columns that are not listed.

    Args:
        find: the column of a name, or None if it cannot be one of these.
        table: the table whose columns these are, if it is one table's.
    """

    def __init__(self, find: Callable[[str], Column | None], table: Dataset | None = None) -> None:
        # A query that is used twice, in one that is used twice, would be asked four times.
        self.find = cache(find)
        self.table = table


Item: TypeAlias = "Output | Others"
Either: TypeAlias = "Callable[[Sequence[Column], str], Column]"


class Named:
    """Outputs by their names: in the spelling that is asked for, or else in any."""

    def __init__(self, outputs: Iterable[Output] = ()) -> None:
        self._exact: dict[str, list[Output]] = {}
        self._folded: dict[str, list[Output]] = {}
        for output in outputs:
            self.add(output)

    def add(self, output: Output) -> None:
        """Add an output."""
        self._exact.setdefault(output.name, []).append(output)
        self._folded.setdefault(output.name.casefold(), []).append(output)

    def find(self, name: str) -> list[Output]:
        """The outputs of a name."""
        return self._exact.get(name) or self._folded.get(name.casefold(), [])


@dataclass(frozen=True)
class Frame:
    """A relation whose columns are known in part: by position, as far as that goes.

    Attributes:
        hidden: where a column comes from that engines have beyond those of `*`: ROWID, ctid, _PARTITIONTIME.
    """

    items: tuple[Item, ...]
    rows: Sources = field(default_factory=dict)
    hidden: tuple[Others, ...] = ()

    @cached_property
    def outputs(self) -> tuple[Output, ...]:
        """The columns that are known."""
        return tuple(item for item in self.items if isinstance(item, Output))

    @cached_property
    def others(self) -> tuple[Others, ...]:
        """What stands for the columns that are not."""
        return tuple(item for item in self.items if isinstance(item, Others))

    @property
    def relation(self) -> Relation:
        """The part that is known."""
        return Relation.of(self.outputs, self.rows)

    @cached_property
    def _names(self) -> Named:
        return Named(self.outputs)

    def known(self, name: str) -> list[Column]:
        """The known columns of a name."""
        return [output.column for output in self._names.find(name)]

    def possible(self, name: str) -> list[Column]:
        """What the column of a name may be."""
        asked = (others.find(name) for others in self.others)
        return self.known(name) or [column for column in asked if column is not None]


def fitted(frame: Frame, names: Sequence[str], either: Either) -> tuple[Output, ...] | None:
    """The columns of a frame whose columns have these names in the end, or None if it cannot have as many.

    What is known goes by position, from both ends; between them the names tell, and if there is more than one place
    where such a column may come from it may be either.
    """
    places = [place for place, item in enumerate(frame.items) if isinstance(item, Others)]
    if not places:
        return frame.outputs if len(frame.outputs) == len(names) else None
    head = Frame(frame.items[: places[0]]).outputs
    tail = Frame(frame.items[places[-1] + 1 :]).outputs
    middle = Frame(frame.items[places[0] : places[-1] + 1])
    if len(names) < len(head) + len(tail):
        return None
    columns = []
    for name in names[len(head) : len(names) - len(tail)]:
        asked = (others.find(name) for others in middle.others)
        candidates = [*middle.known(name), *(column for column in asked if column is not None)]
        columns.append(Output(None, name, either(candidates, name)))
    return (*head, *columns, *tail)


def closed(frame: Frame, names: Sequence[str] | None, either: Either) -> Frame:
    """The frame with all its columns, if their names are known and it may have as many."""
    outputs = None if names is None else fitted(frame, names, either)
    return frame if outputs is None else Frame(outputs, frame.rows, frame.others)


def renamed(frame: Frame, names: Sequence[str]) -> Frame:
    """A frame whose first columns have other names: `AS t(a, b)`."""
    items = list(frame.items)
    for place, name in enumerate(names):
        if place < len(items) and isinstance(item := items[place], Output):
            items[place] = Output(None, name, item.column)
    return Frame(tuple(items), frame.rows)


def inside(column: Column, path: Iterable[str]) -> Column:
    """A field of a struct, an element of an array: part of what was copied is a copy of that part.

    Of what was copied from several places (the branches of a UNION) only the first may have a field of that name: which
    one the others have in its place nobody tells, so it may be any of theirs.
    """
    path = tuple(path)
    if not path:
        return column
    label = ".".join((column.text, *(text.identifier(name) for name in path)))
    by_name = any(name != ELEMENT for name in path)
    copied = all(marks == {Mark(How.IDENTITY)} for marks in column.sources.values())
    if set(column.leaves) != {()} or not copied or (by_name and len(column.sources) > 1):
        return Column(pick(column.leaves, *path), label)
    part = join_path(path)
    return Column(
        {(): {SourceField(s.dataset, f"{s.field}.{part}"): marks for s, marks in column.sources.items()}}, label
    )
