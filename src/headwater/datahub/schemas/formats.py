"""The formats of schemas by name, the format of a file, and the tree of a schema in any of them."""

import json
from collections.abc import Callable, Mapping
from enum import Enum
from pathlib import Path

from headwater.datahub.schemas.arrow import from_orc, from_parquet
from headwater.datahub.schemas.avro import from_avro
from headwater.datahub.schemas.facet import from_facet
from headwater.datahub.schemas.json_schema import from_json_schema
from headwater.datahub.schemas.protobuf import from_descriptors, from_proto
from headwater.datahub.schemas.spark_json import from_spark_json
from headwater.datahub.schemas.sql import from_hive, from_spark_ddl, from_sql
from headwater.fields.errors import BadSchema
from headwater.fields.schema_tree import Schema

LARGEST = 64 * 1024 * 1024
"""The most bytes of a schema's text; a data file may be larger, its schema is in the footer."""


class Format(str, Enum):
    """What a schema is written in."""

    AVRO = "avro"
    JSON_SCHEMA = "json-schema"
    PROTO = "proto"
    DESCRIPTORS = "descriptors"
    PARQUET = "parquet"
    ORC = "orc"
    SPARK = "spark"
    SPARK_JSON = "spark-json"
    HIVE = "hive"
    SQL = "sql"
    OPENLINEAGE = "openlineage"


_BINARY: Mapping[Format, Callable[[bytes], Schema]] = {
    Format.DESCRIPTORS: from_descriptors,
    Format.PARQUET: from_parquet,
    Format.ORC: from_orc,
}
_TEXT: Mapping[Format, Callable[[str], Schema]] = {
    Format.AVRO: from_avro,
    Format.JSON_SCHEMA: from_json_schema,
    Format.PROTO: from_proto,
    Format.SPARK: from_spark_ddl,
    Format.SPARK_JSON: from_spark_json,
    Format.HIVE: from_hive,
    Format.SQL: from_sql,
    Format.OPENLINEAGE: from_facet,
}
_ENDINGS: Mapping[str, Format] = {
    ".avsc": Format.AVRO,
    ".proto": Format.PROTO,
    ".binpb": Format.DESCRIPTORS,
    ".desc": Format.DESCRIPTORS,
    ".pb": Format.DESCRIPTORS,
    ".protoset": Format.DESCRIPTORS,
    ".parquet": Format.PARQUET,
    ".orc": Format.ORC,
    ".hql": Format.HIVE,
    ".sql": Format.SQL,
    ".ddl": Format.SPARK,
}


def tree_of(content: bytes, format_: Format, folder: Path | None = None) -> Schema:
    """The tree of a schema; a .proto's imports are looked for in the folder.

    >>> tree_of(b"CREATE TABLE t (a INT)", Format.SQL).root.fields[0].name
    'a'

    Raises:
        BadSchema: its own library rejects it, or it is too large.
        MissingLibrary: the library is not installed.
    """
    if format_ in _BINARY:
        return _BINARY[format_](content)
    if len(content) > LARGEST:
        raise BadSchema(f"The schema has {len(content):,} bytes: the limit is {LARGEST:,}.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadSchema(
            f"The schema is not UTF-8 text (byte {error.start:,}): convert it, or set its --format."
        ) from error
    if format_ is Format.PROTO and folder is not None:
        return from_proto(text, [folder])
    return _TEXT[format_](text)


def guess_format(name: str, content: bytes) -> Format:
    """The format of a file by the end of its name, and of JSON by its keys.

    >>> guess_format("orders.avsc", b"").value, guess_format("x.json", b'{"type": "struct", "fields": []}').value
    ('avro', 'spark-json')

    Raises:
        BadSchema: neither is known.
    """
    if (known := _ENDINGS.get(Path(name).suffix.lower())) is not None:
        return known
    for start, format_ in ((b"PAR1", Format.PARQUET), (b"ORC", Format.ORC)):
        if content.startswith(start):
            return format_
    try:
        written = json.loads(content) if len(content) <= LARGEST else None
    except (ValueError, RecursionError):
        written = None
    if (by_keys := _by_keys(written)) is not None:
        return by_keys
    formats = ", ".join(format_.value for format_ in Format)
    raise BadSchema(f"Cannot detect the format of {name} from its name: set --format to one of {formats}.")


def _by_keys(written: object) -> Format | None:
    if isinstance(written, list | str):
        return Format.AVRO
    if not isinstance(written, dict):
        return None
    kind = written.get("type")
    if kind == "struct":
        return Format.SPARK_JSON
    if kind in {"record", "enum", "fixed", "map", "error"} or (
        kind == "array" and isinstance(written.get("items"), str)
    ):
        return Format.AVRO
    if "fields" in written or isinstance(written.get("schema"), dict):
        return Format.OPENLINEAGE
    return Format.JSON_SCHEMA
