"""The column-lineage cases of OpenLineage's own tests, beside Headwater's answers.

Where the two differ, docs/differences-openlineage.md says how and why. What it says is compared with what is found: a
difference that it does not list fails, and so does one that it lists and that is gone.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 (its usual name)

import headwater
from headwater.common.column_path import split_path
from headwater.rules.plan.sources import Sources
from headwater.rules.statements.lineage import Lineage

REPO = Path(__file__).resolve().parents[2]
DOC = REPO / "docs" / "differences-openlineage.md"
CORPUS = Path(os.environ.get("HEADWATER_CORPUS") or REPO.parent / "shared" / "corpus") / "openlineage.jsonl"
if not CORPUS.is_file():
    pytest.skip("needs the corpus: set HEADWATER_CORPUS to the folder of openlineage.jsonl", allow_module_level=True)

CASES = {case["id"]: case for case in map(json.loads, CORPUS.read_text(encoding="utf-8").splitlines())}

# The parser's own tests have queries without tables; these are what the queries read.
PARSER_TABLES = ("a", "t", "t1", "table1", "table2", "table3", "test_orders")


# What tests/capture/connectors/test_corpus.py runs.
LAKE = {"needs-iceberg", "needs-delta", "needs-jdbc"}


def _runs_here(case: dict[str, Any]) -> bool:
    return case["id"] in FRAMES or bool({case["runnable"], case["oracle"]} & {"spark-sql", "openlineage-sql"})


def _read_and_write_files(spark: SparkSession, folder: Path) -> DataFrame:
    place = str(folder / "insertTestColumnLineage")
    spark.range(10).write.parquet(place)
    frame = spark.read.parquet(place)
    return frame.withColumn("col2", frame["id"] * 2)


def _cached(spark: SparkSession, _folder: Path) -> DataFrame:
    left, right = spark.range(1, 11).alias("l"), spark.range(5, 16).alias("r")
    joined = left.join(right, F.col("l.id") == F.col("r.id"), "full_outer").cache()
    return joined.select(F.col("l.id").alias("left"), F.col("r.id").alias("right"))


def _sums(spark: SparkSession, folder: Path, columns: int) -> DataFrame:
    """100 columns, each the sum of all of a table's."""
    names = [f"input_{number}" for number in range(columns)]
    wide = spark.read.schema(", ".join(f"{name} DOUBLE" for name in names)).parquet(str(folder))
    total = F.expr(_balanced_sum(names))  # Spark takes its time to parse it
    return wide.select(*(total.alias(f"output_{number}") for number in range(100)))


def _balanced_sum(names: list[str]) -> str:
    """A sum of many terms that is not too deep for Spark's parser."""
    half = len(names) // 2
    return f"({_balanced_sum(names[:half])} + {_balanced_sum(names[half:])})" if half else names[0]


FRAMES: dict[str, Callable[[SparkSession, Path], DataFrame]] = {
    "ol-iceberg-testReadWriteParquetDataset": _read_and_write_files,
    "ol-inmemory-testCachedDataframe": _cached,
    "ol-scale-cartesian-100x100": lambda spark, folder: _sums(spark, folder, 100),
    "ol-scale-cartesian-100x1000": lambda spark, folder: _sums(spark, folder, 1000),
}


@pytest.fixture
def session(spark: SparkSession, fresh_database: str) -> Iterator[SparkSession]:
    """A session without anybody's views, in a database of the test's own, where tables are plain ones by default."""
    own = spark.newSession()
    own.sql(f"USE {fresh_database}")
    own.conf.set("spark.sql.legacy.createHiveTableByDefault", "false")
    known = {database.name for database in own.catalog.listDatabases()}
    yield own
    for name in {database.name for database in own.catalog.listDatabases()} - known:
        own.sql(f"DROP DATABASE {name} CASCADE")


@pytest.mark.parametrize("id_", [id_ for id_, case in CASES.items() if _runs_here(case)])
def test_case(session: SparkSession, tmp_path: Path, id_: str) -> None:
    case = CASES[id_]
    found = _answer(session, tmp_path, case)

    assert set(found.opaque) == set()
    if case.get("inputs_mode") == "exact":
        assert {dataset.short_name for dataset in found.reads} == {last_part(name) for name in case["inputs"]}
    if "fields_returned" in case.get("counts", {}):
        assert sum(bool(sources) for sources in found.columns.values()) == case["counts"]["fields_returned"]
    rows = [said for _, said in _edges({"": found.rows})]
    assert difference(case, found.columns, _edges(found.columns), rows) == DIFFERENCES.get(id_, NONE)


def test_every_case_is_accounted_for() -> None:
    assert set(NOT_RUN) == {id_ for id_, case in CASES.items() if not _runs_here(case)}
    assert set(DIFFERENCES) <= {id_ for id_, case in CASES.items() if _runs_here(case) or case["runnable"] in LAKE}


