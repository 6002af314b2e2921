"""The history of a column in words: when it changed, by which run, and how."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from headwater.cli.changes import Changes
from headwater.cli.naming import Naming
from headwater.graph.words import count, printable
from headwater.openlineage.instants import instant_text

if TYPE_CHECKING:
    from headwater.graph.answer import FieldName
    from headwater.graph.history import Change, History

_HAPPENED = {
    "appeared": "job {} begins to write it",
    "changed": "job {} writes it in another way",
    "ended": "what job {} wrote ends",
}
_DECLARED = {
    "appeared": "it is declared",
    "changed": "it is declared in another way",
    "ended": "what was declared ends",
}


def told_history(history: History, *, all_times: bool) -> Iterator[Text]:
    """Each change, the oldest first."""
    naming = Naming([history.column, *_names(history)])
    column = naming.label(history.column)
    if not history.changes:
        yield Text(
            printable(f"Nothing is known to have fed {column}." if all_times else f"{column} did not change then.")
        )
        return
    yield Text(printable(column), "bold")
    changes = Changes(naming, with_jobs=False)
    for change in history.changes:
        yield Text(instant_text(change.us), "cyan").append(f"  {printable(_what(change))}")
        for edge in change.removed:
            yield from changes.went(edge)
        for edge in change.added:
            yield from changes.came(edge)
        for changed in change.changed:
            yield from changes.changed(changed)
    yield Text("")
    yield from naming.legend()
    yield Text(f"{count(len(history.changes), 'change')}.", "dim")


def _what(change: Change) -> str:
    words = _HAPPENED[change.happened.value].format(change.job.name) if change.job else _DECLARED[change.happened.value]
    if change.by is None:
        return words
    other = f"job {change.by.job.name}" if change.by.job and change.by.job != change.job else ""
    said = [*filter(None, [change.by.lifecycle, other]), *([f"run {change.by.run}"] if change.by.run else [])]
    return f"{words} ({', '.join(said)})" if said else words


def _names(history: History) -> Iterator[FieldName]:
    for change in history.changes:
        for edge in (*change.added, *change.removed, *(changed.after for changed in change.changed)):
            yield edge.origin
