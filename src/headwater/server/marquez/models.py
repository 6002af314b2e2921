"""Models of answers for the OpenAPI page; the answers themselves are written directly."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, create_model
from pydantic.alias_generators import to_camel


class _Model(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class Name(_Model):
    """A dataset's or a job's name."""

    namespace: str
    name: str


class VersionId(Name):
    """A version of a dataset or a job."""

    version: str


class TransformationModel(_Model):
    """How a value goes into another, in OpenLineage's terms."""

    type: str
    subtype: str
    masking: bool
    description: str


class ColumnInput(_Model):
    """A column that feeds another."""

    namespace: str
    dataset: str
    field: str
    transformation_description: str | None
    transformation_type: str | None
    transformations: list[TransformationModel]


class ColumnLineageOfDataset(_Model):
    """What feeds a column."""

    name: str
    input_fields: list[ColumnInput]
    transformation_description: str | None
    transformation_type: str | None


class FieldModel(_Model):
    """A field of a dataset."""

    name: str
    type: str | None
    tags: list[str]
    description: str | None


class DatasetVersionOfRun(_Model):
    """A version that a run read or wrote."""

    dataset_version_id: VersionId
    facets: dict[str, Any]


class RunModel(_Model):
    """A run."""

    id: str
    created_at: str
    updated_at: str
    nominal_start_time: str | None
    nominal_end_time: str | None
    state: Literal["NEW", "RUNNING", "COMPLETED", "ABORTED", "FAILED"]
    started_at: str | None
    ended_at: str | None
    duration_ms: int | None
    args: dict[str, Any]
    job_version: VersionId | None
    input_dataset_versions: list[DatasetVersionOfRun]
    output_dataset_versions: list[DatasetVersionOfRun]
    facets: dict[str, Any]


class DatasetModel(_Model):
    """A dataset."""

    id: Name
    type: str
    name: str
    physical_name: str
    created_at: str
    updated_at: str
    namespace: str
    source_name: str
    fields: list[FieldModel]
    tags: list[str]
    last_modified_at: str | None
    last_lifecycle_state: str
    description: str | None
    current_version: str | None
    column_lineage: list[ColumnLineageOfDataset] | None
    facets: dict[str, Any]
    deleted: bool


class DatasetVersionModel(_Model):
    """A version of a dataset."""

    id: Name
    type: str
    name: str
    physical_name: str
    created_at: str
    version: str
    namespace: str
    source_name: str
    fields: list[FieldModel]
    tags: list[str]
    lifecycle_state: str
    description: str | None
    current_schema_version: str | None
    created_by_run: RunModel | None
    facets: dict[str, Any]


class JobModel(_Model):
    """A job."""

    id: Name
    type: str
    name: str
    simple_name: str
    parent_job_name: str | None
    parent_job_uuid: str | None
    created_at: str
    updated_at: str
    namespace: str
    inputs: list[Name]
    outputs: list[Name]
    location: str | None
    description: str | None
    latest_run: RunModel | None
    latest_runs: list[RunModel] | None
    facets: dict[str, Any]
    current_version: str
    labels: list[str]
    tags: list[str]


class JobVersionModel(_Model):
    """A version of a job: what it read and wrote."""

    id: VersionId
    name: str
    created_at: str
    version: str
    namespace: str
    location: str | None
    inputs: list[Name]
    outputs: list[Name]
    latest_run: RunModel | None


class EdgeModel(_Model):
    """An edge by the ids of its ends."""

    origin: str
    destination: str


class NodeModel(_Model):
    """A node of a graph; its data depend on its type."""

    id: str
    type: Literal["DATASET", "JOB", "DATASET_FIELD"]
    data: dict[str, Any]
    in_edges: list[EdgeModel]
    out_edges: list[EdgeModel]


class LineageGraph(_Model):
    """A graph, its nodes by id. `partial`: a limit was reached, and the nearest are here; `hint` says what to do."""

    graph: list[NodeModel]
    partial: bool | None = None
    hint: str | None = None


class NamespaceModel(_Model):
    """A namespace."""

    name: str
    created_at: str
    updated_at: str
    owner_name: str
    description: str | None
    is_hidden: bool


class SourceModel(_Model):
    """A source of datasets."""

    type: str
    name: str
    created_at: str
    updated_at: str
    connection_url: str
    description: str | None


class TagModel(_Model):
    """A tag."""

    name: str
    description: str | None


class SearchHit(_Model):
    """A dataset or a job that matches."""

    type: Literal["DATASET", "JOB"]
    name: str
    updated_at: str
    namespace: str
    node_id: str


class EventCounts(_Model):
    """The number of events of each type in an interval."""

    start_interval: str
    end_interval: str
    fail: int
    start: int
    complete: int
    abort: int


class Count(_Model):
    """The number at the end of an interval."""

    start_interval: str
    end_interval: str
    count: int


class ReadVersion(VersionId):
    """A version that a run read, and the run that wrote it."""

    produced_by_run_id: str | None


class RunTimes(_Model):
    """A run in short."""

    id: str
    start: str | None
    end: str | None
    status: str


class UpstreamRun(_Model):
    """A run, its job, and what it read."""

    job: VersionId | None
    run: RunTimes
    inputs: list[ReadVersion]


class UpstreamRuns(_Model):
    """The runs upstream of a run, the nearest first; `partial` if a limit was reached."""

    runs: list[UpstreamRun]
    partial: bool | None = None


class RunFacets(_Model):
    """The facets of a run, or of its job in that run."""

    run_id: str
    facets: dict[str, Any]


def _page(name: str, description: str, **fields: Any) -> type[BaseModel]:  # noqa: ANN401  types
    """The model of a page: lists under their names, and maybe how many there are in all."""
    members: dict[str, Any] = {field: (kind, ...) for field, kind in fields.items()}
    return create_model(name, __base__=_Model, __module__=__name__, __doc__=description, **members)


Namespaces = _page("Namespaces", "A page of namespaces.", namespaces=list[NamespaceModel])
Sources = _page("Sources", "A page of sources.", sources=list[SourceModel])
Tags = _page("Tags", "A page of tags.", tags=list[TagModel])
Datasets = _page("Datasets", "A page of datasets.", total_count=int, datasets=list[DatasetModel])
DatasetVersions = _page(
    "DatasetVersions", "A page of a dataset's versions.", versions=list[DatasetVersionModel], total_count=int
)
Jobs = _page("Jobs", "A page of jobs.", total_count=int, jobs=list[JobModel])
JobVersions = _page("JobVersions", "The versions of a job.", versions=list[JobVersionModel])
Runs = _page("Runs", "A page of a job's runs.", runs=list[RunModel], total_count=int)
Events = _page("Events", "A page of raw events.", total_count=int, events=list[dict[str, Any]])
SearchResults = _page("SearchResults", "The results of a search.", results=list[SearchHit], total_count=int)
