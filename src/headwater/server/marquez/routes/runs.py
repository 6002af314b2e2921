"""Routes of runs: those of a job, one by its id, its facets, and the runs behind it."""

from collections.abc import Collection
from enum import Enum
from operator import itemgetter
from typing import Annotated

from fastapi import Query

from headwater.openlineage.model.run_ids import run_bytes
from headwater.server.http.errors import ApiError
from headwater.server.marquez.entities.facets import merged
from headwater.server.marquez.entities.lookups import job_called
from headwater.server.marquez.entities.run_facts import RunFacts, facts_of_runs
from headwater.server.marquez.entities.run_json import run_json, run_state, run_version, started_us
from headwater.server.marquez.entities.values import Json, instant_or_none, name_json
from headwater.server.marquez.models import RunFacets, RunModel, Runs, UpstreamRuns
from headwater.server.marquez.parameters import NOT_FOUND, Depth, Limit, Offset, read_uuid
from headwater.server.marquez.routing import MostNodes, SessionRoutes
from headwater.store.db.session import Session
from headwater.store.reads.events import raw_of_runs
from headwater.store.reads.runs import RunRow, page_of_runs, run_by_uuid, runs_by_id
from headwater.store.reads.versions import writers_of

router = SessionRoutes("runs")


class FacetType(str, Enum):
    """Whose facets to return."""

    RUN = "run"
    JOB = "job"


RunId = Annotated[str, Query(alias="runId", description="The id of a run in its events, or its UUID.")]


@router.get("/namespaces/{namespace}/jobs/{job}/runs", response_model=Runs, responses=NOT_FOUND)
def list_runs(session: Session, namespace: str, job: str, limit: Limit = 100, offset: Offset = 0) -> Json:
    """List the runs of a job, latest first."""
    key = job_called(session, namespace, job).id
    rows, total = page_of_runs(session, key, limit, offset)
    facts = facts_of_runs(session, rows)
    return {"runs": [run_json(facts[row.key]) for row in rows], "totalCount": total}


@router.get("/jobs/runs/{id}", response_model=RunModel, responses=NOT_FOUND)
def get_run(session: Session, id: str) -> Json:  # noqa: A002  the name in the path
    """Get a run."""
    row = run_called(session, id)
    return run_json(facts_of_runs(session, [row])[row.key])


@router.get("/jobs/runs/{id}/facets", response_model=RunFacets, responses=NOT_FOUND)
def get_run_facets(session: Session, id: str, type: FacetType) -> Json:  # noqa: A002  as Marquez names them
    """Get the facets of a run, or those of its job as given in the run's events."""
    row = run_called(session, id)
    facts = facts_of_runs(session, [row])[row.key]
    facets = facts.facets if type is FacetType.RUN else _job_facets(session, facts)
    return {"runId": row.uuid, "facets": facets}


@router.get("/runlineage/upstream", response_model=UpstreamRuns, responses=NOT_FOUND)
def get_upstream_runs(session: Session, run_id: RunId, most: MostNodes, depth: Depth = 20) -> Json:
    """Get a run, the runs that wrote what it read, and so on."""
    frontier = [run_called(session, run_id)]
    seen = {frontier[0].key}
    shown: list[Json] = []
    for _ in range(depth + 1):
        if len(seen) > most:
            return {"runs": shown, "partial": True}
        facts = facts_of_runs(session, frontier)
        writers = _writers(session, facts.values())
        shown += [_upstream_run(facts[row.key], writers) for row in frontier]
        behind = {run for run, _ in writers.values()} - seen
        seen |= behind
        if not behind:
            break
        frontier = sorted(runs_by_id(session, behind), key=lambda row: (-(row.first_us or 0), row.uuid))
    return {"runs": shown}


def run_called(session: Session, text: str) -> RunRow:
    """A run that exists, by its id in events or its UUID; or a 404."""
    row = run_by_uuid(session, run_bytes(text))
    if row is None:
        raise ApiError(404, f"Run '{text}' not found.")
    return row


def _job_facets(session: Session, facts: RunFacts) -> Json:
    events = raw_of_runs(session, sorted({(facts.row.key, event.shape, event.us) for event in facts.events}))
    events.sort(key=itemgetter(1))
    return merged(event.get("job", {}).get("facets") or {} for _, _, event in events)


def _writers(session: Session, runs: Collection[RunFacts]) -> dict[str, tuple[int, str]]:
    """The keys and UUIDs of the runs that wrote what these runs read, by version."""
    versions = sorted({version for run in runs for _, version in run.read})
    writers = writers_of(session, (read_uuid(version, "version") for version in versions))
    return {versions[place]: writer for place, writer in writers.items()}


def _upstream_run(facts: RunFacts, writers: dict[str, tuple[int, str]]) -> Json:
    return {
        "job": {**name_json(facts.job), "version": run_version(facts)} if facts.job else None,
        "run": {
            "id": facts.row.uuid,
            "start": instant_or_none(started_us(facts)),
            "end": instant_or_none(facts.row.end_us),
            "status": run_state(facts),
        },
        "inputs": [
            {
                **name_json(name),
                "version": version,
                "producedByRunId": writers[version][1] if version in writers else None,
            }
            for name, version in facts.read
        ],
    }
