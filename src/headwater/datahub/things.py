"""What DataHub knows of one dataset, field by field and aspect by aspect, and what follows from it; pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from headwater.datahub.errors import DataHubError
from headwater.datahub.field_paths import SchemaFields, field_of
from headwater.datahub.kept import Key, without_urns
from headwater.datahub.lineage_aspects import read_field_mappings, read_upstream_lineage
from headwater.datahub.reading import Known, Name, Reading
from headwater.datahub.schema_aspects import read_field_info, read_schema_metadata
from headwater.datahub.words import field_descriptions
from headwater.openlineage.model import ColumnLineage, SchemaField

SCHEMA, FIELD_INFO = "schemaMetadata", "fieldInfo"
UPSTREAM, MAPPINGS = "upstreamLineage", "datasetUpstreamLineage"
JOB_IO = "dataJobInputOutput"
OF_SCHEMA = frozenset({SCHEMA, FIELD_INFO, "editableSchemaMetadata"})
OF_LINEAGE = frozenset({UPSTREAM, MAPPINGS, JOB_IO})
Unusable: TypeAlias = tuple[str, str]
"""An aspect, and why a part of it cannot be used."""
_URNS = ("urn:li:dataset:", "urn:li:schemaField:", "urn:li:datasetField:")


@dataclass(eq=False)
class Thing:
    """A dataset or a job: its aspects, and what was made of them last."""

    aspects: dict[Key, Any] = field(default_factory=dict)
    schema: list[SchemaField] | None = None
    fields: SchemaFields | None = None
    said: Any = None
    """What was last said of its lineage."""

    def put(self, key: Key, value: Any) -> None:  # noqa: ANN401  JSON
        """Set an aspect; None removes it."""
        if value is None:
            self.aspects.pop(key, None)
        else:
            self.aspects[key] = value

    def refresh_schema(self) -> bool:
        """Derive the fields again; returns whether others are there now.

        Raises:
            DataHubError: an aspect is not as DataHub writes it.
        """
        before = self.fields.paths if self.fields else None
        self.schema = schema_of(self.aspects)
        self.fields = None if self.schema is None else SchemaFields(one.path for one in self.schema)
        return (self.fields.paths if self.fields else None) != before

    @property
    def has_lineage(self) -> bool:
        """Whether an aspect says something of lineage."""
        return any(key.aspect in OF_LINEAGE and not key.urn for key in self.aspects)

    def mentioned(self) -> set[str]:
        """The URNs of the datasets that its lineage names."""
        return {urn for key, value in self.aspects.items() if key.aspect in OF_LINEAGE for urn in mentioned(value)}


def schema_of(aspects: Mapping[Key, Any]) -> list[SchemaField] | None:
    """The fields of a dataset: those of its schema, which says what there is; without one, those told one by one.

    Raises:
        DataHubError: an aspect is not as DataHub writes it.
    """
    infos = [
        read_field_info(value, FIELD_INFO, field_of(key.urn).path)
        for key, value in aspects.items()
        if key.aspect == FIELD_INFO and key.urn
    ]
    plain = without_urns(aspects)
    if SCHEMA not in plain and not infos:
        return None
    if SCHEMA in plain:
        found = read_schema_metadata(plain[SCHEMA])
        places = SchemaFields(one.path for one in found)
        told = {places.find(one.path, rfc=True): one for one in infos}
        found = [_with(one, told.get(one.path)) for one in found]
    else:
        found = sorted(infos, key=lambda one: one.path)
        places = SchemaFields(one.path for one in found)
    written = {places.find(path): words for path, words in field_descriptions(plain).items()}
    return [replace(one, description=written[one.path]) if one.path in written else one for one in found]


def _with(one: SchemaField, info: SchemaField | None) -> SchemaField:
    if info is None:
        return one
    return replace(one, type=one.type or info.type, description=one.description or info.description)


def declared_lineage(name: Name, thing: Thing, known: Known) -> tuple[ColumnLineage | None, list[Unusable]]:
    """What a dataset's aspects say that it is made of, and what in which of them cannot be used.

    Raises:
        DataHubError: an aspect is not as DataHub writes it.
    """
    if not thing.has_lineage:
        return None, []
    reading = Reading(known)
    plain = without_urns(thing.aspects)
    unusable: list[Unusable] = []
    for aspect, read in ((UPSTREAM, read_upstream_lineage), (MAPPINGS, read_field_mappings)):
        if aspect in plain:
            reading.problems = []
            before = set(reading.columns)
            read(plain[aspect], reading)
            unusable += [(aspect, problem) for problem in reading.problems]
            others = reading.columns.keys() - before - {name}
            unusable += [(aspect, f"{'/'.join(one)} is another dataset than the aspect's.") for one in sorted(others)]
    return reading.lineage(name), unusable


def mentioned(value: Any) -> Iterator[str]:  # noqa: ANN401  JSON
    """The URNs of all datasets, and of the datasets of all fields, anywhere in an aspect."""
    rest = [value]
    while rest:
        one = rest.pop()
        if isinstance(one, Mapping):
            rest += one.values()
        elif isinstance(one, list):
            rest += one
        elif isinstance(one, str) and one.startswith(_URNS):
            try:
                yield one if one.startswith(_URNS[0]) else field_of(one).dataset
            except DataHubError:
                continue


def lineage_facet(lineage: ColumnLineage) -> dict[str, Any]:
    """A lineage as the facet that a dataset has of it."""
    fields: dict[str, dict[tuple[str, str, str], list[dict[str, Any]]]] = {column: {} for column in lineage.columns}
    for edge in lineage.edges:
        step = {"type": edge.type, "subtype": edge.subtype, "masking": edge.masking, "description": edge.description}
        fields.setdefault(edge.out or "", {}).setdefault((edge.namespace, edge.name, edge.path), []).append(step)
    return {
        "inputs": [{"namespace": namespace, "name": name, "type": "DATASET"} for namespace, name in lineage.sources],
        "fields": {
            column: {
                "inputs": [
                    {"namespace": namespace, "name": name, "type": "DATASET", "field": path, "transformations": steps}
                    for (namespace, name, path), steps in inputs.items()
                ]
            }
            for column, inputs in fields.items()
        },
    }
