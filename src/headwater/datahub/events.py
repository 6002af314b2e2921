"""Events of OpenLineage that say what changed for a dataset or a job in DataHub; pure."""

from collections.abc import Mapping
from typing import Any

from headwater.datahub.kept import Key, facet_of, without_urns
from headwater.datahub.reading import Name
from headwater.datahub.schema_aspects import nested
from headwater.datahub.things import OF_SCHEMA, Thing, lineage_facet
from headwater.datahub.words import ABOUT, DESCRIBED, description_of, once, tags_of, tags_on_fields
from headwater.openlineage.instants import instant_text
from headwater.openlineage.model import ColumnLineage
from headwater.openlineage.producer import PRODUCER

_SPEC = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/"
_FACETS = "https://openlineage.io/spec/facets/"
_URLS = {
    "schema": "1-1-1/SchemaDatasetFacet.json",
    "lineage": "1-0-0/LineageDatasetFacet.json",
    "tags": "1-0-0/TagsDatasetFacet.json",
    "documentation": "1-0-1/DocumentationDatasetFacet.json",
    "lifecycleStateChange": "1-0-1/LifecycleStateChangeDatasetFacet.json",
}


def dataset_event(
    name: Name, thing: Thing, changed: Mapping[Key, Any], us: int, *, new_lineage: bool
) -> dict[str, Any]:
    """What changed for a dataset.

    Args:
        name: the dataset.
        thing: what is known of it now, and what it is made of.
        changed: the aspects that changed; None is one that was deleted.
        us: when.
        new_lineage: whether what it is made of changed.
    """
    aspects = {key.aspect for key in changed}
    facets: dict[str, Any] = {key.facet: facet_of(value) for key, value in changed.items()}
    if aspects & OF_SCHEMA and (thing.schema is not None or any(value is None for value in changed.values())):
        facets["schema"] = _facet("schema", fields=nested(thing.schema or []))
    if new_lineage:
        facets["lineage"] = _facet("lineage", **lineage_facet(thing.said or ColumnLineage((), ())))
    plain = without_urns(thing.aspects)
    if aspects & set(ABOUT):
        tags = once([*tags_of(plain, thing.fields), *tags_on_fields(thing.aspects, thing.fields)])
        before = any(key.aspect in {"globalTags", "glossaryTerms", "editableSchemaMetadata"} for key in changed)
        if tags or before:
            facets["tags"] = _facet("tags", tags=tags)
    if aspects & set(DESCRIBED) and (words := description_of(plain)) is not None:
        facets["documentation"] = _facet("documentation", description=words)
    return {**_event("DatasetEvent", us), "dataset": {"namespace": name[0], "name": name[1], "facets": facets}}


def job_event(name: Name, said: tuple[Any, Any, Any], changed: Mapping[Key, Any], us: int) -> dict[str, Any]:
    """What a job reads and writes now, and by which fields."""
    read, written, lineages = said
    outputs = []
    for (namespace, output), lineage in zip(written, lineages, strict=True):
        facets = {} if lineage is None else {"lineage": _facet("lineage", **lineage_facet(lineage))}
        outputs.append({"namespace": namespace, "name": output, "facets": facets})
    return {
        **_event("JobEvent", us),
        "job": {
            "namespace": name[0],
            "name": name[1],
            "facets": {key.facet: facet_of(value) for key, value in changed.items()},
        },
        "inputs": [{"namespace": namespace, "name": one} for namespace, one in read],
        "outputs": outputs,
    }


def _event(kind: str, us: int) -> dict[str, Any]:
    return {"eventTime": instant_text(us), "producer": PRODUCER, "schemaURL": f"{_SPEC}{kind}"}


def _facet(name: str, **content: Any) -> dict[str, Any]:  # noqa: ANN401  JSON
    return {"_producer": PRODUCER, "_schemaURL": _FACETS + _URLS[name], **content}
