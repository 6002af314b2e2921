"""Facets from what the core found: schema, column lineage, symlinks, and what the capture could not understand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import attr
from openlineage.client.facet_v2 import RunFacet, column_lineage_dataset, schema_dataset, symlinks_dataset

from headwater import _version
from headwater.openlineage.naming import Catalog, Name
from headwater.openlineage.redact import redact
from headwater.rules.model import Mark, SourceField
from headwater.rules.statements import Field, Written
from headwater.rules.types import DataType, kind, parts

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
        type=kind(type_) or None,
        ordinal_position=position,
        fields=[_schema_field(inner, its_type, place) for place, (inner, its_type) in enumerate(parts(type_), start=1)],
    )


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
            name: column_lineage_dataset.Fields(inputFields=_input_fields(sources, catalog))
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
                    field=source.field,
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
