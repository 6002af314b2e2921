"""The versions of a dataset, the runs of a job, and one run with what it read and wrote."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar
from uuid import UUID

from headwater.common.codec import plain
from headwater.notebook.rows import Tabular
from headwater.openlineage.model.event import EventType
from headwater.openlineage.model.run_ids import run_bytes
from headwater.query.cursors import read_place, written_place
from headwater.query.graph.answer import TableName
from headwater.query.search.resolve import UnknownName, resolve_dataset, resolve_job
from headwater.store.db.session import Session
from headwater.store.entities.raw_events import Place
from headwater.store.model.order import LAST
from headwater.store.model.uuids import uuid_text
from headwater.store.reads.runs import RunRow, datasets_read, known_until, run_by_uuid, runs_before, runs_by_id
from headwater.store.reads.versions import NamedVersion, named_versions, named_versions_of_run

_VERSIONS_OF_A_RUN = 1_000
_LAST_UUID = b"\xff" * 17


@dataclass(frozen=True, slots=True)
class Written:
    """A version of a dataset: the write that made it.

    Attributes:
        id: its UUID.
        name: the name that a version facet gives it.
        dataset: the dataset.
        us: when it was written, in microseconds UTC.
        job: the job that wrote it; None where an event about the dataset itself declares it.
        run: the run that wrote it.
        lifecycle: what the write did to the dataset (OVERWRITE, DROP, …), where that is known.
        whole: whether the write replaced all rows.
        carried: whether its column lineage is that of the job's write before.
        in_force: whether it still counts: neither its job nor a whole overwrite has ended it.
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
    """Versions of a dataset, the newest first; `cursor` leads to the next page and is None on the last."""

    COLUMNS: ClassVar[tuple[str, ...]] = ("id", "name", "us", "job", "run", "lifecycle", "whole", "carried", "in_force")

    dataset: TableName
    versions: tuple[Written, ...]
    cursor: str | None

    def rows(self) -> list[dict[str, object]]:
        """One flat row for each version."""
        return [{**plain(version), "job": version.job.full if version.job else None} for version in self.versions]


@dataclass(frozen=True, slots=True)
class Run:
    """A run: when its first and its last event happened, and how it ended; `state` is None until then."""

    id: str
    job: TableName | None
    state: str | None
    started_us: int | None
    ended_us: int | None
    parent: str | None
    streaming: bool


class RunTable(Tabular):
    """An answer whose rows are runs."""

    __slots__ = ()

    COLUMNS: ClassVar[tuple[str, ...]] = ("id", "job", "state", "started_us", "ended_us", "parent", "streaming")

    runs: tuple[Run, ...]

    def rows(self) -> list[dict[str, object]]:
        """One flat row for each run."""
        return [{**plain(run), "job": run.job.full if run.job else None} for run in self.runs]


@dataclass(frozen=True, slots=True)
class RunsPage(RunTable):
    """Runs of a job, the newest first; `cursor` leads to the next page and is None on the last."""

    job: TableName
    runs: tuple[Run, ...]
    cursor: str | None


@dataclass(frozen=True, slots=True)
class RunDetails(Tabular):
    """A run, what it read, and the versions it wrote, the newest first; `partial` where there are more versions."""

    COLUMNS: ClassVar[tuple[str, ...]] = ("id", "name", "dataset", "us", "lifecycle", "whole", "carried", "in_force")

    run: Run
    reads: tuple[TableName, ...]
    versions: tuple[Written, ...]
    partial: bool

    def rows(self) -> list[dict[str, object]]:
        """One flat row for each version."""
        return [{**plain(version), "dataset": version.dataset.full} for version in self.versions]


def list_versions(session: Session, dataset: str, *, limit: int, cursor: str | None = None) -> VersionsPage:
    """List the versions of a dataset, the newest first."""
    resolved = resolve_dataset(session, dataset)
    place = read_place(cursor) or Place(session.now, LAST)
    rows = named_versions(session, resolved.id, place.us, place.hash, limit)
    after = Place(rows[-1].us, bytes(rows[-1].stamp)) if len(rows) == limit else None
    return VersionsPage(resolved.table, tuple(_version(row) for row in rows), written_place(after))


def list_runs(session: Session, job: str, *, limit: int, cursor: str | None = None) -> RunsPage:
    """List the runs of a job, the newest first."""
    resolved = resolve_job(session, job)
    place = read_place(cursor) or Place(session.now, _LAST_UUID)
    rows = runs_before(session, resolved.id, place.us, place.hash, limit)
    last = rows[-1] if len(rows) == limit else None
    after = Place(last.first_us, UUID(last.uuid).bytes) if last is not None and last.first_us is not None else None
    return RunsPage(resolved.table, tuple(_run(row) for row in rows), written_place(after))


def runs_by_key(session: Session, keys: Collection[int]) -> dict[int, Run]:
    """Runs by the store's own keys."""
    return {row.key: _run(row) for row in runs_by_id(session, keys)}


def describe_run(session: Session, run: str) -> RunDetails:
    """Describe a run, by its id.

    Raises:
        UnknownName: there is none.
    """
    row = run_by_uuid(session, run_bytes(run))
    if row is None:
        raise UnknownName(f"No run matches {run!r}", ())
    reads = sorted(TableName(*name) for name in datasets_read(session, row))
    written = named_versions_of_run(session, row.key, known_until(session, row), _VERSIONS_OF_A_RUN + 1)
    versions = tuple(_version(version) for version in written[:_VERSIONS_OF_A_RUN])
    return RunDetails(_run(row), tuple(reads), versions, len(written) > _VERSIONS_OF_A_RUN)


def _version(row: NamedVersion) -> Written:
    return Written(
        uuid_text(row.uuid),
        row.name,
        TableName(row.namespace, row.dataset),
        row.us,
        None if row.job_name is None else TableName(row.job_namespace or "", row.job_name),
        None if row.run is None else uuid_text(row.run),
        row.lifecycle,
        bool(row.whole),
        bool(row.carried),
        bool(row.in_force),
    )


def _run(row: RunRow) -> Run:
    return Run(
        row.uuid,
        TableName(*row.job_name) if row.job_name else None,
        None if row.end_type is None else EventType(row.end_type).name,
        row.first_us,
        row.end_us,
        row.parent,
        row.streaming,
    )
