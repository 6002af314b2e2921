"""Routes of jobs and their versions."""

from collections.abc import Collection, Mapping
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response

from headwater.openlineage.model.event import EventType
from headwater.server.http.errors import ApiError
from headwater.server.http.query_threads import Asking
from headwater.server.marquez.entities.job_facts import facts_of_jobs
from headwater.server.marquez.entities.job_json import job_json
from headwater.server.marquez.entities.job_versions import versions_of_job
from headwater.server.marquez.entities.lookups import job_called
from headwater.server.marquez.entities.values import Json
from headwater.server.marquez.graphs.json import json_response
from headwater.server.marquez.models import JobModel, Jobs, JobVersionModel, JobVersions
from headwater.server.marquez.parameters import NOT_FOUND, WRONG, Limit, Offset, RunState, UuidText, read_uuid
from headwater.server.marquez.routes.namespaces import namespace_called
from headwater.store.db.session import Session
from headwater.store.model.uuids import uuid_text
from headwater.store.reads.names import NEW, RUNNING, page_of_jobs

router = APIRouter(prefix="/api/v1", tags=["Marquez: jobs"])

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
async def list_all_jobs(asker: Asking, states: States = [], limit: Limit = 100, offset: Offset = 0) -> Response:  # noqa: B006  never changed
    """List all jobs, newest first."""
    return json_response(await asker.ask(lambda session: _page(session, None, states, limit, offset)))


@router.get("/namespaces/{namespace}/jobs", response_model=Jobs, responses=NOT_FOUND)
async def list_jobs(
    asker: Asking,
    namespace: str,
    states: States = [],  # noqa: B006  never changed
    limit: Limit = 100,
    offset: Offset = 0,
) -> Response:
    """List the jobs of a namespace, newest first."""

    def answer(session: Session) -> Json:
        page = _page(session, namespace, states, limit, offset)
        if not page["totalCount"]:
            namespace_called(session, namespace)
        return page

    return json_response(await asker.ask(answer))


@router.get("/namespaces/{namespace}/jobs/{job}", response_model=JobModel, responses=NOT_FOUND)
async def get_job(asker: Asking, namespace: str, job: str) -> Response:
    """Get a job."""
    return json_response(await asker.ask(lambda session: one_job(session, namespace, job)))


@router.get("/namespaces/{namespace}/jobs/{job}/versions", response_model=JobVersions, responses=NOT_FOUND)
async def list_job_versions(
    asker: Asking, namespace: str, job: str, limit: Limit = 100, offset: Offset = 0
) -> Response:
    """List the versions of a job: what its latest runs read and wrote, latest first."""

    def answer(session: Session) -> Json:
        versions = versions_of_job(session, job_called(session, namespace, job).id)
        return {"versions": versions[offset : offset + limit]}

    return json_response(await asker.ask(answer))


@router.get(
    "/namespaces/{namespace}/jobs/{job}/versions/{version}", response_model=JobVersionModel, responses=NOT_FOUND
)
async def get_job_version(asker: Asking, namespace: str, job: str, version: UuidText) -> Response:
    """Get a version of a job."""
    uuid = uuid_text(read_uuid(version, "version"))

    def answer(session: Session) -> Json:
        for job_version in versions_of_job(session, job_called(session, namespace, job).id):
            if job_version["version"] == uuid:
                return job_version
        raise ApiError(404, f"Job version '{version}' not found.")

    return json_response(await asker.ask(answer))


def one_job(session: Session, namespace: str, name: str) -> Json:
    """A job as Marquez shows it, or a 404."""
    key = job_called(session, namespace, name).id
    return jobs_json(session, [key])[key]


def jobs_json(session: Session, keys: Collection[int], *, brief: bool = False) -> Mapping[int, Json]:
    """Jobs as Marquez shows them; in brief, only the last run of each has its facets and versions."""
    return {key: job_json(facts) for key, facts in facts_of_jobs(session, keys, runs=_RUNS, brief=brief).items()}


def _page(session: Session, namespace: str | None, states: Collection[RunState], limit: int, offset: int) -> Json:
    keys, total = page_of_jobs(session, namespace, {_CODES[state] for state in states}, limit, offset)
    shown = jobs_json(session, keys, brief=True)
    return {"totalCount": total, "jobs": [shown[key] for key in keys]}
