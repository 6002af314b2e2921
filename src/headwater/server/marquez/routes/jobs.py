"""Routes of jobs and their versions."""

from collections.abc import Collection, Mapping
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response

from headwater.openlineage.model.event import EventType
from headwater.query.metadata.deleted import JOB, NOT_HIDDEN
from headwater.server.http.errors import ApiError
from headwater.server.http.query_threads import Asking
from headwater.server.marquez.entities.job_facts import facts_of_jobs
from headwater.server.marquez.entities.job_json import job_json
from headwater.server.marquez.entities.job_versions import versions_of_job
from headwater.server.marquez.entities.known import job_called
from headwater.server.marquez.entities.values import Json, uuid_text
from headwater.server.marquez.graphs.json import json_response
from headwater.server.marquez.models import JobModel, Jobs, JobVersionModel, JobVersions
from headwater.server.marquez.parameters import NOT_FOUND, WRONG, Limit, Offset, RunState, UuidText, read_uuid
from headwater.server.marquez.routes.namespaces import namespace_called
from headwater.store.db.session import Session

router = APIRouter(prefix="/api/v1", tags=["Marquez: jobs"])

_RUNS = 10
_CODES = {
    RunState.COMPLETED: int(EventType.COMPLETE),
    RunState.FAILED: int(EventType.FAIL),
    RunState.ABORTED: int(EventType.ABORT),
    RunState.RUNNING: -1,
    RunState.NEW: -2,
}
_NEVER = -9
# The state of the last run; whether one that has not ended was begun is in its events: those before OTHER.
_IN_STATE = f"""
AND (
    SELECT coalesce(
        run.end_type,
        CASE WHEN EXISTS (SELECT 1 FROM event WHERE event.run = run.id AND event.type < {EventType.OTHER})
            THEN {_CODES[RunState.RUNNING]} ELSE {_CODES[RunState.NEW]} END
    )
    FROM run WHERE run.job = t.id AND run.first_us IS NOT NULL
    ORDER BY run.first_us DESC, run.uuid LIMIT 1
) IN (:completed, :failed, :aborted, :running, :new)
"""  # noqa: S608  our own words
_ALL_NAMESPACES = "1 = 1"
_OF_NAMESPACE = "t.namespace = :namespace"

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
        found = versions_of_job(session, job_called(session, namespace, job).id)
        return {"versions": found[offset : offset + limit]}

    return json_response(await asker.ask(answer))


@router.get(
    "/namespaces/{namespace}/jobs/{job}/versions/{version}", response_model=JobVersionModel, responses=NOT_FOUND
)
async def get_job_version(asker: Asking, namespace: str, job: str, version: UuidText) -> Response:
    """Get a version of a job."""
    wanted = uuid_text(read_uuid(version, "version"))

    def answer(session: Session) -> Json:
        for found in versions_of_job(session, job_called(session, namespace, job).id):
            if found["version"] == wanted:
                return found
        raise ApiError(404, f"Job version '{version}' not found.")

    return json_response(await asker.ask(answer))


def one_job(session: Session, namespace: str, name: str) -> Json:
    """A job that is there."""
    key = job_called(session, namespace, name).id
    return jobs_json(session, [key])[key]


def jobs_json(session: Session, keys: Collection[int], *, brief: bool = False) -> Mapping[int, Json]:
    """Jobs with all that is shown of them; in brief, of their runs only the last one is whole."""
    return {key: job_json(facts) for key, facts in facts_of_jobs(session, keys, runs=_RUNS, brief=brief).items()}


def _page(session: Session, namespace: str | None, states: Collection[RunState], limit: int, offset: int) -> Json:
    where = f"WHERE {_ALL_NAMESPACES if namespace is None else _OF_NAMESPACE} AND {NOT_HIDDEN[JOB]}"
    values: dict[str, object] = {} if namespace is None else {"namespace": namespace}
    if states:
        where += _IN_STATE
        values |= _codes(states)
    # The newest first is what a person looks for in a long list; by name, all jobs would have to be sorted for a page.
    page = f"SELECT t.id FROM job t {where} ORDER BY t.id DESC LIMIT :most OFFSET :offset"  # noqa: S608  our own words
    keys = [key for (key,) in session.rows(page, **values, most=limit, offset=offset)]
    total = session.rows(f"SELECT count(*) FROM job t {where}", **values)[0][0]  # noqa: S608  our own words
    shown = jobs_json(session, keys, brief=True)
    return {"totalCount": int(total), "jobs": [shown[key] for key in keys]}


def _codes(states: Collection[RunState]) -> dict[str, object]:
    """What is compared for each state; those that are not wanted are compared with what nothing has."""
    return {state.value.lower(): code if state in states else _NEVER for state, code in _CODES.items()}
