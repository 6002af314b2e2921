"""JSON Schemas as trees: checked by jsonschema-rs, references followed by referencing, never over the network."""

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from headwater.datahub.schemas.libraries import needed, said_plainly
from headwater.fields.errors import BadSchema
from headwater.fields.schema_tree import (
    Array,
    Field,
    Limits,
    Map,
    Record,
    Recursive,
    Scalar,
    Schema,
    Style,
    Type,
    Union,
    check_nesting,
)

_Json: TypeAlias = Mapping[str, Any]
# The schemas that a place is in, by identity, and the name that each has there.
_Around: TypeAlias = Mapping[int, str]
_DRAFTS = frozenset(
    {f"http://json-schema.org/draft-0{number}/schema" for number in (4, 6, 7)}
    | {f"https://json-schema.org/draft/{year}/schema" for year in ("2019-09", "2020-12")}
)
_UNIONS = ("oneOf", "anyOf", "allOf")


def from_json_schema(text: str | bytes) -> Schema:
    """Read a JSON Schema of any draft from 4 on; one that names no such draft is read as the newest.

    Raises:
        BadSchema: its draft's own schema rejects it, a reference leads nowhere, or it is too deep or too large.
        MissingLibrary: what reads JSON Schemas is not installed.
    """
    checker = needed("jsonschema_rs", "JSON Schemas")
    with said_plainly("JSON Schema"):
        schema = json.loads(text)
        check_nesting(schema)
        if not isinstance(schema, dict):
            raise BadSchema('The JSON Schema must be an object, as in {"type": "object", …}.')
        # A draft that is not known would be asked for over the network.
        known = str(schema.get("$schema", "")).rstrip("#") in _DRAFTS
        checker.meta.validate(schema if known else {key: schema[key] for key in schema if key != "$schema"})
        return Schema(_Reader().type(schema, _lookup(schema), {}, 0), Style.JSON_SCHEMA)


# Looks up a reference: the schema that it leads to, and how to look up those in it.
_Lookup: TypeAlias = Callable[[str], tuple[Any, "_Lookup"]]


def _lookup(schema: _Json) -> _Lookup:
    specification = needed("referencing.jsonschema", "JSON Schemas")
    resources = specification.specification_with(str(schema.get("$schema", "")), default=specification.DRAFT202012)
    resource = resources.create_resource(schema)
    registry = needed("referencing", "JSON Schemas").Registry()

    def from_resolver(resolver: Any) -> _Lookup:  # noqa: ANN401  referencing is an option
        known: dict[str, tuple[Any, _Lookup]] = {}

        def look(reference: str) -> tuple[Any, _Lookup]:
            if reference not in known:
                found = resolver.lookup(reference)
                known[reference] = found.contents, from_resolver(found.resolver)
            return known[reference]

        return look

    return from_resolver(registry.resolver_with_root(resource))


