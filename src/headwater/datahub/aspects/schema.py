"""Schemas as aspects of DataHub, both ways: schemaMetadata of a dataset, and the RFC's FieldInfo of a DatasetField.

The RFC names FieldInfo and does not spell it out: it is read and written like an entry of schemaMetadata's fields.

Readers raise `DataHubError` for an aspect that is not as DataHub writes it.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from headwater.common.column_path import quote, split_path
from headwater.datahub.aspects.lineage import stamp_of
from headwater.datahub.json_values import a_list, a_text, an_object, text_or_none
from headwater.datahub.schemas.column_types import column_type
from headwater.datahub.schemas.listing import type_name
from headwater.fields.errors import BadSchema, DataHubError, MissingLibrary
from headwater.fields.paths import path_of, plain_path
from headwater.fields.paths_v2 import Path, v2_paths
from headwater.fields.schema_tree import Array, Map, Record, Scalar, Schema, Type, Union
from headwater.openlineage.model.event import SchemaField

_TYPES: Mapping[str, str] = {
    **dict.fromkeys(("int", "integer", "long", "float", "double", "number"), "Number"),
    **dict.fromkeys(("string", "enum"), "String"),
    **dict.fromkeys(("bytes", "fixed"), "Bytes"),
    "boolean": "Boolean",
    "null": "Null",
}
# The type of a column says more than its v2 path does.
_NATIVE: Mapping[str, str] = {"date": "Date", "timestamp": "Time", "time": "Time", "decimal": "Number"}
_DOCUMENTS = ("documentSchema", "schema", "rawSchema")


def nested(fields: Iterable[SchemaField]) -> list[dict[str, Any]]:
    """Fields by their paths as a schema facet has them, one inside another.

    >>> nested([SchemaField("h.id", "int")])
    [{'name': 'h', 'type': '', 'fields': [{'name': 'id', 'type': 'int'}]}]
    """
    top: list[dict[str, Any]] = []
    entries: dict[tuple[str, ...], dict[str, Any]] = {}

    def entry_of(segments: tuple[str, ...]) -> dict[str, Any]:
        if segments not in entries:
            entries[segments] = {"name": segments[-1], "type": ""}
            inside = top if len(segments) == 1 else entry_of(segments[:-1]).setdefault("fields", [])
            inside.append(entries[segments])
        return entries[segments]

    for field in fields:
        entry = entry_of(split_path(field.path) if "." in field.path or "`" in field.path else (field.path,))
        entry["type"] = field.type
        if field.description:
            entry["description"] = field.description
    return top


def written_paths(fields: Sequence[SchemaField]) -> dict[str, Path]:
    """How DataHub names the fields of a dataset: plain names, or v2 paths where fields are nested."""
    if all("." not in field.path and "<" not in field.type for field in fields):
        return {}
    from headwater.datahub.schemas.facet import from_facet  # noqa: PLC0415  it takes a second to load, which most do not need

    try:
        tree = from_facet(json.dumps({"fields": nested(fields)}))
    except (BadSchema, MissingLibrary):
        return {}
    return {path_of(path.path): path for path in reversed(v2_paths(tree))}


def written_path(path: str, written: Mapping[str, str]) -> str:
    """How DataHub names one field; one without a path of its own, such as an array's items, has that of its parent.

    >>> written_path("total", {}), written_path("lines._element.sku", {})
    ('total', 'lines.sku')
    """
    if not written:
        return plain_path(path)
    segments = split_path(path)
    for end in range(len(segments), 0, -1):
        if (known := written.get(".".join(map(quote, segments[:end])))) is not None:
            return known
    return plain_path(path)


def listed_paths(aspect: Mapping[str, Any]) -> dict[str, str]:
    """How a `schemaMetadata` itself names its fields."""
    listed = enumerate(a_list(aspect.get("fields"), "fields"))
    paths = [a_text(an_object(raw, f"fields[{at}]").get("fieldPath"), f"fields[{at}].fieldPath") for at, raw in listed]
    return {path_of(path): path for path in reversed(paths)}


def schema_metadata(name: str, platform: str, fields: Sequence[SchemaField], *, us: int) -> dict[str, Any]:
    """`schemaMetadata` of a dataset on a platform (its URN)."""
    written = written_paths(fields)
    by_path = {field.path: field for field in fields}
    if written:
        infos = [
            field_info(v2.path, v2.type, by_path.get(path), nullable=v2.nullable)
            for path, v2 in reversed(written.items())
        ]
    else:
        infos = [field_info(plain_path(field.path), None, field) for field in fields]
    return {
        "schemaName": name,
        "platform": platform,
        "version": 0,
        "created": stamp_of(us),
        "lastModified": stamp_of(us),
        "hash": "",
        "platformSchema": {"com.linkedin.schema.OtherSchema": {"rawSchema": ""}},
        "fields": infos,
    }


def field_info(path: str, type_: Type | None, field: SchemaField | None, *, nullable: bool = True) -> dict[str, Any]:
    """One field, as schemaMetadata and FieldInfo have it."""
    native = field.type if field is not None and field.type else type_name(type_) if type_ is not None else "unknown"
    info: dict[str, Any] = {
        "fieldPath": path,
        "nullable": nullable,
        "type": {"type": {f"com.linkedin.schema.{_kind(type_, native)}Type": {}}},
        "nativeDataType": native,
        "recursive": False,
        "isPartOfKey": False,
    }
    return {**info, "description": field.description} if field is not None and field.description else info


def _kind(type_: Type | None, native: str) -> str:
    base = native.partition("(")[0].partition("<")[0].strip().lower()
    if base in _NATIVE:
        return _NATIVE[base]
    type_ = column_type(native) if type_ is None else type_
    if isinstance(type_, Scalar):
        return _TYPES.get(
            type_.name, "Record" if base in {"struct", "row"} else "String" if base in {"", "unknown"} else "Null"
        )
    kinds = {Array: "Array", Map: "Map", Union: "Union", Record: "Record"}
    return kinds.get(type(type_), "Record")


def read_schema_metadata(aspect: Mapping[str, Any]) -> list[SchemaField]:
    """The fields of `schemaMetadata`; where it lists none, those of the Avro schema in it."""
    listed = a_list(aspect.get("fields"), "fields")
    fields = [read_field_info(raw, f"fields[{place}]") for place, raw in enumerate(listed)]
    if not fields:
        fields = _from_document(aspect.get("platformSchema"))
    first: dict[str, SchemaField] = {}
    for field in fields:
        first.setdefault(field.path, field)
    return list(first.values())


def read_field_info(raw: Any, where: str, path: str | None = None) -> SchemaField:  # noqa: ANN401  JSON
    """One field of `schemaMetadata`, or a FieldInfo whose path is in its URN."""
    info = an_object(raw, where)
    name = path or path_of(a_text(info.get("fieldPath"), f"{where}.fieldPath"))
    native = text_or_none(info.get("nativeDataType"), where)
    if native is None and isinstance(info.get("type"), str):
        native = info["type"]
    return SchemaField(name, native or "", text_or_none(info.get("description"), where) or "")


def _from_document(platform: Any) -> list[SchemaField]:  # noqa: ANN401  JSON
    """The fields of an Avro schema in the aspect, if it has one."""
    if not isinstance(platform, Mapping):
        return []
    (schema,) = platform.values() if len(platform) == 1 else (platform,)
    if not isinstance(schema, Mapping):
        return []
    documents = (schema.get(key) for key in _DOCUMENTS)
    text = next((document for document in documents if isinstance(document, str) and document.strip()), None)
    if text is None or not text.lstrip().startswith(("{", "[")):
        return []
    from headwater.datahub.schemas.avro import from_avro  # noqa: PLC0415  it needs a library that may not be there

    try:
        tree: Schema = from_avro(text)
    except DataHubError:
        return []
    return [SchemaField(path_of(path.path), type_name(path.type), path.description) for path in v2_paths(tree)]
