"""The aspects of one dataset or job, and the schema and lineage that follow from them; pure.

An aspect that is not as DataHub writes it raises `DataHubError`.
"""

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
from headwater.openlineage.model.parse_facets import masking_keys

SCHEMA, FIELD_INFO = "schemaMetadata", "fieldInfo"
UPSTREAM, MAPPINGS = "upstreamLineage", "datasetUpstreamLineage"
JOB_IO = "dataJobInputOutput"
STATUS = Key("status")
"""Says whether a dataset is removed."""
DATASET_KEY = Key("datasetKey")
"""With this, DataHub deletes all aspects of a dataset."""
OF_FIELDS = frozenset({SCHEMA, FIELD_INFO, "editableSchemaMetadata"})
"""Aspects that describe fields."""
OF_SCHEMA = OF_FIELDS | {STATUS.aspect, DATASET_KEY.aspect}
"""Aspects that may add or remove fields."""
OF_LINEAGE = frozenset({UPSTREAM, MAPPINGS, JOB_IO})
Unusable: TypeAlias = tuple[str, str]
"""An aspect, and why part of it cannot be used."""
_URNS = ("urn:li:dataset:", "urn:li:schemaField:", "urn:li:datasetField:")


@dataclass(eq=False)
class EntityState:
    """A dataset or a job: its aspects, and what was last derived from them."""

    aspects: dict[Key, Any] = field(default_factory=dict)
    schema: list[SchemaField] | None = None
    fields: SchemaFields | None = None
    lineage: Any = None
    """Of a dataset, what it declares; of a job, what it reads, what it writes, and the lineage of each output."""
    _named: dict[Key, set[str]] = field(default_factory=dict)

    def set_aspect(self, key: Key, value: Any, named: set[str] | None = None) -> None:  # noqa: ANN401  JSON
        """Set an aspect; None removes it. `named` has the URNs that lineage mentions, where they are known."""
        if key.aspect in OF_LINEAGE:
            self._named.pop(key, None)
            if named is not None:
                self._named[key] = named
        if value is None:
            self.aspects.pop(key, None)
        else:
            self.aspects[key] = value

    def refresh_schema(self) -> bool:
        """Derive the fields again; returns whether they changed."""
        before = self.fields.paths if self.fields else None
        self.schema = [] if self.removed else schema_of(self.aspects)
        self.fields = None if self.schema is None else SchemaFields(field.path for field in self.schema)
        return (self.fields.paths if self.fields else None) != before

    @property
    def has_lineage(self) -> bool:
        """Whether an aspect declares lineage."""
        return any(key.aspect in OF_LINEAGE and not key.urn for key in self.aspects)

    @property
    def removed(self) -> bool:
        """Whether its status is removed; its aspects stay, in case it comes back."""
        status = self.aspects.get(STATUS)
        return isinstance(status, Mapping) and status.get("removed") is True

    def mentioned(self) -> set[str]:
        """The URNs of the datasets that its lineage names."""
        urns: set[str] = set()
        for key, value in self.aspects.items():
            if key.aspect in OF_LINEAGE:
                if key not in self._named:
                    self._named[key] = mentioned(value)
                urns |= self._named[key]
        return urns


def moves_fields(key: Key) -> bool:
    """Whether an aspect may add or remove fields of a dataset."""
    return key.aspect == FIELD_INFO if key.urn else key.aspect in OF_SCHEMA


def schema_of(aspects: Mapping[Key, Any]) -> list[SchemaField] | None:
    """The fields of a dataset: those of its schema; without one, those with an aspect of their own."""
    infos = [
        read_field_info(value, FIELD_INFO, field_of(key.urn).path)
        for key, value in aspects.items()
        if key.aspect == FIELD_INFO and key.urn
    ]
    plain = without_urns(aspects)
    if SCHEMA not in plain and not infos:
        return None
    if SCHEMA in plain:
        fields = read_schema_metadata(plain[SCHEMA])
        paths = SchemaFields(field.path for field in fields)
        by_path = {paths.find(info.path, rfc=True): info for info in infos}
        fields = [_completed(field, by_path.get(field.path)) for field in fields]
    else:
        fields = sorted(infos, key=lambda field: field.path)
        paths = SchemaFields(field.path for field in fields)
    written = {paths.find(path): words for path, words in field_descriptions(plain).items()}
    return [replace(field, description=written[field.path]) if field.path in written else field for field in fields]


def _completed(field: SchemaField, info: SchemaField | None) -> SchemaField:
    if info is None:
        return field
    return replace(field, type=field.type or info.type, description=field.description or info.description)


def declared_lineage(name: Name, state: EntityState, known: Known) -> tuple[ColumnLineage | None, list[Unusable]]:
    """The lineage that a dataset's aspects declare, and what in them cannot be used."""
    if not state.has_lineage or state.removed:
        return None, []
    reading = Reading(known)
    plain = without_urns(state.aspects)
    unusable: list[Unusable] = []
    for aspect, read in ((UPSTREAM, read_upstream_lineage), (MAPPINGS, read_field_mappings)):
        if aspect in plain:
            reading.problems = []
            before = set(reading.columns)
            read(plain[aspect], reading)
            unusable += [(aspect, problem) for problem in reading.problems]
            others = reading.columns.keys() - before - {name}
            unusable += [(aspect, f"{'/'.join(other)} is not the dataset of the aspect.") for other in sorted(others)]
    return reading.lineage(name), unusable


def mentioned(value: Any) -> set[str]:  # noqa: ANN401  JSON
    """The URNs of all datasets, and of the datasets of all fields, anywhere in an aspect."""
    texts: set[str] = set()
    rest = [value]
    while rest:
        holder = rest.pop()
        # Most values in an aspect are texts: hence the order, and the exact comparison of types.
        for inner in holder.values() if type(holder) is dict else holder if type(holder) is list else ():
            if type(inner) is str:
                texts.add(inner)
            else:
                rest.append(inner)
    urns: set[str] = set()
    for text in texts:
        if text.startswith(_URNS):
            try:
                urns.add(text if text.startswith(_URNS[0]) else field_of(text).dataset)
            except DataHubError:
                continue
    return urns


def lineage_facet(lineage: ColumnLineage) -> dict[str, Any]:
    """A lineage as a facet of a dataset."""
    fields: dict[str, dict[tuple[str, str, str], list[dict[str, Any]]]] = {column: {} for column in lineage.columns}
    for edge in lineage.edges:
        step: dict[str, Any] = {"type": edge.type, "subtype": edge.subtype, "description": edge.description}
        step |= masking_keys(edge.masking)
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
