"""JSON Schemas as trees: checked by jsonschema-rs, references followed by referencing, never over the network."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from headwater.datahub.schemas.libraries import needed, plain_errors, read_json
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
)

_Json: TypeAlias = Mapping[str, Any]
# The schemas around a place, by identity, and the name of each there.
_Around: TypeAlias = Mapping[int, str]
_DRAFTS = frozenset(
    {f"http://json-schema.org/draft-0{number}/schema" for number in (4, 6, 7)}
    | {f"https://json-schema.org/draft/{year}/schema" for year in ("2019-09", "2020-12")}
)
_UNIONS = ("oneOf", "anyOf", "allOf")


def from_json_schema(text: str | bytes) -> Schema:
    """Read a JSON Schema of any draft from 4 on; one that names no such draft is read as the newest."""
    checker = needed("jsonschema_rs", "JSON Schemas")
    with plain_errors("JSON Schema"):
        schema = read_json(text)
        if not isinstance(schema, dict):
            raise BadSchema('The JSON Schema must be an object, as in {"type": "object", …}.')
        # The library would look for an unknown draft on the network.
        known = str(schema.get("$schema", "")).rstrip("#") in _DRAFTS
        checker.meta.validate(schema if known else {key: schema[key] for key in schema if key != "$schema"})
        return Schema(_Reader().type(schema, _lookup(schema), {}, 0), Style.JSON_SCHEMA)


# Looks up a reference: its schema, and how to look up the references in that.
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
                target = resolver.lookup(reference)
                known[reference] = target.contents, from_resolver(target.resolver)
            return known[reference]

        return look

    return from_resolver(registry.resolver_with_root(resource))


class _Reader:
    """Turns JSON into types, by DataHub's rules for maps, unions and the names of types."""

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
        """One type; `named` if a field is around it, `name` where a union gives it one."""
        depth = self._limits.enter(depth)
        if not isinstance(schema, dict):  # true or false: anything, or nothing
            return Record(name or "object", ())
        schema, look = self._follow(schema, look)
        if id(schema) in around:
            return Recursive(around[id(schema)])
        kind = _kind(schema)
        type_name = name or _type_name(schema)
        around = {**around, id(schema): type_name}
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
            return Record(type_name, tuple(self._fields(schema, look, around, depth)))
        return Scalar(type_name, kind)

    def _follow(self, schema: _Json, look: _Lookup) -> tuple[_Json, _Lookup]:
        """The schema at the end of references; one without a title gets the last part of the reference."""
        seen: set[str] = set()
        while isinstance(reference := schema.get("$ref"), str):
            if reference in seen:
                raise BadSchema(f"The JSON Schema's reference {reference!r} points to itself: let it end at a type.")
            seen.add(reference)
            target, look = look(reference)
            if not isinstance(target, dict):
                return {}, look
            if "title" not in target and "#" in reference and (last := reference.rpartition("/")[2]):
                target["title"] = last  # the JSON is ours; DataHub's converter does so too
            schema = target
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
        items, _ = self._follow(items, look)
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
            branches = [{"type": kind} for kind in schema["type"]]
        if not branches:
            return Union(())
        if len(branches) == 1 and not named:
            return self._branch(branches[0], schema, look, around, depth, named=named, name=None)
        fields: list[Field] = []
        for index, branch in enumerate(branches):
            followed, _ = self._follow(branch, look) if isinstance(branch, dict) else ({}, look)
            name = _type_name(followed)
            name = f"union_{index}" if name == "object" else name
            type_ = self._branch(branch, schema, look, around, depth, named=named, name=name)
            is_duplicate = any(field.name == name for field in fields)
            fields.append(Field(f"{name}_{index}" if is_duplicate else name, type_))
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
            branch, look = self._follow(branch, look)
            if id(branch) in around:
                return Recursive(around[id(branch)])
            if "properties" in parent:
                # A copy has an identity of its own: references back to the original still need a name.
                around = {**around, id(branch): name or _type_name(branch)}
                branch = {**branch, "properties": {**parent["properties"], **branch.get("properties", {})}}
        return self.type(branch, look, around, depth, named=named, name=name)


def _kind(schema: _Json) -> str:
    """The kind of a schema, in DataHub's words.

    >>> _kind({"type": ["string", "null"]}), _kind({"additionalProperties": {}}), _kind({})
    ('string', 'map', 'object')
    """
    if any(word in schema for word in _UNIONS):
        return "union"
    if "enum" in schema:
        return "enum"
    given = schema.get("type", "object")
    if isinstance(given, list):
        kinds = [kind for kind in given if kind != "null"] if len(given) == 2 else given  # noqa: PLR2004  a type or null
        if len(kinds) != 1:
            return "union"
        given = kinds[0]
    if given == "object" and isinstance(schema.get("additionalProperties"), dict) and not schema.get("properties"):
        return "map"
    return str(given)


def _type_name(schema: _Json) -> str:
    """The name of a schema's type in a path.

    >>> _type_name({"type": "string", "format": "uuid"}), _type_name({"title": "R", "properties": {}})
    ('string(uuid)', 'R')
    """
    kind = _kind(schema)
    if kind == "object" and isinstance(schema.get("javaType"), str):
        return str(schema["javaType"]).rpartition(".")[2]
    if kind == "object" and "title" in schema and "properties" in schema:
        return str(schema["title"])
    return f"{kind}({schema['format']})" if "format" in schema else kind
