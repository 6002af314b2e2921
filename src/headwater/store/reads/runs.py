"""Runs: by key, by UUID, by job, what they read, and which are above and below others."""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from headwater.openlineage.model.event import EventType
from headwater.store.db.codes import ALWAYS, NO_LIMIT, NOW, Role
from headwater.store.db.session import Row, Session, ids
from headwater.store.model.meaning import Name
from headwater.store.model.order import stamp_us
from headwater.store.model.uuids import uuid_text

_COLUMNS = (
    "run.id, run.uuid, run.first_us, run.job, run.end_type, run.end_stamp, run.streaming,"
    " job.namespace, job.name, parent.uuid, parent_job.namespace, parent_job.name"
)
_NAMES = """
LEFT JOIN job ON job.id = run.job
LEFT JOIN run parent ON parent.id = run.parent LEFT JOIN job parent_job ON parent_job.id = parent.job
"""
# The bound is found before what it bounds is read: the LIMIT beside it keeps a database from finding it for each row.
_LATEST = f"""
WITH bound AS (
    SELECT given.id, coalesce(
        (SELECT run.first_us FROM run WHERE run.job = given.id AND run.first_us <= :now
         ORDER BY run.first_us DESC LIMIT 1 OFFSET :more), :ever
    ) AS since
    FROM {{given}} LIMIT :last
)
SELECT {_COLUMNS} FROM bound {{join}} run ON run.job = bound.id AND run.first_us >= bound.since
    AND run.first_us <= :now {_NAMES}
"""  # noqa: S608  our own words
_PAGE = f"""
SELECT {_COLUMNS} FROM run {_NAMES} WHERE run.job = :job AND run.first_us <= :now
ORDER BY run.first_us DESC, run.uuid LIMIT :most OFFSET :offset
"""  # noqa: S608  our own words
_COUNT = "SELECT count(*) FROM run WHERE run.job = :job AND run.first_us <= :now"
_BEFORE = f"""
SELECT {_COLUMNS} FROM run {_NAMES}
WHERE run.job = :job AND run.first_us <= :us AND (run.first_us < :us OR run.uuid < :uuid)
ORDER BY run.first_us DESC, run.uuid DESC LIMIT :most
"""  # noqa: S608  our own words
_BY_UUID = f"SELECT {_COLUMNS} FROM run {_NAMES} WHERE run.uuid = :uuid"  # noqa: S608  our own words
_BY_ID = f"SELECT {_COLUMNS} FROM {{given}} {{join}} run ON run.id = given.id {_NAMES}"  # noqa: S608  our own words
_READS = f"""
SELECT DISTINCT dataset.namespace, dataset.name
FROM (SELECT shape FROM {{shapes}} WHERE run = :run GROUP BY shape) said
JOIN mention ON mention.shape = said.shape AND mention.role = {Role.READ}
JOIN dataset ON dataset.id = mention.dataset
WHERE EXISTS (SELECT 1 FROM event WHERE event.run = :run AND event.shape = said.shape AND event.us <= :until)
"""  # noqa: S608  our own words
# Runs above runs, one above another in a circle at worst: each is visited once.
_ABOVE = """
WITH RECURSIVE above (start, id) AS (
    SELECT given.id, given.id FROM {given}
    UNION
    SELECT above.start, run.parent FROM above {join} run ON run.id = above.id WHERE run.parent IS NOT NULL
)
SELECT above.start, run.id, run.parent, run.job, run.uuid FROM above {join} run ON run.id = above.id
"""
# The events that ended runs by now.
_ENDS = f"""
SELECT event.run, event.us, event.type, event.hash FROM {{given}}
{{join}} event ON event.run = given.id AND event.type >= {EventType.COMPLETE} AND event.us <= :now
"""  # noqa: S608  our own words
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


class RunRow(NamedTuple):
    """A run; times in microseconds, `job` by its key and `parent` by its UUID."""

    key: int
    uuid: str
    first_us: int | None
    job: int | None
    end_type: int | None
    end_us: int | None
    streaming: bool
    job_name: Name | None
    parent: str | None
    parent_job: Name | None


