"""Routes that delete: a deleted dataset or job ends now and stays hidden until an event of a later time names it.

It ends by an event: a job that no longer writes, a dataset that was dropped. So it is in no graph of today, and
questions about earlier times still find it.
"""

from collections.abc import Collection

from headwater.query.graph.labels import tables
from headwater.server.marquez.entities.event_times import times_seen
from headwater.server.marquez.entities.lookups import dataset_called, job_called
from headwater.server.marquez.entities.values import Json, now_us
from headwater.server.marquez.events import ended, removed
from headwater.server.marquez.ingest import write
from headwater.server.marquez.models import DatasetModel, JobModel, NamespaceModel
from headwater.server.marquez.parameters import NOT_FOUND
from headwater.server.marquez.routes.datasets import datasets_json
from headwater.server.marquez.routes.jobs import jobs_json
from headwater.server.marquez.routes.namespaces import namespace_called, namespace_json
from headwater.server.marquez.routing import SessionRoutes
from headwater.store.by_hand import describe, hide
from headwater.store.db.codes import Kind
from headwater.store.db.session import Session
from headwater.store.reads.names import ids_in_namespace

router = SessionRoutes("deleting")


@router.delete("/namespaces/{namespace}/datasets/{dataset}", response_model=DatasetModel, responses=NOT_FOUND)
def delete_dataset(session: Session, namespace: str, dataset: str) -> Json:
    """Delete a dataset. Returns the dataset as it was."""
    key = dataset_called(session, namespace, dataset).id
    shown = datasets_json(session, [key], deleted=True)[key]
    _delete(session, Kind.DATASET, [key])
    return shown


@router.delete("/namespaces/{namespace}/jobs/{job}", response_model=JobModel, responses=NOT_FOUND)
def delete_job(session: Session, namespace: str, job: str) -> Json:
    """Delete a job. Returns the job as it was."""
    key = job_called(session, namespace, job).id
    shown = jobs_json(session, [key])[key]
    _delete(session, Kind.JOB, [key])
    return shown


@router.delete("/namespaces/{namespace}", response_model=NamespaceModel, responses=NOT_FOUND)
def delete_namespace(session: Session, namespace: str) -> Json:
    """Delete a namespace with all its datasets and jobs."""
    before = namespace_called(session, namespace)
    for kind in (Kind.DATASET, Kind.JOB):
        _delete(session, kind, ids_in_namespace(session, kind, namespace))
    hidden = before._replace(hidden_us=now_us())
    describe(session, hidden)
    return namespace_json(hidden)


def _delete(session: Session, kind: Kind, keys: Collection[int]) -> None:
    if not keys:
        return
    names = tables(session, "dataset" if kind is Kind.DATASET else "job", keys).values()
    # Senders whose clocks are ahead sent their events before the deletion all the same.
    us = max([now_us(), *(seen.last for seen in times_seen(session, kind, keys).values())])
    write(session, [removed(name, us) if kind is Kind.DATASET else ended(name, us) for name in names])
    hide(session, kind, keys, us)
