"""The schemas of Parquet and ORC files as trees, read by pyarrow from the files' footers."""

from io import BytesIO
from typing import Any

from headwater.datahub.schemas.libraries import needed, plain_errors
from headwater.fields.schema_tree import Array, Field, Limits, Map, Record, Scalar, Schema, Style, Type, Union

# Arrow's types under the names of DataHub's converter for Hive; others keep their own.
_NAMES = (
    ("bool", "boolean"), ("int64", "long"), ("uint64", "long"), ("uint32", "long"), ("int", "int"), ("uint", "int"),
    ("halffloat", "float"), ("double", "double"), ("float", "float"), ("large_string", "string"), ("string", "string"),
    ("timestamp", "int"), ("date", "int"), ("time", "int"), ("decimal", "bytes"), ("large_binary", "string"),
    ("binary", "string"), ("fixed_size_binary", "fixed"),
)  # fmt: skip


def from_parquet(content: bytes) -> Schema:
    """Read the schema of a Parquet file."""
    parquet = needed("pyarrow.parquet", "Parquet files")
    with plain_errors("Parquet file"):
        return from_arrow(parquet.read_schema(BytesIO(content)))


def from_orc(content: bytes) -> Schema:
    """Read the schema of an ORC file."""
    orc = needed("pyarrow.orc", "ORC files")
    with plain_errors("ORC file"):
        return from_arrow(orc.ORCFile(BytesIO(content)).schema)


def from_arrow(schema: Any) -> Schema:  # noqa: ANN401  pyarrow is an option
    """The tree of an Arrow schema."""
    types = needed("pyarrow", "Arrow's schemas").types
    return Schema(Record("", tuple(_fields(schema, types, Limits(), 0))), Style.COLUMNS)


def _fields(fields: Any, types: Any, limits: Limits, depth: int) -> list[Field]:  # noqa: ANN401  pyarrow's
    return [Field(field.name, _type(field.type, types, limits, depth), field.nullable) for field in fields]


def _type(type_: Any, types: Any, limits: Limits, depth: int) -> Type:  # noqa: ANN401  pyarrow's
    depth = limits.enter(depth)
    if types.is_struct(type_):
        return Record("struct", tuple(_fields(type_, types, limits, depth)))
    if types.is_map(type_):
        return Map(_type(type_.key_type, types, limits, depth), _type(type_.item_type, types, limits, depth))
    if types.is_list(type_) or types.is_large_list(type_) or types.is_fixed_size_list(type_):
        return Array(_type(type_.value_type, types, limits, depth))
    if types.is_union(type_):
        return Union(tuple(_fields(type_, types, limits, depth)))
    if types.is_dictionary(type_):
        return _type(type_.value_type, types, limits, depth)
    native = str(type_)
    return Scalar(next((name for start, name in _NAMES if native.startswith(start)), native), native)
