"""Routes that delete: a deleted dataset or job ends now and stays hidden until an event of a later time names it.

It ends by an event: a job that no longer writes, a dataset that was dropped. So it is in no graph of today, and
questions about earlier times still find it.
"""

from collections.abc import Collection, Mapping

from fastapi import APIRouter
from fastapi.responses import Response

from headwater.query.graph.answer import TableName
from headwater.query.graph.labels import tables
from headwater.server.http.query_threads import Asking
from headwater.server.marquez.clock import now_us
from headwater.server.marquez.entities.event_times import times_seen
from headwater.server.marquez.entities.lookups import dataset_called, job_called
from headwater.server.marquez.entities.values import Json
from headwater.server.marquez.events import ended, removed
from headwater.server.marquez.graphs.json import json_response
from headwater.server.marquez.ingest import write
from headwater.server.marquez.models import DatasetModel, JobModel, NamespaceModel
from headwater.server.marquez.parameters import NOT_FOUND
from headwater.server.marquez.routes.datasets import datasets_json
from headwater.server.marquez.routes.jobs import jobs_json
from headwater.server.marquez.routes.namespaces import namespace_called, write_namespace
from headwater.store.by_hand import hide
from headwater.store.db.codes import Kind
from headwater.store.db.session import Session
from headwater.store.reads.names import ids_in_namespace

router = APIRouter(prefix="/api/v1", tags=["Marquez: deleting"])


@router.delete("/namespaces/{namespace}/datasets/{dataset}", response_model=DatasetModel, responses=NOT_FOUND)
async def delete_dataset(asker: Asking, namespace: str, dataset: str) -> Response:
    """Delete a dataset. Returns the dataset as it was."""

    def work(session: Session) -> Json:
        key = dataset_called(session, namespace, dataset).id
        shown = datasets_json(session, [key], deleted=True)[key]
        _delete(session, Kind.DATASET, [key])
        return shown

    return json_response(await asker.change(work))


@router.delete("/namespaces/{namespace}/jobs/{job}", response_model=JobModel, responses=NOT_FOUND)
async def delete_job(asker: Asking, namespace: str, job: str) -> Response:
    """Delete a job. Returns the job as it was."""

    def work(session: Session) -> Json:
        key = job_called(session, namespace, job).id
        shown = jobs_json(session, [key])[key]
        _delete(session, Kind.JOB, [key])
        return shown

    return json_response(await asker.change(work))


@router.delete("/namespaces/{namespace}", response_model=NamespaceModel, responses=NOT_FOUND)
async def delete_namespace(asker: Asking, namespace: str) -> Response:
    """Delete a namespace with all its datasets and jobs."""

    def work(session: Session) -> Json:
        before = namespace_called(session, namespace)
        for kind in (Kind.DATASET, Kind.JOB):
            _delete(session, kind, ids_in_namespace(session, kind, namespace))
        write_namespace(session, before, hidden_us=now_us())
        return {**before.to_json(), "isHidden": True}

    return json_response(await asker.change(work))


def _delete(session: Session, kind: Kind, keys: Collection[int]) -> None:
    if not keys:
        return
    names = tables(session, "dataset" if kind is Kind.DATASET else "job", keys)
    # Senders whose clocks are ahead sent their events before the deletion all the same.
    us = max(now_us(), *(seen.last for seen in times_seen(session, kind, keys).values()))
    write(session, _events(kind, names, us))
    hide(session, kind, keys, us)


def _events(kind: Kind, names: Mapping[int, TableName], us: int) -> list[Json]:
    return [removed(name, us) if kind is Kind.DATASET else ended(name, us) for name in names.values()]
