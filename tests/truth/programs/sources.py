"""The source tables of programs: a few rows each, in files, and the ways in which their columns are changed."""

from __future__ import annotations

import json
import random
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tests.truth.kinds import INT, STRING, Col, struct
from tests.truth.tables import changed, reshaped, scalar, value

ROWS = 10

SOURCES: Mapping[str, tuple[Col, ...]] = {
    "orders": (
        Col("id", INT), Col("cust", INT), Col("qty", INT), Col("price", INT), Col("note", STRING),
        Col("ship", struct(city=STRING, zip=INT)),
    ),
    "people": (
        Col("cust", INT), Col("age", INT), Col("score", INT), Col("name", STRING),
        Col("home", struct(Zip=INT, City=STRING)),
    ),
}  # fmt: skip
_KEYS = {"orders": "id"}


class Leaf(NamedTuple):
    """A field of a source table: `orders`, `ship.zip`."""

    table: str
    path: str


LEAVES: tuple[Leaf, ...] = tuple(
    Leaf(table, path) for table, cols in SOURCES.items() for col in cols for path, _ in col.kind.leaves(col.name)
)


def ddl(table: str) -> str:
    """The schema of a source table as Spark writes it."""
    return ", ".join(f"{col.name} {col.kind.ddl}" for col in SOURCES[table])


def write_sources(
    root: Path, seed: int, changes: Collection[Leaf] = (), *, turn: int = 0, backwards: bool = False
) -> None:
    """Write the source tables below a folder.

    Args:
        root: the tables are written into folders of their names.
        seed: decides the values.
        changes: the fields that have other values than usual.
        turn: which other values: new ones, the same in other rows, or partly null, another mixture with every turn.
        backwards: write the rows from the last to the first.
    """
    for table, cols in SOURCES.items():
        columns = _columns(table, cols, seed)
        for number, col in enumerate(cols):
            leaves = list(col.kind.leaves(col.name))
            rng = random.Random(f"{seed}/{table}/{col.name}/{turn}")  # noqa: S311 (data for tests)
            for path, kind in leaves:
                if Leaf(table, path) in changes:
                    inside = path.split(".")[1:]
                    columns[col.name] = changed(columns[col.name], inside, kind, (turn + number) % 3, rng)
            # A struct that is null is a change of all that is inside.
            if len(leaves) > 1 and turn % 2 and all(Leaf(table, path) in changes for path, _ in leaves):
                columns[col.name] = reshaped(columns[col.name], col.kind, rng)
        rows = [{name: values[row] for name, values in columns.items()} for row in range(ROWS)]
        folder = root / table
        folder.mkdir(parents=True)
        lines = reversed(rows) if backwards else rows
        (folder / "part.json").write_text("".join(json.dumps(row) + "\n" for row in lines), encoding="utf-8")


def _columns(table: str, cols: tuple[Col, ...], seed: int) -> dict[str, list[Any]]:
    rng = random.Random(f"{seed}/{table}")  # noqa: S311
    return {
        col.name: list(range(ROWS))
        if _KEYS.get(table) == col.name
        else [
            value(col.kind, rng) if col.kind.inside or rng.random() < 0.1 else scalar(col.kind, rng)
            for _ in range(ROWS)
        ]
        for col in cols
    }
