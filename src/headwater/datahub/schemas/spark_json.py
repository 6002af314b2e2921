"""Spark's types in JSON (`DataFrame.schema.json()`) as trees.

Read without PySpark: the format is small, and a test compares with PySpark's own reader.
"""

from typing import Any

from headwater.datahub.schemas.column_types import column_type
from headwater.datahub.schemas.libraries import plain_errors, read_json
from headwater.fields.errors import BadSchema
from headwater.fields.schema_tree import Array, Field, Limits, Map, Record, Schema, Style, Type


def from_spark_json(text: str | bytes) -> Schema:
    """Read a struct, or another type, in Spark's JSON.

    >>> from_spark_json('{"type":"struct","fields":[{"name":"a","type":"long","nullable":true,"metadata":{}}]}').root
    Record(name='', fields=(Field(name='a', type=Scalar(name='long', native='long'), nullable=True, description=''),))
    """
    with plain_errors("Spark schema"):
        root = _type(read_json(text), Limits(), 0)
        return Schema(Record("", root.fields) if isinstance(root, Record) else root, Style.COLUMNS)


def _type(written: Any, limits: Limits, depth: int) -> Type:  # noqa: ANN401  JSON
    depth = limits.enter(depth)
    if isinstance(written, str):
        return column_type(written)
    kind = written["type"]
    if kind == "struct":
        return Record("struct", tuple(_field(field, limits, depth) for field in written["fields"]))
    if kind == "array":
        return Array(_type(written["elementType"], limits, depth))
    if kind == "map":
        return Map(_type(written["keyType"], limits, depth), _type(written["valueType"], limits, depth))
    if kind == "udt" and "sqlType" in written:  # a type of the user's is stored as one of Spark's
        return _type(written["sqlType"], limits, depth)
    raise BadSchema(f"Spark has no type {kind!r}: write the schema with DataFrame.schema.json().")


def _field(field: Any, limits: Limits, depth: int) -> Field:  # noqa: ANN401  JSON
    words = (field.get("metadata") or {}).get("comment", "")
    name = field["name"]
    if not isinstance(name, str):
        raise BadSchema(f"The Spark schema has a field named {name!r}: a name must be a string.")
    return Field(name, _type(field["type"], limits, depth), field.get("nullable") is not False, str(words))
