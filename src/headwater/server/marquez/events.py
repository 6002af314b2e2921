"""Marquez's calls that write, as OpenLineage events; pure. All facts in the store come from events."""

from collections.abc import Collection, Iterable

from headwater.openlineage.model.event import EventType
from headwater.openlineage.model.producer import PRODUCER
from headwater.query.graph.answer import TableName
from headwater.server.marquez.bodies import DatasetBody, JobBody, JobType, NameBody, RunBody
from headwater.server.marquez.entities.run_json import ARGS
from headwater.server.marquez.entities.values import Json, instant, name_json
from headwater.store.model.meaning import REGISTERED

_SPEC = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/"
_FACETS = "https://openlineage.io/spec/facets/"
_SCHEMAS = {
    "schema": "1-1-1/SchemaDatasetFacet.json",
    "dataSource": "1-0-1/DatasourceDatasetFacet.json",
    "documentation": "1-0-1/DocumentationDatasetFacet.json",
    "lifecycleStateChange": "1-0-1/LifecycleStateChangeDatasetFacet.json",
    "sourceCodeLocation": "1-0-1/SourceCodeLocationJobFacet.json",
    "sql": "1-0-1/SQLJobFacet.json",
    "jobType": "2-0-3/JobTypeJobFacet.json",
    "nominalTime": "1-0-1/NominalTimeRunFacet.json",
}


def dataset_event(name: TableName, us: int, facets: Json) -> Json:
    """An event about a dataset itself."""
    return {**_begins("DatasetEvent", us), "dataset": {**name_json(name), "facets": facets}}


def job_event(job: Json, us: int, inputs: Iterable[Json], outputs: Iterable[Json]) -> Json:
    """An event about a job itself."""
    return {**_begins("JobEvent", us), "job": job, "inputs": list(inputs), "outputs": list(outputs)}


def run_event(  # noqa: PLR0913  the parts of an event
    kind: EventType,
    us: int,
    run: str,
    job: TableName,
    *,
    facets: Json | None = None,
    inputs: Iterable[Json] = (),
    outputs: Iterable[Json] = (),
) -> Json:
    """An event of a run."""
    return {
        **_begins("RunEvent", us),
        "eventType": kind.name,
        "run": {"runId": run, "facets": facets or {}},
        "job": name_json(job),
        "inputs": list(inputs),
        "outputs": list(outputs),
    }


def registered_facets(body: DatasetBody, source_uri: str) -> Json:
    """The facets of a registered dataset."""
    facets: Json = {
        "dataSource": {"name": body.source_name, "uri": source_uri},
        REGISTERED: {"type": body.type.value, "physicalName": body.physical_name},
    }
    if body.fields:
        facets["schema"] = {
            "fields": [
                {"name": field.name, "type": field.type or "", "description": field.description or ""}
                for field in body.fields
            ]
        }
    if body.description is not None:
        facets["documentation"] = {"description": body.description}
    if body.schema_location is not None:
        facets[REGISTERED]["schemaLocation"] = body.schema_location
    return with_headers(facets)


def registered_job(name: TableName, body: JobBody) -> Json:
    """A registered job, with its facets."""
    processing = "STREAMING" if body.type is JobType.STREAM else "BATCH"
    facets: Json = {"jobType": {"processingType": processing, "integration": "HEADWATER", "jobType": body.type.value}}
    if body.description is not None:
        facets["documentation"] = {"description": body.description}
    if body.location is not None:
        facets["sourceCodeLocation"] = {"type": "url", "url": body.location}
    if "sql" in body.context:
        facets["sql"] = {"query": body.context["sql"]}
    return {**name_json(name), "facets": with_headers(facets)}


def announced_run(body: RunBody, start: str | None, end: str | None) -> Json:
    """The facets of a run that is created."""
    facets: Json = {}
    if start is not None:
        facets["nominalTime"] = {"nominalStartTime": start, **({"nominalEndTime": end} if end is not None else {})}
    if body.args:
        facets[ARGS] = {"args": body.args}
    return with_headers(facets)


def removed(name: TableName, us: int) -> Json:
    """The event that deletes a dataset: nothing is in force for it any more."""
    facets = {"lifecycleStateChange": {"lifecycleStateChange": "DROP"}}
    return dataset_event(name, us, with_headers(facets))


def ended(name: TableName, us: int) -> Json:
    """The event that deletes a job: it writes nothing any more."""
    return job_event(name_json(name), us, (), ())


def names(bodies: Collection[NameBody]) -> list[Json]:
    """Datasets by their names only."""
    return [{"namespace": body.namespace, "name": body.name} for body in bodies]


def with_headers(facets: Json) -> Json:
    """Facets with their producer and schema URL."""
    return {
        name: {
            "_producer": PRODUCER,
            "_schemaURL": _FACETS + _SCHEMAS[name] if name in _SCHEMAS else PRODUCER,
            **facet,
        }
        for name, facet in facets.items()
    }


def _begins(kind: str, us: int) -> Json:
    return {"eventTime": instant(us), "producer": PRODUCER, "schemaURL": _SPEC + kind}
