"""Protobuf schemas as trees: a .proto compiled by protoxy, or a set of descriptors that protoc wrote.

The roots are the messages of the file that no other of its messages uses; where there are several, each is a field.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from headwater.datahub.schemas.libraries import needed, plain_errors
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

# FieldDescriptorProto.Type: the name in DataHub's paths, and Protobuf's own.
_SCALARS: Mapping[int, tuple[str, str]] = {
    1: ("double", "double"),
    2: ("float", "float"),
    3: ("long", "int64"),
    4: ("long", "uint64"),
    5: ("int", "int32"),
    6: ("long", "fixed64"),
    7: ("int", "fixed32"),
    8: ("bool", "bool"),
    9: ("string", "string"),
    12: ("bytes", "bytes"),
    13: ("int", "uint32"),
    14: ("enum", "enum"),
    15: ("int", "sfixed32"),
    16: ("long", "sfixed64"),
    17: ("int", "sint32"),
    18: ("long", "sint64"),
}
_REPEATED = 3


def from_proto(text: str | bytes, folders: Iterable[Path] = ()) -> Schema:
    """Compile a .proto; what it imports is looked for in the folders, Google's own types are there already."""
    protoxy = needed("protoxy", "Protobuf schemas")
    written = text if isinstance(text, bytes) else text.encode()
    # The compiler follows braces by recursion of its own, where no limit of Python's holds.
    nested = written.decode(errors="replace")
    with plain_errors("Protobuf schema", nested), TemporaryDirectory(prefix="headwater-") as folder:
        file = Path(folder) / "headwater_schema.proto"
        file.write_bytes(written)
        compiled = protoxy.compile([file], [folder, *map(str, folders)], include_source_info=False)
        return _tree(compiled.file, [own for own in compiled.file if own.name == file.name])


def from_descriptors(content: bytes) -> Schema:
    """Read a FileDescriptorSet (protoc --descriptor_set_out --include_imports); the last file is the schema's."""
    library = needed("google.protobuf.descriptor_pb2", "Protobuf descriptors")
    with plain_errors("set of Protobuf descriptors"):
        descriptors = library.FileDescriptorSet.FromString(content)
        if not descriptors.file:
            raise BadSchema("The set of Protobuf descriptors is empty: write it with protoc --descriptor_set_out.")
        return _tree(descriptors.file, descriptors.file[-1:])


def _tree(files: Iterable[Any], own: Iterable[Any]) -> Schema:
    every = dict(message for file in files for message in _messages(file.message_type, file.package))
    mine = dict(message for file in own for message in _messages(file.message_type, file.package))
    used = {
        field.type_name.lstrip(".") for name, message in mine.items() for field in message.field if _other(field, name)
    }
    roots = [name for name, message in mine.items() if name not in used and not message.options.map_entry]
    # Messages that only use one another have no root: then each top-level message is one.
    roots = roots or [name for name in mine if name.rpartition(".")[0] not in mine]
    reader = _Reader(every)
    if len(roots) == 1:
        return Schema(reader.message(roots[0], (), 0), Style.PROTOBUF)
    fields = (Field(name.rpartition(".")[2], reader.message(name, (), 0), nullable=True) for name in roots)
    return Schema(Record("", tuple(fields)), Style.PROTOBUF)


def _other(field: Any, name: str) -> bool:  # noqa: ANN401  Protobuf is an option
    """Whether a field's type is another message than its own."""
    return bool(field.type_name) and field.type_name.lstrip(".") != name


def _messages(messages: Iterable[Any], package: str) -> Iterator[tuple[str, Any]]:
    waiting = [(package, message) for message in reversed(list(messages))]
    while waiting:
        before, message = waiting.pop()
        name = f"{before}.{message.name}" if before else message.name
        yield name, message
        waiting += [(name, inner) for inner in reversed(list(message.nested_type))]


class _Reader:
    """Turns descriptors into types."""

    def __init__(self, messages: Mapping[str, Any]) -> None:
        self._messages = messages
        self._limits = Limits()

    def message(self, name: str, around: tuple[str, ...], depth: int) -> Type:
        """A message; `around` has those around it."""
        depth = self._limits.enter(depth)
        if name in around:
            return Recursive(_joined(name))
        message = self._messages.get(name)
        if message is None:
            raise BadSchema(f"The message {name} is not among the descriptors: write them with --include_imports.")
        return Record(_joined(name), tuple(self._fields(message, (*around, name), depth)))

    def _fields(self, message: Any, around: tuple[str, ...], depth: int) -> Iterator[Field]:  # noqa: ANN401
        seen: set[int] = set()
        for field in message.field:
            # `optional` of proto3 is written as a oneof of its own.
            if not field.HasField("oneof_index") or field.proto3_optional:
                yield self._field(field, around, depth)
            elif field.oneof_index not in seen:
                seen.add(field.oneof_index)
                branches = tuple(
                    self._field(branch, around, depth)
                    for branch in message.field
                    if branch.HasField("oneof_index") and branch.oneof_index == field.oneof_index
                )
                name = message.oneof_decl[field.oneof_index].name
                yield Field(name, Union(branches, named=True), nullable=True)

    def _field(self, field: Any, around: tuple[str, ...], depth: int) -> Field:  # noqa: ANN401  a descriptor
        if field.type in _SCALARS:
            self._limits.enter(depth)
            type_: Type = Scalar(*_SCALARS[field.type])
        else:
            name = field.type_name.lstrip(".")
            type_ = self.message(name, around, depth)
            if isinstance(type_, Record) and self._messages[name].options.map_entry:
                key, value = type_.fields
                return Field(field.name, Map(key.type, value.type, type_.name), nullable=True)
        return Field(field.name, Array(type_) if field.label == _REPEATED else type_, nullable=True)


def _joined(name: str) -> str:
    """The name of a message in a path.

    >>> _joined("shop.Order.Line")
    'shop_Order_Line'
    """
    return name.replace(".", "_")
