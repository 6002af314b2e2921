"""The history of a column as text: when it changed, by which run, and how."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from headwater.notebook.words import count, printable
from headwater.openlineage.model.instants import time_text
from headwater.query.graph.answer import place_of_field
from headwater.render.text.changes import Changes
from headwater.render.text.names import Naming, subject
from headwater.render.text.unknown import names_in, unknown_lines

if TYPE_CHECKING:
    from headwater.query.changes.history import Change, History
    from headwater.query.graph.answer import FieldName

_HAPPENED = {
    "appeared": "job {} starts writing it",
    "changed": "job {} writes it differently",
    "ended": "no longer contains what job {} wrote",
}
_COLUMN = {
    "added": "added: {after}",
    "renamed": "renamed: {before} is now {after}",
    "dropped": "dropped: {before}",
}
_MISSING = "May have been written as well (no column lineage recorded):"
_DECLARED = {"appeared": "declared", "changed": "declared differently", "ended": "no longer declared"}


def history_lines(history: History, *, all_times: bool) -> Iterator[Text]:
    """Each change, the oldest first."""
    naming = Naming([history.column, *_names(history), *names_in(history.unknown)])
    column = subject(history.column, naming)
    if not history.changes:
        yield Text(
            printable(f"No lineage recorded for {column}." if all_times else f"{column} did not change in this period.")
        )
        yield from unknown_lines(history.unknown, naming, _MISSING)
        return
    yield Text(printable(column), "bold")
    changes = Changes(naming, with_jobs=False)
    for change in history.changes:
        yield Text(time_text(change.us), "cyan").append(f"  {printable(_event(change))}")
        yield from _of_column(change, changes) if history.column.field else _of_columns(change, changes)
    yield from unknown_lines(history.unknown, naming, _MISSING)
    yield Text("")
    yield from naming.legend()
    yield Text(f"{count(len(history.changes), 'change')}.", "dim")


def _of_column(change: Change, changes: Changes) -> Iterator[Text]:
    yield from changes.removed(*change.removed)
    yield from changes.added(*change.added)
    yield from changes.changed(*change.changed)


def _of_columns(change: Change, changes: Changes) -> Iterator[Text]:
    """A change of several columns: those that a job starts to write by name alone, others each with its change."""
    if change.happened.value != "changed":
        names = sorted({edge.destination.field for edge in (*change.added, *change.removed) if edge.destination.field})
        if names:
            yield Text(printable(f"  {count(len(names), 'column')}: {', '.join(names)}"))
        return
    edges = (*change.removed, *change.added, *(changed.after for changed in change.changed))
    for name in sorted({edge.destination for edge in edges}, key=place_of_field):
        yield Text("  ").append(printable("(rows)" if name.field is None else name.field), "bold")
        lines = [
            *changes.removed(*(edge for edge in change.removed if edge.destination == name)),
            *changes.added(*(edge for edge in change.added if edge.destination == name)),
            *changes.changed(*(changed for changed in change.changed if changed.after.destination == name)),
        ]
        yield from (Text("  ").append(line) for line in lines)


def _event(change: Change) -> str:
    if change.happened.value in _COLUMN:
        words = _COLUMN[change.happened.value].format(before=change.before, after=change.after)
    elif change.job:
        words = _HAPPENED[change.happened.value].format(change.job.name)
    else:
        words = _DECLARED[change.happened.value]
    if change.by is None:
        return words
    other = f"job {change.by.job.name}" if change.by.job and change.by.job != change.job else ""
    run = f"run {change.by.run}" if change.by.run else ""
    details = [*filter(None, [change.by.lifecycle, other, run])]
    return f"{words} ({', '.join(details)})" if details else words


def _names(history: History) -> Iterator[FieldName]:
    for change in history.changes:
        for edge in (*change.added, *change.removed, *(changed.after for changed in change.changed)):
            yield edge.origin
