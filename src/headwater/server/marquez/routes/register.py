"""Marquez's older calls that write: a dataset, a job, a run and its states. Each becomes an OpenLineage event."""

from collections.abc import Callable
from typing import Annotated
from uuid import uuid4

from fastapi import Body, Query

from headwater.openlineage.model.event import EventType
from headwater.query.graph.answer import TableName
from headwater.query.graph.labels import tables
from headwater.query.search.resolve import resolve_column
from headwater.server.http.errors import ApiError
from headwater.server.marquez.bodies import DatasetBody, JobBody, RunBody
from headwater.server.marquez.entities.lookups import dataset_called, job_called, reveal
from headwater.server.marquez.entities.values import Json, instant, name_json, now_us
from headwater.server.marquez.events import (
    announced_run,
    dataset_event,
    job_event,
    names,
    registered_facets,
    registered_job,
    run_event,
)
from headwater.server.marquez.ingest import write
from headwater.server.marquez.models import DatasetModel, JobModel, RunModel
from headwater.server.marquez.parameters import NOT_FOUND, InstantText, read_instant, read_uuid
from headwater.server.marquez.routes.datasets import get_dataset
from headwater.server.marquez.routes.jobs import get_job
from headwater.server.marquez.routes.runs import get_run, run_called
from headwater.server.marquez.routes.sources import all_sources
from headwater.server.marquez.routing import SessionRoutes
from headwater.store.by_hand import set_tag
from headwater.store.db.codes import Kind
from headwater.store.db.session import Session
from headwater.store.model.uuids import uuid_text
from headwater.store.reads.runs import run_by_uuid

router = SessionRoutes("registering (older calls)")

_STATES = {
    EventType.START: "has started",
    EventType.COMPLETE: "has completed",
    EventType.FAIL: "has failed",
    EventType.ABORT: "was aborted",
}
At = Annotated[InstantText | None, Query(description="When it happened, with a time zone; now if omitted.")]


@router.put("/namespaces/{namespace}/datasets/{dataset}", response_model=DatasetModel, responses=NOT_FOUND)
def put_dataset(session: Session, namespace: str, dataset: str, body: DatasetBody) -> Json:
    """Register a dataset. With `runId`, register it as an output of the run."""
    name = TableName(namespace, dataset)
    source = all_sources(session).get(body.source_name)
    facets = registered_facets(body, source.url if source else "")
    us = now_us()
    events = [dataset_event(name, us, facets)]
    if body.run_id is not None:
        run, job = _run_of(session, body.run_id)
        outputs = [{**name_json(name), "facets": {key: facets[key] for key in ("schema",) if key in facets}}]
        events.append(run_event(EventType.OTHER, us, run, job, outputs=outputs))
    write(session, events)
    reveal(session, Kind.DATASET, name)
    registered = dataset_called(session, namespace, dataset)
    for tag in body.tags:
        set_tag(session, Kind.DATASET, registered.id, tag, given=True)
    for field in body.fields:
        for tag in field.tags:
            set_tag(session, Kind.FIELD, resolve_column(session, registered, field.name), tag, given=True)
    return get_dataset(session, namespace, dataset)


@router.put("/namespaces/{namespace}/jobs/{job}", response_model=JobModel, responses=NOT_FOUND)
def put_job(session: Session, namespace: str, job: str, body: JobBody) -> Json:
    """Register a job with its inputs and outputs. With `runId`, register them as those of the run."""
    name = TableName(namespace, job)
    us, inputs, outputs = now_us(), names(body.inputs), names(body.outputs)
    events = [job_event(registered_job(name, body), us, inputs, outputs)]
    if body.run_id is not None:
        run, _ = _run_of(session, body.run_id)
        events.append(run_event(EventType.OTHER, us, run, name, inputs=inputs, outputs=outputs))
    write(session, events)
    reveal(session, Kind.JOB, name)
    for tag in body.tags:
        set_tag(session, Kind.JOB, job_called(session, namespace, job).id, tag, given=True)
    return get_job(session, namespace, job)


@router.post("/namespaces/{namespace}/jobs/{job}/runs", status_code=201, response_model=RunModel, responses=NOT_FOUND)
def post_run(session: Session, namespace: str, job: str, body: Annotated[RunBody | None, Body()] = None) -> Json:
    """Create a run of a job."""
    announced = body or RunBody()
    run = uuid_text(read_uuid(announced.id, "id")) if announced.id is not None else str(uuid4())
    start, end = (
        None if text is None else instant(read_instant(text, field))
        for text, field in (
            (announced.nominal_start_time, "nominalStartTime"),
            (announced.nominal_end_time, "nominalEndTime"),
        )
    )
    name = job_called(session, namespace, job).table
    if run_by_uuid(session, read_uuid(run, "id")) is not None:
        raise ApiError(400, f"id: the run '{run}' already exists")
    facets = announced_run(announced, start, end)
    write(session, [run_event(EventType.OTHER, now_us(), run, name, facets=facets)])
    return get_run(session, run)


def _marking(type_: EventType) -> Callable[..., Json]:
    def mark_run(session: Session, id: str, at: At = None) -> Json:  # noqa: A002  the name in the path
        us = now_us() if at is None else read_instant(at, "at")
        run, job = _run_of(session, id)
        write(session, [run_event(type_, us, run, job)])
        return get_run(session, run)

    return mark_run


# A path for each, as in Marquez: anything else there is not found, or has another method.
for _type, _outcome in _STATES.items():
    router.add_api_route(
        f"/jobs/runs/{{id}}/{_type.name.lower()}",
        _marking(_type),
        methods=["POST"],
        name=f"mark_run_{_type.name.lower()}",
        description=f"Report that a run {_outcome}.",
        response_model=RunModel,
        responses=NOT_FOUND,
    )


def _run_of(session: Session, text: str) -> tuple[str, TableName]:
    """The UUID of a run that exists, and its job; or a 404."""
    row = run_called(session, text)
    job = tables(session, "job", [row.job]).get(row.job) if row.job is not None else None
    if job is None:
        raise ApiError(404, f"Job of run '{text}' not found.")
    return row.uuid, job
