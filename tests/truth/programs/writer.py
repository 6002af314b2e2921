"""Writes a program step by step, and knows which frames, tables and columns there are so far."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from tests.truth.kinds import INT, STRING, Kind

from .program import Step

Columns: TypeAlias = Mapping[str, Kind]
MOST_COLUMNS = 6
PARTITION = "part"
"""The partition column of every table that has one."""


@dataclass
class Frame:
    """A DataFrame under a name of the script."""

    name: str
    columns: Columns
    tables: frozenset[str] = frozenset()
    """The tables of earlier steps that it reads: where one of those loses files, the frame cannot be read any more."""


@dataclass
class Table:
    """Something that a step has written.

    Attributes:
        name: of the folder below `out`, or of the table in the catalog.
        reading: the Python text that reads it.
        in_catalog: whether it is a table of the catalog.
        partition: the partition column, if there is one; it is the last.
        view: whether it is a view.
        was_read: whether a later step reads it: then it is not replaced as a whole any more, since what was made of
            the old rows would be asked about in terms of the new ones.
        below: of a view, the tables that it reads.
    """

    name: str
    reading: str
    columns: Columns
    in_catalog: bool = False
    partition: str | None = None
    view: bool = False
    was_read: bool = False
    below: frozenset[str] = frozenset()


@dataclass
class Writer:
    """The state of a program that is being written."""

    rng: random.Random
    frames: list[Frame] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    _names: int = 0
    _used: set[str] = field(default_factory=set)

    def new(self, prefix: str) -> str:
        """A name that nothing has yet."""
        self._names += 1
        return f"{prefix}{self._names}"

    def add(self, label: str, *lines: str, completes: int = 0) -> None:
        """Add a step."""
        self.steps.append(Step(label, "\n".join(lines), completes))

    def write(self, label: str, *lines: str) -> None:
        """Add a step that writes."""
        self.add(label, *lines, completes=1)

    def frame(self, label: str, columns: Columns, *lines: str, name: str | None = None) -> Frame:
        """Add a step that makes a frame; `{new}` in its lines is the frame's name."""
        name = name or self.new("f")
        self.add(label, *(line.replace("{new}", name) for line in lines))
        made = Frame(name, dict(columns), frozenset(self._used))
        self._used.clear()
        self.frames.append(made)
        return made

    def pick(self, *, apart_from: Table | None = None) -> Frame:
        """A frame to go on from: rather a new one, or one of a table that was written before.

        Args:
            apart_from: a table that the frame must not read, since it is about to lose files.
        """
        tables = [table for table in self.tables if table is not apart_from]
        if tables and apart_from is None and self.chance(0.25):
            frame = self.read(self.rng.choice(tables))
        else:
            frames = [frame for frame in self.frames if apart_from is None or apart_from.name not in frame.tables]
            frame = frames[-1] if self.chance(0.6) else self.rng.choice(frames)
        self._used |= frame.tables
        for name in frame.tables:
            next(table for table in self.tables if table.name == name).was_read = True
        return frame

    def read(self, table: Table) -> Frame:
        """A frame of what an earlier step wrote."""
        used, self._used = self._used, {table.name, *table.below}
        frame = self.frame("read again", table.columns, f"{{new}} = {table.reading}")
        self._used = used
        return frame

    def written(self) -> None:
        """A write is over: what it was made of is no part of the next frame."""
        self._used.clear()

    def lost(self, table: Table) -> None:
        """A table has lost files: frames that read it are forgotten."""
        self.frames = [frame for frame in self.frames if table.name not in frame.tables]

    def chance(self, share: float) -> bool:
        """True in this share of cases."""
        return self.rng.random() < share

    # --- expressions in SQL -------------------------------------------------------------------------------------------

    def ints(self, columns: Columns, prefix: str = "") -> list[str]:
        """Everything of type INT that can be written: columns, and fields of structs."""
        return [prefix + path for path, kind in _scalars(columns) if kind == INT]

    def texts(self, columns: Columns, prefix: str = "") -> list[str]:
        """Everything of type STRING that can be written."""
        return [prefix + path for path, kind in _scalars(columns) if kind == STRING]

    def int_(self, columns: Columns, depth: int = 1, prefix: str = "") -> str:
        """An expression of type INT."""
        known = self.ints(columns, prefix) or ["1"]
        if depth == 0 or self.chance(0.35):
            return self.rng.choice(known)
        a, b = (self.int_(columns, depth - 1, prefix) for _ in range(2))
        made: Sequence[Callable[[], str]] = (
            lambda: f"({a} + {b})",
            lambda: f"({a} * 2 - {b})",
            lambda: f"COALESCE({a}, {b})",
            lambda: f"CASE WHEN {self.condition(columns, prefix)} THEN {a} ELSE {b} END",
            lambda: f"greatest({a}, {b})",
            lambda: f"length({self.text_(columns, 0, prefix)})",
            lambda: f"nvl2({self.rng.choice(known)}, {a}, {b})",
            lambda: f"IF({a} > {b}, {a}, 0)",
            lambda: f"CAST(abs({a}) % 5 AS INT)",
        )
        return self.rng.choice(made)()

    def text_(self, columns: Columns, depth: int = 1, prefix: str = "") -> str:
        """An expression of type STRING."""
        known = self.texts(columns, prefix)
        if not known:
            return f"CAST({self.int_(columns, 0, prefix)} AS STRING)"
        one = self.rng.choice(known)
        if depth == 0 or self.chance(0.4):
            return one
        other = self.rng.choice(known)
        return self.rng.choice(
            [
                f"concat({one}, {other})",
                f"upper({one})",
                f"COALESCE({one}, {other}, 'none')",
                f"CASE WHEN {self.condition(columns, prefix)} THEN {one} ELSE 'x' END",
                f"concat_ws('-', {one}, {self.int_(columns, 0, prefix)})",
            ]
        )

    def condition(self, columns: Columns, prefix: str = "") -> str:
        """A condition that some rows meet."""
        a = self.int_(columns, 0, prefix)
        if self.chance(0.25):
            return f"{self.text_(columns, 0, prefix)} < '{self.rng.choice('cdef')}'"
        if self.chance(0.2):
            return f"{a} IS NOT NULL"
        return f"{a} {self.rng.choice(['>', '<', '>=', '<>'])} {self.rng.randint(1, 4)}"

    def expression(self, columns: Columns, kind: Kind, depth: int = 1, prefix: str = "") -> str:
        """An expression of any type that programs use."""
        if kind == INT:
            return self.int_(columns, depth, prefix)
        if kind == STRING:
            return self.text_(columns, depth, prefix)
        whole = [prefix + name for name, own in columns.items() if own == kind]
        if whole and self.chance(0.7):
            return self.rng.choice(whole)
        fields = (f"'{name}', {self.expression(columns, inner, 0, prefix)}" for name, inner in kind.inside)
        return f"named_struct({', '.join(fields)})"


def _scalars(columns: Columns) -> Iterable[tuple[str, Kind]]:
    for name, kind in columns.items():
        if not kind.inside:
            yield name, kind
        elif kind.name == "struct":
            for inner, own in _scalars(dict(kind.inside)):
                yield f"{name}.{inner}", own


def quoted(texts: Iterable[str]) -> str:
    """Several Python strings, as arguments.

    >>> print(quoted(["a AS b", "x > 'c'"]))
    "a AS b", "x > 'c'"
    """
    return ", ".join('"' + text.replace('"', '\\"') + '"' for text in texts)


Steps: TypeAlias = "tuple[tuple[int, Callable[[Writer], None]], ...]"
"""Kinds of steps, and how often each is taken."""
