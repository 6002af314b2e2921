"""Changes of edges as lines of text: what a column now reads, no longer reads, or reads differently."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from headwater.notebook.words import edge_in_words, printable

if TYPE_CHECKING:
    from headwater.query.changes.edge_diff import EdgeChange
    from headwater.query.graph.answer import Edge
    from headwater.render.text.names import Naming


class Changes:
    """Writes changes as indented lines; `with_jobs` adds the job of each edge."""

    def __init__(self, naming: Naming, *, with_jobs: bool) -> None:
        self._naming = naming
        self._with_jobs = with_jobs

    def added(self, edge: Edge) -> Iterator[Text]:
        """An edge that is new."""
        return self._lines("now reads {}", edge, after=edge_in_words(edge))

    def removed(self, edge: Edge) -> Iterator[Text]:
        """An edge that is no longer there."""
        return self._lines("no longer reads {}", edge, before=edge_in_words(edge))

    def changed(self, change: EdgeChange) -> Iterator[Text]:
        """An edge with another transformation or job."""
        was, now = edge_in_words(change.before), edge_in_words(change.after)
        if change.before.job != change.after.job:
            was, now = f"{was} ({_job(change.before)})", f"{now} ({_job(change.after)})"
        return self._lines("reads {} differently", change.after, was, now)

    def literals(self, edge: Edge, was: str, now: str) -> Iterator[Text]:
        """An edge whose expression differs in literals only."""
        return self._lines("reads {} with different literals", edge, was, now)

    def _lines(self, pattern: str, edge: Edge, before: str = "", after: str = "") -> Iterator[Text]:
        by = f", in {_job(edge)}" if self._with_jobs and edge.job else ""
        line = Text(printable(f"  {pattern.format(self._naming.label(edge.origin))}{by}: ").rstrip())
        if not (before and after):
            yield line.append(f" {printable(before or after)}", "green" if after else "red")
            return
        yield line
        for word, style, text in (("before: ", "red", before), ("after:  ", "green", after)):
            yield Text(f"    {word}", "dim").append(printable(text), style)


def _job(edge: Edge) -> str:
    return f"job {edge.job.name}" if edge.job else "no job"
