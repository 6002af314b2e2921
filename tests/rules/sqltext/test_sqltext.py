"""Texts that another engine runs: every case of sqltext.yaml, and what must never happen."""

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import sqlglot
import yaml
from tests.regex_steps import grows
from tests.work import MOST, work

from headwater.capture.jvm import datasets
from headwater.capture.jvm.datasets import filtered, jdbc
from headwater.rules.expressions.text import bare
from headwater.rules.operators import relations
from headwater.rules.operators.relations import table_name
from headwater.rules.plan.sources import Mark, SourceField, Sources, settle, without_counts
from headwater.rules.plan.tree import Dataset, Described, Expr, Plan
from headwater.rules.sqltext import TextLineage, dialect_of, lineage_of_text
from headwater.rules.statements.lineage import lineage_of

MOST_LINES = 5_000_000
"""How many lines, of our own code and of sqlglot, may run for a text: a second or two."""
CASES = yaml.safe_load(Path(__file__).with_name("sqltext.yaml").read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in CASES])
def test_case(case: dict[str, Any]) -> None:
    outputs = case.get("outputs", list(case["columns"]))

    lineage = lineage_of_text(case["sql"], case.get("dialect"), outputs)

    columns = _columns(lineage)
    assert list(columns) == outputs
    assert {name: _edges(sources) for name, sources in columns.items()} == {
        name: set(answer) for name, answer in case["columns"].items()
    }
    assert _edges(lineage.relation.rows) == set(case.get("rows", ()))
    assert lineage.opaque == tuple(f"SQL text: {reason}" for reason in case.get("opaque", ()))
    if "reads" in case:
        assert {".".join(table.table): list(names) for table, names in lineage.reads.items()} == case["reads"]
    for name, text in case.get("texts", {}).items():
        sources = lineage.relation.rows if name == "rows" else columns[name]
        assert text in {mark.text for marks in sources.values() for mark in marks}


def _columns(lineage: TextLineage) -> dict[str, Sources]:
    return {output.name: settle(output.column.sources, bare(output.column.text)) for output in lineage.relation.outputs}


def _edges(sources: Sources) -> set[str]:
    return {_line(source, mark) for source, marks in without_counts(sources)[0].items() for mark in marks}


def _line(source: SourceField, mark: Mark) -> str:
    line = f"{source.dataset.short_name}.{source.field} {mark.how.name}"
    return f"{line} masked" if mark.masking.masks else line


@pytest.mark.parametrize(
    ("url", "dialect"),
    [
        ("jdbc:postgresql://host:5432/db?user=me", "postgres"),
        ("jdbc:sqlserver://host;databaseName=mysql", "tsql"),
        ("jdbc:jtds:sqlserver://host/db", "tsql"),
        ("jdbc:mysql://host/db", "mysql"),
        ("jdbc:mariadb://host/db", "mysql"),
        ("jdbc:oracle:thin:@//host:1521/postgresql", "oracle"),
        ("jdbc:oracle:thin:@host:1521:db", "oracle"),
        ("jdbc:redshift://host/db", "redshift"),
        ("jdbc:redshift:iam://host/db", "redshift"),
        ("jdbc:snowflake://account.snowflakecomputing.com/?db=x", "snowflake"),
        ("jdbc:bigquery://https://www.googleapis.com/bigquery/v2:443;ProjectId=p", "bigquery"),
        ("jdbc:trino://host/catalog", "trino"),
        ("jdbc:presto://host/catalog", "presto"),
        ("jdbc:clickhouse:http://host/db", "clickhouse"),
        ("jdbc:ch://host/db", "clickhouse"),
        ("jdbc:sqlite:/tmp/oracle.db", "sqlite"),
        ("jdbc:duckdb:", "duckdb"),
        ("jdbc:teradata://host/DATABASE=x", "teradata"),
        ("jdbc:databricks://host:443/default", "databricks"),
        ("jdbc:hive2://host/db", "hive"),
        ("jdbc:db2://host/db", None),
        ("jdbc:h2:mem:test", None),
    ],
)
def test_the_language_of_a_url(url: str, dialect: str | None) -> None:
    assert dialect_of(url) == dialect


def test_a_table_is_where_the_text_is_run() -> None:
    place = Dataset(location="jdbc:postgresql://host/db", format="jdbc")

    lineage = lineage_of_text("SELECT a FROM s.t", "postgres", ["a"], place)

    assert list(lineage.reads) == [Dataset("jdbc:postgresql://host/db", ("s", "t"), "jdbc")]
    assert [source.dataset for source in lineage.relation.outputs[0].column.sources] == list(lineage.reads)


