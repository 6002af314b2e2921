"""From an OpenLineage event, as parsed JSON, to a typed one; pure.

Facets that nothing here reads are kept as they are. What cannot be stored raises `BadEvent`, which names the field
and the reason.
"""

from collections.abc import Mapping
from dataclasses import replace

from headwater.openlineage.check import a_list, a_name, a_uuid, an_object, text
from headwater.openlineage.instants import instant_us
from headwater.openlineage.model import (
    BadEvent,
    ColumnLineage,
    Dataset,
    DatasetEvent,
    Event,
    EventType,
    Facet,
    Facets,
    Job,
    JobEvent,
    RunEvent,
    SchemaField,
)
from headwater.openlineage.parse_facets import column_lineage, lifecycle_state, parent_run, schema_fields, sort_edges

__all__ = ["BadEvent", "column_lineage", "parse_event"]


def parse_event(raw: Mapping[str, object]) -> Event:
    """Read a RunEvent, JobEvent or DatasetEvent.

    The end of `schemaURL` says which of the three it is, and where that is silent, what the event holds.

    >>> event = parse_event({
    ...     "eventType": "START",
    ...     "eventTime": "2026-01-01T00:00:00Z",
    ...     "run": {"runId": "01941f29-7c00-7000-8000-000000000000"},
    ...     "job": {"namespace": "shop", "name": "daily"},
    ... })
    >>> event.job.name
    'daily'
    """
    an_object(raw, "event")
    time_us = instant_us(raw.get("eventTime"), "eventTime")
    shape = _shape(raw)
    if shape == "DatasetEvent":
        return DatasetEvent(time_us, _dataset(raw.get("dataset"), "dataset", ""))
    job = _job(raw.get("job"))
    inputs, outputs = _datasets(raw, "inputs", "inputFacets"), _datasets(raw, "outputs", "outputFacets")
    if shape == "JobEvent":
        return JobEvent(time_us, job, inputs, outputs)
    run = an_object(raw.get("run"), "run")
    facets = _facets(run.get("facets"), "run.facets")
    parent = facets.get("parent")
    return RunEvent(
        time_us=time_us,
        type=_event_type(raw.get("eventType")),
        run_id=a_uuid(run.get("runId"), "run.runId"),
        run_facets=facets,
        parent=None if parent is None or is_deleted(parent) else parent_run(parent, "run.facets.parent"),
        job=job,
        inputs=inputs,
        outputs=outputs,
    )


def is_deleted(facet: Facet) -> bool:
    """Whether the facet says that the one before it is to be removed."""
    return facet.get("_deleted") is True


def _shape(raw: Mapping[str, object]) -> str:
    url = raw.get("schemaURL")
    last = url.rsplit("/", 1)[-1] if isinstance(url, str) else ""
    if last in {"RunEvent", "JobEvent", "DatasetEvent"}:
        return last
    if "run" in raw or "eventType" in raw:
        return "RunEvent"
    if "dataset" in raw:
        return "DatasetEvent"
    # Without a hint it is taken for the usual kind, whose missing parts are then named.
    return "RunEvent"


def _event_type(value: object) -> EventType:
    if value is None:
        return EventType.OTHER
    written = text(value, "eventType").upper()
    if written in EventType.__members__:
        return EventType[written]
    raise BadEvent("eventType", f"must be one of {', '.join(EventType.__members__)}, not {written[:60]!r}")


def _job(value: object) -> Job:
    body = an_object(value, "job")
    namespace, name = a_name(body.get("namespace"), "job.namespace"), a_name(body.get("name"), "job.name")
    return Job(namespace, name, _facets(body.get("facets"), "job.facets"))


def _facets(value: object, where: str) -> Facets:
    if value is None:
        return {}
    body = an_object(value, where)
    return {text(name, where): an_object(facet, f"{where}.{name}") for name, facet in body.items() if facet is not None}


def _datasets(raw: Mapping[str, object], key: str, role_key: str) -> tuple[Dataset, ...]:
    merged: dict[tuple[str, str], Dataset] = {}
    for index, value in enumerate(a_list(raw.get(key), key)):
        found = _dataset(value, f"{key}[{index}]", role_key)
        name = (found.namespace, found.name)
        merged[name] = _union(merged[name], found) if name in merged else found
    return tuple(merged[name] for name in sorted(merged))


def _dataset(value: object, where: str, role_key: str) -> Dataset:
    body = an_object(value, where)
    facets = _facets(body.get("facets"), f"{where}.facets")
    read = {name: facet for name, facet in facets.items() if not is_deleted(facet)}
    place = f"{where}.facets"
    return Dataset(
        namespace=a_name(body.get("namespace"), f"{where}.namespace"),
        name=a_name(body.get("name"), f"{where}.name"),
        facets=facets,
        role_facets=_facets(body.get(role_key), f"{where}.{role_key}") if role_key else {},
        schema=schema_fields(read["schema"], f"{place}.schema") if "schema" in read else None,
        lineage=column_lineage(read["columnLineage"], f"{place}.columnLineage") if "columnLineage" in read else None,
        lifecycle=(
            lifecycle_state(read["lifecycleStateChange"], f"{place}.lifecycleStateChange")
            if "lifecycleStateChange" in read
            else None
        ),
    )


def _union(one: Dataset, other: Dataset) -> Dataset:
    """The same dataset twice in one event: what either says."""
    return replace(
        one,
        facets={**one.facets, **other.facets},
        role_facets={**one.role_facets, **other.role_facets},
        schema=_union_of_schemas(one.schema, other.schema),
        lineage=_union_of_lineage(one.lineage, other.lineage),
        lifecycle=other.lifecycle or one.lifecycle,
    )


def _union_of_schemas(
    one: tuple[SchemaField, ...] | None, other: tuple[SchemaField, ...] | None
) -> tuple[SchemaField, ...] | None:
    if one is None or other is None:
        return other if one is None else one
    fields = {field.path: field for field in other} | {field.path: field for field in one}
    return tuple(fields.values())


def _union_of_lineage(one: ColumnLineage | None, other: ColumnLineage | None) -> ColumnLineage | None:
    if one is None or other is None:
        return other if one is None else one
    columns = tuple(sorted({*one.columns, *other.columns}))
    return ColumnLineage(columns, sort_edges({*one.edges, *other.edges}))
