"""OpenLineage events for an application and the statements that it runs, built with openlineage-python's classes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timezone

from openlineage.client.event_v2 import InputDataset, Job, OutputDataset, Run, RunEvent, RunState
from openlineage.client.facet_v2 import (
    DatasetFacet,
    JobFacet,
    RunFacet,
    error_message_run,
    job_type_job,
    lifecycle_state_change_dataset,
    parent_run,
    processing_engine_run,
)

from headwater import _version
from headwater.openlineage import facets
from headwater.openlineage.facets import PRODUCER
from headwater.openlineage.naming import Catalog
from headwater.openlineage.redact import redact
from headwater.rules.statements import Change, Field, Statement, Written
from headwater.rules.tree import Dataset

_LIFECYCLE = {
    Change.CREATE: lifecycle_state_change_dataset.LifecycleStateChange.CREATE,
    Change.OVERWRITE: lifecycle_state_change_dataset.LifecycleStateChange.OVERWRITE,
}


@dataclass(frozen=True)
class Application:
    """The Spark application that the statements belong to.

    Attributes:
        namespace: the namespace of its jobs.
        name: the application's name; its jobs' names begin with it.
        run_id: the id of the application's own run, the parent of every statement's.
        nested: whether lineage goes down to nested fields, or stays with the columns that they are in.
    """

    namespace: str
    name: str
    run_id: str
    spark_version: str
    catalog: Catalog
    nested: bool = True

    @property
    def job_name(self) -> str:
        """The name in the form that job names have.

        >>> Application("ns", "Daily Orders!", "r", "4.1.4", Catalog("file:/w")).job_name
        'daily_orders'
        """
        return _snake(self.name)

    def event(self, state: RunState, millis: int) -> RunEvent:
        """An event of the application itself."""
        return RunEvent(
            eventTime=_instant(millis),
            eventType=state,
            run=Run(self.run_id, facets={"processing_engine": self._engine()}),
            job=Job(self.namespace, self.job_name, facets={"jobType": _job_type("APPLICATION")}),
            producer=PRODUCER,
        )

    def statement_job(self, statement: Statement) -> str:
        """A name that stays the same from run to run: the application, the command, what it writes first."""
        parts = [self.job_name, _snake(statement.command)]
        if statement.writes:
            parts.append(self._short_name(statement.writes[0].dataset))
        return ".".join(part for part in parts if part)

    def statement_event(  # noqa: PLR0913 (an event has as many parts)
        self, state: RunState, millis: int, *, run_id: str, job: str, statement: Statement, error: str | None = None
    ) -> RunEvent:
        """An event of one statement's run. START says what is read and written, the last event also how."""
        run_facets: dict[str, RunFacet] = {
            "parent": parent_run.ParentRunFacet(
                run=parent_run.Run(self.run_id), job=parent_run.Job(self.namespace, self.job_name), producer=PRODUCER
            ),
            "processing_engine": self._engine(),
        }
        if statement.opaque:
            run_facets["headwater_capture"] = facets.CaptureRunFacet(dict(statement.opaque), producer=PRODUCER)
        if error is not None:
            run_facets["errorMessage"] = error_message_run.ErrorMessageRunFacet(
                message=redact(error), programmingLanguage="SCALA", producer=PRODUCER
            )
        ended = state is not RunState.START
        return RunEvent(
            eventTime=_instant(millis),
            eventType=state,
            run=Run(run_id, facets=run_facets),
            job=Job(self.namespace, job, facets={"jobType": _job_type("SQL_JOB")}),
            inputs=list(self._inputs(statement)),
            outputs=[output for written in statement.writes for output in self._output(written, ended=ended)],
            producer=PRODUCER,
        )

    def _inputs(self, statement: Statement) -> Iterable[InputDataset]:
        merged: dict[tuple[str, str], InputDataset] = {}
        for dataset, fields in statement.reads.items():
            name = self.catalog.name(dataset)
            if name is not None and name not in merged:
                merged[name] = InputDataset(name.namespace, name.name, facets=self._dataset_facets(dataset, fields))
        return merged.values()

    def _output(self, written: Written, *, ended: bool) -> Iterable[OutputDataset]:
        name = self.catalog.name(written.dataset)
        if name is None:
            return
        described = self._dataset_facets(written.dataset, written.schema)
        if ended and written.fields is not None:
            described["columnLineage"] = facets.column_lineage(written, self.catalog, nested=self.nested)
        if written.change in _LIFECYCLE:
            described["lifecycleStateChange"] = lifecycle_state_change_dataset.LifecycleStateChangeDatasetFacet(
                lifecycleStateChange=_LIFECYCLE[written.change], producer=PRODUCER
            )
        yield OutputDataset(name.namespace, name.name, facets=described)

    def _dataset_facets(self, dataset: Dataset, fields: tuple[Field, ...]) -> dict[str, DatasetFacet]:
        described: dict[str, DatasetFacet] = {"schema": facets.schema(fields)}
        symlink = self.catalog.symlink(dataset)
        if symlink is not None:
            described["symlinks"] = facets.symlinks(symlink)
        return described

    def _engine(self) -> RunFacet:
        return processing_engine_run.ProcessingEngineRunFacet(
            version=self.spark_version,
            name="spark",
            openlineageAdapterVersion=_version.__version__,
            producer=PRODUCER,
        )

    def _short_name(self, dataset: Dataset) -> str:
        if dataset.table:
            return _snake("_".join(dataset.table[-2:]))
        name = self.catalog.name(dataset)
        return "" if name is None else _snake("_".join(name.name.strip("/").split("/")[-2:]))


def merge_nested(root: Statement | None, nested: Iterable[Statement]) -> Statement | None:
    """One statement for an execution and those that it started in turn.

    `saveAsTable` runs as three commands, one inside the other. The outermost knows what the user asked for, only the
    innermost where the files are.
    """
    inner = list(nested)
    if root is None or not root.writes:
        root = next((statement for statement in inner if statement.writes), root)
    if root is None:
        return None
    written_inside = [written.dataset for statement in inner for written in statement.writes]
    writes = tuple(replace(written, dataset=_completed(written.dataset, written_inside)) for written in root.writes)
    return replace(root, writes=writes)


def _completed(dataset: Dataset, inside: Iterable[Dataset]) -> Dataset:
    """The dataset with what the commands inside know of the same table."""
    for other in inside:
        if other.table and dataset.table and other.table[-1] != dataset.table[-1]:
            continue
        if dataset.location is None and other.location is not None:
            dataset = replace(dataset, location=other.location, format=dataset.format or other.format)
        if len(other.table) > len(dataset.table) > 0:
            dataset = replace(dataset, table=other.table)
    return dataset


def _instant(millis: int) -> str:
    return (
        datetime.fromtimestamp(millis / 1000, tz=timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    )


def _snake(name: str) -> str:
    """A name in lower case with underscores.

    >>> _snake("InsertIntoHadoopFsRelationCommand")
    'insert_into_hadoop_fs_relation_command'
    """
    split = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return re.sub(r"[^0-9a-zA-Z]+", "_", split).strip("_").lower()


def _job_type(kind: str) -> JobFacet:
    return job_type_job.JobTypeJobFacet(processingType="BATCH", integration="SPARK", jobType=kind, producer=PRODUCER)
