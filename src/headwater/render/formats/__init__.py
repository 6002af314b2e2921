"""Answers for other programs. Each format is a module with one function, `text(answer)`."""

from __future__ import annotations

from enum import Enum
from importlib import import_module
from typing import Protocol

__all__ = ["CannotExport", "Exportable", "Format", "text"]


class Exportable(Protocol):
    """Any answer: it can be written as JSON and as CSV."""

    def to_dict(self) -> dict[str, object]:
        """As plain JSON."""

    def rows(self) -> list[dict[str, object]]:
        """As flat rows, all with the same keys."""


class Format(str, Enum):
    """The formats that an answer can be written in."""

    JSON = "json"
    CSV = "csv"
    GRAPHML = "graphml"
    MERMAID = "mermaid"
    DOT = "dot"


_MODULES = {Format.JSON: "as_json", Format.CSV: "as_csv"}


class CannotExport(ValueError):  # noqa: N818  a sentence for the user
    """The answer is not a graph, and the format is for graphs."""


def text(answer: Exportable, chosen: Format) -> str:
    """An answer in a format; graph formats take the answers to `upstream` and `downstream` only.

    Raises:
        CannotExport: the format is for graphs, and the answer is not one.
    """
    from headwater.query.graph.answer import Answer, TableAnswer  # noqa: PLC0415  not needed to name the formats

    if chosen not in _MODULES and not isinstance(answer, Answer | TableAnswer):
        kind = type(answer).__name__.lower()
        article = "An" if kind[0] in "aeiou" else "A"
        raise CannotExport(f"{article} {kind} is not a graph: write it as json or csv, not as {chosen.value}.")
    module = import_module(f"headwater.render.formats.{_MODULES.get(chosen, chosen.value)}")
    written: str = module.text(answer)
    return written
