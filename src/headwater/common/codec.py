"""Typed values to plain JSON and back, without loss: the format between client and server.

The types drive it: a dataclass is an object of its fields, a tuple a list, an enum its value where that is a word and
its name where that is a number. Reading checks the types; it ignores unknown fields, and missing fields take their
defaults, so that an answer may grow without a new version of the format.

>>> from headwater.query.graph.answer import TableKind, TableName, TableNode
>>> node = TableNode(TableKind.JOB, TableName("etl", "daily"), 1)
>>> plain(node)
{'kind': 'JOB', 'name': {'namespace': 'etl', 'name': 'daily'}, 'distance': 1}
>>> typed(TableNode, plain(node)) == node
True
>>> json_text(node)
'{"kind":"JOB","name":{"namespace":"etl","name":"daily"},"distance":1}'
"""

import json
import types
from collections.abc import Callable, Iterator
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import lru_cache
from json.encoder import encode_basestring_ascii
from typing import Any, NamedTuple, TypeAlias, TypeVar, Union, cast, get_args, get_origin, get_type_hints

VERSION = 1
"""The version of the format; it changes when a reader of the previous version would misread the new one."""

T = TypeVar("T")
Converter: TypeAlias = Callable[[Any], Any]
# Writes a value as text; the texts of small records that are in an answer many times are kept under their ids.
TextWriter: TypeAlias = Callable[[Any, dict[int, str]], str]


class NotUnderstood(ValueError):  # noqa: N818  a sentence for the user
    """The JSON does not have the expected type."""


class FieldType(NamedTuple):
    """A field of a dataclass or of a named tuple."""

    name: str
    type: Any
    required: bool
    default: Any


def plain(value: object) -> Any:  # noqa: ANN401  any JSON
    """Convert a value to plain JSON."""
    kind: Any = type(value)
    return _writer(kind)(value)


def json_text(value: object) -> str:
    """The compact JSON of a value, in ASCII: that of `plain(value)`, without the objects between."""
    kind: Any = type(value)
    return _text_writer(kind)(value, {})


def typed(kind: type[T], value: object) -> T:
    """Convert plain JSON to a value of the type.

    Raises:
        NotUnderstood: the JSON does not have this type.
    """
    target: Any = kind
    return cast("T", _reader(target)(value))


@lru_cache
def fields_of(kind: Any) -> tuple[FieldType, ...]:  # noqa: ANN401  a class
    """The fields of a dataclass, or of a named tuple."""
    return tuple(_fields(kind))


def _fields(kind: Any) -> Iterator[FieldType]:  # noqa: ANN401  a class
    hints = get_type_hints(kind)
    if is_dataclass(kind):
        for field in fields(kind):
            required = field.default is MISSING
            yield FieldType(field.name, hints[field.name], required, None if required else field.default)
    else:
        for name in kind._fields:
            yield FieldType(name, hints[name], name not in kind._field_defaults, kind._field_defaults.get(name))


def is_record(kind: Any) -> bool:  # noqa: ANN401  any type
    """Whether a type is a dataclass or a named tuple."""
    return isinstance(kind, type) and (is_dataclass(kind) or hasattr(kind, "_fields"))


def word_of(member: Enum) -> str:
    """The word for an enum's member: its value if that is a string, else its name."""
    return member.value if isinstance(member.value, str) else member.name


def is_optional(kind: Any) -> bool:  # noqa: ANN401  any type
    """Whether a type is `X | None`."""
    return get_origin(kind) in {Union, types.UnionType} and type(None) in get_args(kind)


def without_none(kind: Any) -> Any:  # noqa: ANN401  any type
    """The `X` of `X | None`."""
    (inner,) = (argument for argument in get_args(kind) if argument is not type(None))
    return inner


@lru_cache
def _writer(kind: Any) -> Converter:  # noqa: ANN401  any type
    if is_optional(kind):
        write = _writer(without_none(kind))
        return lambda value: None if value is None else write(value)
    if get_origin(kind) is tuple:
        return _tuple_writer(get_args(kind))
    if is_record(kind):
        writers = [(field.name, _writer(field.type)) for field in fields_of(kind)]
        return lambda value: {name: write(getattr(value, name)) for name, write in writers}
    if isinstance(kind, type) and issubclass(kind, Enum):
        words = {member: word_of(member) for member in kind}
        return words.__getitem__
    return _unchanged


def _tuple_writer(parts: tuple[Any, ...]) -> Converter:
    if parts[-1] is Ellipsis:
        write = _writer(parts[0])
        return list if write is _unchanged else lambda value: [write(item) for item in value]
    writers = [_writer(part) for part in parts]
    return lambda value: [write(item) for write, item in zip(writers, value, strict=True)]


def _unchanged(value: Any) -> Any:  # noqa: ANN401  any JSON
    return value


