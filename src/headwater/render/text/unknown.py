"""What an answer does not know, as text: a line for each job, with the reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from headwater.notebook.words import printable
from headwater.query.graph.answer import Why
from headwater.render.text.names import Naming

if TYPE_CHECKING:
    from headwater.query.graph.answer import Owner, TableName, Unknown

_TITLE = "Not certain:"
_MOST_COLUMNS = 5
_REASONS = {
    Why.NO_COLUMNS: "which reads {reads}",
    Why.TABLE_ONLY: "which reads {reads} and names none of its columns",
    Why.LEFT_OUT: "which reads {reads} and does not say what it makes these columns from",
    Why.AFTER_UNKNOWN: "which reads {reads}",
    Why.OPAQUE: "from {reads}, through a step that cannot be analyzed",
    Why.CARRIED: "from {reads}; its last run reported no column lineage, so that of an earlier run is shown",
    Why.ASSUMED: "from {reads}; which version it read is inferred from the time",
}
_DECLARED = {
    Why.NO_COLUMNS: "declared to read {reads}",
    Why.TABLE_ONLY: "declared to read {reads}, without naming its columns",
    Why.LEFT_OUT: "declared to read {reads}, without saying what these columns are made from",
    Why.AFTER_UNKNOWN: "declared to read {reads}",
    Why.OPAQUE: "declared to read {reads}, through a step that cannot be analyzed",
}


def unknown_lines(unknown: Iterable[Unknown], naming: Naming, title: str) -> Iterator[Text]:
    """Under a title what may be missing from the answer, then what it shows and is not certain."""
    entries = list(unknown)
    missing = [entry for entry in entries if entry.why.may_reach]
    rest = [entry for entry in entries if not entry.why.may_reach]
    for heading, listed in ((title, missing), (_TITLE, rest)):
        if listed:
            yield Text(heading, "bold yellow")
        for entry in listed:
            yield _line(entry, naming)


def names_in(unknown: Iterable[Unknown]) -> Iterator[TableName]:
    """The datasets that the lines name."""
    for entry in unknown:
        if entry.dataset is not None:
            yield entry.dataset
        yield from entry.reads


def owned_by(owners: Iterable[Owner]) -> str:
    """The owners of something, in words."""
    names = ", ".join(dict.fromkeys(owner.name for owner in owners))
    return f"  owned by {names}" if names else ""


def _line(entry: Unknown, naming: Naming) -> Text:
    reads = ", ".join(naming.table(name) for name in entry.reads)
    line = Text("  ")
    if entry.dataset is None:
        line.append(printable(f"job {entry.job.name if entry.job else ''}"), "cyan")
        how = f"reads {reads}; where it takes the data is not recorded"
    elif entry.job is None:
        line.append(printable(_written(entry, entry.dataset, naming)), "cyan")
        how = _DECLARED.get(entry.why, _REASONS[entry.why]).format(reads=reads)
    else:
        line.append(printable(_written(entry, entry.dataset, naming)), "cyan")
        how = f"written by {entry.job.name}, {_REASONS[entry.why].format(reads=reads)}"
    return line.append(printable(f"  {how}"), "dim").append(printable(owned_by(entry.owners)), "yellow")


def _written(entry: Unknown, dataset: TableName, naming: Naming) -> str:
    """The dataset, or the columns of it that are meant."""
    name = naming.table(dataset)
    if not entry.columns:
        return name
    more = len(entry.columns) - _MOST_COLUMNS
    columns = [f"{name}.{column}" for column in entry.columns[:_MOST_COLUMNS]]
    return ", ".join([*columns, *([f"and {more} more"] if more > 0 else [])])
