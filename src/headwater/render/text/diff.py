"""A diff as text: each column that changed, with what it read before and what it reads after."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from rich.text import Text

from headwater.common.groups import lists_by_key
from headwater.notebook.words import count, printable
from headwater.openlineage.model.instants import time_text
from headwater.query.changes.replacements import ReplacedBy, without_dates
from headwater.render.text.changes import Changes
from headwater.render.text.names import FEW, Naming
from headwater.render.text.unknown import names_in, unknown_lines

if TYPE_CHECKING:
    from headwater.query.changes.diff import Diff, LiteralChange
    from headwater.query.graph.answer import FieldName, Moment

_MISSING = "May have changed as well (no column lineage recorded):"


def diff_lines(diff: Diff) -> Iterator[Text]:
    """What changed, the column asked about first, then its sources; then what the short names stand for."""
    span = f"between {_time(diff.before)} and {_time(diff.after)}"
    if not diff:
        naming = Naming([diff.root, *names_in(diff.unknown)])
        may = any(entry.why.may_reach for entry in diff.unknown)
        yield Text(printable(f"Nothing {'is known to have ' if may else ''}changed {span}."))
        yield from unknown_lines(diff.unknown, naming, _MISSING)
        return
    folded = diff.folded()
    dated = [change for change in folded.literals if _in_dates_only(change)]
    if len(dated) > FEW:
        folded = replace(folded, literals=tuple(change for change in folded.literals if not _in_dates_only(change)))
    else:
        dated = []
    naming = Naming([diff.root, *_names(folded), *names_in(diff.unknown)])
    for name, lines in _by_column(folded, naming):
        yield Text(printable(naming.label(name)), "bold").append(_status(folded, name), "italic")
        yield from lines
    yield from _replaced(folded, naming)
    if dated:
        was, now = dated[0].before[0], dated[0].after[0]
        yield Text(f"{count(len(dated), 'input')} with a different date only, such as:", "italic")
        yield Text("  before: ", "dim").append(printable(was), "red")
        yield Text("  after:  ", "dim").append(printable(now), "green")
    yield from unknown_lines(diff.unknown, naming, _MISSING)
    if diff.unknown or any(_by_column(folded, naming)):
        yield Text("")
        yield from naming.legend()
    yield Text(printable(f"{_summary(folded, len(dated))} {span}."), "dim")
    if diff.partial:
        yield Text(
            "Partial answer: the limit was reached, and there may be more. Ask about fewer columns or use --depth.",
            "dim",
        )


def _by_column(diff: Diff, naming: Naming) -> Iterator[tuple[FieldName, list[Text]]]:
    """The lines under each column that has some, or that is new or gone."""
    changes = Changes(naming, with_jobs=True)
    removed = lists_by_key((edge.destination, edge) for edge in diff.edges_removed)
    added = lists_by_key((edge.destination, edge) for edge in diff.edges_added)
    changed = lists_by_key((change.after.destination, change) for change in diff.edges_changed)
    literals = lists_by_key((change.edge.destination, change) for change in diff.literals)
    for name in diff.columns_changed:
        lines = [
            *changes.removed(*removed[name]),
            *changes.added(*added[name]),
            *changes.changed(*changed[name]),
            *changes.literals(*literals[name]),
        ]
        if lines or _status(diff, name):
            yield name, lines


def _replaced(diff: Diff, naming: Naming) -> Iterator[Text]:
    """What took the place of what: columns one by one; files of another day once for each pattern of their names."""
    for item in diff.replaced:
        if item.by is ReplacedBy.PROBABLE_RENAME:
            names = f"{naming.label(item.before)} → {naming.label(item.after)}"
            yield Text(printable(names), "bold").append("  probably renamed", "italic")
    files = lists_by_key(
        (without_dates(item.before.name), item) for item in diff.replaced if item.by is ReplacedBy.OTHER_DATE
    )
    for same in files.values():
        first = same[0]
        more = f", and {count(len(same) - 1, 'more file')}" if len(same) > 1 else ""
        names = f"{first.before.name} → {first.after.name}"
        yield Text(printable(names), "bold").append(f"  the same of another day{more}", "italic")


def _in_dates_only(change: LiteralChange) -> bool:
    return [*map(without_dates, change.before)] == [*map(without_dates, change.after)]


def _status(diff: Diff, name: FieldName) -> str:
    if name in diff.columns_added:
        return "  added"
    return "  removed" if name in diff.columns_removed else ""


def _names(diff: Diff) -> Iterator[FieldName]:
    for item in diff.replaced:
        if item.by is ReplacedBy.PROBABLE_RENAME:
            yield item.before
            yield item.after
    yield from diff.columns_added
    yield from diff.columns_removed
    changed = (change.after for change in diff.edges_changed)
    literal = (change.edge for change in diff.literals)
    for edge in (*diff.edges_added, *diff.edges_removed, *changed, *literal):
        yield edge.origin
        yield edge.destination


def _summary(diff: Diff, dated: int) -> str:
    renames = sum(item.by is ReplacedBy.PROBABLE_RENAME for item in diff.replaced)
    texts = sum(change.part.value == "text" for change in diff.edges_changed)
    counts = (
        ("column added", "columns added", len(diff.columns_added)),
        ("column removed", "columns removed", len(diff.columns_removed)),
        ("input added", "inputs added", len(diff.edges_added)),
        ("input removed", "inputs removed", len(diff.edges_removed)),
        ("input changed", "inputs changed", len(diff.edges_changed) - texts),
        ("input with a different expression", "inputs with different expressions", texts),
        ("input with different literals", "inputs with different literals", len(diff.literals) + dated),
        ("column probably renamed", "columns probably renamed", renames),
        ("dataset of another day", "datasets of another day", len(diff.replaced) - renames),
    )
    return ", ".join(
        f"{number:,} {singular if number == 1 else plural}" for singular, plural, number in counts if number
    )


def _time(moment: Moment) -> str:
    if moment.version:
        return f"version {moment.version}"
    return "now" if moment.until is None else time_text(moment.until)
