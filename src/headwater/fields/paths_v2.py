"""DataHub's field paths, version 2 and 1: `[version=2.0].[type=Order].[type=string].id`.

A group for each level: the types that lead to a field, then its name. Each of DataHub's converters has its own rules
(docs/datahub.md has the table); the tree's style chooses among them.
"""

import re
from dataclasses import dataclass

from headwater.fields.schema_tree import (
    Array,
    Field,
    Map,
    Record,
    Recursive,
    Scalar,
    Schema,
    Style,
    Type,
    Union,
    is_nullable,
    option_of,
)

VERSION = "[version=2.0]"
KEY = "[key=True]"
_TOKEN_STARTS = re.compile(r"(?:^|(?<=\.))\[(?:version|key|type)=")


@dataclass(frozen=True, slots=True)
class Path:
    """A field and its path; `type` is the type behind arrays, maps and options for a path that ends with it."""

    path: str
    type: Type
    nullable: bool = False
    description: str = ""


def v2_paths(schema: Schema) -> list[Path]:
    """Every field, those in between included, in the order of DataHub's converter.

    >>> from headwater.fields.schema_tree import Field
    >>> order = Record("Order", (Field("id", Scalar("string")), Field("tags", Array(Scalar("string")))))
    >>> [path.path for path in v2_paths(Schema(order))]
    ['[version=2.0].[type=Order].[type=string].id', '[version=2.0].[type=Order].[type=array].[type=string].tags']
    """
    writer = _Writer(schema.style)
    start = f"{VERSION}.{KEY}" if schema.is_key else VERSION
    root = schema.root
    if isinstance(root, Record) and not root.name:
        for field in root.fields:
            # DataHub reads each column by itself, and puts a struct around those that have parts.
            struct = schema.style is Style.COLUMNS and not isinstance(field.type, Scalar)
            writer.field(field, f"{start}.[type=struct]" if struct else start)
    else:
        writer.type(root, start, None)
    if schema.style is Style.PROTOBUF:
        writer.paths.sort(key=lambda path: path.path)
    return writer.paths


def v1_paths(schema: Schema) -> list[Path]:
    """The same fields by their names alone; fields that differ only in types are one path.

    >>> from headwater.fields.schema_tree import Field
    >>> inner = Record("Header", (Field("id", Scalar("string")),))
    >>> [path.path for path in v1_paths(Schema(Record("Order", (Field("header", inner),))))]
    ['header', 'header.id']
    """
    first: dict[str, Path] = {}
    for v2 in v2_paths(schema):
        first.setdefault(path := downgraded(v2.path), Path(path, v2.type, v2.nullable, v2.description))
    first.pop("", None)  # a schema without a name anywhere has no path in version 1
    return list(first.values())


def downgraded(path: str) -> str:
    """A path of version 2 as one of version 1; one of version 1 stays.

    >>> downgraded("[version=2.0].[type=Foo].[type=array].a.[type=long].f"), downgraded("address.street")
    ('a.f', 'address.street')
    """
    if "[" not in path:
        return path
    names: list[str] = []
    done, close = 0, -1
    for start in _TOKEN_STARTS.finditer(path):
        if start.start() < done:
            continue  # inside a token
        # Looked for once, however many tokens begin before it.
        close = close if close >= start.end() else path.find("]", start.end())
        if close < 0:
            break
        if path[close + 1 : close + 2] in {"", "."}:
            names.append(path[done : start.start()])
            done = close + 2
    return "".join((*names, path[done:]))


class _Writer:
    """Walks a tree and collects every path."""

    def __init__(self, style: Style) -> None:
        self.paths: list[Path] = []
        self._style = style

    def field(self, field: Field, before: str) -> None:
        """The paths of a field; `before` is the path of its parent."""
        self.type(field.type, before, field)

    def type(self, type_: Type, before: str, field: Field | None) -> None:
        """The paths of a type: `before` has the types that lead to it, `field` the name at the end of the path."""
        inner = option_of(type_)
        if inner is not None:
            self.type(inner, before, field)
        elif isinstance(type_, Scalar | Recursive):
            self._note(f"{before}.[type={type_.name}]", type_, field)
        elif isinstance(type_, Record):
            self._record(type_, f"{before}.[type={type_.name}]", field)
        elif isinstance(type_, Array):
            self._array(type_, f"{before}.[type=array]", field)
        elif isinstance(type_, Map):
            self._map(type_, before, field)
        else:
            self._union(type_, f"{before}.[type=union]", field)

    def _note(self, path: str, type_: Type, field: Field | None) -> str:
        if field is None:
            self.paths.append(Path(path, type_))
            return path
        path = f"{path}.{field.name}"
        self.paths.append(Path(path, type_, is_nullable(field), field.description))
        return path

    def _record(self, record: Record, path: str, field: Field | None) -> None:
        if field is not None:
            path = self._note(path, record, field)
        for inner in record.fields:
            self.type(inner.type, path, inner)

    def _array(self, array: Array, path: str, field: Field | None) -> None:
        if array.item_name is None:
            self.type(array.item, path, field)
        else:
            self.type(array.item, self._note(path, array, field), Field(array.item_name, array.item))

    def _map(self, map_: Map, before: str, field: Field | None) -> None:
        if map_.entry is None:
            self.type(map_.value, f"{before}.[type=map]", field)
        else:
            path = self._note(f"{before}.[type=array].[type={map_.entry}]", map_, field)
            self.type(map_.key, path, Field("key", map_.key))
            self.type(map_.value, path, Field("value", map_.value))

    def _union(self, union: Union, path: str, field: Field | None) -> None:
        # DataHub's pages begin with fields: its JSON Schema converter leaves out a union at the root.
        silent = field is None and self._style is Style.JSON_SCHEMA
        noted = path if silent else self._note(path, union, field)
        for branch in union.branches:
            if union.named:
                self.type(branch.type, noted, branch)
            else:
                self.type(branch.type, path, field)
