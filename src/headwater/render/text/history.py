"""The history of a column as text: when it changed, by which run, and how."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from headwater.notebook.words import count, printable
from headwater.openlineage.model.instants import instant_text
from headwater.render.text.changes import Changes
from headwater.render.text.names import Naming

if TYPE_CHECKING:
    from headwater.query.changes.history import Change, History
    from headwater.query.graph.answer import FieldName

_HAPPENED = {
    "appeared": "job {} starts writing it",
    "changed": "job {} writes it differently",
    "ended": "no longer contains what job {} wrote",
}
_DECLARED = {"appeared": "declared", "changed": "declared differently", "ended": "no longer declared"}


def history_lines(history: History, *, all_times: bool) -> Iterator[Text]:
    """Each change, the oldest first."""
    naming = Naming([history.column, *_names(history)])
    column = naming.label(history.column)
    if not history.changes:
        yield Text(
            printable(f"No lineage recorded for {column}." if all_times else f"{column} did not change in this period.")
        )
        return
    yield Text(printable(column), "bold")
    changes = Changes(naming, with_jobs=False)
    for change in history.changes:
        yield Text(instant_text(change.us), "cyan").append(f"  {printable(_event(change))}")
        for edge in change.removed:
            yield from changes.removed(edge)
        for edge in change.added:
            yield from changes.added(edge)
        for changed in change.changed:
            yield from changes.changed(changed)
    yield Text("")
    yield from naming.legend()
    yield Text(f"{count(len(history.changes), 'change')}.", "dim")


def _event(change: Change) -> str:
    words = _HAPPENED[change.happened.value].format(change.job.name) if change.job else _DECLARED[change.happened.value]
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
