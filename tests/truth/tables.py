"""The input tables: a few rows each, and every way in which one of their columns is changed.

A table is kept in blocks of rows. Block 0 is the data; in block `n`, every column holds its `n`-th change. A run picks
one block per column, so any set of columns can be changed together, and nothing has to be written again for it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .kinds import BOOLEAN, COUNTS, DATE, DOUBLE, INT, INTS, LINES, PLACE, STRING, TIMESTAMP, Col, Kind, struct

ROWS = 10
TIMES = 3
"""How often each leaf is changed, each time in another way."""
_NULLS = 0.12

TABLES: Mapping[str, tuple[Col, ...]] = {
    "orders": (
        Col("id", INT), Col("cust", INT), Col("item", INT), Col("qty", INT), Col("price", DOUBLE), Col("day", DATE),
        Col("at", TIMESTAMP), Col("note", STRING), Col("paid", BOOLEAN),
        Col("ship", struct(city=STRING, zip=INT, geo=struct(lat=DOUBLE, lon=DOUBLE))),
        Col("tags", INTS), Col("lines", LINES), Col("attrs", COUNTS),
    ),
    "people": (
        Col("cust", INT), Col("name", STRING), Col("age", INT), Col("score", DOUBLE), Col("born", DATE),
        Col("home", PLACE), Col("likes", INTS), Col("props", COUNTS),
    ),
    "items": (
        Col("item", INT), Col("label", STRING), Col("cost", DOUBLE), Col("sort", STRING), Col("live", BOOLEAN),
        Col("parts", LINES),
    ),
    "events": (
        Col("eid", INT), Col("cust", INT), Col("item", INT), Col("sort", STRING), Col("seen", TIMESTAMP),
        Col("val", INT),
    ),
}  # fmt: skip
KEYS = {"orders": "id", "people": "cust", "items": "item", "events": "eid"}
"""The column that tells a table's rows apart."""


@dataclass(frozen=True)
class Change:
    """One change of one input field: which block of its column to read."""

    table: str
    column: str
    leaf: str
    block: int


def scalar(kind: Kind, rng: random.Random, *, fresh: bool = False) -> Any:  # noqa: ANN401 (JSON has any type)
    """A value of a small domain, so that values meet; a fresh one is of another domain that overlaps it."""
    number = rng.randint(3, 14) if fresh else rng.randint(0, 6)
    if kind == INT:
        return number
    if kind == DOUBLE:
        return number / 4  # exact in binary: sums do not depend on the order
    if kind == STRING:
        return "abcdefghijklmno"[number]
    if kind == BOOLEAN:
        return number % 2 == 0
    if kind == DATE:
        return f"2024-0{1 + number % 3}-{1 + number:02}"
    return f"2024-01-{1 + number:02}T0{number % 7}:30:00Z"


def value(kind: Kind, rng: random.Random, *, nulls: float = _NULLS) -> Any:  # noqa: ANN401
    """A value of any type."""
    if rng.random() < nulls:
        return None
    if kind.name == "struct":
        return {name: value(inner, rng) for name, inner in kind.inside}
    if kind.name == "array":
        return [value(kind.inside[0][1], rng, nulls=0.05) for _ in range(rng.randint(0, 3))]
    if kind.name == "map":
        return {scalar(STRING, rng): scalar(INT, rng) for _ in range(rng.randint(0, 3))}
    return scalar(kind, rng)


def column_values(table: str, col: Col, rng: random.Random) -> list[Any]:
    """The data of a column: keys are unique, all others have nulls and repetitions."""
    if KEYS[table] == col.name:
        return list(range(ROWS))
    if col.kind == INT and col.name in KEYS.values():
        return [None if n == ROWS - 1 else rng.randint(0, 6) for n in range(ROWS)]
    return [value(col.kind, rng) for _ in range(ROWS)]


def changed(values: list[Any], path: list[str], kind: Kind, way: int, rng: random.Random) -> list[Any]:
    """The values with one leaf changed: new values, the same in other rows, or some of them null."""
    if way == 0:
        return [_at(one, path, lambda _: scalar(kind, rng, fresh=True)) for one in values]
    pool: list[Any] = []
    for one in values:
        _at(one, path, pool.append)
    rng.shuffle(pool)
    waiting = iter(pool)
    moved = [_at(one, path, lambda _: next(waiting)) for one in values]
    if way == 1 or path[-1:] == ["key"]:
        return moved
    return [_at(one, path, lambda old: None if rng.random() < 0.4 else old) for one in moved]


def _at(one: Any, path: list[str], new: Callable[[Any], Any]) -> Any:  # noqa: ANN401
    """A copy of a value with `new` applied to what stands at the path; a null on the way stays."""
    if not path:
        return new(one)
    if one is None:
        return None
    first, *rest = path
    if first == "_element":
        return [_at(element, rest, new) for element in one]
    if isinstance(one, dict) and first == "key" and not rest:
        fresh: dict[str, Any] = {}
        for key, held in one.items():
            name = str(new(key))
            while name in fresh:
                name += "'"  # as many keys as before: only their values change
            fresh[name] = held
        return fresh
    if isinstance(one, dict) and first == "value":
        return {key: _at(held, rest, new) for key, held in one.items()}
    return {**one, first: _at(one[first], rest, new)}


def reshaped(values: list[Any], kind: Kind, rng: random.Random) -> list[Any]:
    """The values with their containers changed: structs become null, arrays and maps lose or repeat elements."""
    out: list[Any] = []
    for one in values:
        if one is None or rng.random() < 0.3:
            out.append(None if one is not None else value(kind, rng, nulls=0))
        elif kind.name == "array":
            out.append(one[1:] if rng.random() < 0.5 else [*one, *one[:1]])
        elif kind.name == "map":
            out.append(dict(list(one.items())[1:]))
        else:
            out.append(one)
    return out


def blocks(table: str, seed: int) -> tuple[list[list[dict[str, Any]]], list[Change]]:
    """The blocks of a table, and what each changes. The last `TIMES` of a column change it as a whole."""
    rng = random.Random(f"{seed}/{table}")  # noqa: S311 (data for tests)
    columns: dict[str, list[list[Any]]] = {}
    changes: list[Change] = []
    for col in TABLES[table]:
        base = column_values(table, col, rng)
        held = columns[col.name] = [base]
        for leaf, kind in col.kind.leaves(col.name):
            for way in range(TIMES):
                changes.append(Change(table, col.name, leaf, len(held)))
                held.append(changed(base, leaf.split(".")[1:], kind, way, rng))
        if col.kind.inside:
            changes.append(Change(table, col.name, col.name, len(held)))
            held.append(reshaped(base, col.kind, rng))
    most = max(len(held) for held in columns.values())
    rows = [
        [{name: held[min(block, len(held) - 1)][row] for name, held in columns.items()} for row in range(ROWS)]
        for block in range(most)
    ]
    return rows, changes
