"""Datasets as Marquez shows them; pure."""

from collections.abc import Sequence

from headwater.query.metadata.tags import Tags
from headwater.server.marquez.entities.column_inputs import ColumnInputs, as_list
from headwater.server.marquez.entities.dataset_facts import DatasetFacts
from headwater.server.marquez.entities.notes import dataset_type, description, physical_name, source_name
from headwater.server.marquez.entities.values import Json, instant, instant_or_none, name_json, uuid_of
from headwater.store.reads.fields import FieldRow


def dataset_json(facts: DatasetFacts, columns: ColumnInputs, facets: Json, *, deleted: bool = False) -> Json:
    """A dataset, as lists and pages show it."""
    return {
        **node_json(facts),
        "currentVersion": facts.version.id if facts.version else None,
        "columnLineage": as_list(columns),
        "facets": facets,
        "deleted": deleted,
    }


def node_json(facts: DatasetFacts) -> Json:
    """A dataset, as a node of a graph shows it."""
    version = facts.version
    return {
        **_begins(facts),
        "createdAt": instant(facts.seen.first),
        "updatedAt": instant(facts.seen.last),
        "namespace": facts.name.namespace,
        "sourceName": source_name(facts.notes),
        "fields": fields_json(facts.fields, facts.tags),
        "tags": facts.tags.own,
        "lastModifiedAt": instant_or_none(version.us if version else None),
        "description": description(facts.notes),
        "lastLifecycleState": version.lifecycle if version else "",
    }


def version_json(  # noqa: PLR0913, PLR0917  the parts of a version
    facts: DatasetFacts, fields: Sequence[FieldRow], uuid: str, us: int, lifecycle: str, run: Json | None, facets: Json
) -> Json:
    """A version of a dataset."""
    return {
        **_begins(facts),
        "createdAt": instant(us),
        "version": uuid,
        "namespace": facts.name.namespace,
        "sourceName": source_name(facts.notes),
        "fields": fields_json(fields, facts.tags),
        "tags": facts.tags.own,
        "lifecycleState": lifecycle,
        "description": description(facts.notes),
        "currentSchemaVersion": schema_version(facts, fields),
        "createdByRun": run,
        "facets": facets,
    }


def schema_version(facts: DatasetFacts, fields: Sequence[FieldRow]) -> str | None:
    """The id of a schema: the dataset's name, its fields and their types."""
    parts = [part for field in fields for part in (field.path, field.type)]
    return uuid_of("schema", facts.name.namespace, facts.name.name, *parts) if fields else None


def fields_json(fields: Sequence[FieldRow], tags: Tags) -> list[Json]:
    """The fields of a dataset."""
    return [
        {
            "name": field.path,
            "type": field.type or None,
            "tags": tags.of_fields.get(field.path, []),
            "description": field.description or None,
        }
        for field in fields
    ]


def _begins(facts: DatasetFacts) -> Json:
    return {
        "id": name_json(facts.name),
        "type": dataset_type(facts.notes, facts.name.namespace),
        "name": facts.name.name,
        "physicalName": physical_name(facts.notes, facts.name.name),
    }
