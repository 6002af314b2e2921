"""Avro schemas as trees, read by fastavro."""

from collections.abc import Mapping
from typing import Any

from headwater.datahub.schemas.libraries import needed, plain_errors, read_json
from headwater.fields.errors import BadSchema
from headwater.fields.schema_tree import Array, Field, Limits, Map, Record, Recursive, Scalar, Schema, Type, Union

_NAMED = frozenset({"record", "error", "enum", "fixed"})


def from_avro(text: str | bytes) -> Schema:
    """Read an Avro schema in JSON, or a primitive type's bare name."""
    fastavro = needed("fastavro", "Avro schemas")
    with plain_errors("Avro schema"):
        names: dict[str, Any] = {}
        parsed = fastavro.parse_schema(read_json(text), names)
        return Schema(_Reader(names).type(parsed, (), 0))


class _Reader:
    """Turns fastavro's schemas into types."""

    def __init__(self, names: Mapping[str, Any]) -> None:
        self._names = names
        self._limits = Limits()

    def type(self, schema: Any, around: tuple[str, ...], depth: int) -> Type:  # noqa: ANN401, PLR0911  JSON; a kind each
        """One type; `around` has the records around it."""
        depth = self._limits.enter(depth)
        if isinstance(schema, list):
            return self._union(schema, around, depth)
        if isinstance(schema, str):
            return self.type(self._names[schema], around, depth) if schema in self._names else Scalar(schema, schema)
        kind = schema["type"]
        if not isinstance(kind, str):  # {"type": {"type": …}}
            return self.type(kind, around, depth)
        if kind in {"record", "error"}:
            return self._record(schema, around, depth)
        if kind == "array":
            return Array(self.type(schema["items"], around, depth))
        if kind == "map":
            return Map(Scalar("string", "string"), self.type(schema["values"], around, depth))
        if kind in self._names and kind not in _NAMED:
            return self.type(self._names[kind], around, depth)
        return Scalar(kind, schema.get("logicalType") or _short(schema.get("name", kind)))

    def _record(self, schema: Mapping[str, Any], around: tuple[str, ...], depth: int) -> Type:
        full = schema["name"]
        if full in around:
            return Recursive(_short(full))
        inside = (*around, full)
        fields = tuple(
            Field(field["name"], self.type(field["type"], inside, depth), _null(field["type"]), field.get("doc") or "")
            for field in schema["fields"]
        )
        return Record(_short(full), fields)

    def _union(self, branches: list[Any], around: tuple[str, ...], depth: int) -> Type:
        types = [branch for branch in branches if branch not in ("null", {"type": "null"})]
        names = [_branch_name(branch) for branch in types]
        short = [_short(name) for name in names]
        fields = tuple(
            # Two types of one name and different namespaces keep their namespaces.
            Field(name if short.count(brief) > 1 else brief, self.type(branch, around, depth))
            for branch, name, brief in zip(types, names, short, strict=True)
        )
        return Union(fields, nullable=len(types) < len(branches))


def _null(type_: Any) -> bool:  # noqa: ANN401  JSON
    """Whether a type itself is nullable, in the way that DataHub's own converters write."""
    return type_ == "null" or (isinstance(type_, dict) and type_.get("_nullable") is True)


def _branch_name(branch: Any) -> str:  # noqa: ANN401  JSON
    """The name of a type as a branch; a named type has its own."""
    if isinstance(branch, str):
        return branch
    if not isinstance(branch, dict):
        raise BadSchema(
            "The Avro schema has a union directly inside a union, which Avro does not allow: merge the two."
        )
    return str(branch["name"] if branch["type"] in _NAMED else branch["type"])


def _short(full: str) -> str:
    return full.rpartition(".")[2]
