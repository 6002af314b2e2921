"""Versions of datasets, for lists of them: by dataset, by run, and the last of each."""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from headwater.store.db.codes import NO_LIMIT, NOTHING, NOW
from headwater.store.db.predicates import not_ended
from headwater.store.db.session import Given, Row, Session, ids
from headwater.store.model.uuids import uuid_text

_COLUMNS = "version.stamp, version.us, version.uuid, version.lifecycle, version.run"
_PAGE = f"""
SELECT {_COLUMNS} FROM version WHERE version.dataset = :dataset
ORDER BY version.us DESC, version.stamp DESC LIMIT :most OFFSET :offset
"""  # noqa: S608  our own words
_BY_STAMP = f"""
SELECT {_COLUMNS} FROM version WHERE version.dataset = :dataset AND version.job = :job AND version.stamp = :stamp
"""  # noqa: S608  our own words
# The limit is never reached: it has PostgreSQL find the times first, and not try every version of a dataset.
_LAST = f"""
SELECT version.dataset, version.stamp, version.uuid, version.us, version.lifecycle
FROM (
    SELECT given.id, (SELECT max(version.us) FROM version WHERE version.dataset = given.id) AS us
    FROM {{given}} LIMIT {NO_LIMIT}
) last
{{join}} version ON version.dataset = last.id AND version.us = last.us
"""  # noqa: S608  our own words
# A batch run writes all at one time; of a streaming run the last writes are shown.
_LAST_OF_RUNS = f"""
SELECT given.id, version.dataset, version.uuid FROM {{given}}
{{join}} version ON version.run = given.id AND version.dataset > {NOTHING}
    AND version.us = (SELECT max(last.us) FROM version last WHERE last.run = given.id)
"""  # noqa: S608  our own words
_WRITERS = """
SELECT given.id, version.run, run.uuid FROM {given}
{join} version ON version.uuid = given.uuid
{join} run ON run.id = version.run
"""
_WITH_NAMES = f"""
SELECT version.uuid, version.name, version.us, job.namespace, job.name, run.uuid, version.lifecycle, version.whole,
    version.carried, CASE WHEN EXISTS (
        SELECT 1 FROM slot
        WHERE slot.dataset = version.dataset AND {not_ended("slot", ":now")} AND slot.job = version.job
    ) AND NOT EXISTS (
        SELECT 1 FROM version later
        WHERE later.dataset = version.dataset AND later.job = version.job AND later.stamp > version.stamp
    ) THEN 1 ELSE 0 END, dataset.namespace, dataset.name, version.stamp
FROM version
JOIN dataset ON dataset.id = version.dataset
LEFT JOIN run ON run.id = version.run
LEFT JOIN job ON job.id = version.job
"""  # noqa: S608  our own words
_NAMED_OF_DATASET = f"""{_WITH_NAMES}
WHERE version.dataset = :dataset AND version.us <= :us AND (version.us < :us OR version.stamp < :stamp)
ORDER BY version.us DESC, version.stamp DESC LIMIT :most
"""
_NAMED_OF_RUN = (
    f"{_WITH_NAMES} WHERE version.run = :run ORDER BY version.us DESC, dataset.namespace, dataset.name LIMIT :most"
)


class VersionRow(NamedTuple):
    """A version of a dataset that is known."""

    stamp: bytes
    us: int
    uuid: str
    lifecycle: str
    run: int | None


class LastVersion(NamedTuple):
    """The last version of a dataset."""

    uuid: str
    us: int
    lifecycle: str


class WrittenVersion(NamedTuple):
    """A version that a run wrote."""

    run: int
    dataset: int
    uuid: str


class Writer(NamedTuple):
    """The run that wrote a version."""

    run: int
    uuid: str


class NamedVersion(NamedTuple):
    """A version with the names of its dataset and of the job that wrote it."""

    uuid: bytes
    name: str | None
    us: int
    job_namespace: str | None
    job_name: str | None
    run: bytes | None
    lifecycle: str | None
    whole: int
    carried: int
    in_force: int
    namespace: str
    dataset: str
    stamp: bytes


def page_of_versions(session: Session, dataset: int, most: int, offset: int) -> list[VersionRow]:
    """A page of a dataset's versions, the last one first."""
    return [_version(row) for row in session.rows(_PAGE, dataset=dataset, most=most, offset=offset)]


def count_versions(session: Session, dataset: int) -> int:
    """How many versions a dataset has."""
    return int(session.rows("SELECT count(*) FROM version WHERE dataset = :dataset", dataset=dataset)[0][0])


def version_by_stamp(session: Session, dataset: int, job: int, stamp: bytes) -> VersionRow | None:
    """A version that a job wrote, by its stamp; None where the write has not been completed."""
    rows = session.rows(_BY_STAMP, dataset=dataset, job=job, stamp=stamp)
    return _version(rows[0]) if rows else None


def last_versions(session: Session, datasets: Collection[int]) -> dict[int, LastVersion]:
    """The last version of each dataset that has one."""
    last: dict[int, tuple[bytes, LastVersion]] = {}
    for dataset, stamp, uuid, us, lifecycle in session.rows(_LAST, ids(datasets)):
        version = bytes(stamp), LastVersion(uuid_text(uuid), us, lifecycle or "")
        last[dataset] = max(last.get(dataset, version), version)
    return {dataset: version for dataset, (_, version) in last.items()}


def last_versions_of_runs(session: Session, runs: Collection[int]) -> list[WrittenVersion]:
    """The versions that runs wrote last: of a batch run, all that it wrote."""
    rows = session.rows(_LAST_OF_RUNS, ids(runs))
    return [WrittenVersion(run, dataset, uuid_text(uuid)) for run, dataset, uuid in rows]


def writers_of(session: Session, uuids: Iterable[bytes]) -> dict[int, Writer]:
    """The runs that wrote versions, by the versions' places in the list."""
    versions = Given("id int, uuid bytes", list(enumerate(uuids)))
    return {place: Writer(run, uuid_text(uuid)) for place, run, uuid in session.rows(_WRITERS, versions)}


def named_versions(
    session: Session, dataset: int, before_us: int, before_stamp: bytes, most: int
) -> list[NamedVersion]:
    """A dataset's versions before a place in time, the newest first."""
    rows = session.rows(_NAMED_OF_DATASET, dataset=dataset, us=before_us, stamp=before_stamp, most=most, now=NOW)
    return [NamedVersion._make(row) for row in rows]


def named_versions_of_run(session: Session, run: int, most: int) -> list[NamedVersion]:
    """The versions that a run wrote, the newest first."""
    return [NamedVersion._make(row) for row in session.rows(_NAMED_OF_RUN, run=run, most=most, now=NOW)]


def _version(row: Row) -> VersionRow:
    stamp, us, uuid, lifecycle, run = row
    return VersionRow(bytes(stamp), us, uuid_text(uuid), lifecycle or "", run)
