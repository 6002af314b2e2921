"""Daily runs of a warehouse as OpenLineage events: the same for the same arguments.

Tables stand in layers; each is written by a job of its own from one to three tables of the layer below, and each of its
columns from one to three of their columns. A run is a START of about 0.7 kB and a COMPLETE of about 7.8 kB.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

_FIRST_DAY = datetime(2025, 1, 1, 2, tzinfo=timezone.utc)
_PRODUCER = "https://example.com/spark/1.0"
_SPEC = "https://openlineage.io/spec/"
_STEPS = (
    ("DIRECT", "IDENTITY"),
    ("DIRECT", "TRANSFORMATION"),
    ("DIRECT", "AGGREGATION"),
    ("INDIRECT", "JOIN"),
    ("INDIRECT", "CONDITIONAL"),
)
_TYPES = ("string", "bigint", "double", "timestamp", "decimal(18,2)")
_NEIGHBOURS = 2


@dataclass(frozen=True)
class Warehouse:
    """Tables and the jobs that write them.

    Attributes:
        tables: how many are written; those of the layer below the first are sources.
        layers: how many of them lie on top of each other.
        columns: of each table.
        dated: of how many jobs in a hundred the day stands as a literal in their texts.
    """

    tables: int = 200
    layers: int = 10
    columns: int = 20
    dated: int = 25
    seed: int = 1

    @property
    def width(self) -> int:
        """Tables in a layer."""
        return max(1, self.tables // self.layers)

    def name(self, table: int) -> str:
        """A table's name; negative numbers are sources."""
        return f"layer{table // self.width}.t{table:06}" if table >= 0 else f"source.t{-table:06}"

    def parents(self, table: int) -> list[int]:
        """The tables that a table is made from: near its own place, one layer below, so that families stay apart."""
        chance = self._chance(table, "parents")
        place, below = table % self.width, table - table % self.width - self.width
        tables = {(place + chance.randrange(_NEIGHBOURS)) % self.width for _ in range(chance.choice((1, 1, 2)))}
        return [below + number if below >= 0 else -1 - number for number in sorted(tables)]

    def inputs_of(self, table: int, variant: int) -> list[list[tuple[int, int, int]]]:
        """For each column, the (table, column, kind of step) that it is made from; each variant is another mapping."""
        parents = self.parents(table)
        inputs = []
        for column in range(self.columns):
            chance = self._chance(table, f"{column} {variant if column % 5 == 0 else 0}")
            sources = {
                (chance.choice(parents), (column + chance.choice((0, 0, 0, 1))) % self.columns)
                for _ in range(chance.choice((1, 2, 3)))
            }
            inputs.append([(*source, chance.randrange(len(_STEPS))) for source in sorted(sources)])
        return inputs

    def edges(self, table: int, variant: int = 0) -> int:
        """How many edges a mapping has."""
        return sum(map(len, self.inputs_of(table, variant)))

    def run_id(self, table: int, day: int) -> str:
        """The run that writes a table on a day."""
        return str(uuid5(NAMESPACE_URL, f"{self.seed} {table} {day}"))

    def moment(self, table: int, day: int, seconds: int = 0) -> datetime:
        """When a table's job begins on a day."""
        return _FIRST_DAY + timedelta(days=day, seconds=table * 3 % 80_000 + seconds)

    def start(self, table: int, day: int) -> dict[str, Any]:
        """The first event of a run."""
        application = {"namespace": "warehouse", "name": "nightly"}
        return {
            "eventType": "START",
            "eventTime": _text(self.moment(table, day)),
            "run": {
                "runId": self.run_id(table, day),
                "facets": {
                    "parent": _facet("1-1-0/ParentRunFacet", run={"runId": self.run_id(-1, day)}, job=application),
                },
            },
            "job": {"namespace": "warehouse", "name": self._job(table)},
            "inputs": [],
            "outputs": [],
            "producer": _PRODUCER,
            "schemaURL": f"{_SPEC}2-0-2/OpenLineage.json#/$defs/RunEvent",
        }

    def complete(self, table: int, day: int, variant: int = 0) -> dict[str, Any]:
        """The last event of a run, with all that is known."""
        chance = self._chance(table, f"day {day}")
        parents = self.parents(table)
        literal = f" AND day = '{self.moment(table, day):%Y-%m-%d}'" if self._dated(table) else ""
        rows = chance.randrange(1_000_000)
        output = {
            **self._dataset(table),
            "outputFacets": {
                "outputStatistics": _facet(
                    "1-0-2/OutputStatisticsOutputDatasetFacet", rowCount=rows, size=rows * 97, fileCount=1 + rows % 9
                )
            },
        }
        output["facets"]["dataSource"] = _facet("1-0-1/DatasourceDatasetFacet", name="s3://lake", uri="s3://lake")
        output["facets"]["columnLineage"] = self._lineage(table, variant, literal)
        target, source = self.name(table), self.name(parents[0])
        sql = f"INSERT OVERWRITE {target} SELECT * FROM {source} WHERE ok{literal}"  # noqa: S608  a text, never run
        event = self.start(table, day)
        event["run"]["facets"]["processing_engine"] = _facet(
            "1-1-1/ProcessingEngineRunFacet", name="spark", version="4.1.0"
        )
        event["job"]["facets"] = {
            "sql": _facet("1-1-0/SQLJobFacet", query=sql, dialect="spark"),
            "jobType": _facet("2-0-3/JobTypeJobFacet", processingType="BATCH", integration="SPARK", jobType="SQL_JOB"),
        }
        event |= {
            "eventType": "COMPLETE",
            "eventTime": _text(self.moment(table, day, 120 + chance.randrange(300))),
            "inputs": [
                {
                    **self._dataset(parent),
                    "inputFacets": {
                        "inputStatistics": _facet("1-0-0/InputStatisticsInputDatasetFacet", rowCount=rows + number)
                    },
                }
                for number, parent in enumerate(parents)
            ],
            "outputs": [output],
        }
        return event

    def day(self, day: int) -> Iterator[dict[str, Any]]:
        """All events of a day, run by run."""
        for table in range(self.tables):
            yield self.start(table, day)
            yield self.complete(table, day)

    def _dataset(self, table: int) -> dict[str, Any]:
        chance = self._chance(table, "schema")
        fields = [{"name": f"c{number:02}", "type": chance.choice(_TYPES)} for number in range(self.columns)]
        return {
            "namespace": "s3://lake",
            "name": self.name(table),
            "facets": {
                "schema": _facet("1-2-0/SchemaDatasetFacet", fields=fields),
            },
        }

    def _lineage(self, table: int, variant: int, literal: str) -> dict[str, Any]:
        fields = {
            f"c{number:02}": {
                "inputFields": [
                    {
                        "namespace": "s3://lake",
                        "name": self.name(parent),
                        "field": f"c{column:02}",
                        "transformations": [_step(kind, column, literal if number == 0 else "")],
                    }
                    for parent, column, kind in sources
                ]
            }
            for number, sources in enumerate(self.inputs_of(table, variant))
        }
        return _facet("1-2-0/ColumnLineageDatasetFacet", fields=fields)

    def _job(self, table: int) -> str:
        return f"nightly.write_{self.name(table).rpartition('.')[2]}"

    def _dated(self, table: int) -> bool:
        return self._chance(table, "dated").randrange(100) < self.dated

    def _chance(self, table: int, key: str) -> random.Random:
        return random.Random(f"{self.seed} {table} {key}")  # noqa: S311  data, no secret


def in_batches(events: Iterable[dict[str, Any]], count: int, size: int) -> Iterator[list[dict[str, Any]]]:
    """The first so many events, in lists of a size."""
    left = itertools.islice(events, count)
    while batch := list(itertools.islice(left, size)):
        yield batch


def run_bytes(run_id: str) -> bytes:
    """A run's id as the store keeps it."""
    return UUID(run_id).bytes


def _step(kind: int, column: int, literal: str) -> dict[str, Any]:
    type_, subtype = _STEPS[kind]
    described = subtype == "TRANSFORMATION" or literal
    text = {"description": f"coalesce(c{column:02}, 0){literal}"} if described else {}
    return {"type": type_, "subtype": subtype, **text}


def _facet(schema: str, **values: object) -> dict[str, Any]:
    version, _, name = schema.partition("/")
    return {"_producer": _PRODUCER, "_schemaURL": f"{_SPEC}facets/{version}/{name}.json#/$defs/{name}", **values}


def _text(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
