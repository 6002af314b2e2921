"""OpenLineage events for what changed on a dataset or a job in DataHub; pure."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from headwater.datahub.aspects.aspect_store import Key, facet_of, without_urns
from headwater.datahub.aspects.reading import Name
from headwater.datahub.aspects.schema import nested
from headwater.datahub.aspects.tags import ABOUT, DESCRIBED, description_of, once, tags_a_field, tags_of, tags_on_fields
from headwater.datahub.imports.entity_state import (
    DATASET_KEY,
    FIELD_INFO,
    OF_FIELDS,
    OF_LINEAGE,
    OF_SCHEMA,
    STATUS,
    EntityState,
    lineage_facet,
)
from headwater.openlineage.model.event import ColumnLineage
from headwater.openlineage.model.instants import instant_text
from headwater.openlineage.model.producer import PRODUCER

_SPEC = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/"
_FACETS = "https://openlineage.io/spec/facets/"
_URLS = {
    "schema": "1-1-1/SchemaDatasetFacet.json",
    "lineage": "1-0-0/LineageDatasetFacet.json",
    "tags": "1-0-0/TagsDatasetFacet.json",
    "documentation": "1-0-1/DocumentationDatasetFacet.json",
    "lifecycleStateChange": "1-0-1/LifecycleStateChangeDatasetFacet.json",
}
_WITH_FACETS = OF_SCHEMA | OF_LINEAGE | {*ABOUT, *DESCRIBED}


def has_facet(key: Key) -> bool:
    """Whether an aspect becomes part of an OpenLineage facet as well."""
    return key.aspect == FIELD_INFO or tags_a_field(key) if key.urn else key.aspect in _WITH_FACETS


class DatasetChanges(NamedTuple):
    """What changed on a dataset: its aspects (None is deleted), and whether its lineage and its fields did."""

    aspects: Mapping[Key, Any]
    lineage: bool
    fields: bool


def dataset_event(name: Name, state: EntityState, changes: DatasetChanges, us: int) -> dict[str, Any]:
    """The event for changes on a dataset; `state` has its aspects and its lineage now."""
    changed = changes.aspects
    aspects = {key.aspect for key in changed if not key.urn or key.aspect == FIELD_INFO}
    facets: dict[str, Any] = {key.facet: facet_of(value) for key, value in changed.items()}
    of_fields = changes.fields or bool(aspects & OF_FIELDS)
    if of_fields and (state.schema is not None or any(value is None for value in changed.values())):
        facets["schema"] = _facet("schema", fields=nested(state.schema or []))
    dropped = (STATUS in changed and state.removed) or (DATASET_KEY in changed and changed[DATASET_KEY] is None)
    if dropped:
        facets["lifecycleStateChange"] = _facet("lifecycleStateChange", lifecycleStateChange="DROP")
    if changes.lineage and not dropped:
        facets["lineage"] = _facet("lineage", **lineage_facet(state.lineage or ColumnLineage((), ())))
    plain = without_urns(state.aspects) if changed else {}
    if aspects & set(ABOUT) or any(map(tags_a_field, changed)):
        tags = once([*tags_of(plain, state.fields), *tags_on_fields(state.aspects, state.fields)])
        before = any(key.aspect in {"globalTags", "glossaryTerms", "editableSchemaMetadata"} for key in changed)
        if tags or before:
            facets["tags"] = _facet("tags", tags=tags)
    if aspects & set(DESCRIBED) and (words := description_of(plain)) is not None:
        facets["documentation"] = _facet("documentation", description=words)
    return {**_event("DatasetEvent", us), "dataset": {"namespace": name[0], "name": name[1], "facets": facets}}


def job_event(name: Name, lineage: tuple[Any, Any, Any], changed: Mapping[Key, Any], us: int) -> dict[str, Any]:
    """The event for what a job reads and writes now, and through which fields."""
    read, written, lineages = lineage
    outputs = []
    for (namespace, output), fields in zip(written, lineages, strict=True):
        facets = {} if fields is None else {"lineage": _facet("lineage", **lineage_facet(fields))}
        outputs.append({"namespace": namespace, "name": output, "facets": facets})
    return {
        **_event("JobEvent", us),
        "job": {
            "namespace": name[0],
            "name": name[1],
            "facets": {key.facet: facet_of(value) for key, value in changed.items()},
        },
        "inputs": [{"namespace": namespace, "name": dataset} for namespace, dataset in read],
        "outputs": outputs,
    }


def _event(kind: str, us: int) -> dict[str, Any]:
    return {"eventTime": instant_text(us), "producer": PRODUCER, "schemaURL": f"{_SPEC}{kind}"}


def _facet(name: str, **content: Any) -> dict[str, Any]:  # noqa: ANN401  JSON
    return {"_producer": PRODUCER, "_schemaURL": _FACETS + _URLS[name], **content}
