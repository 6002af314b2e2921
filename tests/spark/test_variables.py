"""Variables of sessions and scripts: every statement that reads one leads to the query that set it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

Write: TypeAlias = "tuple[set[str], set[str], Mapping[str, int]]"
NOTHING: Write = (set(), set(), {})


@pytest.fixture
def session(spark: SparkSession, fresh_database: str) -> SparkSession:
    """A session of the test's own, with the tables t and u to read and o to write."""
    if spark.version.startswith("3."):
        pytest.skip("variables came with Spark 4")
    session = spark.newSession()
    session.sql(f"USE {fresh_database}")
    session.sql("CREATE TABLE t USING parquet AS SELECT 1 AS id, 'a' AS name, 30 AS age UNION ALL SELECT 2, 'b', 40")
    session.sql("CREATE TABLE u USING parquet AS SELECT 1 AS k, 7 AS v")
    session.sql("CREATE TABLE o (x INT, y STRING) USING parquet")
    return session


class Said:
    """The writes into o since the last look: inputs, `column ← source HOW`, and what was opaque."""

    def __init__(self, captured: Any) -> None:  # noqa: ANN401
        self._captured = captured
        self._seen = len(captured.events)

    def __call__(self) -> list[Write]:
        events = self._captured.events[self._seen :]
        self._seen += len(events)
        return [
            (
                {_table(one) for one in event["inputs"]},
                set(_edges(event["outputs"][0]["facets"]["columnLineage"])),
                event["run"]["facets"].get("headwater_capture", {}).get("opaque", {}),
            )
            for event in events
            if event["eventType"] == "COMPLETE" and event["outputs"]
        ]


def _table(dataset: Mapping[str, Any]) -> str:
    return str(dataset["name"]).rpartition("/")[2]


def _edges(facet: Mapping[str, Any]) -> Iterator[str]:
    fields = {column: one["inputFields"] for column, one in facet["fields"].items()}
    for column, inputs in {**fields, "*": facet.get("dataset", ())}.items():
        for one in inputs:
            for way in one["transformations"]:
                yield f"{column} ← {_table(one)}.{one['field']} {way['subtype']}"


def test_variables_of_a_session(session: SparkSession, capture: Callable[..., Any]) -> None:
    said = Said(capture())

    def run(*statements: str) -> list[Write]:
        for statement in statements:
            session.sql(statement)
        return said()

    oldest: Write = ({"t"}, {"x ← t.age AGGREGATION", "x ← t.name FILTER"}, {})
    assert run(
        "DECLARE VARIABLE Oldest INT DEFAULT 5",
        "INSERT INTO o SELECT oldest, 'a default'",
        "SET VARIABLE oldest = (SELECT max(age) FROM t WHERE name = 'a')",
        "INSERT INTO o SELECT OLDEST, 'from a table'",
        "INSERT INTO o SELECT system.session.oldest, 'by its full name'",
        "INSERT INTO o VALUES (session.oldest, 'in values')",
        "EXECUTE IMMEDIATE 'INSERT INTO o SELECT oldest, ''in a text'''",
    ) == [NOTHING, oldest, oldest, oldest, oldest], "the datasets behind a variable are inputs"

    assert run(
        "DECLARE VARIABLE other INT DEFAULT oldest + 1",
        "INSERT INTO o SELECT other, 'from a variable'",
        "DECLARE OR REPLACE VARIABLE oldest INT DEFAULT 5",
        "INSERT INTO o VALUES (oldest, 'declared again')",
    ) == [oldest, NOTHING]

    assert run(
        "DECLARE VARIABLE who STRING",
        "SET VARIABLE (oldest, who) = (SELECT id, name FROM t LIMIT 1)",
        "INSERT INTO o VALUES (oldest, upper(who)), (1, string(DATE '2024-05-01'))",
        "SET VARIABLE oldest = DEFAULT, who = who || '!'",
        "INSERT INTO o SELECT oldest, who",
        "EXECUTE IMMEDIATE 'SELECT v, name FROM t JOIN u ON k = id' INTO oldest, who",
        "INSERT INTO o SELECT oldest, 'into' FROM t WHERE age > oldest",
    ) == [
        ({"t"}, {"x ← t.id IDENTITY", "y ← t.name TRANSFORMATION"}, {}),
        ({"t"}, {"y ← t.name TRANSFORMATION"}, {}),
        (
            {"t", "u"},
            {
                *("x ← u.v IDENTITY", "x ← u.k JOIN", "x ← t.id JOIN"),
                *("* ← t.age FILTER", "* ← u.v FILTER", "* ← u.k FILTER", "* ← t.id FILTER"),
            },
            {},
        ),
    ]

    with pytest.raises(Exception, match="SCALAR_SUBQUERY_TOO_MANY_ROWS"):
        session.sql("SET VARIABLE oldest = (SELECT age FROM t)")
    assert run("INSERT INTO o SELECT oldest, 'a failure sets nothing'")[0][0] == {"t", "u"}

    session.sql("DROP TEMPORARY VARIABLE oldest")
    assert run("DECLARE VARIABLE oldest INT DEFAULT 1", "INSERT INTO o SELECT oldest, 'new'") == [NOTHING]

    session.sql("SET VARIABLE oldest = (SELECT max(age) FROM t)")
    frame = session.sql("SELECT oldest AS x, 'made before' AS y")
    session.sql("SET VARIABLE oldest = (SELECT max(v) FROM u)")
    frame.write.insertInto("o")
    assert said() == [({"t"}, {"x ← t.age AGGREGATION"}, {})], "a frame keeps the value that it was made with"

    other = session.newSession()
    other.sql(f"USE {session.catalog.currentDatabase()}")
    other.sql("DECLARE VARIABLE oldest INT DEFAULT 1")
    other.sql("INSERT INTO o SELECT oldest, 'another session'")
    assert said() == [NOTHING]


