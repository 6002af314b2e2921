"""What DataHub knows of one dataset, field by field and aspect by aspect, and what follows from it; pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from headwater.datahub.aspects.aspect_store import Key, without_urns
from headwater.datahub.aspects.lineage import read_field_mappings, read_upstream_lineage
from headwater.datahub.aspects.reading import Known, Name, Reading
from headwater.datahub.aspects.schema import read_field_info, read_schema_metadata
from headwater.datahub.aspects.tags import field_descriptions
from headwater.fields.errors import DataHubError
from headwater.fields.paths import SchemaFields, field_of
from headwater.openlineage.model.event import ColumnLineage, SchemaField

SCHEMA, FIELD_INFO = "schemaMetadata", "fieldInfo"
UPSTREAM, MAPPINGS = "upstreamLineage", "datasetUpstreamLineage"
JOB_IO = "dataJobInputOutput"
STATUS = Key("status")
"""Says whether a dataset is removed."""
DATASET_KEY = Key("datasetKey")
"""With this, DataHub deletes all aspects of a dataset."""
OF_FIELDS = frozenset({SCHEMA, FIELD_INFO, "editableSchemaMetadata"})
"""Aspects that say something of fields."""
OF_SCHEMA = OF_FIELDS | {STATUS.aspect, DATASET_KEY.aspect}
"""Aspects by which fields may come or go."""
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
    _named: dict[Key, set[str]] = field(default_factory=dict)

    def put(self, key: Key, value: Any, named: set[str] | None = None) -> None:  # noqa: ANN401  JSON
        """Set an aspect; None removes it. `named` is what lineage mentions, where that is known."""
        if key.aspect in OF_LINEAGE:
            self._named.pop(key, None)
            if named is not None:
                self._named[key] = named
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
        self.schema = [] if self.gone else schema_of(self.aspects)
        self.fields = None if self.schema is None else SchemaFields(one.path for one in self.schema)
        return (self.fields.paths if self.fields else None) != before

    @property
    def has_lineage(self) -> bool:
        """Whether an aspect says something of lineage."""
        return any(key.aspect in OF_LINEAGE and not key.urn for key in self.aspects)

    @property
    def gone(self) -> bool:
        """Whether it is said to be removed; its aspects stay, for the day on which it is back."""
        status = self.aspects.get(STATUS)
        return isinstance(status, Mapping) and status.get("removed") is True

    def mentioned(self) -> set[str]:
        """The URNs of the datasets that its lineage names."""
        found: set[str] = set()
        for key, value in self.aspects.items():
            if key.aspect in OF_LINEAGE:
                if key not in self._named:
                    self._named[key] = mentioned(value)
                found |= self._named[key]
        return found


def moves_fields(key: Key) -> bool:
    """Whether fields of a dataset may come or go by an aspect."""
    return key.aspect == FIELD_INFO if key.urn else key.aspect in OF_SCHEMA


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
    if not thing.has_lineage or thing.gone:
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
            unusable += [(aspect, f"{'/'.join(one)} is not the dataset of the aspect.") for one in sorted(others)]
    return reading.lineage(name), unusable


def mentioned(value: Any) -> set[str]:  # noqa: ANN401  JSON
    """The URNs of all datasets, and of the datasets of all fields, anywhere in an aspect."""
    texts: set[str] = set()
    rest = [value]
    while rest:
        one = rest.pop()
        # Most of what is in an aspect is text: hence the order, and types that are compared as they are.
        for inner in one.values() if type(one) is dict else one if type(one) is list else ():
            if type(inner) is str:
                texts.add(inner)
            else:
                rest.append(inner)
    found: set[str] = set()
    for text in texts:
        if text.startswith(_URNS):
            try:
                found.add(text if text.startswith(_URNS[0]) else field_of(text).dataset)
            except DataHubError:
                continue
    return found


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
