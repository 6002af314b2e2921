"""A diff as text: each column that changed, with what it read before and what it reads after."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from headwater.notebook.words import printable
from headwater.openlineage.model.instants import instant_text
from headwater.query.graph.answer import place_of_field
from headwater.render.text.changes import Changes
from headwater.render.text.names import Naming

if TYPE_CHECKING:
    from headwater.query.changes.diff import Diff
    from headwater.query.graph.answer import FieldName, Moment


def diff_lines(diff: Diff) -> Iterator[Text]:
    """What changed, column by column, then what the short names stand for."""
    span = f"between {_time(diff.before)} and {_time(diff.after)}"
    if not diff:
        yield Text(printable(f"Nothing changed {span}."))
        return
    naming = Naming(_names(diff))
    for name, lines in _by_column(diff, naming).items():
        yield Text(printable(naming.label(name)), "bold").append(_status(diff, name), "italic")
        yield from lines
    yield Text("")
    yield from naming.legend()
    yield Text(printable(f"{_summary(diff)} {span}."), "dim")
    if diff.partial:
        yield Text(
            "Partial answer: the limit was reached, and there may be more. Ask about fewer columns or use --depth.",
            "dim",
        )


def _by_column(diff: Diff, naming: Naming) -> dict[FieldName, list[Text]]:
    """The lines under each column, columns by name."""
    changes = Changes(naming, with_jobs=True)
    lines: defaultdict[FieldName, list[Text]] = defaultdict(list)
    for name in (*diff.columns_added, *diff.columns_removed):
        lines[name] = []
    for edge in diff.edges_removed:
        lines[edge.destination] += changes.removed(edge)
    for edge in diff.edges_added:
        lines[edge.destination] += changes.added(edge)
    for change in diff.edges_changed:
        lines[change.after.destination] += changes.changed(change)
    for literal in diff.literals:
        was, now = "; ".join(literal.before), "; ".join(literal.after)
        lines[literal.edge.destination] += changes.literals(literal.edge, was, now)
    return dict(sorted(lines.items(), key=lambda item: place_of_field(item[0])))


def _status(diff: Diff, name: FieldName) -> str:
    if name in diff.columns_added:
        return "  added"
    return "  removed" if name in diff.columns_removed else ""


def _names(diff: Diff) -> Iterator[FieldName]:
    yield from diff.columns_added
    yield from diff.columns_removed
    changed = (change.after for change in diff.edges_changed)
    literal = (change.edge for change in diff.literals)
    for edge in (*diff.edges_added, *diff.edges_removed, *changed, *literal):
        yield edge.origin
        yield edge.destination


def _summary(diff: Diff) -> str:
    texts = sum(change.part.value == "text" for change in diff.edges_changed)
    counts = (
        ("column added", "columns added", len(diff.columns_added)),
        ("column removed", "columns removed", len(diff.columns_removed)),
        ("input added", "inputs added", len(diff.edges_added)),
        ("input removed", "inputs removed", len(diff.edges_removed)),
        ("input changed", "inputs changed", len(diff.edges_changed) - texts),
        ("input with a different expression", "inputs with different expressions", texts),
        ("input with different literals", "inputs with different literals", len(diff.literals)),
    )
    return ", ".join(
        f"{number:,} {singular if number == 1 else plural}" for singular, plural, number in counts if number
    )


def _time(moment: Moment) -> str:
    if moment.version:
        return f"version {moment.version}"
    return "now" if moment.until is None else instant_text(moment.until)
