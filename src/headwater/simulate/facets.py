"""Facets of simulated events."""

from collections.abc import Iterable
from typing import Any, TypeAlias

from headwater.simulate.jobs import Job, Source
from headwater.simulate.template import number, text
from headwater.simulate.warehouse import CATALOG, Table
from headwater.simulate.words import Word

Json: TypeAlias = dict[str, Any]

PRODUCER = "https://example.com/sim"
SPEC = "https://openlineage.io/spec/"
_EXPLAINED = ("amount", "cost")


def facet(version: str, name: str, /, **values: object) -> Json:
    """A facet."""
    return {"_producer": PRODUCER, "_schemaURL": f"{SPEC}facets/{version}/{name}.json#/$defs/{name}", **values}


def schema(table: Table, more: Iterable[Word] = (), *, described: bool = True) -> Json:
    """The columns of a table, some with a description."""
    fields: list[Json] = [_field(word, described=described) for word in (*table.columns, *more)]
    fields += [
        {"name": name, "type": "struct", "fields": [_field(word, described=False) for word in words]}
        for name, words in table.structs
    ]
    return facet("1-2-0", "SchemaDatasetFacet", fields=fields)


def _field(word: Word, *, described: bool) -> Json:
    field = {"name": word.name, "type": word.type}
    if described and word.name in _EXPLAINED:
        field["description"] = f"{word.name.replace('_', ' ')} in the currency of the row"
    return field


def lineage(fields: Iterable[tuple[str, list[Json]]], rows: list[Json]) -> Json:
    """Where columns come from, and what decides on the rows."""
    content: Json = {"fields": {name: {"inputFields": sources} for name, sources in fields}}
    if rows:
        content["dataset"] = rows
    return facet("1-2-0", "ColumnLineageDatasetFacet", **content)


def source(of: Source, namespace: str, name: str, day: str) -> Json:
    """One input of a column; `day` is what a dated job adds to its texts."""
    step: Json = {"type": of.type, "subtype": of.subtype}
    if of.description:
        step["description"] = of.description + day
    if of.masking:
        step["masking"] = True
    return {"namespace": namespace, "name": name, "field": of.column, "transformations": [step]}


def notes(table: Table, team: str) -> Json:
    """Ownership of a table, and for some tables documentation and tags."""
    facets: Json = {
        "ownership": facet("1-0-1", "OwnershipDatasetFacet", owners=[{"name": f"team:{team}", "type": "MAINTAINER"}])
    }
    if table.number % 3 == 0:
        description = f"One row for each of the {table.name.rpartition('/')[2].rpartition('_')[0].replace('_', ' ')}."
        facets["documentation"] = facet("1-1-0", "DocumentationDatasetFacet", description=description)
    if personal := [word.name for word in table.columns if word.personal]:
        tags = [{"key": "pii", "value": "true", "source": "USER", "field": name} for name in personal[:1]]
        facets["tags"] = facet("1-0-0", "TagsDatasetFacet", tags=tags)
    return facets


def symlinks(alias: str) -> Json:
    """The catalog's name of a table."""
    return facet("1-0-1", "SymlinksDatasetFacet", identifiers=[{"namespace": CATALOG, "name": alias, "type": "TABLE"}])


def version(slot: str) -> Json:
    """The version of a table."""
    return facet("1-0-1", "DatasetVersionDatasetFacet", datasetVersion=text(slot))


def parent(namespace: str, name: str) -> Json:
    """The application that a run belongs to."""
    return facet("1-1-0", "ParentRunFacet", run={"runId": text("parent")}, job={"namespace": namespace, "name": name})


def engine() -> Json:
    """The processing engine."""
    return facet("1-1-1", "ProcessingEngineRunFacet", name="spark", version="4.1.0")


def error() -> Json:
    """Why a run failed."""
    message = f"Job aborted due to stage failure: Task {text('task')} in stage 4.0 failed 4 times: ExecutorLostFailure"
    trace = "org.apache.spark.SparkException: Job aborted\n\tat org.apache.spark.scheduler.DAGScheduler.abortStage"
    return facet("1-0-1", "ErrorMessageRunFacet", message=message, programmingLanguage="JAVA", stackTrace=trace)


def written() -> Json:
    """How much was written."""
    counts = {"rowCount": number("rows"), "size": number("size"), "fileCount": number("files")}
    return {"outputStatistics": facet("1-0-2", "OutputStatisticsOutputDatasetFacet", **counts)}


def read() -> Json:
    """How much was read."""
    counts = {"rowCount": number("rows"), "size": number("size")}
    return {"inputStatistics": facet("1-0-0", "InputStatisticsInputDatasetFacet", **counts)}


def of_job(job: Job, sql: str) -> Json:
    """The facets of a job."""
    facets = {
        "sql": facet("1-1-0", "SQLJobFacet", query=sql, dialect="spark"),
        "jobType": kind("STREAMING" if job.streaming else "BATCH", "SQL_JOB"),
    }
    if job.described:
        owners = [{"name": f"team:{job.team}", "type": "OWNER"}]
        facets["ownership"] = facet("1-0-1", "OwnershipJobFacet", owners=owners)
    return facets


def kind(processing: str, job_type: str) -> Json:
    """The job type."""
    return facet("2-0-3", "JobTypeJobFacet", processingType=processing, integration="SPARK", jobType=job_type)
