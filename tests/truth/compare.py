"""What a query gave, as bags of values per leaf of its columns; and which of them an answer connects."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pyspark.sql.types import ArrayType, DataType, MapType, StructType

from headwater.common.column_path import join_path, split_path

Bags = dict[str, list[str]]
"""Per leaf of an output, its values over all rows, sorted: the order of rows is free."""


def bags(rows: Sequence[Mapping[str, Any]], schema: StructType) -> Bags:
    """The values of every leaf of the output."""
    found: Bags = {}
    for field in schema.fields:
        for path, values in _leaves((field.name,), field.dataType, [row[field.name] for row in rows]):
            found[join_path(path)] = sorted(json.dumps(_rounded(value), sort_keys=True) for value in values)
    return found


def _leaves(path: tuple[str, ...], kind: DataType, values: list[Any]) -> Iterable[tuple[tuple[str, ...], list[Any]]]:
    """The leaves below a value: one value per row, which inside an array is the list of its elements' values.

    A leaf inside something null is null. The order inside an array is data; inside a map it is not.
    """
    if isinstance(kind, StructType) and kind.fields:
        for field in kind.fields:
            inner = [_each(value, lambda one, name=field.name: one[name]) for value in values]
            yield from _leaves((*path, field.name), field.dataType, inner)
    elif isinstance(kind, ArrayType):
        yield from _leaves((*path, "_element"), kind.elementType, [_each(value, _Many) for value in values])
    elif isinstance(kind, MapType):
        yield from _leaves((*path, "key"), kind.keyType, [_each(value, _bag) for value in values])
        inner = [_each(value, lambda one: _bag(one.values())) for value in values]
        yield from _leaves((*path, "value"), kind.valueType, inner)
    else:
        yield path, values


class _Many(list[Any]):
    """Several values that came out of one: an array's elements."""


def _bag(values: Iterable[Any]) -> _Many:
    return _Many(sorted(values, key=lambda value: json.dumps(value, sort_keys=True)))


def _each(value: Any, step: Any) -> Any:  # noqa: ANN401 (JSON has any type)
    if isinstance(value, _Many):
        return _Many(_each(one, step) for one in value)
    return None if value is None else step(value)


def _rounded(value: Any) -> Any:  # noqa: ANN401
    if isinstance(value, float):
        return float(f"{value:.9g}")
    if isinstance(value, list):
        return [_rounded(one) for one in value]
    return value


def meet(one: str, other: str) -> bool:
    """Whether one path is the other, or a part of it.

    >>> meet("s", "s.x"), meet("s.x", "s.y"), meet("s.x.y", "s.x")
    (True, False, True)
    """
    a, b = split_path(one), split_path(other)
    return all(x == y for x, y in zip(a, b, strict=False))
