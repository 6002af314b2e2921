"""Routes of datasets and their versions."""

from collections.abc import Collection, Mapping

from headwater.query.lineage.versions import find_version
from headwater.server.http.errors import ApiError
from headwater.server.marquez.entities.column_inputs import inputs_now
from headwater.server.marquez.entities.dataset_facts import facts_of_datasets
from headwater.server.marquez.entities.dataset_json import dataset_json
from headwater.server.marquez.entities.facets import dataset_facets
from headwater.server.marquez.entities.lookups import dataset_called
from headwater.server.marquez.entities.values import Json
from headwater.server.marquez.entities.version_facts import versions_json
from headwater.server.marquez.models import DatasetModel, Datasets, DatasetVersionModel, DatasetVersions
from headwater.server.marquez.parameters import NOT_FOUND, Limit, Offset
from headwater.server.marquez.routes.namespaces import namespace_called
from headwater.server.marquez.routing import SessionRoutes
from headwater.store.db.session import Session
from headwater.store.reads.names import page_of_datasets
from headwater.store.reads.versions import page_of_versions

router = SessionRoutes("datasets")


@router.get("/namespaces/{namespace}/datasets", response_model=Datasets, responses=NOT_FOUND)
def list_datasets(session: Session, namespace: str, limit: Limit = 100, offset: Offset = 0) -> Json:
    """List the datasets of a namespace, by name."""
    keys, total = page_of_datasets(session, namespace, limit, offset)
    shown = datasets_json(session, keys)
    if not total:
        namespace_called(session, namespace)
    return {"totalCount": total, "datasets": [shown[key] for key in keys]}


@router.get("/namespaces/{namespace}/datasets/{dataset}", response_model=DatasetModel, responses=NOT_FOUND)
def get_dataset(session: Session, namespace: str, dataset: str) -> Json:
    """Get a dataset."""
    key = dataset_called(session, namespace, dataset).id
    return datasets_json(session, [key])[key]


@router.get("/namespaces/{namespace}/datasets/{dataset}/versions", response_model=DatasetVersions, responses=NOT_FOUND)
def list_dataset_versions(
    session: Session, namespace: str, dataset: str, limit: Limit = 100, offset: Offset = 0
) -> Json:
    """List the versions of a dataset, latest first."""
    key = dataset_called(session, namespace, dataset).id
    facts = facts_of_datasets(session, [key])[key]
    versions, total = page_of_versions(session, key, limit, offset)
    return {"versions": versions_json(session, facts, versions), "totalCount": total}


@router.get(
    "/namespaces/{namespace}/datasets/{dataset}/versions/{version}",
    response_model=DatasetVersionModel,
    responses=NOT_FOUND,
)
def get_dataset_version(session: Session, namespace: str, dataset: str, version: str) -> Json:
    """Get a version of a dataset by its UUID, its name in a version facet, or the run that wrote it."""
    named = dataset_called(session, namespace, dataset)
    written = find_version(session, named, version)
    if not written.stamp:  # its run has not completed
        raise ApiError(404, f"Dataset version '{version}' not found.")
    return versions_json(session, facts_of_datasets(session, [named.id])[named.id], [written])[0]


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
