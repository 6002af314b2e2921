"""Edges and names in words."""

from collections.abc import Iterable

from headwater.graph.answer import Edge, Transformation

_WORDS = {
    ("DIRECT", "IDENTITY"): "copied",
    ("DIRECT", "TRANSFORMATION"): "transformed",
    ("DIRECT", "AGGREGATION"): "aggregated",
    ("DIRECT", ""): "used",
    ("INDIRECT", "FILTER"): "filters",
    ("INDIRECT", "JOIN"): "joins",
    ("INDIRECT", "GROUP_BY"): "groups",
    ("INDIRECT", "SORT"): "sorts",
    ("INDIRECT", "WINDOW"): "frames the window",
    ("INDIRECT", "CONDITIONAL"): "decides",
    ("INDIRECT", ""): "influences",
}
_BOUNDARIES = "/.:"
_EXPRESSION_LENGTH = 120


def in_words(step: Transformation) -> str:
    """A transformation in words, with its expression where that says more.

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
    r"""Text that stays on its line and does nothing to the terminal: what cannot be printed is escaped.

    >>> printable("a\nb\x1b[2J")
    'a\\nb\\x1b[2J'
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def edge_in_words(edge: Edge) -> str:
    """All that happens on an edge."""
    return "; ".join(dict.fromkeys(in_words(step) for step in edge.transformations))


def short_names(datasets: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """The shortest end of each dataset's name that no other of them has.

    >>> list(short_names([("file", "/lake/raw/orders"), ("file", "/lake/clean/orders"), ("pg", "shop.menus")]).values())
    ['raw/orders', 'clean/orders', 'menus']
    """
    names = list(dict.fromkeys(datasets))
    endings = {name: _endings(f"{name[0]}/{name[1]}") for name in names}
    counts: dict[str, int] = {}
    for found in endings.values():
        for ending in set(found):
            counts[ending] = counts.get(ending, 0) + 1
    return {name: next((end for end in endings[name] if counts[end] == 1), endings[name][-1]) for name in names}


def _endings(full: str) -> list[str]:
    """The ends of a name that start after a boundary, shortest first; the whole name is the last."""
    starts = [at + 1 for at in range(len(full) - 1) if full[at] in _BOUNDARIES and full[at + 1] not in _BOUNDARIES]
    return [*(full[start:] for start in reversed(starts)), full]
