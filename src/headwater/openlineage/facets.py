"""Facets from what the core found: schema, column lineage, symlinks, and what the capture could not understand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import attr
from openlineage.client.facet_v2 import RunFacet, column_lineage_dataset, schema_dataset, symlinks_dataset

from headwater import _version
from headwater.openlineage.naming import Catalog, Name
from headwater.openlineage.redact import redact
from headwater.paths import quote
from headwater.rules.model import Mark, SourceField
from headwater.rules.statements import Field, Written
from headwater.rules.tree import DataType

PRODUCER = f"urn:headwater:producer:{_version.__version__}"


@attr.define
class CaptureRunFacet(RunFacet):
    """How much of the plan was understood; what is counted here was answered by "everything may depend on it"."""

    opaque: dict[str, int]
    dropped: int = 0

    @staticmethod
    def _get_schema() -> str:
        return "urn:headwater:facet:1-0-0:CaptureRunFacet"


def schema(fields: Sequence[Field]) -> schema_dataset.SchemaDatasetFacet:
    """A schema facet, nested fields included."""
    return schema_dataset.SchemaDatasetFacet(
        fields=[_schema_field(field.name, field.type, position) for position, field in enumerate(fields, start=1)],
        producer=PRODUCER,
    )


def _schema_field(name: str, type_: DataType | None, position: int) -> schema_dataset.SchemaDatasetFacetFields:
    return schema_dataset.SchemaDatasetFacetFields(
        name=name,
        type=None if type_ is None else type_name(type_),
        ordinal_position=position,
        fields=[] if type_ is None else _nested(type_),
    )


def _nested(type_: DataType) -> list[schema_dataset.SchemaDatasetFacetFields]:
    """The fields inside a struct, an array's element, a map's key and value."""
    if isinstance(type_, str):
        return []
    kind = type_.get("type")
    if kind == "struct":
        inside = [(str(field["name"]), field["type"]) for field in type_.get("fields", ())]  # type: ignore[attr-defined]
    elif kind == "array":
        inside = [("_element", type_["elementType"])]
    elif kind == "map":
        inside = [("key", type_["keyType"]), ("value", type_["valueType"])]
    else:
        inside = []
    return [_schema_field(name, inner, position) for position, (name, inner) in enumerate(inside, start=1)]


def type_name(type_: DataType) -> str:
    """The short name of a type; what is inside it stands in nested fields.

    >>> type_name({"type": "array", "elementType": "string"})
    'array'
    """
    return type_ if isinstance(type_, str) else str(type_.get("type", "unknown"))


def symlinks(name: Name) -> symlinks_dataset.SymlinksDatasetFacet:
    """The catalog's name for a dataset."""
    return symlinks_dataset.SymlinksDatasetFacet(
        identifiers=[symlinks_dataset.Identifier(namespace=name.namespace, name=name.name, type="TABLE")],
        producer=PRODUCER,
    )


def column_lineage(written: Written, catalog: Catalog) -> column_lineage_dataset.ColumnLineageDatasetFacet:
    """The columnLineage facet: what each column takes, and once for all of them what decided the rows."""
    return column_lineage_dataset.ColumnLineageDatasetFacet(
        fields={
            quote(name): column_lineage_dataset.Fields(inputFields=_input_fields(sources, catalog))
            for name, sources in written.fields.items()
        },
        dataset=_input_fields(written.rows, catalog),
        producer=PRODUCER,
    )


def _input_fields(
    sources: Mapping[SourceField, Iterable[Mark]], catalog: Catalog
) -> list[column_lineage_dataset.InputField]:
    found = []
    for source, marks in sources.items():
        name = catalog.name(source.dataset)
        if name is not None:
            found.append(
                column_lineage_dataset.InputField(
                    namespace=name.namespace,
                    name=name.name,
                    field=quote(source.field),
                    transformations=[_transformation(mark) for mark in sorted(marks, key=_order)],
                )
            )
    return sorted(found, key=lambda field: (field.namespace, field.name, field.field))


def _transformation(mark: Mark) -> column_lineage_dataset.Transformation:
    return column_lineage_dataset.Transformation(
        type="DIRECT" if mark.how.direct else "INDIRECT",
        subtype=mark.how.name,
        description=redact(mark.text),
        masking=mark.masking,
    )


def _order(mark: Mark) -> tuple[int, bool, str]:
    return (mark.how.value, mark.masking, mark.text)
