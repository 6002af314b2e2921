"""What was written, and by which runs: the versions of a dataset, the runs of a job, and one run."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar
from uuid import UUID

from headwater.common.codec import plain
from headwater.notebook.rows import Tabular
from headwater.openlineage.model.event import EventType
from headwater.query.cursors import read_place, written_place
from headwater.query.graph.answer import TableName
from headwater.query.graph.intervals import NOW
from headwater.query.search.resolve import UnknownName, resolve_dataset, resolve_job
from headwater.store.db.codes import Role
from headwater.store.db.predicates import not_ended
from headwater.store.db.session import Session, ids
from headwater.store.entities.raw_events import Place
from headwater.store.model.order import LAST, stamp_us

_VERSIONS_OF_A_RUN = 1_000
_VERSION = f"""
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
_OF_DATASET = f"""{_VERSION}
WHERE version.dataset = :dataset AND version.us <= :us AND (version.us < :us OR version.stamp < :stamp)
ORDER BY version.us DESC, version.stamp DESC LIMIT :most
"""
_OF_RUN = f"{_VERSION} WHERE version.run = :run ORDER BY version.us DESC, dataset.namespace, dataset.name LIMIT :most"
_RUN = """
SELECT run.uuid, job.namespace, job.name, run.first_us, run.end_type, run.end_stamp, parent.uuid, run.streaming, run.id
FROM run LEFT JOIN job ON job.id = run.job LEFT JOIN run parent ON parent.id = run.parent
"""
_OF_JOB = f"""{_RUN}
WHERE run.job = :job AND run.first_us <= :us AND (run.first_us < :us OR run.uuid < :uuid)
ORDER BY run.first_us DESC, run.uuid DESC LIMIT :most
"""
_ONE = f"{_RUN} WHERE run.uuid = :uuid"
_SOME = _RUN.replace("FROM run", "FROM {given} {join} run ON run.id = given.id")
_READS = f"""
SELECT DISTINCT dataset.namespace, dataset.name
FROM (SELECT shape FROM {{shapes}} WHERE run = :run GROUP BY shape) said
JOIN mention ON mention.shape = said.shape AND mention.role = {Role.READ}
JOIN dataset ON dataset.id = mention.dataset
"""  # noqa: S608  our own words
_LAST_UUID = b"\xff" * 17


@dataclass(frozen=True, slots=True)
class Written:
    """A version of a dataset: the write that made it.

    Attributes:
        id: its UUID.
        name: what a version facet calls it.
        dataset: what was written.
        us: when, in microseconds UTC.
        job: who wrote; None for what an event about the dataset itself declares.
        run: the run that wrote.
        lifecycle: what the write did to the dataset (OVERWRITE, DROP, …), where that is known.
        whole: whether it left nothing of what was there.
        carried: whether what is said of its columns is what the job said before.
        in_force: whether it still counts: neither its job nor a write of the whole has ended it.
    """

    id: str
    name: str | None
    dataset: TableName
    us: int
    job: TableName | None
    run: str | None
    lifecycle: str | None
    whole: bool
    carried: bool
    in_force: bool


@dataclass(frozen=True, slots=True)
class VersionsPage(Tabular):
    """Versions of a dataset, the newest first; `cursor` leads to the next page, and is None on the last."""

    COLUMNS: ClassVar[tuple[str, ...]] = ("id", "name", "us", "job", "run", "lifecycle", "whole", "carried", "in_force")

    dataset: TableName
    versions: tuple[Written, ...]
    cursor: str | None

    def rows(self) -> list[dict[str, object]]:
        """As flat rows, one a version."""
        return [{**plain(one), "job": one.job.full if one.job else None} for one in self.versions]


@dataclass(frozen=True, slots=True)
class Run:
    """A run: when its first and its last event happened, and how it ended; `state` is None while it has not."""

    id: str
    job: TableName | None
    state: str | None
    started_us: int | None
    ended_us: int | None
    parent: str | None
    streaming: bool


@dataclass(frozen=True, slots=True)
class RunsPage(Tabular):
    """Runs of a job, the newest first; `cursor` leads to the next page, and is None on the last."""

    COLUMNS: ClassVar[tuple[str, ...]] = ("id", "job", "state", "started_us", "ended_us", "parent", "streaming")

    job: TableName
    runs: tuple[Run, ...]
    cursor: str | None

    def rows(self) -> list[dict[str, object]]:
        """As flat rows, one a run."""
        return [{**plain(one), "job": one.job.full if one.job else None} for one in self.runs]


