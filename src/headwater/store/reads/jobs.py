"""Jobs: pages of them, by the state of their last run, and what they read and write now."""

from collections.abc import Collection
from typing import NamedTuple

from headwater.openlineage.model.event import EventType
from headwater.store.db.codes import NOW, Kind
from headwater.store.db.predicates import in_force
from headwater.store.db.session import Session, ids
from headwater.store.reads.visibility import NOT_HIDDEN

RUNNING, NEW = -1, -2
"""States of a run that has not ended, begun or only announced; the others are the types of events that end one."""
_STATES = {
    "completed": int(EventType.COMPLETE),
    "failed": int(EventType.FAIL),
    "aborted": int(EventType.ABORT),
    "running": RUNNING,
    "new": NEW,
}
_NEVER = -9
# The state of the last run; whether one that has not ended was begun is in its events: those before OTHER.
_IN_STATE = f"""
AND (
    SELECT coalesce(
        run.end_type,
        CASE WHEN EXISTS (SELECT 1 FROM event WHERE event.run = run.id AND event.type < {EventType.OTHER})
            THEN {RUNNING} ELSE {NEW} END
    )
    FROM run WHERE run.job = t.id AND run.first_us IS NOT NULL
    ORDER BY run.first_us DESC, run.uuid LIMIT 1
) IN (:completed, :failed, :aborted, :running, :new)
"""  # noqa: S608  our own words
_ALL_NAMESPACES = "1 = 1"
_OF_NAMESPACE = "t.namespace = :namespace"
_IN_FORCE = f"""
SELECT slot.job, slot.dataset, input.dataset FROM {{given}}
{{join}} slot ON slot.job = given.id AND {in_force("slot", ":now")}
LEFT JOIN input ON input.inputs = slot.inputs
"""  # noqa: S608  our own words


class InputAndOutput(NamedTuple):
    """A dataset that a job writes now, and one that it reads for that; a job may only read."""

    job: int
    written: int
    read: int | None


def page_of_jobs(
    session: Session, namespace: str | None, states: Collection[int], most: int, offset: int
) -> tuple[list[int], int]:
    """A page of the visible jobs, of one namespace or of all, the newest first; and how many there are.

    Args:
        session: the store.
        namespace: None for all.
        states: the states that a job's last run may have: types of events that end a run, RUNNING, NEW; none for all.
        most: how many jobs the page has at most.
        offset: how many jobs come before it.
    """
    where = f"WHERE {_ALL_NAMESPACES if namespace is None else _OF_NAMESPACE} AND {NOT_HIDDEN[Kind.JOB]}"
    values: dict[str, object] = {} if namespace is None else {"namespace": namespace}
    if states:
        where += _IN_STATE
        # A state that is not asked for is compared with what no run has.
        values |= {name: code if code in states else _NEVER for name, code in _STATES.items()}
    # The newest first is what a person looks for in a long list; by name, all jobs would have to be sorted for a page.
    page = f"SELECT t.id FROM job t {where} ORDER BY t.id DESC LIMIT :most OFFSET :offset"  # noqa: S608  our own words
    keys = [key for (key,) in session.rows(page, **values, most=most, offset=offset)]
    total = session.rows(f"SELECT count(*) FROM job t {where}", **values)[0][0]  # noqa: S608  our own words
    return keys, int(total)


def inputs_and_outputs(session: Session, jobs: Collection[int]) -> list[InputAndOutput]:
    """What jobs read and write now."""
    return [InputAndOutput._make(row) for row in session.rows(_IN_FORCE, ids(jobs), now=NOW)]
