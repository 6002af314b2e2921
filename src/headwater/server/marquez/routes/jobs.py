"""Routes of jobs and their versions."""

from collections.abc import Collection, Mapping
from typing import Annotated

from fastapi import Query

from headwater.openlineage.model.event import EventType
from headwater.server.http.errors import ApiError
from headwater.server.marquez.entities.job_facts import facts_of_jobs
from headwater.server.marquez.entities.job_json import job_json
from headwater.server.marquez.entities.job_versions import versions_of_job
from headwater.server.marquez.entities.lookups import job_called
from headwater.server.marquez.entities.values import Json
from headwater.server.marquez.models import JobModel, Jobs, JobVersionModel, JobVersions
from headwater.server.marquez.parameters import NOT_FOUND, WRONG, Limit, Offset, RunState, UuidText, read_uuid
from headwater.server.marquez.routes.namespaces import namespace_called
from headwater.server.marquez.routing import SessionRoutes
from headwater.store.db.session import Session
from headwater.store.model.uuids import uuid_text
from headwater.store.reads.names import NEW, RUNNING, page_of_jobs

router = SessionRoutes("jobs")

_RUNS = 10
_CODES = {
    RunState.COMPLETED: int(EventType.COMPLETE),
    RunState.FAILED: int(EventType.FAIL),
    RunState.ABORTED: int(EventType.ABORT),
    RunState.RUNNING: RUNNING,
    RunState.NEW: NEW,
}

States = Annotated[
    list[RunState], Query(alias="lastRunStates", description="Only jobs whose last run has one of these states.")
]


@router.get("/jobs", response_model=Jobs, responses=WRONG)
def list_all_jobs(session: Session, states: States = [], limit: Limit = 100, offset: Offset = 0) -> Json:  # noqa: B006  never changed
    """List all jobs, those that events named last first."""
    return _page(session, None, states, limit, offset)


@router.get("/namespaces/{namespace}/jobs", response_model=Jobs, responses=NOT_FOUND)
def list_jobs(
    session: Session,
    namespace: str,
    states: States = [],  # noqa: B006  never changed
    limit: Limit = 100,
    offset: Offset = 0,
) -> Json:
    """List the jobs of a namespace, those that events named last first."""
    page = _page(session, namespace, states, limit, offset)
    if not page["totalCount"]:
        namespace_called(session, namespace)
    return page


@router.get("/namespaces/{namespace}/jobs/{job}", response_model=JobModel, responses=NOT_FOUND)
def get_job(session: Session, namespace: str, job: str) -> Json:
    """Get a job."""
    key = job_called(session, namespace, job).id
    return jobs_json(session, [key])[key]


@router.get("/namespaces/{namespace}/jobs/{job}/versions", response_model=JobVersions, responses=NOT_FOUND)
def list_job_versions(session: Session, namespace: str, job: str, limit: Limit = 100, offset: Offset = 0) -> Json:
    """List the versions of a job: what its latest runs read and wrote, latest first."""
    versions = versions_of_job(session, job_called(session, namespace, job).id)
    return {"versions": versions[offset : offset + limit]}


@router.get(
    "/namespaces/{namespace}/jobs/{job}/versions/{version}", response_model=JobVersionModel, responses=NOT_FOUND
)
def get_job_version(session: Session, namespace: str, job: str, version: UuidText) -> Json:
    """Get a version of a job."""
    uuid = uuid_text(read_uuid(version, "version"))
    for job_version in versions_of_job(session, job_called(session, namespace, job).id):
        if job_version["version"] == uuid:
            return job_version
    raise ApiError(404, f"Job version '{version}' not found.")


def jobs_json(session: Session, keys: Collection[int], *, brief: bool = False) -> Mapping[int, Json]:
    """Jobs as Marquez shows them; in brief, only the last run of each has its facets and versions."""
    return {key: job_json(facts) for key, facts in facts_of_jobs(session, keys, runs=_RUNS, brief=brief).items()}


def _page(session: Session, namespace: str | None, states: Collection[RunState], limit: int, offset: int) -> Json:
    keys, total = page_of_jobs(session, namespace, {_CODES[state] for state in states}, limit, offset)
    shown = jobs_json(session, keys, brief=True)
    return {"totalCount": total, "jobs": [shown[key] for key in keys]}
