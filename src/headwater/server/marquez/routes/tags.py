"""Routes of tags: describe them, and give them to datasets, fields and jobs or take them away."""

from typing import Annotated

from fastapi import APIRouter, Body
from fastapi.responses import Response

from headwater.query.metadata.tags import all_tags
from headwater.query.search.resolve import resolve_column
from headwater.server.http.query_threads import Asking
from headwater.server.marquez.bodies import TagBody
from headwater.server.marquez.entities.lookups import dataset_called, job_called
from headwater.server.marquez.entities.values import Json
from headwater.server.marquez.graphs.json import json_response
from headwater.server.marquez.models import DatasetModel, JobModel, TagModel, Tags
from headwater.server.marquez.parameters import NOT_FOUND, WRONG, Limit, Offset
from headwater.server.marquez.routes.datasets import one_dataset
from headwater.server.marquez.routes.jobs import one_job
from headwater.store.by_hand import TagRow, describe, set_tag
from headwater.store.db.codes import Kind
from headwater.store.db.session import Session

router = APIRouter(prefix="/api/v1", tags=["Marquez: tags"])

_DATASET = "/namespaces/{namespace}/datasets/{dataset}/tags/{tag}"
_FIELD = "/namespaces/{namespace}/datasets/{dataset}/fields/{field}/tags/{tag}"
_JOB = "/namespaces/{namespace}/jobs/{job}/tags/{tag}"


@router.get("/tags", response_model=Tags, responses=WRONG)
async def list_tags(asker: Asking, limit: Limit = 100, offset: Offset = 0) -> Response:
    """List all tags that were described or set by hand, by name."""

    def answer(session: Session) -> Json:
        return {"tags": [tag._asdict() for tag in all_tags(session)[offset : offset + limit]]}

    return json_response(await asker.ask(answer))


@router.put("/tags/{tag}", response_model=TagModel, responses=WRONG)
async def describe_tag(asker: Asking, tag: str, body: Annotated[TagBody | None, Body()] = None) -> Response:
    """Describe a tag."""
    described = TagRow(tag, body.description if body else None)
    await asker.change(lambda session: describe(session, described))
    return json_response(described._asdict())


@router.post(_DATASET, response_model=DatasetModel, responses=NOT_FOUND)
async def tag_dataset(asker: Asking, namespace: str, dataset: str, tag: str) -> Response:
    """Tag a dataset."""
    return await _tag_dataset(asker, namespace, dataset, tag, given=True)


@router.delete(_DATASET, response_model=DatasetModel, responses=NOT_FOUND)
async def untag_dataset(asker: Asking, namespace: str, dataset: str, tag: str) -> Response:
    """Remove a tag from a dataset."""
    return await _tag_dataset(asker, namespace, dataset, tag, given=False)


@router.post(_FIELD, response_model=DatasetModel, responses=NOT_FOUND)
async def tag_field(asker: Asking, namespace: str, dataset: str, field: str, tag: str) -> Response:
    """Tag a field."""
    return await _tag_dataset(asker, namespace, dataset, tag, given=True, field=field)


@router.delete(_FIELD, response_model=DatasetModel, responses=NOT_FOUND)
async def untag_field(asker: Asking, namespace: str, dataset: str, field: str, tag: str) -> Response:
    """Remove a tag from a field."""
    return await _tag_dataset(asker, namespace, dataset, tag, given=False, field=field)


@router.post(_JOB, response_model=JobModel, responses=NOT_FOUND)
async def tag_job(asker: Asking, namespace: str, job: str, tag: str) -> Response:
    """Tag a job."""
    return await _tag_job(asker, namespace, job, tag, given=True)


@router.delete(_JOB, response_model=JobModel, responses=NOT_FOUND)
async def untag_job(asker: Asking, namespace: str, job: str, tag: str) -> Response:
    """Remove a tag from a job."""
    return await _tag_job(asker, namespace, job, tag, given=False)


async def _tag_dataset(  # noqa: PLR0913  the parts of the path
    asker: Asking, namespace: str, dataset: str, tag: str, *, given: bool, field: str | None = None
) -> Response:
    def work(session: Session) -> Json:
        resolved = dataset_called(session, namespace, dataset)
        if field is None:
            set_tag(session, Kind.DATASET, resolved.id, tag, given=given)
        else:
            set_tag(session, Kind.FIELD, resolve_column(session, resolved, field), tag, given=given)
        return one_dataset(session, namespace, dataset)

    return json_response(await asker.change(work))


async def _tag_job(asker: Asking, namespace: str, job: str, tag: str, *, given: bool) -> Response:
    def work(session: Session) -> Json:
        set_tag(session, Kind.JOB, job_called(session, namespace, job).id, tag, given=given)
        return one_job(session, namespace, job)

    return json_response(await asker.change(work))