@lru_cache
def _text_writer(kind: Any) -> TextWriter:  # noqa: ANN401  any type
    if is_optional(kind):
        write = _text_writer(without_none(kind))
        return write if write is _any_text else lambda value, known: "null" if value is None else write(value, known)
    if get_origin(kind) is tuple:
        return _tuple_text_writer(get_args(kind))
    if is_record(kind):
        return _record_text_writer(kind)
    if isinstance(kind, type) and issubclass(kind, Enum):
        words = {member: encode_basestring_ascii(word_of(member)) for member in kind}
        return lambda value, _: words[value]
    return _any_text


def _tuple_text_writer(parts: tuple[Any, ...]) -> TextWriter:
    if parts[-1] is Ellipsis:
        write = _text_writer(parts[0])
        return lambda value, known: f"[{','.join([write(item, known) for item in value])}]"
    writers = [_text_writer(part) for part in parts]
    return lambda value, known: (
        f"[{','.join([write(item, known) for write, item in zip(writers, value, strict=True)])}]"
    )


def _record_text_writer(kind: Any) -> TextWriter:  # noqa: ANN401  a class
    parts = fields_of(kind)
    writers = {f"write_{part.name}": _text_writer(part.type) for part in parts}
    members = ",".join(f'"{part.name}":{{write_{part.name}(value.{part.name}, known)}}' for part in parts)
    # One expression for all fields, as `dataclass` makes its methods: a loop over them takes more than twice as long.
    write = cast("TextWriter", eval(f"lambda value, known: f'{{{{{members}}}}}'", writers))  # noqa: S307  our own names

    def write_once(value: Any, known: dict[int, str]) -> str:  # noqa: ANN401  of the class
        text = known.get(id(value))
        if text is None:
            # What is written lives until all of it is: no other object gets its id.
            text = known[id(value)] = write(value, known)
        return text

    is_small = not any(is_record(part.type) or get_origin(part.type) is tuple for part in parts)
    return write_once if is_small else write


def _any_text(value: Any, _known: dict[int, str]) -> str:  # noqa: ANN401  any JSON
    if value is None:
        return "null"
    kind = type(value)
    if kind is str:
        return encode_basestring_ascii(value)
    if kind is bool:
        return "true" if value else "false"
    return repr(value) if kind is int else _dumps(value)


_dumps = json.JSONEncoder(separators=(",", ":")).encode


@lru_cache
def _reader(kind: Any) -> Converter:  # noqa: ANN401, PLR0911  a table
    if kind is Any:
        return _unchanged
    if is_optional(kind):
        read = _reader(without_none(kind))
        return lambda value: None if value is None else read(value)
    if get_origin(kind) is tuple:
        return _tuple_reader(get_args(kind))
    if get_origin(kind) is dict:
        return _checked(dict)
    if is_record(kind):
        return _record_reader(kind)
    if issubclass(kind, Enum):
        return _enum_reader(kind)
    return _checked(kind)


def _checked(kind: type) -> Converter:
    accepted = {kind, int} if kind is float else {kind}

    def read(value: Any) -> Any:  # noqa: ANN401  any JSON
        if type(value) not in accepted:
            raise NotUnderstood(f"{_short(value)} is not a {kind.__name__}")
        return float(value) if kind is float else value

    return read


def _enum_reader(kind: type[Enum]) -> Converter:
    members = {word_of(member): member for member in kind}

    def read(value: Any) -> Enum:  # noqa: ANN401  any JSON
        if not isinstance(value, str) or value not in members:
            raise NotUnderstood(f"{_short(value)} is not a {kind.__name__}")
        return members[value]

    return read


def _tuple_reader(parts: tuple[Any, ...]) -> Converter:
    def a_list(value: Any) -> list[Any]:  # noqa: ANN401  any JSON
        if not isinstance(value, list):
            raise NotUnderstood(f"{_short(value)} is not a list")
        return value

    if parts[-1] is Ellipsis:
        read = _reader(parts[0])
        return lambda value: tuple([read(item) for item in a_list(value)])
    readers = [_reader(part) for part in parts]

    def read_all(value: Any) -> tuple[Any, ...]:  # noqa: ANN401  any JSON
        if len(a_list(value)) != len(readers):
            raise NotUnderstood(f"{_short(value)} is not a list of {len(readers)}")
        return tuple([read(item) for read, item in zip(readers, value, strict=True)])

    return read_all


def _record_reader(kind: type) -> Converter:
    readers = [(field, _reader(field.type)) for field in fields_of(kind)]

    def read(value: Any) -> Any:  # noqa: ANN401  any JSON
        if not isinstance(value, dict):
            raise NotUnderstood(f"{_short(value)} is not a {kind.__name__}")
        arguments = []
        for field, read_field in readers:
            if field.name in value:
                arguments.append(read_field(value[field.name]))
            elif field.required:
                raise NotUnderstood(f"{kind.__name__} has no {field.name}")
            else:
                arguments.append(field.default)
        return kind(*arguments)

    return read


def _short(value: object) -> str:
    return repr(value)[:60]
