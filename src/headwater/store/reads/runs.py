"""Runs: by id, by job, and what they read."""

from collections.abc import Collection
from typing import NamedTuple

from headwater.store.db.codes import ALWAYS, NO_LIMIT, Role
from headwater.store.db.session import Row, Session, ids
from headwater.store.model.order import stamp_us
from headwater.store.model.uuids import uuid_text

_COLUMNS = "run.id, run.uuid, run.first_us, run.job, run.parent, run.end_type, run.end_stamp, run.streaming"
# The bound is found before what it bounds is read: the LIMIT beside it keeps a database from finding it for each row.
_LATEST = f"""
WITH bound AS (
    SELECT given.id, coalesce(
        (SELECT run.first_us FROM run WHERE run.job = given.id AND run.first_us IS NOT NULL
         ORDER BY run.first_us DESC LIMIT 1 OFFSET :more), :ever
    ) AS since
    FROM {{given}} LIMIT :last
)
SELECT {_COLUMNS} FROM bound {{join}} run ON run.job = bound.id AND run.first_us >= bound.since
"""  # noqa: S608  our own words
_PAGE = f"""
SELECT {_COLUMNS} FROM run WHERE run.job = :job AND run.first_us IS NOT NULL
ORDER BY run.first_us DESC, run.uuid LIMIT :most OFFSET :offset
"""  # noqa: S608  our own words
_COUNT = "SELECT count(*) FROM run WHERE run.job = :job AND run.first_us IS NOT NULL"
_BY_UUID = f"SELECT {_COLUMNS} FROM run WHERE run.uuid = :uuid"  # noqa: S608  our own words
_BY_ID = f"SELECT {_COLUMNS} FROM {{given}} {{join}} run ON run.id = given.id"  # noqa: S608  our own words
_JOBS = "SELECT run.id, run.job FROM {given} {join} run ON run.id = given.id WHERE run.job IS NOT NULL"
_WITH_NAMES = """
SELECT run.uuid, job.namespace, job.name, run.first_us, run.end_type, run.end_stamp, parent.uuid, run.streaming, run.id
FROM run LEFT JOIN job ON job.id = run.job LEFT JOIN run parent ON parent.id = run.parent
"""
_NAMED_OF_JOB = f"""{_WITH_NAMES}
WHERE run.job = :job AND run.first_us <= :us AND (run.first_us < :us OR run.uuid < :uuid)
ORDER BY run.first_us DESC, run.uuid DESC LIMIT :most
"""
_NAMED_BY_UUID = f"{_WITH_NAMES} WHERE run.uuid = :uuid"
_NAMED_BY_ID = _WITH_NAMES.replace("FROM run", "FROM {given} {join} run ON run.id = given.id")
_READS = f"""
SELECT DISTINCT dataset.namespace, dataset.name
FROM (SELECT shape FROM {{shapes}} WHERE run = :run GROUP BY shape) said
JOIN mention ON mention.shape = said.shape AND mention.role = {Role.READ}
JOIN dataset ON dataset.id = mention.dataset
"""  # noqa: S608  our own words


class RunRow(NamedTuple):
    """A run; times in microseconds, `job` and `parent` by their keys."""

    key: int
    uuid: str
    first_us: int | None
    job: int | None
    parent: int | None
    end_type: int | None
    end_us: int | None
    streaming: bool


class NamedRun(NamedTuple):
    """A run with the name of its job and the UUID of its parent."""

    uuid: bytes
    job_namespace: str | None
    job_name: str | None
    first_us: int | None
    end_type: int | None
    end_stamp: bytes | None
    parent: bytes | None
    streaming: int
    id: int


def run_by_uuid(session: Session, uuid: bytes) -> RunRow | None:
    """A run by its UUID."""
    return next((_run(row) for row in session.rows(_BY_UUID, uuid=uuid)), None)


def runs_by_id(session: Session, keys: Collection[int]) -> list[RunRow]:
    """Runs by their keys."""
    return [_run(row) for row in session.rows(_BY_ID, ids(keys))]


def page_of_job(session: Session, job: int, most: int, offset: int) -> list[RunRow]:
    """A page of a job's runs, the latest first."""
    return [_run(row) for row in session.rows(_PAGE, job=job, most=most, offset=offset)]


def count_of_job(session: Session, job: int) -> int:
    """How many runs a job has."""
    return int(session.rows(_COUNT, job=job)[0][0])


def latest_of_jobs(session: Session, jobs: Collection[int], most: int) -> list[RunRow]:
    """The latest runs of each job, in no order; more than `most` where several began at one moment."""
    rows = session.rows(_LATEST, ids(jobs), more=most - 1, ever=ALWAYS, last=NO_LIMIT)
    return [_run(row) for row in rows]


def jobs_of_runs(session: Session, runs: Collection[int]) -> dict[int, int]:
    """The jobs of runs, where they are known."""
    return dict(session.rows(_JOBS, ids(runs)))


def named_runs_of_job(session: Session, job: int, before_us: int, before_uuid: bytes, most: int) -> list[NamedRun]:
    """A job's runs before a place in time, the newest first."""
    rows = session.rows(_NAMED_OF_JOB, job=job, us=before_us, uuid=before_uuid, most=most)
    return [NamedRun._make(row) for row in rows]


def named_run(session: Session, uuid: bytes) -> NamedRun | None:
    """A run by its UUID."""
    return next((NamedRun._make(row) for row in session.rows(_NAMED_BY_UUID, uuid=uuid)), None)


def named_runs_by_id(session: Session, keys: Collection[int]) -> list[NamedRun]:
    """Runs by their keys."""
    return [NamedRun._make(row) for row in session.rows(_NAMED_BY_ID, ids(keys))]


def datasets_read(session: Session, run: int, *, streaming: bool) -> list[tuple[str, str]]:
    """The namespaces and names of the datasets that a run reads."""
    # The events of a streaming run may be millions, and its shapes are few.
    statement = _READS.format(shapes="stream_shape" if streaming else "event")
    return [(namespace, name) for namespace, name in session.rows(statement, run=run)]


def _run(row: Row) -> RunRow:
    key, uuid, first_us, job, parent, end_type, end_stamp, streaming = row
    end_us = None if end_stamp is None else stamp_us(bytes(end_stamp))
    return RunRow(key, uuid_text(uuid), first_us, job, parent, end_type, end_us, bool(streaming))
