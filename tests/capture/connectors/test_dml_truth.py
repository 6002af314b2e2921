"""MERGE, UPDATE and DELETE against Spark itself, as queries are in test_truth.

One field of the source or the target is changed and the statement runs again: every column of the table that is
different then must have an edge from that field.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from pyspark.sql import SparkSession
from tests.capture.connectors.conftest import FORMATS, Format
from tests.capture.connectors.dml_cases import CASES, Case
from tests.truth.compare import Bags, bags
from tests.truth.perturb import edges_of
from tests.truth.tables import Change

import headwater

pytestmark = [pytest.mark.lake, pytest.mark.usefixtures("tables")]

Row = dict[str, Any]
LEAVES = ("id", "v", "s", "st.x", "st.y")


def _rows(*rows: tuple[int, int, str, int, str]) -> list[Row]:
    return [dict(zip(LEAVES, row, strict=True)) for row in rows]


# Every clause of every case has a row that it takes.
TABLES = {
    "t": _rows((1, 1, "a", 1, "p"), (2, 4, "b", 2, "q"), (3, 2, "c", 3, "r"), (4, 5, "c", 2, "s"), (5, 2, "a", 2, "u")),
    "src": _rows(
        (1, 6, "a", 4, "k"), (2, 2, "c", 5, "l"), (3, 3, "a", 6, "m"), (7, 2, "c", 7, "n"), (8, 9, "b", 8, "o")
    ),
}
# A statement over a Delta table is a dozen executions: there, the one with all clauses stands for the others. One that
# only inserts is not among them: its lineage is of the rows that it adds, and the table has others.
CHECKED = {
    "copy_on_write": ("every clause", "a field of a struct", "clauses that come too late", "update"),
    "merge_on_read": ("a query as the source", "the table itself as the source", "update with a subquery", "delete"),
    "delta": ("every clause",),
}  # fmt: skip


@pytest.mark.parametrize(
    ("way", "case"),
    [
        pytest.param(way, case, id=f"{way.name}: {case.name}")
        for way in FORMATS
        for case in CASES
        if case.name in CHECKED[way.name]
    ],
)
def test_no_dependency_is_missed(spark: SparkSession, way: Format, case: Case) -> None:
    spark.catalog.dropTempView("src")  # the lineage is of the table
    edges = edges_of(headwater.lineage(spark, case.over(way)))
    base = _run(spark, way, case, TABLES)
    seen, missed = set(), []
    for change, changed in _changes():
        after = _run(spark, way, case, changed)
        for output, values in after.items():
            if values != base[output]:
                seen.add(change)
                if not any(edge.touches(change) and edge.reaches(output) for edge in edges):
                    missed.append((change.table, change.leaf, output, base[output], values))
    spark.catalog.dropTempView("src")
    assert not missed
    assert {change.leaf for change in seen if change.table == "t"} == {*LEAVES}


def _changes() -> Iterator[tuple[Change, dict[str, list[Row]]]]:
    """Every field of every table with other values: those of the next rows, so that other rows meet, and a new one."""
    for table, rows in TABLES.items():
        for leaf in LEAVES:
            changed = copy.deepcopy(TABLES)
            fresh = 50 if isinstance(rows[0][leaf], int) else "z"
            for row, value in zip(changed[table], [*(row[leaf] for row in rows[1:]), fresh], strict=True):
                row[leaf] = value
            yield Change(table, leaf.partition(".")[0], leaf, 0), changed


def _run(spark: SparkSession, way: Format, case: Case, tables: dict[str, list[Row]]) -> Bags:
    """What is in the table after the statement."""
    spark.sql(f"CREATE OR REPLACE TABLE {way.table} {way.clauses} AS {_select(tables['t'])}")
    spark.sql(f"CREATE OR REPLACE TEMPORARY VIEW src AS {_select(tables['src'])}")
    spark.sql(case.over(way))
    found = spark.table(way.table)
    return bags([row.asDict(recursive=True) for row in found.collect()], found.schema)


def _select(rows: Sequence[Row]) -> str:
    values = (
        f"({row['id']}, {row['v']}, '{row['s']}', named_struct('x', {row['st.x']}, 'y', '{row['st.y']}'))"
        for row in rows
    )
    return f"SELECT * FROM VALUES {', '.join(values)} AS made(id, v, s, st)"