def test_columns_are_written_with_their_table_if_asked_or_if_there_are_several() -> None:
    def text(query: str, *, qualify: bool = False) -> str:
        return lineage_of_text(query, None, ["x"], qualify=qualify).relation.outputs[0].column.text

    assert text("SELECT a + 1 AS x FROM t") == "(a + 1)"
    assert text("SELECT a + 1 AS x FROM t", qualify=True) == "(t.a + 1)"
    assert text("SELECT t.a + u.b AS x FROM t, u") == "(t.a + u.b)"


@pytest.mark.parametrize(
    "query",
    [
        "SELECT " + "(" * 500 + "a" + ")" * 500 + " AS a FROM t",
        "SELECT a FROM " + "(SELECT a FROM " * 300 + "t" + ") q" * 300,
        "SELECT " + "abs(" * 2000 + "a" + ")" * 2000 + " AS a FROM t",
        "SELECT a FROM t WHERE a = 1" + " OR a = 1" * 30_000,
        "SELECT " + "ARRAY[" * 12 + "a" + "]" * 12 + " AS a FROM t",
        "SELECT " + "ARRAY[" * 30 + "a" + "]" * 30 + " AS a FROM t",
    ],
    ids=["parentheses", "queries", "calls", "long", "twelve brackets", "many brackets"],
)
def test_what_is_too_deep_or_too_long_is_said_and_does_not_raise(query: str) -> None:
    lineage = lineage_of_text(query, "postgres", ["a"])

    assert [output.name for output in lineage.relation.outputs] == ["a"]
    assert lineage.opaque
    assert [table.table for table in lineage.reads] == [("t",)], "the tables are known all the same"
    assert work(lambda: lineage_of_text(query, "postgres", ["a"]), MOST_LINES, sqlglot) <= MOST_LINES


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("orders", ["orders"]),
        ("orders o", ["orders"]),
        (" sales . orders  AS o ;", ["sales", "orders"]),
        ('"orders o"', ['"orders o"']),
        ('sales."My ""big"" Orders" o', ["sales", '"My ""big"" Orders"']),
        ("`my db`.`orders` AS `o`", ["`my db`", "`orders`"]),
        ("[dbo].[my ]] orders] [o]", ["[dbo]", "[my ]] orders]"]),
        ("shop..orders", ["shop", "orders"]),
        ("/* all of */ orders -- of today", ["orders"]),
        ("proj-1.set.orders@link", ["proj-1", "set", "orders@link"]),
        ("orders o JOIN users u ON u.id = o.user_id", None),
        ("orders, users", None),
        ("orders WITH (NOLOCK)", None),
        ("(SELECT 1) q", None),
        ("made(1)", None),
        ('"orders', None),
        ("", None),
    ],
)
def test_the_name_of_a_table_in_what_stands_behind_from(text: str, name: list[str] | None) -> None:
    assert table_name(text) == (None if name is None else tuple(name))


