"""The fields of a schema by their paths, as an answer that can be printed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from headwater.fields.paths_rfc import rfc_paths
from headwater.fields.paths_v2 import Path, v1_paths, v2_paths
from headwater.fields.schema_tree import Array, Map, Record, Recursive, Scalar, Schema, Type

_KINDS: Mapping[str, Callable[[Schema], list[Path]]] = {"rfc": rfc_paths, "v2": v2_paths, "v1": v1_paths}


@dataclass(frozen=True)
class FieldList:
    """Fields, and the kind of their paths: rfc, v2 or v1."""

    kind: str
    paths: tuple[Path, ...]

    def rows(self) -> list[dict[str, object]]:
        """A row for each field."""
        return [
            {
                "path": path.path,
                "type": type_name(path.type),
                "nullable": path.nullable,
                "recursive": isinstance(path.type, Recursive),
                "description": path.description,
            }
            for path in self.paths
        ]

    def to_dict(self) -> dict[str, object]:
        """As plain JSON."""
        return {"as": self.kind, "fields": self.rows()}


def field_list(schema: Schema, kind: str, *, is_key: bool = False) -> FieldList:
    """The fields of a schema.

    >>> from headwater.datahub.schemas.sql import from_sql
    >>> [row["path"] for row in field_list(from_sql("CREATE TABLE t (a INT)"), "rfc").rows()]
    ['/a']
    """
    return FieldList(kind, tuple(_KINDS[kind](replace(schema, is_key=is_key))))


def type_name(type_: Type) -> str:
    """The name of a type, as the format itself writes it.

    >>> type_name(Scalar("long", "bigint")), type_name(Array(Scalar("int")))
    ('bigint', 'array')
    """
    if isinstance(type_, Scalar):
        return type_.native or type_.name
    if isinstance(type_, Record | Recursive):
        return type_.name or "record"
    return "array" if isinstance(type_, Array) else "map" if isinstance(type_, Map) else "union"
