"""Changes of edges as lines of text: what a column now reads, no longer reads, or reads differently."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from rich.text import Text

from headwater.common.groups import lists_by_key
from headwater.notebook.words import edge_in_words, printable

if TYPE_CHECKING:
    from headwater.query.changes.diff import LiteralChange
    from headwater.query.changes.edge_diff import EdgeChange
    from headwater.query.graph.answer import Edge
    from headwater.render.text.names import Naming

T = TypeVar("T")


class Changes:
    """Writes changes as indented lines; `with_jobs` adds the jobs of each edge, together where they say the same."""

    def __init__(self, naming: Naming, *, with_jobs: bool) -> None:
        self._naming = naming
        self._with_jobs = with_jobs

    def added(self, *edges: Edge) -> Iterator[Text]:
        """Edges that are new."""
        for same in _alike((edge, (edge.origin, edge_in_words(edge))) for edge in edges):
            yield from self._lines("now reads {}", same, after=edge_in_words(same[0]))

    def removed(self, *edges: Edge) -> Iterator[Text]:
        """Edges that are no longer there."""
        for same in _alike((edge, (edge.origin, edge_in_words(edge))) for edge in edges):
            yield from self._lines("no longer reads {}", same, before=edge_in_words(same[0]))

    def changed(self, *changes: EdgeChange) -> Iterator[Text]:
        """Edges with another transformation or job."""
        for same in _alike((change, _change_key(change)) for change in changes):
            was, now = edge_in_words(same[0].before), edge_in_words(same[0].after)
            if same[0].before.job != same[0].after.job:
                was, now = f"{was} ({_job(same[0].before)})", f"{now} ({_job(same[0].after)})"
            yield from self._lines("reads {} differently", [change.after for change in same], was, now)

    def literals(self, *changes: LiteralChange) -> Iterator[Text]:
        """Edges whose expressions differ in literals only."""
        for same in _alike((change, (change.edge.origin, change.before, change.after)) for change in changes):
            was, now = "; ".join(same[0].before), "; ".join(same[0].after)
            yield from self._lines("reads {} with different literals", [change.edge for change in same], was, now)

    def _lines(self, pattern: str, edges: Sequence[Edge], before: str = "", after: str = "") -> Iterator[Text]:
        jobs = sorted({edge.job.name for edge in edges if edge.job})
        by = f", in {'job' if len(jobs) == 1 else 'jobs'} {', '.join(jobs)}" if self._with_jobs and jobs else ""
        line = Text(printable(f"  {pattern.format(self._naming.label(edges[0].origin))}{by}: ").rstrip())
        if not (before and after):
            yield line.append(f" {printable(before or after)}", "green" if after else "red")
            return
        yield line
        for word, style, text in (("before: ", "red", before), ("after:  ", "green", after)):
            yield Text(f"    {word}", "dim").append(printable(text), style)


def _alike(keyed: Iterable[tuple[T, Hashable]]) -> list[list[T]]:
    """What several jobs say, once."""
    return list(lists_by_key((key, item) for item, key in keyed).values())


def _change_key(change: EdgeChange) -> Hashable:
    """What a change says; one that is of the job itself stays alone."""
    before, after = change.before, change.after
    jobs = None if before.job == after.job else (before.job, after.job)
    return after.origin, edge_in_words(before), edge_in_words(after), jobs


def _job(edge: Edge) -> str:
    return f"job {edge.job.name}" if edge.job else "no job"
