"""Executions and their applications: a run's topmost ancestor says which job it is a part of."""

from collections.abc import Collection, Mapping
from uuid import UUID

from headwater.query.graph.intervals import Span
from headwater.query.graph.labels import Last, last_versions
from headwater.store.db.session import Session, ids

# Runs above runs, one above another in a circle at worst: each is visited once.
_ABOVE = """
WITH RECURSIVE above (start, id) AS (
    SELECT given.id, given.id FROM {given}
    UNION
    SELECT above.start, run.parent FROM above {join} run ON run.id = above.id WHERE run.parent IS NOT NULL
)
SELECT above.start, run.id, run.parent, run.job, run.uuid FROM above {join} run ON run.id = above.id
"""
_LAST_RUN = """
SELECT run.id FROM run WHERE run.job = :job AND run.first_us <= :until ORDER BY run.first_us DESC, run.uuid DESC LIMIT 1
"""
_BELOW = """
WITH RECURSIVE below (id) AS (
    SELECT given.id FROM {given}
    UNION
    SELECT run.id FROM below {join} run ON run.parent = below.id
)
SELECT DISTINCT run.job FROM below {join} run ON run.id = below.id WHERE run.job IS NOT NULL
"""


class Applications:
    """The applications of slots in one span of the history."""

    def __init__(self, session: Session, span: Span) -> None:
        self._session = session
        self._span = span
        self._last: dict[tuple[int, int], Last] = {}
        self._top: dict[int, tuple[int, str]] = {}

    def of_slots(self, ends: Mapping[tuple[int, int], int]) -> dict[tuple[int, int], int]:
        """The job of the topmost run above the last run of each slot (dataset, job)."""
        new = {slot: end for slot, end in ends.items() if slot not in self._last}
        self._last |= last_versions(self._session, new, self._span)
        runs = {slot: self._last[slot].key for slot in ends if slot in self._last}
        self._look_up({run for run in runs.values() if run is not None and run not in self._top})
        return {slot: self._top[run][0] for slot, run in runs.items() if run in self._top}

    def last_runs(self, ends: Mapping[tuple[int, int], int]) -> dict[tuple[int, int], Last]:
        """The last write of each slot, by the run of the application."""
        self.of_slots(ends)
        found = {slot: self._last[slot] for slot in ends if slot in self._last}
        return {
            slot: last._replace(run=self._top[last.key][1]) if last.key in self._top else last
            for slot, last in found.items()
        }

    def executions(self, job: int) -> set[int]:
        """The jobs of all that runs below the last run of a job."""
        runs = [run for (run,) in self._session.rows(_LAST_RUN, job=job, until=self._span.until)]
        return {found for (found,) in self._session.rows(_BELOW, ids(runs))} if runs else set()

    def _look_up(self, runs: Collection[int]) -> None:
        if not runs:
            return
        above: dict[int, dict[int, tuple[int | None, int | None, bytes]]] = {}
        for start, run, parent, job, uuid in self._session.rows(_ABOVE, ids(runs)):
            above.setdefault(start, {})[run] = parent, job, bytes(uuid)
        for start, found in above.items():
            at: int | None = start
            seen: set[int] = set()
            while at is not None and at in found and at not in seen:
                seen.add(at)
                parent, job, uuid = found[at]
                if job is not None:
                    self._top[start] = job, str(UUID(bytes=uuid))
                at = parent