class _Reader:
    """Turns JSON into types, by DataHub's rules of what is a map, a union, and which name a type has."""

    def __init__(self) -> None:
        self._limits = Limits()

    def type(  # noqa: PLR0911, PLR0913  a kind each
        self,
        schema: Any,  # noqa: ANN401  JSON
        look: _Lookup,
        around: _Around,
        depth: int,
        *,
        named: bool = False,
        name: str | None = None,
    ) -> Type:
        """One type; `named` once a field is around it, `name` where a union gives it one."""
        depth = self._limits.enter(depth)
        if not isinstance(schema, dict):  # true or false: anything, or nothing
            return Record(name or "object", ())
        schema, look = self._followed(schema, look)
        if id(schema) in around:
            return Recursive(around[id(schema)])
        kind = _kind(schema)
        called = name or _called(schema)
        around = {**around, id(schema): called}
        if kind == "union":
            return self._union(schema, look, around, depth, named=named)
        if kind == "enum":
            return Scalar("enum", "enum")
        if kind == "array":
            return self._array(schema, look, around, depth)
        if kind == "map":
            value = self.type(schema["additionalProperties"], look, around, depth, named=named)
            return Map(Scalar("string", "string"), value)
        if kind == "object":
            return Record(called, tuple(self._fields(schema, look, around, depth)))
        return Scalar(called, kind)

    def _followed(self, schema: _Json, look: _Lookup) -> tuple[_Json, _Lookup]:
        """What references lead to; a schema without a title is called as the reference ends."""
        seen: set[str] = set()
        while isinstance(reference := schema.get("$ref"), str):
            if reference in seen:
                raise BadSchema(f"The JSON Schema's reference {reference!r} points to itself: let it end at a type.")
            seen.add(reference)
            found, look = look(reference)
            if not isinstance(found, dict):
                return {}, look
            if "title" not in found and "#" in reference and (last := reference.rpartition("/")[2]):
                found["title"] = last  # the JSON is ours; DataHub's converter does so too
            schema = found
        return schema, look

    def _array(self, schema: _Json, look: _Lookup, around: _Around, depth: int) -> Type:
        items = schema.get("items", {"type": "string"})
        several = schema.get("prefixItems") or (items if isinstance(items, list) else None)
        if several:
            items = {"anyOf": several}
        return Array(self.type(items, look, around, depth, named=True), self._item_name(items, look))

    def _item_name(self, items: Any, look: _Lookup) -> str:  # noqa: ANN401  JSON
        if not isinstance(items, dict):
            return "object"
        items, _ = self._followed(items, look)
        return str(items.get("title") or _kind(items))

    def _fields(self, schema: _Json, look: _Lookup, around: _Around, depth: int) -> list[Field]:
        fields = []
        for name, inner in schema.get("properties", {}).items():
            nullable = isinstance(inner, dict) and isinstance(inner.get("type"), list) and "null" in inner["type"]
            words = inner.get("description", "") if isinstance(inner, dict) else ""
            fields.append(Field(name, self.type(inner, look, around, depth, named=True), nullable, str(words)))
        return fields

    def _union(self, schema: _Json, look: _Lookup, around: _Around, depth: int, *, named: bool) -> Type:
        branches = next((schema[word] for word in _UNIONS if schema.get(word)), None)
        if isinstance(schema.get("type"), list) and not schema.get("oneOf"):
            branches = [{"type": one} for one in schema["type"]]
        if not branches:
            return Union(())
        if len(branches) == 1 and not named:
            return self._branch(branches[0], schema, look, around, depth, named=named, name=None)
        fields: list[Field] = []
        for index, branch in enumerate(branches):
            followed, _ = self._followed(branch, look) if isinstance(branch, dict) else ({}, look)
            name = _called(followed)
            name = f"union_{index}" if name == "object" else name
            type_ = self._branch(branch, schema, look, around, depth, named=named, name=name)
            taken = any(field.name == name for field in fields)
            fields.append(Field(f"{name}_{index}" if taken else name, type_))
        return Union(tuple(fields))

    def _branch(  # noqa: PLR0913  where it is
        self,
        branch: Any,  # noqa: ANN401  JSON
        parent: _Json,
        look: _Lookup,
        around: _Around,
        depth: int,
        *,
        named: bool,
        name: str | None,
    ) -> Type:
        """A branch, with the properties that stand beside the union."""
        if isinstance(branch, dict):
            branch, look = self._followed(branch, look)
            if id(branch) in around:
                return Recursive(around[id(branch)])
            if "properties" in parent:
                # A copy has an identity of its own: what leads back to the original is still found.
                around = {**around, id(branch): name or _called(branch)}
                branch = {**branch, "properties": {**parent["properties"], **branch.get("properties", {})}}
        return self.type(branch, look, around, depth, named=named, name=name)


def _kind(schema: _Json) -> str:
    """What a schema describes, in DataHub's words.

    >>> _kind({"type": ["string", "null"]}), _kind({"additionalProperties": {}}), _kind({})
    ('string', 'map', 'object')
    """
    if any(word in schema for word in _UNIONS):
        return "union"
    if "enum" in schema:
        return "enum"
    given = schema.get("type", "object")
    if isinstance(given, list):
        kept = [one for one in given if one != "null"] if len(given) == 2 else given  # noqa: PLR2004  a type or null
        if len(kept) != 1:
            return "union"
        given = kept[0]
    if given == "object" and isinstance(schema.get("additionalProperties"), dict) and not schema.get("properties"):
        return "map"
    return str(given)


def _called(schema: _Json) -> str:
    """The name of a schema's type in a path.

    >>> _called({"type": "string", "format": "uuid"}), _called({"title": "R", "properties": {}})
    ('string(uuid)', 'R')
    """
    kind = _kind(schema)
    if kind == "object" and isinstance(schema.get("javaType"), str):
        return str(schema["javaType"]).rpartition(".")[2]
    if kind == "object" and "title" in schema and "properties" in schema:
        return str(schema["title"])
    return f"{kind}({schema['format']})" if "format" in schema else kind
