"""OpenLineage events of an application and its statements, built with openlineage-python's classes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone
from functools import cached_property

from openlineage.client.event_v2 import DatasetEvent, Job, Run, RunEvent, RunState
from openlineage.client.facet_v2 import JobFacet, RunFacet, sql_job

from headwater.openlineage.build import facets
from headwater.openlineage.build.datasets import Datasets
from headwater.openlineage.build.options import EventOptions, RunName
from headwater.openlineage.build.statistics import RunStatistics
from headwater.openlineage.model.limits import bounded_name
from headwater.openlineage.model.producer import PRODUCER
from headwater.openlineage.naming.datasets import Catalog
from headwater.rules.plan.tree import Dataset
from headwater.rules.statements.inserts import SAVED_RDDS
from headwater.rules.statements.statements import Statement, Written


@dataclass(frozen=True)
class RunDetails:
    """The details of a statement's run besides the statement.

    Attributes:
        sql: the statement's text, if it was written as SQL.
        error: why it failed, if it did.
        statistics: how much it read and wrote.
        lost: what the application has lost so far, if that has changed since the last event.
    """

    sql: str | None = None
    error: str | None = None
    statistics: RunStatistics = field(default_factory=RunStatistics)
    lost: Mapping[str, int] = field(default_factory=dict)


_NO_DETAILS = RunDetails()


@dataclass(frozen=True)
class Application:
    """The Spark application that runs the statements.

    Attributes:
        namespace: the namespace of its jobs.
        name: the application's name, with which its jobs' names begin.
        run_id: the id of the application's own run, the parent of every statement's run.
    """

    namespace: str
    name: str
    run_id: str
    spark_version: str
    catalog: Catalog
    options: EventOptions = field(default_factory=EventOptions)

    @property
    def job_name(self) -> str:
        """The application's name as a job name.

        >>> Application("ns", "Daily Orders!", "r", "4.1.4", Catalog("file:/w")).job_name
        'daily_orders'
        """
        return bounded_name(_snake(self.name))

    def event(self, state: RunState, millis: int, lost: Mapping[str, int] | None = None) -> RunEvent:
        """An event of the application itself; `lost` is what it has lost in total."""
        parent = self.options.parent
        run_facets = facets.capture({}, lost=lost)
        if parent is not None:
            run_facets["parent"] = facets.parent(parent, self.options.root or parent)
        return RunEvent(
            eventTime=_instant(millis),
            eventType=state,
            run=self._run(self.run_id, run_facets),
            job=self._job(self.job_name, {"jobType": facets.job_type("APPLICATION")}),
            producer=PRODUCER,
        )

    def wants(self, statement: Statement) -> bool:
        """Whether a statement gets events."""
        if statement.command in self.options.denied:
            return False
        if statement.writes or statement.opaque:
            return True
        return bool(statement.reads) and (self.options.emit_reads or statement.command in self.options.allowed)

    def statement_job(self, statement: Statement, stream_name: str | None = None, number: int = 1) -> str:
        """A name that is stable from run to run: the application, the command, the first dataset written.

        Renames of two columns are two jobs: as one job, the second would end the lineage of the first. A streaming
        query's own name, if it has one, takes the place of the command. The `number` tells statements apart for which
        all that is the same.
        """
        parts = [self.job_name, _snake(stream_name or statement.asked or statement.command)]
        if statement.writes and self.options.append_dataset_name:
            parts.append(self._short_name(statement.writes[0].dataset))
            parts.append(_snake(statement.part or ""))
        if number > 1:
            parts.append(str(number))
        return ("_" if self.options.replace_dots else ".").join(part for part in parts if part)

    def statement_event(  # noqa: PLR0913 (an event has as many parts)
        self,
        state: RunState,
        millis: int,
        *,
        run_id: str,
        job: str,
        statement: Statement,
        details: RunDetails = _NO_DETAILS,
    ) -> RunEvent:
        """An event of one statement's run. START only names the datasets; the other events have all facets."""
        in_full = state is not RunState.START
        itself = RunName(self.namespace, self.job_name, self.run_id)
        run_facets: dict[str, RunFacet] = {
            "parent": facets.parent(itself, self.options.root or self.options.parent or itself)
        }
        kind = "RDD_JOB" if statement.command in SAVED_RDDS else "SQL_JOB"
        job_facets: dict[str, JobFacet] = {"jobType": facets.job_type(kind, streaming=statement.stream is not None)}
        if details.sql is not None:
            query = self.options.clean(details.sql)
            job_facets["sql"] = sql_job.SQLJobFacet(query=query, dialect="spark", producer=PRODUCER)
        if details.error is not None:
            run_facets["errorMessage"] = facets.error_message(self.options.clean(details.error))
        if in_full:
            job_facets |= self._datasets.job_lineage(statement)
            run_facets |= facets.capture(statement.opaque, self._datasets.withheld(statement), details.lost)
        return RunEvent(
            eventTime=_instant(millis),
            eventType=state,
            run=self._run(run_id, run_facets),
            job=self._job(job, job_facets),
            inputs=self._datasets.inputs(statement, in_full=in_full, statistics=details.statistics),
            outputs=self._datasets.outputs(statement, in_full=in_full, statistics=details.statistics),
            producer=PRODUCER,
        )

    def view_events(self, millis: int, statement: Statement) -> Iterator[DatasetEvent]:
        """The lineage of a view, as events of the view itself.

        A view has one definition, the last. As the output of jobs it would have one for each job that ever defined it.
        """
        for dataset in self._datasets.declared(statement):
            yield DatasetEvent(eventTime=_instant(millis), dataset=dataset, producer=PRODUCER)

    def definition_event(self, millis: int, view: Written) -> DatasetEvent | None:
        """The definition of a view that a statement reads: its CREATE VIEW may never have been seen."""
        dataset = self._datasets.definition(view)
        return None if dataset is None else DatasetEvent(eventTime=_instant(millis), dataset=dataset, producer=PRODUCER)

    @cached_property
    def _datasets(self) -> Datasets:
        return Datasets(self.catalog, self.options)

    def _run(self, run_id: str, run_facets: dict[str, RunFacet]) -> Run:
        run_facets["processing_engine"] = facets.processing_engine(self.spark_version)
        if self.options.run_tags:
            run_facets["tags"] = facets.run_tags(self.options.run_tags)
        return Run(run_id, facets=self.options.enabled_facets(run_facets))

    def _job(self, name: str, job_facets: dict[str, JobFacet]) -> Job:
        if self.options.owners:
            job_facets["ownership"] = facets.ownership(self.options.owners)
        if self.options.job_tags:
            job_facets["tags"] = facets.job_tags(self.options.job_tags)
        return Job(bounded_name(self.namespace), bounded_name(name), facets=self.options.enabled_facets(job_facets))

    def _short_name(self, dataset: Dataset) -> str:
        if dataset.table:
            return _snake("_".join(dataset.table[-2:]))
        name = self.catalog.name(dataset)
        return "" if name is None else _snake("_".join(name.name.strip("/").split("/")[-2:]))


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
