"""A table of many columns among hundreds of tables, as events: what a page has to draw at its largest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import NAMESPACE_URL, uuid5

NAMESPACE = "s3://lake"
CENTRE = "centre.wide"
_COLUMNS = 20
_STEPS = (
    ("IDENTITY", False, ""),
    ("TRANSFORMATION", False, "upper(trim({}))"),
    ("TRANSFORMATION", True, "sha2({}, 256)"),
    ("AGGREGATION", False, "sum({})"),
)


@dataclass(frozen=True)
class Neighbourhood:
    """Tables in layers on both sides of the centre; each column is made from `fan` columns of the layer before it.

    Attributes:
        width: columns of the centre.
        up: how many tables each layer before the centre has, the nearest first.
        down: the same after it.
        fan: how many columns a column is made from, and how many of the last layer are made from the centre's.
    """

    width: int = 2_000
    up: tuple[int, ...] = (50, 100, 100)
    down: tuple[int, ...] = (100, 150)
    fan: int = 2

    @property
    def datasets(self) -> int:
        """All tables with the centre."""
        return 1 + sum(self.up) + sum(self.down)

    def events(self) -> Iterator[dict[str, Any]]:
        """One run of each job, the sources first."""
        layers = [[f"up{depth}.t{number:03}" for number in range(count)] for depth, count in enumerate(self.up, 1)]
        before = layers[-1]
        for layer in reversed(layers[:-1]):
            yield from (self._run(name, _COLUMNS, before, _COLUMNS, at) for at, name in enumerate(layer))
            before = layer
        yield self._run(CENTRE, self.width, before, _COLUMNS, 0)
        before, columns = [CENTRE], self.width
        for depth, count in enumerate(self.down, 1):
            layer = [f"down{depth}.t{number:03}" for number in range(count)]
            yield from (self._run(name, _COLUMNS, before, columns, at) for at, name in enumerate(layer))
            before, columns = layer, _COLUMNS

    def _run(self, name: str, columns: int, parents: list[str], wide: int, at: int) -> dict[str, Any]:
        """The run that writes a table; `at` is the table's place in its layer, which says what it reads."""
        fields = {}
        for column in range(columns):
            first = (at * columns + column) * self.fan
            sources = [divmod((first + more) % (len(parents) * wide), wide) for more in range(self.fan)]
            fields[_column(column)] = [(parents[parent], _column(number)) for parent, number in sources]
        used = sorted({parent for sources in fields.values() for parent, _ in sources})
        lineage = {
            column: {"inputFields": [_input(*source, at + place) for place, source in enumerate(sources)]}
            for column, sources in fields.items()
        }
        schema = {"fields": [{"name": column, "type": "string"} for column in fields]}
        return {
            "eventType": "COMPLETE",
            "eventTime": "2026-01-01T00:00:00Z",
            "producer": "https://example.com/neighbourhood",
            "run": {"runId": str(uuid5(NAMESPACE_URL, name))},
            "job": {"namespace": "nightly", "name": f"write {name}"},
            "inputs": [{"namespace": NAMESPACE, "name": parent} for parent in used],
            "outputs": [
                {
                    "namespace": NAMESPACE,
                    "name": name,
                    "facets": {"schema": schema, "columnLineage": {"fields": lineage}},
                }
            ],
        }


def _column(number: int) -> str:
    return f"c{number:04}"


def _input(table: str, column: str, number: int) -> dict[str, Any]:
    subtype, masking, text = _STEPS[number % len(_STEPS)]
    step = {"type": "DIRECT", "subtype": subtype, "masking": masking, "description": text.format(column)}
    return {"namespace": NAMESPACE, "name": table, "field": column, "transformations": [step]}
