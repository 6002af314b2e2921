"""Facets from what the core found: schema, column lineage, symlinks, and what the capture could not understand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

import attr
from openlineage.client.facet_v2 import RunFacet, column_lineage_dataset, schema_dataset, symlinks_dataset

from headwater import _version
from headwater.openlineage.naming import Catalog, Name
from headwater.openlineage.redact import redact
from headwater.paths import top_level
from headwater.rules.model import Mark, SourceField, Sources, merge
from headwater.rules.statements import Field, Written
from headwater.rules.types import DataType, kind, parts

PRODUCER = f"urn:headwater:producer:{_version.__version__}"


@attr.define
class CaptureRunFacet(RunFacet):
    """How much of the plan was understood; what is counted here was answered by "everything may depend on it"."""

    opaque: dict[str, int]

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


def column_lineage(
    written: Written, catalog: Catalog, *, nested: bool = True
) -> column_lineage_dataset.ColumnLineageDatasetFacet:
    """The columnLineage facet: what each column takes, and once for all of them what decided the rows.

    Without `nested`, paths are folded to the columns that they are in, for consumers that know no others.
    """
    fields, rows = written.fields or {}, written.rows
    if not nested:
        fields, rows = _folded_fields(fields), _folded(rows)
    return column_lineage_dataset.ColumnLineageDatasetFacet(
        fields={
            name: cast("column_lineage_dataset.Fields", {"inputFields": _input_fields(sources, catalog)})
            for name, sources in fields.items()
        },
        dataset=_input_fields(rows, catalog),
        producer=PRODUCER,
    )


def _folded_fields(fields: Mapping[str, Sources]) -> dict[str, Sources]:
    found: dict[str, Sources] = {}
    for path, sources in fields.items():
        column = top_level(path)
        found[column] = merge([found.get(column, {}), _folded(sources)])
    return found


def _folded(sources: Sources) -> Sources:
    return merge({SourceField(one.dataset, top_level(one.field)): marks} for one, marks in sources.items())


def _input_fields(
    sources: Mapping[SourceField, Iterable[Mark]], catalog: Catalog
) -> list[column_lineage_dataset.InputField]:
    """The input fields as plain dictionaries: a facet may have a hundred thousand, and objects would cost seconds."""
    found: list[dict[str, object]] = []
    for source, marks in sources.items():
        name = catalog.name(source.dataset)
        if name is not None:
            found.append(
                {
                    "namespace": name.namespace,
                    "name": name.name,
                    "field": source.field,
                    "transformations": [_transformation(mark) for mark in sorted(marks, key=_order)],
                }
            )
    if len(found) > 1:
        found.sort(key=lambda field: (field["namespace"], field["name"], field["field"]))
    return cast("list[column_lineage_dataset.InputField]", found)


def _transformation(mark: Mark) -> dict[str, object]:
    return {
        "type": "DIRECT" if mark.how.direct else "INDIRECT",
        "subtype": mark.how.name,
        "description": redact(mark.text),
        "masking": mark.masking,
    }


def _order(mark: Mark) -> tuple[int, bool, str]:
    return (mark.how.value, mark.masking, mark.text)
