"""Facets of datasets, jobs and runs, and the facet for what the capture could not see."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

import attr
from openlineage.client.facet_v2 import (
    DatasetFacet,
    InputDatasetFacet,
    RunFacet,
    base_subset_dataset,
    catalog_dataset,
    dataset_type_dataset,
    dataset_version_dataset,
    datasource_dataset,
    error_message_run,
    input_statistics_input_dataset,
    job_type_job,
    lifecycle_state_change_dataset,
    output_statistics_output_dataset,
    ownership_job,
    parent_run,
    processing_engine_run,
    schema_dataset,
    storage_dataset,
    symlinks_dataset,
    tags_job,
    tags_run,
)

from headwater import _version
from headwater.common.redaction.text import redact
from headwater.openlineage.build.options import Owner, RunName, Tag
from headwater.openlineage.build.statistics import Counts
from headwater.openlineage.model.producer import PRODUCER
from headwater.openlineage.naming.datasets import Name
from headwater.rules.plan.tree import CatalogOf
from headwater.rules.plan.types import DataType, kind, parts
from headwater.rules.statements.statements import Change, Field

# The last of these lines in a stack trace is the root cause.
_CAUSE = re.compile(r"^Caused by: (.+)$", re.MULTILINE)

# Table formats, and the format of their files where there is only one.
_TABLE_FORMATS = {"delta": "parquet", "iceberg": None, "hudi": None, "paimon": None}
_LIFECYCLE = {
    change: lifecycle_state_change_dataset.LifecycleStateChange[change.name]
    for change in (Change.CREATE, Change.OVERWRITE, Change.TRUNCATE, Change.DROP, Change.ALTER, Change.RENAME)
}


@attr.define
class CaptureRunFacet(RunFacet):
    """What the capture did not see or understand.

    Attributes:
        opaque: by the name of an operator or function without a rule, how often everything may depend on it.
        withheld: facets that a limit kept back, and the limit.
        lost: counts of dropped messages, unread plans and undelivered events so far.
    """

    opaque: dict[str, int] | None = None
    withheld: list[str] | None = None
    lost: dict[str, int] | None = None

    @staticmethod
    def _get_schema() -> str:
        return "urn:headwater:facet:1-1-0:CaptureRunFacet"


def capture(
    opaque: Mapping[str, int], withheld: Sequence[str] = (), lost: Mapping[str, int] | None = None
) -> dict[str, RunFacet]:
    """The facet that says what is missing, under its name; empty if nothing is missing.

    >>> capture({}), capture({}, lost={"droppedMessages": 2})["headwater_capture"].lost
    ({}, {'droppedMessages': 2})
    """
    if not (opaque or withheld or lost):
        return {}
    facet = CaptureRunFacet(
        opaque=dict(opaque) or None, withheld=list(withheld) or None, lost=dict(lost or {}) or None, producer=PRODUCER
    )
    return {"headwater_capture": facet}


def withheld(messages: Sequence[str], known: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The facet as plain JSON, for an event that is JSON already: `known`, and messages about facets left out."""
    facet = CaptureRunFacet(producer=PRODUCER)
    urls = {"_producer": facet._producer, "_schemaURL": facet._schemaURL}  # noqa: SLF001 (their names in the JSON)
    return {"headwater_capture": {**urls, **known, "withheld": [*known.get("withheld", ()), *messages]}}


# --- datasets --------------------------------------------------------------------------------------------------------


@attr.define
class ViewsDatasetFacet(DatasetFacet):
    """What a dataset takes from the views that were read for it; `columnLineage` has what is behind them.

    Attributes:
        fields: as in `columnLineage`, with views in place of what is behind them.
        dataset: likewise.
        views: the views that the statement reads.
    """

    fields: dict[str, Any] = attr.field(factory=dict)
    dataset: list[Any] = attr.field(factory=list)
    views: list[dict[str, str]] = attr.field(factory=list)

    @staticmethod
    def _get_schema() -> str:
        return "urn:headwater:facet:1-0-0:ViewsDatasetFacet"


@attr.define
class RowsDatasetFacet(DatasetFacet):
    """The datasets of which columns depend on how many rows they have, where nothing else in the event says so.

    Attributes:
        fields: by column, the datasets of which only the number of rows counts for it.
        dataset: those that count for all columns.
        byViews: the same two, with views in place of what is behind them.
    """

    fields: dict[str, list[dict[str, str]]] = attr.field(factory=dict)
    dataset: list[dict[str, str]] = attr.field(factory=list)
    byViews: dict[str, Any] | None = None  # noqa: N815 (its name in the JSON)

    @staticmethod
    def _get_schema() -> str:
        return "urn:headwater:facet:1-0-0:RowsDatasetFacet"