class Ancestor(NamedTuple):
    """A run at or above another, `start`."""

    start: int
    id: int
    parent: int | None
    job: int | None
    uuid: bytes


def run_by_uuid(session: Session, uuid: bytes) -> RunRow | None:
    """A run by its UUID."""
    return next(iter(_as_of_now(session, session.rows(_BY_UUID, uuid=uuid))), None)


def runs_by_id(session: Session, keys: Collection[int]) -> list[RunRow]:
    """Runs by their keys."""
    return _as_of_now(session, session.rows(_BY_ID, ids(keys)))


def page_of_runs(session: Session, job: int, most: int, offset: int) -> tuple[list[RunRow], int]:
    """A page of a job's runs that began by now, the latest first; and how many there are."""
    page = _as_of_now(session, session.rows(_PAGE, job=job, most=most, offset=offset, now=session.now))
    return page, int(session.rows(_COUNT, job=job, now=session.now)[0][0])


def runs_before(session: Session, job: int, us: int, uuid: bytes, most: int) -> list[RunRow]:
    """A job's runs before a place in time, the newest first."""
    return _as_of_now(session, session.rows(_BEFORE, job=job, us=us, uuid=uuid, most=most))


def latest_of_jobs(session: Session, jobs: Collection[int], most: int) -> list[RunRow]:
    """The latest runs of each job by now, in no order; more than `most` where several began at one moment."""
    rows = session.rows(_LATEST, ids(jobs), more=most - 1, ever=ALWAYS, last=NO_LIMIT, now=session.now)
    return _as_of_now(session, rows)


def known_until(session: Session, run: RunRow) -> int:
    """The last moment that counts of a run now: one that begins ahead of the clock is shown as it will be."""
    return session.now if (run.first_us or 0) <= session.now else NOW


def datasets_read(session: Session, run: RunRow) -> list[Name]:
    """The namespaces and names of the datasets that a run reads, as far as it has said so by now."""
    # The events of a streaming run may be millions, and its shapes are few.
    statement = _READS.format(shapes="stream_shape" if run.streaming else "event")
    return session.rows(statement, run=run.key, until=known_until(session, run))


def ancestors(session: Session, runs: Collection[int]) -> list[Ancestor]:
    """Runs, and all that are above them."""
    return [Ancestor(*row) for row in session.rows(_ABOVE, ids(runs))]


def jobs_below_last_run(session: Session, job: int, until: int) -> set[int]:
    """The jobs of a job's last run that began by a moment, and of all runs below it."""
    runs = [run for (run,) in session.rows(_LAST_RUN, job=job, until=until)]
    return {key for (key,) in session.rows(_BELOW, ids(runs))}


def _as_of_now(session: Session, rows: Iterable[Row]) -> list[RunRow]:
    """Runs as they are now: one that began by now, and whose last end lies ahead, has ended by an earlier event or not.

    A run that begins ahead is shown as it will be.
    """
    runs = [_run(row) for row in rows]
    if not any(run.end_us is not None and run.end_us > session.now for run in runs):
        return runs
    ahead = {run.key for run in runs if (run.end_us or 0) > session.now >= (run.first_us or 0)}
    ends: dict[int, tuple[int, bytes, int]] = {}
    for run, us, kind, hashed in session.rows(_ENDS, ids(ahead), now=session.now):
        # Of one moment, the one with the greater hash is the later.
        ends[run] = max((us, bytes(hashed), kind), ends.get(run, (us, b"", kind)))
    return [
        run._replace(end_us=ends[run.key][0], end_type=ends[run.key][2])
        if run.key in ends
        else run._replace(end_us=None, end_type=None)
        if run.key in ahead
        else run
        for run in runs
    ]


def _run(row: Row) -> RunRow:
    key, uuid, first_us, job, end_type, end_stamp, streaming, *names = row
    job_namespace, job_name, parent, parent_namespace, parent_name = names
    return RunRow(
        key,
        uuid_text(uuid),
        first_us,
        job,
        end_type,
        None if end_stamp is None else stamp_us(bytes(end_stamp)),
        bool(streaming),
        None if job_name is None else (job_namespace, job_name),
        None if parent is None else uuid_text(parent),
        None if parent_name is None else (parent_namespace, parent_name),
    )
