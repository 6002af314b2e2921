"""Queries as trees of text, so that a select item can be taken out of any level when a failing one is made smaller."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from .kinds import Col


@dataclass
class Items:
    """What a SELECT lists: expressions and their names. Some may not be taken out."""

    entries: list[tuple[str, str]] = field(default_factory=list)

    def __str__(self) -> str:
        return ", ".join(name if text == name else f"{text} AS {name}" for text, name in self.entries)


@dataclass
class Rel:
    """A query: its text in parts, the columns that it gives, and those that tell its rows apart, where known."""

    parts: list[str | Items | Rel]
    cols: list[Col]
    key: list[str] | None = None

    def __str__(self) -> str:
        return "".join(str(part) for part in self.parts)

    @property
    def order(self) -> list[str]:
        """Columns that put the rows in one order only; rows that are equal in them are equal altogether."""
        return self.key or [col.name for col in self.cols if col.kind.orderable] or ["1"]

    def lists(self) -> Iterator[Items]:
        """Every list of select items in the query, the outermost first."""
        for part in self.parts:
            if isinstance(part, Items):
                yield part
        for part in self.parts:
            if isinstance(part, Rel):
                yield from part.lists()


@dataclass
class Query:
    """A query to check.

    Attributes:
        number: its number under its seed.
        rel: the query as a tree; for the DataFrame API, one part that is Python.
        views: temporary views that it reads, by name.
        python: whether the text is Python, with `spark` and `F` in scope.
        label: the outermost construct.
    """

    number: int
    rel: Rel
    views: dict[str, Rel] = field(default_factory=dict)
    python: bool = False
    label: str = ""

    @property
    def text(self) -> str:
        """The query as it can be run by hand, views first."""
        views = [f"CREATE OR REPLACE TEMPORARY VIEW {name} AS {rel};\n" for name, rel in self.views.items()]
        return "".join(views) + str(self.rel)
