"""Runs above and below runs: an application and its executions."""

from collections.abc import Collection
from typing import NamedTuple

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


class Ancestor(NamedTuple):
    """A run at or above another, `start`."""

    start: int
    id: int
    parent: int | None
    job: int | None
    uuid: bytes


def ancestors(session: Session, runs: Collection[int]) -> list[Ancestor]:
    """Runs, and all that are above them."""
    return [Ancestor(*row) for row in session.rows(_ABOVE, ids(runs))]


def jobs_below_last_run(session: Session, job: int, until: int) -> set[int]:
    """The jobs of a job's last run that began by a moment, and of all runs below it."""
    runs = [run for (run,) in session.rows(_LAST_RUN, job=job, until=until)]
    return {key for (key,) in session.rows(_BELOW, ids(runs))}