def test_scripts(session: SparkSession, capture: Callable[..., Any]) -> None:
    said = Said(capture())

    def run(*lines: str) -> list[Write]:
        session.sql("BEGIN " + " ".join(f"{line};" for line in lines) + " END")
        return said()

    row: Write = ({"t"}, {"x ← t.id IDENTITY", "x ← t.age FILTER", "y ← t.name IDENTITY", "y ← t.age FILTER"}, {})
    loop = "FOR Row AS (SELECT id, name FROM t WHERE age > 3) DO"
    assert (
        run(f"{loop} INSERT INTO o SELECT row.id, name; INSERT INTO o VALUES (row.id, row.name); END FOR") == [row] * 4
    )

    # Loops inside loops, with names and without; the inner one has no rows the first time.
    assert run(
        "FOR r AS /* with */ SELECT id, name FROM t ORDER BY id DESC DO "
        " FOR SELECT v, k AS id FROM u WHERE k = r.id DO INSERT INTO o SELECT v, r.name; END FOR;"
        " INSERT INTO o SELECT r.id, r.name;"
        "END FOR"
    ) == [
        ({"t"}, {"x ← t.id IDENTITY", "x ← t.id SORT", "y ← t.name IDENTITY", "y ← t.id SORT"}, {}),
        (
            {"t", "u"},
            {
                *("x ← u.v IDENTITY", "x ← u.k FILTER", "x ← t.id FILTER"),
                *("y ← t.name IDENTITY", "y ← t.id SORT"),
            },
            {},
        ),
        ({"t"}, {"x ← t.id IDENTITY", "x ← t.id SORT", "y ← t.name IDENTITY", "y ← t.id SORT"}, {}),
    ]

    # One loop after the other, whose rows have the same name; a union; a struct.
    assert run(
        "FOR r AS SELECT k AS id FROM u UNION ALL SELECT v FROM u WHERE v < 0 DO"
        " INSERT INTO o VALUES (r.id, 'a'); END FOR",
        "FOR r AS SELECT struct(v AS i, name AS n) AS id FROM t JOIN u ON k = id DO"
        " INSERT INTO o VALUES (r.id.i, r.ID.N); END FOR",
    ) == [
        ({"u"}, {"x ← u.k IDENTITY", "x ← u.v IDENTITY", "x ← u.v FILTER"}, {}),
        (
            {"t", "u"},
            {
                *("x ← u.v IDENTITY", "x ← u.k JOIN", "x ← t.id JOIN"),
                *("y ← t.name IDENTITY", "y ← u.k JOIN", "y ← t.id JOIN"),
            },
            {},
        ),
    ]

    session.sql("DECLARE VARIABLE n INT DEFAULT 0")
    session.sql("SET VARIABLE n = (SELECT max(id) FROM t)")
    from_t: Write = ({"t"}, {"x ← t.id AGGREGATION"}, {})
    from_u: Write = ({"u"}, {"x ← u.v AGGREGATION"}, {})
    assert run(
        "DECLARE n INT DEFAULT 4",
        "INSERT INTO o SELECT n, 'its own'",
        "INSERT INTO o SELECT session.n, 'the session has another'",
        "deep: BEGIN DECLARE n INT; SET n = (SELECT max(v) FROM u); INSERT INTO o SELECT deep.n, 'inner'; END",
        "INSERT INTO o SELECT n, 'its own again'",
        "SET n = (SELECT max(v) FROM u)",
        "WHILE n < 9 DO SET n = n + 1; END WHILE",
        "INSERT INTO o VALUES (n, 'after a loop')",
    ) == [NOTHING, from_t, from_u, NOTHING, from_u]
    session.sql("INSERT INTO o SELECT n, 'after the script'")
    assert said() == [from_t]

    result = session.sql("BEGIN DECLARE n INT; SET n = (SELECT max(v) FROM u); SELECT n + id AS sum, name FROM t; END")
    result.selectExpr("sum AS x", "upper(name) AS y").write.insertInto("o")
    assert said() == [
        ({"t", "u"}, {"x ← t.id TRANSFORMATION", "x ← u.v AGGREGATION", "y ← t.name TRANSFORMATION"}, {})
    ], "the rows that a script hands back are those of its query"