@attr.define
class BehindViewsInputDatasetFacet(InputDatasetFacet):
    """That a statement reads an input through views only.

    Attributes:
        views: the views that the statement reads.
    """

    views: list[dict[str, str]] = attr.field(factory=list)

    @staticmethod
    def _get_schema() -> str:
        return "urn:headwater:facet:1-0-0:BehindViewsInputDatasetFacet"


def behind_views(views: Iterable[Name]) -> BehindViewsInputDatasetFacet:
    """The facet of an input that a statement reads through these views only."""
    return BehindViewsInputDatasetFacet(views=identifiers(views), producer=PRODUCER)


def identifiers(names: Iterable[Name]) -> list[dict[str, str]]:
    """Names of datasets as JSON, each once and in order."""
    return [{"namespace": name.namespace, "name": name.name} for name in sorted(set(names))]


def schema(fields: Sequence[Field]) -> schema_dataset.SchemaDatasetFacet:
    """The schema facet, with nested fields. The fields are plain dictionaries: there may be ten thousand."""
    entries = [_schema_field(field.name, field.type, position) for position, field in enumerate(fields, start=1)]
    return schema_dataset.SchemaDatasetFacet(
        fields=cast("list[schema_dataset.SchemaDatasetFacetFields]", entries), producer=PRODUCER
    )


def _schema_field(name: str, type_: DataType | None, position: int) -> dict[str, object]:
    field: dict[str, object] = {"name": name, "ordinal_position": position}
    if type_ is not None:
        field["type"] = kind(type_)
        if not isinstance(type_, str):
            field["fields"] = [_schema_field(*inner, place) for place, inner in enumerate(parts(type_), start=1)]
    return field


def data_source(name: Name) -> datasource_dataset.DatasourceDatasetFacet:
    """The data source of a dataset: its namespace, as in OpenLineage's own agent."""
    return datasource_dataset.DatasourceDatasetFacet(name=name.namespace, uri=name.namespace, producer=PRODUCER)


def version(text: str) -> dataset_version_dataset.DatasetVersionDatasetFacet:
    """The version that was read or written."""
    return dataset_version_dataset.DatasetVersionDatasetFacet(datasetVersion=text, producer=PRODUCER)


def lifecycle(
    change: Change, previous: Name | None = None
) -> lifecycle_state_change_dataset.LifecycleStateChangeDatasetFacet | None:
    """The change to the dataset as a whole; None if it only got more data."""
    if change not in _LIFECYCLE:
        return None
    return lifecycle_state_change_dataset.LifecycleStateChangeDatasetFacet(
        lifecycleStateChange=_LIFECYCLE[change],
        previousIdentifier=previous
        and lifecycle_state_change_dataset.PreviousIdentifier(name=previous.name, namespace=previous.namespace),
        producer=PRODUCER,
    )


def symlinks(name: Name) -> symlinks_dataset.SymlinksDatasetFacet:
    """The catalog's name for a dataset."""
    return symlinks_dataset.SymlinksDatasetFacet(
        identifiers=[symlinks_dataset.Identifier(namespace=name.namespace, name=name.name, type="TABLE")],
        producer=PRODUCER,
    )


def catalog(of: CatalogOf) -> catalog_dataset.CatalogDatasetFacet:
    """The catalog of a table."""
    return catalog_dataset.CatalogDatasetFacet(
        framework=of.framework,
        type=of.type,
        name=of.name,
        metadataUri=None if of.uri is None else redact(of.uri),
        warehouseUri=None if of.warehouse is None else redact(of.warehouse),
        source="spark",
        catalogProperties=None,
        producer=PRODUCER,
    )


def storage(format_: str | None) -> storage_dataset.StorageDatasetFacet | None:
    """The table format of a dataset, if it has one.

    >>> storage("delta").fileFormat, storage("parquet")
    ('parquet', None)
    """
    if format_ is None or format_ not in _TABLE_FORMATS:
        return None
    return storage_dataset.StorageDatasetFacet(
        storageLayer=format_, fileFormat=_TABLE_FORMATS[format_], producer=PRODUCER
    )


