"""Edges and names in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from headwater.query.graph.answer import Edge, FieldName, Transformation

_WORDS = {
    ("DIRECT", "IDENTITY"): "copied",
    ("DIRECT", "TRANSFORMATION"): "transformed",
    ("DIRECT", "AGGREGATION"): "aggregated",
    ("DIRECT", ""): "used",
    ("INDIRECT", "FILTER"): "filters",
    ("INDIRECT", "JOIN"): "joins",
    ("INDIRECT", "GROUP_BY"): "groups",
    ("INDIRECT", "SORT"): "sorts",
    ("INDIRECT", "WINDOW"): "defines the window",
    ("INDIRECT", "CONDITIONAL"): "decides",
    ("INDIRECT", "ROWS"): "number of rows",
    ("INDIRECT", ""): "influences",
}
_BOUNDARIES = "/.:"
_EXPRESSION_LENGTH = 120
_LETTERS_OF_A_VERSION = 8


def in_words(step: Transformation) -> str:
    """A transformation in words, with its expression if it has one that says more.

    >>> from headwater.query.graph.answer import Transformation
    >>> in_words(Transformation("DIRECT", "AGGREGATION", False, "sum(amount)"))
    'aggregated: sum(amount)'
    """
    words = _WORDS.get((step.type, step.subtype), step.subtype.lower().replace("_", " "))
    if step.masking:
        words += ", masked"
    expression = " ".join(step.description.split())
    if len(expression) > _EXPRESSION_LENGTH:
        expression = expression[:_EXPRESSION_LENGTH] + "…"
    return words if step.subtype == "IDENTITY" or not expression else f"{words}: {expression}"


def printable(text: str) -> str:
    r"""Text that cannot break a line or control the terminal: unprintable characters are escaped.

    >>> printable("a\nb\x1b[2J")
    'a\\nb\\x1b[2J'
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def edge_in_words(edge: Edge) -> str:
    """All transformations of an edge in words."""
    return "; ".join(dict.fromkeys(in_words(step) for step in edge.transformations))


def column_label(name: FieldName, short: Mapping[tuple[str, str], str]) -> str:
    """A column by the short name of its dataset, with the beginning of its version if it has one.

    >>> from headwater.query.graph.answer import FieldName
    >>> column_label(FieldName("file", "/lake/orders", "id", "3e0c52a4-0000"), {("file", "/lake/orders"): "orders"})
    'orders@3e0c52a4.id'
    """
    table = table_label(name, short)
    return f"rows of {table}" if name.field is None else f"{table}.{name.field}"


def table_label(name: FieldName, short: Mapping[tuple[str, str], str]) -> str:
    """The dataset of a column by its short name, with the beginning of its version if it has one."""
    version = f"@{name.version[:_LETTERS_OF_A_VERSION]}" if name.version else ""
    return f"{short[name.namespace, name.name]}{version}"


def count(number: int, noun: str) -> str:
    """A number with a noun, in the plural where it needs one.

    >>> count(1, "column"), count(1200, "event")
    ('1 column', '1,200 events')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def short_names(datasets: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """The shortest ending of each dataset's name that no other of them has.

    >>> list(short_names([("file", "/lake/raw/orders"), ("file", "/lake/clean/orders"), ("pg", "shop.menus")]).values())
    ['raw/orders', 'clean/orders', 'menus']
    """
    names = list(dict.fromkeys(datasets))
    endings = {name: _endings(f"{name[0]}/{name[1]}") for name in names}
    counts: dict[str, int] = {}
    for own in endings.values():
        for ending in set(own):
            counts[ending] = counts.get(ending, 0) + 1
    return {name: next((end for end in endings[name] if counts[end] == 1), endings[name][-1]) for name in names}


def _endings(full: str) -> list[str]:
    """The endings of a name that start after a boundary, shortest first; the whole name comes last."""
    starts = [at + 1 for at in range(len(full) - 1) if full[at] in _BOUNDARIES and full[at + 1] not in _BOUNDARIES]
    return [*(full[start:] for start in reversed(starts)), full]
