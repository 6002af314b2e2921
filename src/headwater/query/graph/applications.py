"""Executions and their applications: a run's topmost ancestor says which job it is a part of."""

from collections import defaultdict
from collections.abc import Collection, Mapping

from headwater.query.graph.intervals import Span
from headwater.store.db.session import Session
from headwater.store.model.uuids import uuid_text
from headwater.store.reads.runs import Ancestor, ancestors, jobs_below_last_run
from headwater.store.reads.versions import LastWrite, last_versions


class Applications:
    """The applications of slots in one span of the history."""

    def __init__(self, session: Session, span: Span) -> None:
        self._session = session
        self._span = span
        self._last: dict[tuple[int, int], LastWrite] = {}
        self._top: dict[int, tuple[int, str]] = {}

    def of_slots(self, ends: Mapping[tuple[int, int], int]) -> dict[tuple[int, int], int]:
        """The job of the topmost run above the last run of each slot (dataset, job)."""
        new = {slot: end for slot, end in ends.items() if slot not in self._last}
        self._last |= last_versions(self._session, new, self._span)
        runs = {slot: self._last[slot].key for slot in ends if slot in self._last}
        self._look_up({run for run in runs.values() if run is not None and run not in self._top})
        return {slot: self._top[run][0] for slot, run in runs.items() if run in self._top}

    def last_runs(self, ends: Mapping[tuple[int, int], int]) -> dict[tuple[int, int], LastWrite]:
        """The last write of each slot, by the run of the application."""
        self.of_slots(ends)
        writes = {slot: self._last[slot] for slot in ends if slot in self._last}
        return {
            slot: write._replace(run=self._top[write.key][1]) if write.key in self._top else write
            for slot, write in writes.items()
        }

    def executions(self, job: int) -> set[int]:
        """The jobs of all that runs below the last run of a job."""
        return jobs_below_last_run(self._session, job, self._span.until)

    def _look_up(self, runs: Collection[int]) -> None:
        by_start: dict[int, dict[int, Ancestor]] = defaultdict(dict)
        for ancestor in ancestors(self._session, runs):
            by_start[ancestor.start][ancestor.id] = ancestor
        for start, above in by_start.items():
            run: int | None = start
            visited: set[int] = set()
            while run is not None and run in above and run not in visited:
                visited.add(run)
                ancestor = above[run]
                if ancestor.job is not None:
                    self._top[start] = ancestor.job, uuid_text(ancestor.uuid)
                run = ancestor.parent