def subset(locations: Iterable[str]) -> base_subset_dataset.InputSubsetInputDatasetFacet:
    """The locations inside a dataset that were read."""
    condition = base_subset_dataset.LocationSubsetCondition(locations=[redact(location) for location in locations])
    return base_subset_dataset.InputSubsetInputDatasetFacet(inputCondition=condition, producer=PRODUCER)


def input_statistics(counts: Counts) -> input_statistics_input_dataset.InputStatisticsInputDatasetFacet:
    """How much was read."""
    return input_statistics_input_dataset.InputStatisticsInputDatasetFacet(
        rowCount=counts.rows, size=counts.bytes, fileCount=counts.files, producer=PRODUCER
    )


def output_statistics(counts: Counts) -> output_statistics_output_dataset.OutputStatisticsOutputDatasetFacet:
    """How much was written."""
    return output_statistics_output_dataset.OutputStatisticsOutputDatasetFacet(
        rowCount=counts.rows, size=counts.bytes, fileCount=counts.files, producer=PRODUCER
    )


def view() -> DatasetFacet:
    """The dataset type of a view."""
    return dataset_type_dataset.DatasetTypeDatasetFacet(datasetType="VIEW", producer=PRODUCER)


# --- jobs and runs ---------------------------------------------------------------------------------------------------


def job_type(type_: str, *, streaming: bool = False) -> job_type_job.JobTypeJobFacet:
    """The type of a job."""
    return job_type_job.JobTypeJobFacet(
        processingType="STREAMING" if streaming else "BATCH", integration="SPARK", jobType=type_, producer=PRODUCER
    )


def ownership(owners: Iterable[Owner]) -> ownership_job.OwnershipJobFacet:
    """The owners of a job."""
    return ownership_job.OwnershipJobFacet(
        owners=[ownership_job.Owner(name=owner.name, type=owner.type) for owner in owners], producer=PRODUCER
    )


def job_tags(tags: Iterable[Tag]) -> tags_job.TagsJobFacet:
    """The tags of a job. A new facet each time: openlineage-python adds its own tags to it."""
    return tags_job.TagsJobFacet(tags=[tags_job.TagsJobFacetFields(*tag) for tag in tags], producer=PRODUCER)


def run_tags(tags: Iterable[Tag]) -> tags_run.TagsRunFacet:
    """The tags of a run. A new facet each time: openlineage-python adds its own tags to it."""
    return tags_run.TagsRunFacet(tags=[tags_run.TagsRunFacetFields(*tag) for tag in tags], producer=PRODUCER)


def parent(of: RunName, root: RunName) -> parent_run.ParentRunFacet:
    """The run that started this one, and the run at the top of the hierarchy."""
    return parent_run.ParentRunFacet(
        run=parent_run.Run(of.run_id, facets=None),
        job=parent_run.Job(of.namespace, of.name, facets=None),
        root=parent_run.Root(
            run=parent_run.RootRun(root.run_id, facets=None),
            job=parent_run.RootJob(root.namespace, root.name, facets=None),
        ),
        producer=PRODUCER,
    )


def processing_engine(spark_version: str) -> processing_engine_run.ProcessingEngineRunFacet:
    """The versions of Spark and of Headwater."""
    return processing_engine_run.ProcessingEngineRunFacet(
        version=spark_version, name="spark", openlineageAdapterVersion=_version.__version__, producer=PRODUCER
    )


def error_message(text: str) -> error_message_run.ErrorMessageRunFacet:
    r"""Why a run failed: the message with its root cause, and the stack trace if Spark gives one.

    >>> facet = error_message("java.io.IOException: disk full\n\tat a.B.c(B.scala:1)")
    >>> facet.message, facet.stackTrace
    ('java.io.IOException: disk full', '\tat a.B.c(B.scala:1)')
    >>> error_message("Job aborted\n\tat a.B\nCaused by: Error: no luck\n\tat c.D").message
    'Job aborted\nCaused by: Error: no luck'
    """
    message, at, trace = text.partition("\n\tat ")
    *_, cause = [None, *_CAUSE.findall(trace)]
    if cause is not None:
        message = f"{message}\nCaused by: {cause}"
    return error_message_run.ErrorMessageRunFacet(
        message=message,
        programmingLanguage="SCALA",
        stackTrace="\tat " + trace if at else None,
        producer=PRODUCER,
    )
