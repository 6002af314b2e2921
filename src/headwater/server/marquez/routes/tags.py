"""Routes of tags: describe them, and give them to datasets, fields and jobs or take them away."""

from typing import Annotated

from fastapi import Body

from headwater.query.metadata.tags import all_tags
from headwater.query.search.resolve import resolve_column
from headwater.server.marquez.bodies import TagBody
from headwater.server.marquez.entities.lookups import dataset_called, job_called
from headwater.server.marquez.entities.values import Json
from headwater.server.marquez.models import DatasetModel, JobModel, TagModel, Tags
from headwater.server.marquez.parameters import NOT_FOUND, WRONG, Limit, Offset
from headwater.server.marquez.routes.datasets import get_dataset
from headwater.server.marquez.routes.jobs import get_job
from headwater.server.marquez.routing import SessionRoutes
from headwater.store.by_hand import TagRow, describe, set_tag
from headwater.store.db.codes import Kind
from headwater.store.db.session import Session

router = SessionRoutes("tags")

_DATASET = "/namespaces/{namespace}/datasets/{dataset}/tags/{tag}"
_FIELD = "/namespaces/{namespace}/datasets/{dataset}/fields/{field}/tags/{tag}"
_JOB = "/namespaces/{namespace}/jobs/{job}/tags/{tag}"


@router.get("/tags", response_model=Tags, responses=WRONG)
def list_tags(session: Session, limit: Limit = 100, offset: Offset = 0) -> Json:
    """List all tags that were described or set by hand, by name."""
    return {"tags": [tag._asdict() for tag in all_tags(session)[offset : offset + limit]]}


@router.put("/tags/{tag}", response_model=TagModel, responses=WRONG)
def describe_tag(session: Session, tag: str, body: Annotated[TagBody | None, Body()] = None) -> Json:
    """Describe a tag."""
    described = TagRow(tag, body.description if body else None)
    describe(session, described)
    return described._asdict()


@router.post(_DATASET, response_model=DatasetModel, responses=NOT_FOUND)
def tag_dataset(session: Session, namespace: str, dataset: str, tag: str) -> Json:
    """Tag a dataset."""
    return _set_on_dataset(session, namespace, dataset, tag, given=True)


@router.delete(_DATASET, response_model=DatasetModel, responses=NOT_FOUND)
def untag_dataset(session: Session, namespace: str, dataset: str, tag: str) -> Json:
    """Remove a tag from a dataset."""
    return _set_on_dataset(session, namespace, dataset, tag, given=False)


@router.post(_FIELD, response_model=DatasetModel, responses=NOT_FOUND)
def tag_field(session: Session, namespace: str, dataset: str, field: str, tag: str) -> Json:
    """Tag a field."""
    return _set_on_dataset(session, namespace, dataset, tag, given=True, field=field)


@router.delete(_FIELD, response_model=DatasetModel, responses=NOT_FOUND)
def untag_field(session: Session, namespace: str, dataset: str, field: str, tag: str) -> Json:
    """Remove a tag from a field."""
    return _set_on_dataset(session, namespace, dataset, tag, given=False, field=field)


@router.post(_JOB, response_model=JobModel, responses=NOT_FOUND)
def tag_job(session: Session, namespace: str, job: str, tag: str) -> Json:
    """Tag a job."""
    set_tag(session, Kind.JOB, job_called(session, namespace, job).id, tag, given=True)
    return get_job(session, namespace, job)


@router.delete(_JOB, response_model=JobModel, responses=NOT_FOUND)
def untag_job(session: Session, namespace: str, job: str, tag: str) -> Json:
    """Remove a tag from a job."""
    set_tag(session, Kind.JOB, job_called(session, namespace, job).id, tag, given=False)
    return get_job(session, namespace, job)


def _set_on_dataset(  # noqa: PLR0913  the parts of the path
    session: Session, namespace: str, dataset: str, tag: str, *, given: bool, field: str | None = None
) -> Json:
    resolved = dataset_called(session, namespace, dataset)
    if field is None:
        set_tag(session, Kind.DATASET, resolved.id, tag, given=given)
    else:
        set_tag(session, Kind.FIELD, resolve_column(session, resolved, field), tag, given=given)
    return get_dataset(session, namespace, dataset)
