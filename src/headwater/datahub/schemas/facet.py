"""OpenLineage's schema facet as a tree: nested fields, or types such as `array<int>`."""

from typing import Any

from headwater.datahub.schemas.column_types import column_type
from headwater.datahub.schemas.libraries import plain_errors, read_json
from headwater.datahub.schemas.sql import type_of
from headwater.fields.errors import BadSchema
from headwater.fields.schema_tree import Array, Field, Limits, Map, Record, Schema, Style, Type
from headwater.rules.plan.types import ELEMENT, KEY, VALUE


def from_facet(text: str | bytes) -> Schema:
    """Read a schema facet, alone or inside `{"schema": …}`.

    >>> from_facet('{"fields": [{"name": "a", "type": "array<int>"}]}').root.fields[0].type
    Array(item=Scalar(name='int', native='int'), item_name=None)
    """
    with plain_errors("OpenLineage schema facet"):
        written = read_json(text)
        if isinstance(written, dict) and "fields" not in written:
            written = written.get("schema", written)
        if not isinstance(written, dict) or not isinstance(written.get("fields"), list):
            raise BadSchema('The OpenLineage schema facet has no list of fields: it must be {"fields": […]}.')
        limits = Limits()
        return Schema(Record("", tuple(_field(field, limits, 0) for field in written["fields"])), Style.COLUMNS)


def _field(written: Any, limits: Limits, depth: int) -> Field:  # noqa: ANN401  JSON
    name = written["name"]
    if not isinstance(name, str):
        raise BadSchema(f"The OpenLineage schema facet has a field named {name!r}: a name must be a string.")
    # The facet does not say which fields may be null.
    return Field(name, _type(written, limits, depth), nullable=True, description=str(written.get("description") or ""))


def _type(written: Any, limits: Limits, depth: int) -> Type:  # noqa: ANN401  JSON
    depth = limits.enter(depth)
    native = str(written.get("type") or "unknown")
    fields = tuple(_field(field, limits, depth) for field in written.get("fields") or ())
    parts = {part.name: part.type for part in fields}
    if not parts:
        known = type_of(native) if "<" in native else None
        return column_type(native) if known is None else known
    if tuple(parts) == (ELEMENT,):
        return Array(parts[ELEMENT])
    if set(parts) == {KEY, VALUE} and native.lower().startswith("map"):
        return Map(parts[KEY], parts[VALUE])
    struct = Record("struct", fields)
    return Array(struct) if native.lower().startswith("array") else struct
