"""What tests of equality share: a run of the pipeline over events, and two stores beside each other."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any, TypeVar

from headwater.lake.lake import Lake
from headwater.pipeline.run import run_once
from headwater.pipeline.validate.rows import LANDED
from headwater.query.errors import BadQuestion
from headwater.query.search.resolve import NameNotFound

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pyspark.sql import SparkSession
    from tests.store.conftest import Line, View
    from tests.store.histories import Event

    from headwater.client.lineage import Lineage
    from headwater.pipeline.report import Report
    from headwater.query.questions import Question

T = TypeVar("T")


def take_in(spark: SparkSession, path: str, events: Iterable[Event]) -> Report:
    """One run of the pipeline."""
    lines = [(bytearray(json.dumps(event).encode()), "test", 0, None) for event in events]
    return run_once(spark, Lake.open(spark, path), spark.createDataFrame(lines, LANDED))


def assert_equal(found: View, expected: View) -> None:
    """Compare two stores table by table; what differs is named."""
    different = {table: _difference(found[table], lines) for table, lines in expected.items() if found[table] != lines}
    assert different == {}, "tables differ: (only in the lake, only in the store)"


def _difference(found: Sequence[Line], expected: Sequence[Line]) -> tuple[list[Line], list[Line]]:
    one, other = Counter(found), Counter(expected)
    return list(one - other)[:3], list(other - one)[:3]


def outcome(lineage: Lineage, question: Question[Any]) -> object:
    """The answer, or what an error says, with the names that it suggests."""
    try:
        return lineage.ask(question)
    except (NameNotFound, BadQuestion) as error:
        return type(error), str(error), getattr(error, "candidates", ())
