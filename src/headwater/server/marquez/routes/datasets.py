"""Routes of datasets and their versions."""

from collections.abc import Collection, Mapping

from fastapi import APIRouter
from fastapi.responses import Response

from headwater.query.lineage.versions import find_version
from headwater.server.http.errors import ApiError
from headwater.server.http.query_threads import Asking
from headwater.server.marquez.entities.column_inputs import inputs_now
from headwater.server.marquez.entities.dataset_facts import facts_of_datasets
from headwater.server.marquez.entities.dataset_json import dataset_json
from headwater.server.marquez.entities.facets import dataset_facets
from headwater.server.marquez.entities.lookups import dataset_called
from headwater.server.marquez.entities.values import Json
from headwater.server.marquez.entities.version_facts import versions_json
from headwater.server.marquez.graphs.json import json_response
from headwater.server.marquez.models import DatasetModel, Datasets, DatasetVersionModel, DatasetVersions
from headwater.server.marquez.parameters import NOT_FOUND, Limit, Offset
from headwater.server.marquez.routes.namespaces import namespace_called
from headwater.store.db.session import Session
from headwater.store.reads.names import page_of_datasets
from headwater.store.reads.versions import page_of_versions

router = APIRouter(prefix="/api/v1", tags=["Marquez: datasets"])


@router.get("/namespaces/{namespace}/datasets", response_model=Datasets, responses=NOT_FOUND)
async def list_datasets(asker: Asking, namespace: str, limit: Limit = 100, offset: Offset = 0) -> Response:
    """List the datasets of a namespace, by name."""

    def answer(session: Session) -> Json:
        keys, total = page_of_datasets(session, namespace, limit, offset)
        shown = datasets_json(session, keys)
        if not total:
            namespace_called(session, namespace)
        return {"totalCount": total, "datasets": [shown[key] for key in keys]}

    return json_response(await asker.ask(answer))


@router.get("/namespaces/{namespace}/datasets/{dataset}", response_model=DatasetModel, responses=NOT_FOUND)
async def get_dataset(asker: Asking, namespace: str, dataset: str) -> Response:
    """Get a dataset."""
    return json_response(await asker.ask(lambda session: one_dataset(session, namespace, dataset)))


@router.get("/namespaces/{namespace}/datasets/{dataset}/versions", response_model=DatasetVersions, responses=NOT_FOUND)
async def list_dataset_versions(
    asker: Asking, namespace: str, dataset: str, limit: Limit = 100, offset: Offset = 0
) -> Response:
    """List the versions of a dataset, latest first."""

    def answer(session: Session) -> Json:
        key = dataset_called(session, namespace, dataset).id
        facts = facts_of_datasets(session, [key])[key]
        versions, total = page_of_versions(session, key, limit, offset)
        return {"versions": versions_json(session, facts, versions), "totalCount": total}

    return json_response(await asker.ask(answer))


@router.get(
    "/namespaces/{namespace}/datasets/{dataset}/versions/{version}",
    response_model=DatasetVersionModel,
    responses=NOT_FOUND,
)
async def get_dataset_version(asker: Asking, namespace: str, dataset: str, version: str) -> Response:
    """Get a version of a dataset by its UUID, its name in a version facet, or the run that wrote it."""

    def answer(session: Session) -> Json:
        named = dataset_called(session, namespace, dataset)
        written = find_version(session, named, version)
        if not written.stamp:  # its run has not completed
            raise ApiError(404, f"Dataset version '{version}' not found.")
        return versions_json(session, facts_of_datasets(session, [named.id])[named.id], [written])[0]

    return json_response(await asker.ask(answer))


def one_dataset(session: Session, namespace: str, name: str) -> Json:
    """A dataset as Marquez shows it, or a 404."""
    key = dataset_called(session, namespace, name).id
    return datasets_json(session, [key])[key]


def datasets_json(session: Session, keys: Collection[int], *, deleted: bool = False) -> Mapping[int, Json]:
    """Datasets as Marquez shows them."""
    facts = facts_of_datasets(session, keys)
    columns = inputs_now(session, facts)
    seen = {key: dataset.seen for key, dataset in facts.items()}
    facets = dataset_facets(session, seen, {key: dataset.name for key, dataset in facts.items()})
    return {
        key: dataset_json(dataset, columns.get(key, {}), facets.get(key, {}), deleted=deleted)
        for key, dataset in facts.items()
    }
