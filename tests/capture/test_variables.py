"""Variables of sessions and scripts: every statement that reads one leads to the query that set it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from pyspark.sql import SparkSession

import headwater
from headwater.capture import watchdog
from headwater.capture.settings.settings import Settings
from headwater.rules.session.variables import Variables

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
                {_table(dataset) for dataset in event["inputs"]},
                set(_edges(event["outputs"][0]["facets"]["columnLineage"])),
                event["run"]["facets"].get("headwater_capture", {}).get("opaque", {}),
            )
            for event in events
            if event["eventType"] == "COMPLETE" and event["outputs"]
        ]


def _table(dataset: Mapping[str, Any]) -> str:
    return str(dataset["name"]).rpartition("/")[2]


def _edges(facet: Mapping[str, Any]) -> Iterator[str]:
    fields = {column: dataset["inputFields"] for column, dataset in facet["fields"].items()}
    for column, inputs in {**fields, "*": facet.get("dataset", ())}.items():
        for dataset in inputs:
            for way in dataset["transformations"]:
                yield f"{column} ← {_table(dataset)}.{dataset['field']} {way['subtype']}"


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


def test_loops_whose_rows_have_no_name(session: SparkSession, capture: Callable[..., Any]) -> None:
    """Spark makes up a name for the row, a new one with every turn."""
    said = Said(capture())
    row: Write = ({"t"}, {"x ← t.id IDENTITY", "y ← t.name IDENTITY"}, {})
    of_u: Write = ({"u"}, {"x ← u.k IDENTITY", "y ← u.v TRANSFORMATION"}, {})

    for _ in ("once", "and again"):
        session.sql(
            "BEGIN FOR SELECT id, name FROM t DO INSERT INTO o SELECT id, name; INSERT INTO o VALUES (id, name);"
            " END FOR;"
            " FOR SELECT k AS id, v AS name FROM u DO INSERT INTO o VALUES (id, name); END FOR; END"
        )
        assert said() == [row] * 4 + [of_u], "every turn, and the one loop is over when the other begins"

    session.sql(
        "BEGIN FOR SELECT id, name FROM t ORDER BY id DO"
        " FOR SELECT k, v FROM u WHERE k = 2 DO INSERT INTO o SELECT k, v; END FOR;"
        " FOR SELECT k, v FROM u DO INSERT INTO o SELECT id, v; END FOR; INSERT INTO o SELECT id, name; END FOR; END"
    )
    both: Write = ({"t", "u"}, {"x ← t.id IDENTITY", "x ← t.id SORT", "y ← u.v TRANSFORMATION"}, {})
    outer: Write = ({"t"}, {*row[1], "x ← t.id SORT", "y ← t.id SORT"}, {})
    assert said() == [both, outer] * 2

    session.sql(
        "BEGIN FOR SELECT k AS id FROM u DO FOR SELECT id FROM t WHERE age = 30 DO INSERT INTO o SELECT id, 'which?';"
        " END FOR; END FOR; END"
    )
    assert said() == [({"t", "u"}, {"x ← t.id IDENTITY", "x ← t.age FILTER", "x ← u.k IDENTITY"}, {"FOR": 1})]


def test_values_that_a_plan_shows_as_literals(session: SparkSession, capture: Callable[..., Any]) -> None:
    said = Said(capture())

    def run(*statements: str) -> list[Write]:
        for statement in statements:
            session.sql(statement)
        return said()

    of_t: Write = ({"t"}, {"x ← t.age AGGREGATION"}, {})
    of_u: Write = ({"u"}, {"x ← u.v AGGREGATION"}, {})
    assert run(
        "DECLARE VARIABLE n INT DEFAULT 0",
        "SET VARIABLE n = (SELECT max(v) FROM u)",
        "INSERT INTO o SELECT int(id), 'numbers' FROM range(0, n + 1)",
        "INSERT INTO o SELECT id, name FROM t LIMIT n",
        "INSERT INTO o SELECT id, name FROM t ORDER BY age LIMIT 5 OFFSET n",
    ) == [
        ({"u"}, {"x ← u.v AGGREGATION", "* ← u.v FILTER"}, {}),
        ({"t", "u"}, {"x ← t.id IDENTITY", "y ← t.name IDENTITY", "* ← u.v FILTER"}, {}),
        ({"t", "u"}, {"x ← t.id IDENTITY", "y ← t.name IDENTITY", "* ← u.v FILTER", "* ← t.age SORT"}, {}),
    ]

    assert run(
        "INSERT INTO o SELECT q, z FROM (SELECT id, age, 'z' AS z FROM t) PIVOT (sum(age) FOR id IN (n AS q, 2 AS r))"
    ) == [({"t", "u"}, {"x ← t.age AGGREGATION", "x ← t.id CONDITIONAL", "* ← u.v FILTER"}, {"PIVOT": 1})]
    assert run(
        "BEGIN INSERT INTO o SELECT id, name FROM t;"
        " INSERT INTO o SELECT z, q FROM (SELECT id, name, 3 AS z FROM t) PIVOT (max(name) FOR id IN (n AS q)); END"
    ) == [
        ({"t"}, {"x ← t.id IDENTITY", "y ← t.name IDENTITY"}, {}),
        ({"t", "u"}, {"y ← t.name AGGREGATION", "y ← t.id CONDITIONAL", "y ← u.v CONDITIONAL"}, {}),
    ]

    # A variable of a script is not meant after it, nor by what another run of it has declared there.
    script = (
        "BEGIN DECLARE n INT DEFAULT 1; IF (SELECT max(x) FROM o) < 9000 THEN SET n = (SELECT max(age) FROM t); END IF;"
        " INSERT INTO o VALUES (n, 'its own'); CREATE TABLE IF NOT EXISTS p AS SELECT x FROM VALUES (n) AS q(x);"
        " INSERT INTO o VALUES (9001, 'no more'); END"
    )
    assert run(script, "INSERT INTO o VALUES (n, 'the session has another')") == [of_t, of_t, NOTHING, of_u]
    assert run(script)[0] == NOTHING
    assert run(
        "BEGIN DECLARE n INT; EXECUTE IMMEDIATE 'SELECT max(age) FROM t' INTO n; INSERT INTO o VALUES (n, 'into');"
        " EXECUTE IMMEDIATE 'INSERT INTO o VALUES (n, ''of the session'')'; END"
    ) == [of_t, of_u]

    session.sql("SELECT x, 'a frame' AS y FROM VALUES (n) AS q(x)").write.insertInto("o")
    assert said() == [of_u]
    frame = session.sql("SELECT x, 'a frame' AS y FROM VALUES (n) AS q(x)")
    session.sql("SET VARIABLE n = (SELECT max(age) FROM t)")
    frame.write.insertInto("o")
    assert said() == [({"t", "u"}, {*of_t[1], *of_u[1]}, {"VariableReference": 1})], "nobody saw it being made"


def test_a_variable_reads_what_its_own_value_reads(session: SparkSession, capture: Callable[..., Any]) -> None:
    said = Said(capture())
    session.sql("DECLARE VARIABLE a INT")
    session.sql("DECLARE VARIABLE b INT")
    session.sql("SET VARIABLE a = (SELECT max(age) FROM t), b = (SELECT count(*) FROM u)")
    session.sql("INSERT INTO o SELECT a, 'a'")
    session.sql("INSERT INTO o SELECT b, 'b'")

    assert said() == [({"t"}, {"x ← t.age AGGREGATION"}, {}), ({"u"}, set(), {})]


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

    session.sql("DECLARE VARIABLE m INT DEFAULT 0")
    session.sql("EXECUTE IMMEDIATE 'SELECT max(age) FROM t WHERE id < ?' INTO m USING n")
    session.sql("INSERT INTO o SELECT m, 'into a variable'")
    session.sql("SET VARIABLE m = 0")
    frame = session.sql("EXECUTE IMMEDIATE 'SELECT ? AS x, ''a frame'' AS y' USING n")
    frame.unionAll(session.sql("SELECT 8 AS x, 'another: text?' AS y")).write.insertInto("o")

    assert said() == [
        ({"t", "u"}, {"x ← t.age AGGREGATION", "x ← t.id FILTER", "x ← u.v FILTER"}, {"parameter": 1}),
        ({"u"}, {"x ← u.v AGGREGATION"}, {"parameter": 1}),
    ], "the text of a query may be another than the statement's"


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


def test_the_lineage_of_a_frame_leads_through_its_variables(session: SparkSession, tmp_path: Path) -> None:
    settings = {"type": "file", "location": str(tmp_path / "events.jsonl")}
    for key, value in settings.items():
        session.conf.set(f"spark.headwater.transport.{key}", value)
    with headwater.track(session):
        session.sql("DECLARE VARIABLE n INT DEFAULT 0")
        session.sql("SET VARIABLE n = (SELECT max(age) FROM t)")

        for found in (
            headwater.lineage(session.sql("SELECT n AS x")),
            headwater.lineage(session, "INSERT INTO o VALUES (n, 'a')"),
        ):
            assert [source.field for source in found.columns["x"]] == ["age"]
            assert not found.opaque


def test_a_set_that_is_ended_half_way_leaves_no_variable_with_its_old_value(
    session: SparkSession, capture: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watchdog, "_LOOK_SECONDS", 0.05)
    monkeypatch.setattr(watchdog, "_IDLE_LOOKS", 6)
    monkeypatch.setattr(watchdog, "_GRACE_SECONDS", 0.2)
    captured = capture(Settings(statement_millis=100))
    said = Said(captured)
    for statement in (
        "DECLARE VARIABLE first INT",
        "DECLARE VARIABLE second STRING",
        "SET VARIABLE (first, second) = (SELECT v, string(k) FROM u)",
    ):
        session.sql(statement)
    assert captured.tracker.flush()
    before = Variables.set

    def stuck_after_the_first(*told: Any) -> None:  # noqa: ANN401
        before(*told)
        threading.Event().wait()

    with monkeypatch.context() as patched:
        patched.setattr(Variables, "set", stuck_after_the_first)
        session.sql("SET VARIABLE (first, second) = (SELECT id, name FROM t LIMIT 1)")
        assert captured.tracker.flush()
    session.sql("INSERT INTO o SELECT first, second")

    ((_, _, opaque),) = said()
    assert opaque == {"VariableReference": 2}