def test_parameters_may_hold_any_variable(session: SparkSession, capture: Callable[..., Any]) -> None:
    """Spark shows only the value that EXECUTE IMMEDIATE gave for a marker."""
    said = Said(capture())
    session.sql("INSERT INTO o SELECT ?, 'no variables'", args=[1])
    assert said() == [NOTHING]

    session.sql("DECLARE VARIABLE n INT DEFAULT 0")
    session.sql("SET VARIABLE n = (SELECT max(v) FROM u)")
    session.sql("EXECUTE IMMEDIATE 'INSERT INTO o SELECT id + ?, ''a literal'' FROM t WHERE id < ?' USING n, 10")
    session.sql("EXECUTE IMMEDIATE 'INSERT INTO o VALUES (:n, ''?'')' USING n AS n")

    assert said() == [
        (
            {"t", "u"},
            {"x ← t.id TRANSFORMATION", "x ← u.v AGGREGATION", "* ← t.id FILTER", "* ← u.v FILTER"},
            {"parameter": 2},
        ),
        ({"u"}, {"x ← u.v AGGREGATION"}, {"parameter": 1}),
    ]


def test_a_count_takes_no_column_and_depends_on_its_table(session: SparkSession, capture: Callable[..., Any]) -> None:
    said = Said(capture())
    session.sql("DECLARE VARIABLE n INT DEFAULT 0")
    session.sql("SET VARIABLE n = (SELECT CAST(count(*) AS INT) FROM u)")
    session.sql("INSERT INTO o SELECT n, 'in a query'")
    session.sql("INSERT INTO o VALUES (n, 'in values'), (1, 'a constant')")
    session.sql("INSERT INTO o SELECT (SELECT CAST(count(*) AS INT) FROM u), name FROM t")
    assert said() == [({"u"}, set(), {}), ({"u"}, set(), {}), ({"t", "u"}, {"y ← t.name IDENTITY"}, {})]


def test_a_variable_that_nobody_saw_being_set_is_opaque(
    session: SparkSession, capture: Callable[..., Any], tmp_path: Path
) -> None:
    session.sql("DECLARE VARIABLE n INT DEFAULT 0")
    session.sql("SET VARIABLE n = (SELECT max(v) - 7 FROM u)")
    said = Said(capture())

    session.sql("INSERT INTO o SELECT n, 'its default, as it happens'")
    session.sql("INSERT INTO o VALUES (n, 'in values'), (2, 'b')")
    session.sql("SELECT n FROM u").write.parquet(str(tmp_path / "out"))

    assert [opaque for _, _, opaque in said()] == [{"VariableReference": 1}] * 3