# --- the answer ------------------------------------------------------------------------------------------------------


def _answer(spark: SparkSession, folder: Path, case: dict[str, Any]) -> Lineage:
    if case["id"] in FRAMES:
        return headwater.lineage(FRAMES[case["id"]](spark, folder))
    if case["oracle"] == "openlineage-sql":
        for table in set(PARSER_TABLES) & set(re.findall(r"\w+", case["statement"])):
            spark.sql(f"CREATE TABLE {table} (a INT, b INT, c INT)")
    for statement in case["setup"]:
        if not statement.startswith("INSERT"):  # nothing here looks at rows
            spark.sql(_plain(statement, folder))
    lineage = headwater.lineage(spark, _plain(case["statement"], folder))
    if len(lineage.writes) < 2:
        return lineage
    (written,) = (written for written in lineage.writes if written.dataset.short_name == case["output"])
    return Lineage(written.fields or {}, written.rows, lineage.reads, lineage.opaque)


def _plain(statement: str, folder: Path) -> str:
    """The statement without Hive's format, and with its files in a folder of the test's."""
    statement = re.sub(r"(?i)\busing hive\b", "USING parquet", statement)
    return statement.replace("'/data/", f"'{folder}/")


# --- the comparison --------------------------------------------------------------------------------------------------


def difference(
    case: dict[str, Any], columns: Iterable[str], edges: Iterable[tuple[str, str]], rows: Collection[str]
) -> str:
    """What is in Headwater's answer and not in the case, and the other way round, as far as the case asserts it.

    Args:
        case: the case.
        columns: the columns of the answer.
        edges: every edge, as a column and `table.column SUBTYPE masked`.
        rows: the same of what decides about rows.
    """
    expected = case["expected"]
    outputs = {name.lower() for name in case.get("output_schema") or (split_path(name)[0] for name in columns)}
    repeated = not case.get("config", {}).get("datasetLineageEnabled", True)
    ours, theirs = set(), set()
    if case["mode"] != "none":
        ours = {f"{top(out)} ← {said}" for out, said in edges if top(out) in outputs}
        if repeated:
            ours |= {f"{out} ← {said}" for out in outputs for said in rows}
        theirs = {f"{out.lower()} ← {_words(edge)}" for out, edges in expected["fields"].items() for edge in edges}
    typed = all("subtype" in edge for edges in expected["fields"].values() for edge in edges)
    if not typed:
        ours = {edge.rsplit(" ", 1)[0] if " masked" not in edge else edge.rsplit(" ", 2)[0] for edge in ours}
    more = ours - theirs if case["mode"] == "exact" else set()
    less = theirs - ours
    if case["dataset_mode"] == "exact" and not repeated:
        our_rows = {f"rows ← {said}" for said in rows}
        their_rows = {f"rows ← {_words(edge)}" for edge in expected["dataset"]}
        more |= our_rows - their_rows
        less |= their_rows - our_rows
    return f"more: {_listed(more)}; less: {_listed(less)}"


def _edges(columns: Mapping[str, Sources]) -> Iterator[tuple[str, str]]:
    """Every edge of an answer, between top-level columns."""
    for output, sources in columns.items():
        for source, marks in sources.items():
            for mark in marks:
                masked = " masked" if mark.masking else ""
                yield output, f"{source.dataset.short_name}.{top(source.field)} {mark.how.name}{masked}"


def _words(edge: dict[str, Any]) -> str:
    table, _, column = edge["input"].rpartition(".")
    words = [f"{last_part(table)}.{column}", *([edge["subtype"]] if "subtype" in edge else [])]
    return " ".join([*words, *(["masked"] if edge.get("masking") else [])])


def last_part(name: str) -> str:
    return re.split(r"[./]", name)[-1]


def top(path: str) -> str:
    """The top-level column of a path, without case: Hive writes names in lower case, Spark as they are given."""
    return split_path(path)[0].lower() if path else ""


def _listed(edges: set[str]) -> str:
    return ", ".join(f"`{edge}`" for edge in sorted(edges)) or "nothing"


# --- what docs/differences-openlineage.md says -----------------------------------------------------------------------


def _differences() -> dict[str, str]:
    """The table's rows: id, what Headwater has more, what it has less, why."""
    rows = re.findall(r"^\| (ol-\S+) \| (.*?) \| (.*?) \| .+ \|$", DOC.read_text(encoding="utf-8"), re.MULTILINE)
    return {id_: f"more: {more}; less: {less}" for id_, more, less in rows}


def _not_run() -> list[str]:
    return re.findall(r"^- (ol-\S+)$", DOC.read_text(encoding="utf-8"), re.MULTILINE)


NONE = "more: nothing; less: nothing"
DIFFERENCES = _differences()
NOT_RUN = _not_run()
