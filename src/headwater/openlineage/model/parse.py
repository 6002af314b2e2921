"""From an OpenLineage event, as parsed JSON, to a typed one; pure.

Facets that nothing here reads are kept as they are. An event that cannot be stored raises `BadEvent`, which names the
field and the reason.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from headwater.openlineage.model.check import a_list, a_name, a_run_id, an_object, text
from headwater.openlineage.model.event import (
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
    Parent,
    RunEvent,
    SchemaField,
)
from headwater.openlineage.model.instants import instant_us
from headwater.openlineage.model.limits import MOST_DATASETS, MOST_FACETS, check_columns, check_count
from headwater.openlineage.model.parse_facets import (
    BEHIND_VIEWS,
    ROWS,
    VIEWS,
    column_lineage,
    dataset_version,
    entry_of_job,
    lifecycle_state,
    lineage_facet,
    parent_run,
    previous_name,
    row_sources,
    schema_fields,
    sort_edges,
    sort_row_sources,
    symlinks,
    view_names,
    with_stated_sources,
)
from headwater.openlineage.model.producer import is_own

__all__ = ["BadEvent", "Happening", "column_lineage", "parse_event", "parse_happening"]

_ROLES = (("inputs", "inputFacets"), ("outputs", "outputFacets"))


def parse_event(raw: Mapping[str, object], shape: str | None = None) -> Event:
    """Read a RunEvent, JobEvent or DatasetEvent; `shape` says which, where that is known.

    >>> event = parse_event({
    ...     "eventType": "START",
    ...     "eventTime": "2026-01-01T00:00:00Z",
    ...     "run": {"runId": "01941f29-7c00-7000-8000-000000000000"},
    ...     "job": {"namespace": "shop", "name": "daily"},
    ... })
    >>> event.job.name
    'daily'
    """
    event = _read(raw, shape)
    check_columns(event)
    return event


def _read(raw: Mapping[str, object], shape: str | None) -> Event:
    an_object(raw, "event")
    shape = shape or event_shape(raw)
    happened = parse_happening(raw, shape)
    if shape == "DatasetEvent":
        return DatasetEvent(happened.time_us, _dataset(raw.get("dataset"), "dataset", ""))
    job = _job(raw.get("job"))
    inputs, outputs = (_datasets(raw, key, role_key) for key, role_key in _ROLES)
    job, inputs, outputs = _with_lineage_of_job(job, inputs, outputs)
    if shape == "JobEvent":
        return JobEvent(happened.time_us, job, inputs, outputs)
    return RunEvent(
        time_us=happened.time_us,
        type=happened.type,
        run_id=happened.run_id,
        run_facets=happened.run_facets,
        parent=happened.parent,
        job=job,
        inputs=inputs,
        outputs=outputs,
    )


@dataclass(frozen=True, slots=True)
class Happening:
    """When an event happened and in which run; `run_id` is empty for events without a run."""

    time_us: int
    type: EventType
    run_id: str
    run_facets: Facets
    parent: Parent | None


def parse_happening(raw: Mapping[str, object], shape: str | None = None) -> Happening:
    """Read the part of an event that differs in every event."""
    time_us = instant_us(raw.get("eventTime"), "eventTime")
    if (shape or event_shape(raw)) != "RunEvent":
        return Happening(time_us, EventType.START, "", {}, None)
    run = an_object(raw.get("run"), "run")
    facets = _facets(run.get("facets"), "run.facets")
    parent = facets.get("parent")
    return Happening(
        time_us,
        _event_type(raw.get("eventType")),
        a_run_id(run.get("runId"), "run.runId"),
        facets,
        None if parent is None or is_deleted(parent) else parent_run(parent, "run.facets.parent"),
    )


def check_rest(rest: Mapping[str, Any], shape: str) -> None:
    """Check the facets of datasets in the part of an event that differs from run to run, as `parse_event` does.

    There, datasets are keyed by their positions.

    >>> check_rest({"inputs": {"0": {"inputFacets": {"inputStatistics": "x"}}}}, "RunEvent")
    Traceback (most recent call last):
    ...
    headwater.openlineage.model.event.BadEvent: inputs[0].inputFacets.inputStatistics: must be an object, not a string
    """
    if shape == "DatasetEvent":
        _version(rest.get("dataset", {}), "dataset")
        return
    for key, role_key in _ROLES:
        for place, own in rest.get(key, {}).items():
            _version(own, f"{key}[{place}]")
            _facets(own.get(role_key), f"{key}[{place}].{role_key}")


def _version(dataset: Mapping[str, Any], where: str) -> str | None:
    facet = _facets(dataset.get("facets"), f"{where}.facets").get("version")
    return None if facet is None or is_deleted(facet) else dataset_version(facet, f"{where}.facets.version")


def is_deleted(facet: Facet) -> bool:
    """Whether the facet removes the previous facet of the same name."""
    return facet.get("_deleted") is True


def event_shape(raw: Mapping[str, object]) -> str:
    """Which of the three kinds an event is: the end of `schemaURL` says so, or else what it is about.

    It depends on the part alone that repeats from run to run, so that this part has one meaning.

    Raises:
        BadEvent: a dataset alone is said to have been written in a run.
    """
    url = raw.get("schemaURL")
    last = url.rsplit("/", 1)[-1] if isinstance(url, str) else ""
    if last in {"RunEvent", "JobEvent", "DatasetEvent"}:
        return last
    if raw.get("dataset") is None or raw.get("job") is not None:
        # Without a hint it is the usual kind; the error then names its missing parts.
        return "RunEvent"
    if raw.get("run") is not None or raw.get("eventType") is not None:
        raise BadEvent("job", "is missing")
    return "DatasetEvent"


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
    check_count(body, MOST_FACETS, where, "facets")
    return {text(name, where): an_object(facet, f"{where}.{name}") for name, facet in body.items() if facet is not None}


def _datasets(raw: Mapping[str, object], key: str, role_key: str) -> tuple[Dataset, ...]:
    listed = a_list(raw.get(key), key)
    check_count(listed, MOST_DATASETS, key, "datasets")
    mentions: dict[tuple[str, str], list[Dataset]] = {}
    for index, value in enumerate(listed):
        dataset = _dataset(value, f"{key}[{index}]", role_key)
        mentions.setdefault((dataset.namespace, dataset.name), []).append(dataset)
    # All mentions of a dataset at once: one after the other, each would copy what those before it say.
    return tuple(_union(mentions[name]) for name in sorted(mentions))


def _dataset(value: object, where: str, role_key: str) -> Dataset:
    body = an_object(value, where)
    facets = _facets(body.get("facets"), f"{where}.facets")
    read = {name: facet for name, facet in facets.items() if not is_deleted(facet)}
    place = f"{where}.facets"
    lifecycle = read.get("lifecycleStateChange")
    role_facets = _facets(body.get(role_key), f"{where}.{role_key}") if role_key else {}
    return Dataset(
        namespace=a_name(body.get("namespace"), f"{where}.namespace"),
        name=a_name(body.get("name"), f"{where}.name"),
        facets=facets,
        role_facets=role_facets,
        schema=schema_fields(read["schema"], f"{place}.schema") if "schema" in read else None,
        lineage=_lineage(read, place),
        lifecycle=lifecycle_state(lifecycle, f"{place}.lifecycleStateChange") if lifecycle else None,
        renamed=previous_name(lifecycle, f"{place}.lifecycleStateChange") if lifecycle else None,
        symlinks=symlinks(read["symlinks"], f"{place}.symlinks") if "symlinks" in read else (),
        version=dataset_version(read["version"], f"{place}.version") if "version" in read else None,
        views=view_names(read[VIEWS], f"{place}.{VIEWS}") if VIEWS in read else (),
        behind=_behind_views(role_facets, f"{where}.{role_key}"),
    )


def _behind_views(facets: Facets, where: str) -> tuple[tuple[str, str], ...]:
    facet = facets.get(BEHIND_VIEWS)
    return () if facet is None or is_deleted(facet) else view_names(facet, f"{where}.{BEHIND_VIEWS}")


def _lineage(facets: Facets, where: str) -> ColumnLineage | None:
    """The columnLineage facet, up to the views that were read if the event says so; else the newer lineage facet.

    Beside a columnLineage facet, the lineage facet says which datasets there are.
    """
    if VIEWS in facets:
        lineage = column_lineage(facets[VIEWS], f"{where}.{VIEWS}")
        return _with_rows(lineage, facets.get(ROWS, {}).get("byViews"), f"{where}.{ROWS}.byViews")
    stated = lineage_facet(facets["lineage"], f"{where}.lineage") if "lineage" in facets else None
    if "columnLineage" not in facets:
        return stated and _with_rows(stated, facets.get(ROWS), f"{where}.{ROWS}")
    lineage = column_lineage(facets["columnLineage"], f"{where}.columnLineage")
    lineage = _with_rows(lineage, facets.get(ROWS), f"{where}.{ROWS}")
    return lineage if stated is None else with_stated_sources(lineage, stated)


def _with_rows(lineage: ColumnLineage, raw: object, where: str) -> ColumnLineage:
    """Lineage with the datasets whose rows count, where the event says so; for a column without lineage, for all."""
    if raw is None or is_deleted(facet := an_object(raw, where)):
        return lineage
    columns = {*lineage.columns}
    stated = row_sources(facet, where)
    known = {source if source.out in columns else source._replace(out=None) for source in stated}
    return replace(lineage, row_sources=sort_row_sources(known))


def _with_lineage_of_job(
    job: Job, inputs: tuple[Dataset, ...], outputs: tuple[Dataset, ...]
) -> tuple[Job, tuple[Dataset, ...], tuple[Dataset, ...]]:
    """The job, its inputs and its outputs with what its lineage facet says of them.

    An output without lineage of its own gets that of its entry; one with columnLineage the datasets that the entry
    states. The entries of the job itself are inputs, those of other jobs what these read.
    """
    facet = job.facets.get("lineage")
    if facet is None or is_deleted(facet):
        return job, inputs, outputs
    by_name = {(output.namespace, output.name): output for output in outputs}
    read = {(dataset.namespace, dataset.name): dataset for dataset in inputs}
    others: set[tuple[tuple[str, str], tuple[str, str]]] = set()
    for index, raw in enumerate(a_list(facet.get("entries"), "job.facets.lineage.entries")):
        where = f"job.facets.lineage.entries[{index}]"
        entry = an_object(raw, where)
        if entry.get("type") == "JOB":
            other, names = entry_of_job(entry, where)
            if other is None or other == (job.namespace, job.name):
                read |= {name: Dataset(*name) for name in names if name not in read}
            else:
                others |= {(other, name) for name in names}
        if entry.get("type") != "DATASET":
            continue
        key = (a_name(entry.get("namespace"), f"{where}.namespace"), a_name(entry.get("name"), f"{where}.name"))
        output = by_name.get(key, Dataset(*key))
        stated = replace(lineage_facet(entry, where), complete=is_own(facet.get("_producer")))
        if output.lineage is None:
            by_name[key] = replace(output, lineage=_with_rows(stated, output.facets.get(ROWS), f"{where}.{ROWS}"))
        elif stated.made_of is not None and output.lineage.made_of is None and VIEWS not in output.facets:
            by_name[key] = replace(output, lineage=with_stated_sources(output.lineage, stated))
    return (
        replace(job, reads=tuple(sorted(others))),
        tuple(read[key] for key in sorted(read)),
        tuple(by_name[key] for key in sorted(by_name)),
    )


def _union(mentions: Sequence[Dataset]) -> Dataset:
    """The union of all mentions of a dataset in one event."""
    first = mentions[0]
    if len(mentions) == 1:
        return first
    behind = [{*mention.behind} for mention in mentions]
    return replace(
        first,
        facets={name: facet for mention in mentions for name, facet in mention.facets.items()},
        role_facets={name: facet for mention in mentions for name, facet in mention.role_facets.items()},
        schema=_union_of_schemas([mention.schema for mention in mentions if mention.schema is not None]),
        lineage=_union_of_lineage([mention.lineage for mention in mentions if mention.lineage is not None]),
        lifecycle=next((mention.lifecycle for mention in reversed(mentions) if mention.lifecycle), first.lifecycle),
        renamed=next((mention.renamed for mention in reversed(mentions) if mention.renamed), first.renamed),
        symlinks=tuple(sorted({link for mention in mentions for link in mention.symlinks})),
        version=next((mention.version for mention in reversed(mentions) if mention.version), first.version),
        views=tuple(sorted({view for mention in mentions for view in mention.views})),
        # What one of them reads directly is not behind a view.
        behind=tuple(sorted({view for views in behind for view in views})) if all(behind) else (),
    )


def _union_of_schemas(schemas: Sequence[tuple[SchemaField, ...]]) -> tuple[SchemaField, ...] | None:
    if len(schemas) < 2:  # noqa: PLR2004  there is nothing to unite
        return schemas[0] if schemas else None
    fields = {field.path: field for schema in reversed(schemas) for field in schema}
    return tuple(fields.values())


def _union_of_lineage(lineages: Sequence[ColumnLineage]) -> ColumnLineage | None:
    if len(lineages) < 2:  # noqa: PLR2004  there is nothing to unite
        return lineages[0] if lineages else None
    made_of = None
    if all(lineage.made_of is not None for lineage in lineages):
        made_of = tuple(sorted({source for lineage in lineages for source in lineage.made_of or ()}))
    stated = [lineage.row_sources for lineage in lineages if lineage.row_sources is not None]
    return ColumnLineage(
        tuple(sorted({column for lineage in lineages for column in lineage.columns})),
        sort_edges({edge for lineage in lineages for edge in lineage.edges}),
        tuple(sorted({source for lineage in lineages for source in lineage.sources})),
        made_of,
        tuple(sorted({job for lineage in lineages for job in lineage.made_by})),
        complete=all(lineage.complete for lineage in lineages),
        row_sources=sort_row_sources({source for listed in stated for source in listed}) if stated else None,
    )