@pytest.mark.parametrize("piece", ["[.", '"', "`.", "/*", "a.", "[", '""', "--", "'", "' "])
def test_any_table_or_predicate_costs_linear_work(piece: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def analyse(size: int) -> None:
        table_name(piece * size)
        filtered(jdbc("jdbc:x:y", "t"), [piece * size, "a = 1"], "t")

    patterns = {relations: ["_BETWEEN", "_PART", "_ONLY"], datasets: ["_VALUE"]}
    assert grows(patterns, analyse, 500, monkeypatch) <= MOST


WITH = "WITH c AS (SELECT a, b FROM t WHERE k = 1)"
URL = "jdbc:sqlserver://host;databaseName=db"


@pytest.mark.parametrize(
    ("described", "columns", "rows"),
    [
        pytest.param(
            jdbc(URL, "orders o WITH (NOLOCK)"), {"a": ["orders.a IDENTITY"], "b": ["orders.b IDENTITY"]}, [], id="hint"
        ),
        pytest.param(
            jdbc(URL, "(SELECT a, b FROM t) x JOIN u ON u.k = x.a"),
            {"a": ["t.a IDENTITY"], "b": ["t.b IDENTITY"]},
            ["t.a JOIN", "u.k JOIN"],
            id="a join",
        ),
        pytest.param(
            jdbc(URL, None, "SELECT * FROM #kept WHERE a > 1;", "(SELECT a, b INTO #kept FROM (SELECT * FROM t) x)"),
            {"a": ["t.a IDENTITY"], "b": ["t.b IDENTITY"]},
            ["t.a FILTER"],
            id="a table of the connection's own",
        ),
        pytest.param(
            jdbc(URL, "c", None, "WITH c AS (SELECT a, b + 1 AS b FROM dbo.t WHERE k = 1)"),
            {"a": ["t.a IDENTITY"], "b": ["t.b TRANSFORMATION"]},
            ["t.k FILTER"],
            id="WITH before a name",
        ),
        pytest.param(
            jdbc(URL, None, "WITH d AS (SELECT * FROM c) SELECT a, b FROM d", "WITH c AS (SELECT a, b FROM t)"),
            {"a": ["t.a IDENTITY"], "b": ["t.b IDENTITY"]},
            [],
            id="WITH before a query with its own",
        ),
        pytest.param(
            jdbc(URL, None, "SELECT a, b FROM c -- all", "/* first */ WITH c AS (SELECT a, b FROM t) -- then\n"),
            {"a": ["t.a IDENTITY"], "b": ["t.b IDENTITY"]},
            [],
            id="comments at the ends",
        ),
        pytest.param(
            jdbc(URL, "kept k", None, "CREATE TEMPORARY TABLE kept AS SELECT a, b FROM t WHERE k = 1;"),
            {"a": ["t.a IDENTITY"], "b": ["t.b IDENTITY"]},
            ["t.k FILTER"],
            id="a temporary table",
        ),
        pytest.param(
            filtered(jdbc(URL, "c", None, WITH), ["a = 1 -- first", "b = 2"], "c", WITH),
            {"a": ["t.a IDENTITY"], "b": ["t.b IDENTITY"]},
            ["t.a FILTER", "t.b FILTER", "t.k FILTER"],
            id="predicates over what WITH gives",
        ),
    ],
)
def test_what_jdbc_options_read(described: Described, columns: dict[str, list[str]], rows: list[str]) -> None:
    assert described.query is not None

    read = lineage_of_text(described.query, dialect_of(URL), ["a", "b"])

    assert {name: sorted(_edges(sources)) for name, sources in _columns(read).items()} == columns
    assert sorted(_edges(read.relation.rows)) == rows


@pytest.mark.parametrize(
    ("table", "predicates"), [("orders", ["a ??? 1"]), ("orders", None), ("(SELECT a, b FROM orders) o", None)]
)
def test_a_filter_that_nobody_can_read_may_have_any_column_in_it(table: str, predicates: list[str] | None) -> None:
    a, b = (Expr("AttributeReference", name=name, id=n, type="integer") for n, name in enumerate("ab"))
    relation = filtered(jdbc(URL, table), predicates, table)
    leaf = Plan("LogicalRelation", args={"relation": relation}, output=(a, b))

    lineage = lineage_of(leaf)

    assert lineage.opaque
    assert sorted(_edges(lineage.rows)) == ["orders.a FILTER", "orders.b FILTER"]
    assert [read.table for read in lineage.reads] == [("orders",)]


@pytest.mark.parametrize(
    ("url", "names"),
    [
        ("jdbc:derby:memory:shop;create=true", ["ID", "Total", "AGE"]),
        ("jdbc:h2:mem:shop;MODE=PostgreSQL", ["ID", "Total", "AGE"]),
        ("jdbc:h2:mem:shop;database_to_upper=false", ["id", "Total", "age"]),
        ("jdbc:db2://host/db", ["ID", "Total", "AGE"]),
        ("jdbc:vertica://host/db", ["id", "Total", "age"]),
    ],
)
def test_a_column_is_called_as_the_engine_spells_it(url: str, names: list[str]) -> None:
    """A query and the table by itself lead to the same columns."""
    query = 'SELECT id AS a, "Total" AS b FROM orders WHERE age > 1'

    lineage = lineage_of_text(query, dialect_of(url), ["A", "B"], Dataset(url, format="jdbc"))

    sources = [
        *(output.column.sources for output in lineage.relation.outputs),
        without_counts(lineage.relation.rows)[0],
    ]
    assert [source.field for one in sources for source in one] == names
    assert [read.table for read in lineage.reads] == [("orders",)]


def test_a_long_union_and_a_long_condition_are_read() -> None:
    union = lineage_of_text(" UNION ALL ".join(f"SELECT c{n} FROM t{n}" for n in range(500)), "postgres", ["c0"])
    condition = lineage_of_text("SELECT a FROM t WHERE " + " OR ".join(f"b = {n}" for n in range(2000)), "mysql", ["a"])

    assert (len(union.reads), len(union.relation.outputs[0].column.sources), union.opaque) == (500, 500, ())
    assert _edges(condition.relation.rows) == {"t.b FILTER"}
    assert condition.opaque == ()


@pytest.mark.parametrize(
    "query", ["SELECT 'hunter2' FROM (", "GRANT hunter2 TO me", "CREATE hunter2 'hunter2' IS", "?hunter2?"]
)
def test_a_text_that_is_not_read_is_told_nowhere(query: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        lineage = lineage_of_text(query, "postgres", ["a"])

    assert lineage.opaque
    assert "hunter2" not in f"{lineage}{caplog.text}"


def test_sqlglot_is_not_needed_before_a_text_comes() -> None:
    script = "import sys, headwater.rules.sqltext; sys.exit('sqlglot' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