@dataclass(frozen=True, slots=True)
class RunDetails(Tabular):
    """A run, what it read, and the versions that it wrote, the newest first; `partial`: there are more of these."""

    COLUMNS: ClassVar[tuple[str, ...]] = ("id", "name", "dataset", "us", "lifecycle", "whole", "carried", "in_force")

    run: Run
    reads: tuple[TableName, ...]
    versions: tuple[Written, ...]
    partial: bool

    def rows(self) -> list[dict[str, object]]:
        """As flat rows, one a version."""
        return [{**plain(one), "dataset": one.dataset.full} for one in self.versions]


def list_versions(session: Session, dataset: str, *, limit: int, cursor: str | None = None) -> VersionsPage:
    """The versions of a dataset, the newest first.

    Raises:
        UnknownName: nothing has that name; carries the nearest.
        AmbiguousName: several have it; carries them.
    """
    found = resolve_dataset(session, dataset)
    place = read_place(cursor) or Place(NOW, LAST)
    rows = session.rows(_OF_DATASET, dataset=found.id, us=place.us, stamp=place.hash, most=limit, now=NOW)
    after = Place(rows[-1][2], bytes(rows[-1][-1])) if len(rows) == limit else None
    name = TableName(found.namespace, found.name)
    return VersionsPage(name, tuple(_version(row) for row in rows), written_place(after))


def list_runs(session: Session, job: str, *, limit: int, cursor: str | None = None) -> RunsPage:
    """The runs of a job, the newest first.

    Raises:
        UnknownName: nothing has that name; carries the nearest.
        AmbiguousName: several have it; carries them.
    """
    found = resolve_job(session, job)
    place = read_place(cursor) or Place(NOW, _LAST_UUID)
    rows = session.rows(_OF_JOB, job=found.id, us=place.us, uuid=place.hash, most=limit)
    after = Place(rows[-1][3], bytes(rows[-1][0])) if len(rows) == limit else None
    name = TableName(found.namespace, found.name)
    return RunsPage(name, tuple(_run(row) for row in rows), written_place(after))


def runs_by_key(session: Session, keys: Collection[int]) -> dict[int, Run]:
    """Runs by the store's own keys."""
    return {row[-1]: _run(row) for row in session.rows(_SOME, ids(keys))}


def describe_run(session: Session, run: str) -> RunDetails:
    """A run by its UUID.

    Raises:
        UnknownName: there is none.
    """
    try:
        rows = session.rows(_ONE, uuid=UUID(run).bytes)
    except ValueError:
        rows = []
    if not rows:
        raise UnknownName(f"No run matches {run!r}", ())
    found, key = _run(rows[0]), rows[0][-1]
    # The events of a streaming run may be millions, and its shapes are few.
    shapes = "stream_shape" if found.streaming else "event"
    reads = sorted(TableName(*row) for row in session.rows(_READS.format(shapes=shapes), run=key))
    written = session.rows(_OF_RUN, run=key, most=_VERSIONS_OF_A_RUN + 1, now=NOW)
    versions = tuple(_version(row) for row in written[:_VERSIONS_OF_A_RUN])
    return RunDetails(found, tuple(reads), versions, len(written) > _VERSIONS_OF_A_RUN)


def _version(row: Sequence[Any]) -> Written:
    uuid, name, us, job_namespace, job_name, run, lifecycle, whole, carried, in_force, namespace, dataset, _ = row
    return Written(
        _uuid(uuid),
        name,
        TableName(namespace, dataset),
        us,
        None if job_name is None else TableName(job_namespace, job_name),
        None if run is None else _uuid(run),
        lifecycle,
        bool(whole),
        bool(carried),
        bool(in_force),
    )


def _run(row: Sequence[Any]) -> Run:
    uuid, namespace, name, first_us, end_type, end_stamp, parent, streaming, _ = row
    return Run(
        _uuid(uuid),
        None if name is None else TableName(namespace, name),
        None if end_type is None else EventType(end_type).name,
        first_us,
        None if end_type is None else stamp_us(bytes(end_stamp)),
        None if parent is None else _uuid(parent),
        bool(streaming),
    )


def _uuid(key: bytes) -> str:
    return str(UUID(bytes=bytes(key)))
