"""What a store answers about a warehouse: what each source column reaches, and where personal data is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any
from uuid import uuid4

from headwater.client.lineage import Lineage
from headwater.common.column_path import top_level
from headwater.query.graph.answer import TableName
from headwater.query.lineage.impact import Impact
from headwater.query.privacy.exposure import Exposure
from headwater.query.search.resolve import NameNotFound
from tests.truth.compare import meet
from tests.truth.programs.sources import Leaf

from .generate import LAKE, PERSONAL, SOURCES, is_view

LEAVES: tuple[Leaf, ...] = tuple(Leaf(table, column) for table, columns in SOURCES.items() for column in columns)
"""The source columns that warehouses use."""
Output = tuple[str, str]
"""A table or view of the end, and a column of it."""


class Names:
    """Which dataset a table of the warehouse is, as the events name it.

    Args:
        root: the warehouse's folder.
        database: its database.
        warehouse: the folder of Spark's warehouse.
    """

    def __init__(self, root: Path, database: str, warehouse: str) -> None:
        self._root, self._database, self._warehouse = root, database, warehouse

    def table_of(self, dataset: TableName) -> str | None:
        """The table's name; None for what is not in the warehouse's database.

        Tables are named by their folder, views by the one that a table of their name would have in Spark's warehouse.
        """
        folder, _, name = dataset.name.rpartition("/")
        tables = folder.startswith((f"{self._root}/tables", f"{self._root}/iceberg"))
        return name if tables or folder.endswith(f"/{self._database}.db") else None

    def source(self, table: str) -> str:
        """The dataset of a source table, as one asks for it."""
        return f"file/{self._root}/src/{table}"

    def event_name(self, table: str) -> dict[str, str]:
        """A table's dataset as another producer names it."""
        if is_view(table):
            return {"namespace": "file", "name": f"{self._warehouse}/{self._database}.db/{table}"}
        folder = "src" if table in SOURCES else "iceberg/w" if table.startswith(f"{LAKE}.") else "tables"
        return {"namespace": "file", "name": f"{self._root}/{folder}/{table.removeprefix(f'{LAKE}.')}"}


class Answers:
    """What a store says of the outputs of a warehouse.

    Attributes:
        outputs: the tables and views of the end, column by column.
        reached: per output, the source columns whose impact names it, as certain, possible or unknown.
        exposed: the outputs that may hold personal data in the clear: `pii` calls them clear or possible, or their
            table unknown.
        empty: the source columns whose impact is nothing at all: `impact --fail-on any` then exits with 0.
    """

    def __init__(self, lineage: Lineage, names: Names, outputs: Iterable[Output]) -> None:
        self._lineage, self._names = lineage, names
        self.outputs = outputs = list(outputs)
        impacts = {leaf: self._impact(leaf) for leaf in LEAVES}
        self.empty = frozenset(leaf for leaf, impact in impacts.items() if impact is not None and not impact)
        self.reached = {
            output: frozenset(leaf for leaf, impact in impacts.items() if impact and self._names_it(impact, output))
            for output in outputs
        }
        self.exposed = self._exposed(outputs)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Answers) and self._key() == other._key()

    __hash__ = None  # type: ignore[assignment]  # compared, never looked up

    def __repr__(self) -> str:
        return f"Answers{self._key()}"

    def _key(self) -> tuple[object, ...]:
        return self.reached, self.exposed, self.empty

    def _impact(self, leaf: Leaf) -> Impact | None:
        """What a column reaches, or its whole table where the store says that it does not know the table's columns.

        None where the store does not know the table, as nothing has ever read it.
        """
        table = self._names.source(leaf.table)
        try:
            return self._lineage.impact(table, leaf.path)
        except NameNotFound as unknown:
            return self._lineage.impact(table) if "ask about the whole dataset" in str(unknown) else None

    def _names_it(self, impact: Impact, output: Output) -> bool:
        table, column = output
        unknown = {self._names.table_of(entry.dataset) for entry in impact.unknown if entry.dataset}
        return table in unknown or any(
            self._names.table_of(dataset.name) == table
            and any(meet(reached.node.field.field or column, column) for reached in dataset.columns)
            for dataset in impact.datasets
        )

    def _exposed(self, outputs: Sequence[Output]) -> frozenset[Output]:
        answer = self._lineage.pii()
        tables = {self._names.table_of(entry.dataset) for entry in answer.unknown if entry.dataset}
        columns = {
            (self._names.table_of(item.field.table), top_level(item.field.field or ""))
            for source in answer.sources
            for item in source.reached
            if item.exposure in {Exposure.CLEAR, Exposure.POSSIBLE}
        }
        return frozenset(output for output in outputs if output[0] in tables or output in columns)


def tags(names: Names) -> list[dict[str, Any]]:
    """The events that tag the columns with personal data."""
    return [
        {
            "eventTime": _now(),
            "producer": "https://example.org/catalog",
            "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetEvent",
            "dataset": {
                **names.event_name(table),
                "facets": {
                    "tags": {
                        "_producer": "https://example.org/catalog",
                        "_schemaURL": "https://openlineage.io/spec/facets/1-0-0/TagsDatasetFacet.json",
                        "tags": [{"key": "PII", "value": "true", "source": "catalog", "field": column}],
                    }
                },
            },
        }
        for table, column in PERSONAL
    ]


def by_table(form: str, names: Names, reads: Sequence[str], writes: str) -> dict[str, Any]:
    """The event of another producer for a job that it knows by table."""
    inputs = [names.event_name(table) for table in reads]
    output: dict[str, Any] = names.event_name(writes)
    base = {"eventTime": _now(), "producer": "https://example.org/other"}
    if form == "upstreams":
        # As lineage that a catalog holds: the dataset tells what it is made of.
        return {
            **base,
            "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetEvent",
            "dataset": {**output, "facets": {"lineage": _lineage(inputs)}},
        }
    if form == "lineage":
        facets = {"lineage": _lineage(inputs)}
        output = {**output, "facets": facets}
    return {
        **base,
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "eventType": "COMPLETE",
        "run": {"runId": str(uuid4())},
        "job": {"namespace": "elsewhere", "name": f"make {writes}"},
        "inputs": inputs,
        "outputs": [output],
    }


def _lineage(inputs: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    return {
        "_producer": "https://example.org/other",
        "_schemaURL": "https://openlineage.io/spec/facets/1-0-0/LineageFacet.json",
        "inputs": [{**dataset, "type": "DATASET"} for dataset in inputs],
    }


def _now() -> str:
    return datetime.now(timezone.utc).isoformat()
