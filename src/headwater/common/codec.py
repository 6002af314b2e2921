"""Typed values as plain JSON and back, without loss: what goes between a client and a server.

The types drive it: a dataclass is an object of its fields, a tuple a list, an enum its value where that is a word and
its name where that is a number. What is read is checked; fields that are not known are passed over, and fields that are
missing take their defaults, so that an answer may grow without another version of the form.

>>> from headwater.query.graph.answer import TableKind, TableName, TableNode
>>> node = TableNode(TableKind.JOB, TableName("etl", "daily"), 1)
>>> plain(node)
{'kind': 'JOB', 'name': {'namespace': 'etl', 'name': 'daily'}, 'distance': 1}
>>> typed(TableNode, plain(node)) == node
True
"""

import types
from collections.abc import Callable, Iterator
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias, TypeVar, Union, cast, get_args, get_origin, get_type_hints

VERSION = 1
"""The version of the form; it changes when a reader of the one before would misread what is written."""

T = TypeVar("T")
Way: TypeAlias = Callable[[Any], Any]


class NotUnderstood(ValueError):  # noqa: N818  a sentence for the user
    """What was read is not of the type that was expected."""


class FieldType(NamedTuple):
    """A field of a dataclass or of a named tuple."""

    name: str
    type: Any
    required: bool
    default: Any


def plain(value: object) -> Any:  # noqa: ANN401  any JSON
    """A value as plain JSON."""
    kind: Any = type(value)
    return _writer(kind)(value)


def typed(kind: type[T], value: object) -> T:
    """The value of a type that plain JSON stands for.

    Raises:
        NotUnderstood: it stands for none.
    """
    wanted: Any = kind
    return cast("T", _reader(wanted)(value))


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
    """Whether it is a class of named fields."""
    return isinstance(kind, type) and (is_dataclass(kind) or hasattr(kind, "_fields"))


def word_of(member: Enum) -> str:
    """What an enum's member is called: its value, where that is a word."""
    return member.value if isinstance(member.value, str) else member.name


def is_optional(kind: Any) -> bool:  # noqa: ANN401  any type
    """Whether it is a type or None."""
    return get_origin(kind) in {Union, types.UnionType} and type(None) in get_args(kind)


def without_none(kind: Any) -> Any:  # noqa: ANN401  any type
    """Of a type or None, the type."""
    (found,) = (one for one in get_args(kind) if one is not type(None))
    return found


@lru_cache
def _writer(kind: Any) -> Way:  # noqa: ANN401  any type
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
    return _as_it_is


def _tuple_writer(parts: tuple[Any, ...]) -> Way:
    if parts[-1] is Ellipsis:
        write = _writer(parts[0])
        return list if write is _as_it_is else lambda value: [write(one) for one in value]
    writers = [_writer(part) for part in parts]
    return lambda value: [write(one) for write, one in zip(writers, value, strict=True)]


def _as_it_is(value: Any) -> Any:  # noqa: ANN401  any JSON
    return value


@lru_cache
def _reader(kind: Any) -> Way:  # noqa: ANN401, PLR0911  a table
    if kind is Any:
        return _as_it_is
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


def _checked(kind: type) -> Way:
    accepted = {kind, int} if kind is float else {kind}

    def read(value: Any) -> Any:  # noqa: ANN401  any JSON
        if type(value) not in accepted:
            raise NotUnderstood(f"{_short(value)} is not a {kind.__name__}")
        return float(value) if kind is float else value

    return read


def _enum_reader(kind: type[Enum]) -> Way:
    members = {word_of(member): member for member in kind}

    def read(value: Any) -> Enum:  # noqa: ANN401  any JSON
        if not isinstance(value, str) or value not in members:
            raise NotUnderstood(f"{_short(value)} is not a {kind.__name__}")
        return members[value]

    return read


def _tuple_reader(parts: tuple[Any, ...]) -> Way:
    def a_list(value: Any) -> list[Any]:  # noqa: ANN401  any JSON
        if not isinstance(value, list):
            raise NotUnderstood(f"{_short(value)} is not a list")
        return value

    if parts[-1] is Ellipsis:
        read = _reader(parts[0])
        return lambda value: tuple([read(one) for one in a_list(value)])
    readers = [_reader(part) for part in parts]

    def read_all(value: Any) -> tuple[Any, ...]:  # noqa: ANN401  any JSON
        if len(a_list(value)) != len(readers):
            raise NotUnderstood(f"{_short(value)} is not a list of {len(readers)}")
        return tuple([read(one) for read, one in zip(readers, value, strict=True)])

    return read_all


def _record_reader(kind: type) -> Way:
    known = [(field, _reader(field.type)) for field in fields_of(kind)]

    def read(value: Any) -> Any:  # noqa: ANN401  any JSON
        if not isinstance(value, dict):
            raise NotUnderstood(f"{_short(value)} is not a {kind.__name__}")
        found = []
        for field, read_field in known:
            if field.name in value:
                found.append(read_field(value[field.name]))
            elif field.required:
                raise NotUnderstood(f"{kind.__name__} has no {field.name}")
            else:
                found.append(field.default)
        return kind(*found)

    return read


def _short(value: object) -> str:
    return repr(value)[:60]
