"""Views of Spark's own catalog on a real Spark: from the statement to the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.ask import ask, impact

from headwater.query.graph.answer import Direction
from headwater.store import open_store

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from headwater.store import Store

pytestmark = pytest.mark.spark

UP, DOWN = Direction.UPSTREAM, Direction.DOWNSTREAM


class Warehouse:
    """A Spark whose events go into a store; tables by the last part of their names."""

    def __init__(self, spark: SparkSession, captured: Any, store: Store, database: str) -> None:  # noqa: ANN401
        self.spark = spark
        self.captured = captured
        self.store = store
        self.database = database
        self._taken = 0

    def run(self, *statements: str) -> None:
        for statement in statements:
            self.spark.sql(statement)
        self.take()

    def take(self) -> None:
        events = list(self.captured.all)
        self.store.ingest(events[self._taken :])
        self._taken = len(events)

    def upstream(self, table: str, column: str | None = None) -> list[str]:
        return self._edges(UP, table, column)

    def downstream(self, table: str, column: str | None = None) -> list[str]:
        return self._edges(DOWN, table, column)

    def reached(self, table: str, column: str) -> list[str]:
        with self.store.read() as session:
            answer = impact(session, self._name(table), column)
        columns = [(item.name.name, one.node.field.field) for item in answer.datasets for one in item.columns]
        return [f"{Path(name).name}.{field}" for name, field in columns]

    def definitions(self) -> list[str]:
        """The views whose definitions were sent."""
        return [Path(event["dataset"]["name"]).name for event in self.captured.all if "dataset" in event]

    def _edges(self, direction: Direction, table: str, column: str | None) -> list[str]:
        answer = ask(self.store, direction, self._name(table), column)
        return sorted(
            f"{Path(edge.origin.name).name}.{edge.origin.field or '*'}"
            f" -> {Path(edge.destination.name).name}.{edge.destination.field or '*'}"
            for edge in answer.edges
        )

    def _name(self, table: str) -> str:
        return f"{self.database}.{table}"


@pytest.fixture
def warehouse(
    spark: SparkSession, capture: Callable[..., Any], fresh_database: str, tmp_path: Path
) -> Iterator[Warehouse]:
    """A database with a table `t`, tracked from now on."""
    for name in ("t", "u", "v", "w"):  # a temporary view of another test would hide the table
        spark.catalog.dropTempView(name)
    spark.sql("CREATE TABLE t (name STRING, flag INT) USING parquet")
    spark.sql("CREATE VIEW before_tracking AS SELECT lower(name) AS low FROM t WHERE flag > 0")
    with open_store(str(tmp_path / "lineage.db")) as store:
        yield Warehouse(spark, capture(), store, fresh_database)


def test_a_view_has_readers_and_sources(warehouse: Warehouse) -> None:
    warehouse.run("CREATE VIEW v AS SELECT upper(name) n FROM t", "CREATE TABLE u USING parquet AS SELECT n FROM v")
    assert warehouse.reached("v", "n") == ["u.n"]
    assert warehouse.upstream("u", "n") == ["t.name -> v.n", "v.n -> u.n"]
    assert warehouse.downstream("t", "name") == ["t.name -> v.n", "v.n -> u.n"]
    assert warehouse.definitions() == ["v"]


def test_the_event_stays_what_others_expect(warehouse: Warehouse) -> None:
    warehouse.run("CREATE TABLE u USING parquet AS SELECT low FROM before_tracking")
    event = warehouse.captured.last
    assert [Path(source["name"]).name for source in event["inputs"]] == ["t"]
    (source,) = event["outputs"][0]["facets"]["columnLineage"]["fields"]["low"]["inputFields"]
    assert (Path(source["name"]).name, source["field"]) == ("t", "name")


def test_a_view_that_was_made_before_tracking_is_defined_by_its_first_reader(warehouse: Warehouse) -> None:
    for table in ("u", "w"):
        warehouse.run(f"CREATE TABLE {table} USING parquet AS SELECT low FROM before_tracking")
    assert warehouse.definitions() == ["before_tracking"]
    assert warehouse.upstream("u", "low") == [
        "before_tracking.low -> u.low",
        "t.flag -> before_tracking.*",
        "t.name -> before_tracking.low",
    ]
    assert warehouse.reached("t", "flag") == ["before_tracking.low", "u.low", "w.low"]


def test_a_view_over_a_view(warehouse: Warehouse) -> None:
    warehouse.run(
        "CREATE VIEW v AS SELECT upper(name) n, flag FROM t",
        "CREATE VIEW w AS SELECT n || '!' m FROM v WHERE flag > 1",
        "CREATE TABLE u USING parquet AS SELECT m FROM w",
    )
    assert warehouse.upstream("u", "m") == [
        "t.flag -> v.flag", "t.name -> v.n", "v.flag -> w.*", "v.n -> w.m", "w.m -> u.m",
    ]  # fmt: skip
    assert warehouse.definitions() == ["v", "w"]


def test_the_rows_of_a_view_count_where_no_column_is_taken(warehouse: Warehouse) -> None:
    warehouse.run("CREATE TABLE u USING parquet AS SELECT count(*) AS many FROM before_tracking")
    assert "u.many" in warehouse.reached("t", "flag")


def test_rows_are_counted_beside_a_column_and_through_a_copy(warehouse: Warehouse) -> None:
    warehouse.run(
        "CREATE TABLE u USING parquet AS SELECT name FROM t WHERE flag > 0",
        "CREATE TABLE v USING parquet AS SELECT upper(name) AS n FROM u",
        "CREATE TABLE w USING parquet AS SELECT count(*) AS many, max(n) AS last FROM v",
    )
    assert warehouse.upstream("w", "many") == ["t.flag -> u.*", "u.* -> v.*", "v.* -> w.many"]
    assert "w.many" in warehouse.reached("t", "flag")
    assert "w.many" not in warehouse.reached("t", "name")


@pytest.mark.parametrize(
    "query",
    [
        "SELECT (SELECT count(*) FROM f) + s.y AS a, (SELECT max(x) FROM f) AS m FROM s",
        "SELECT count(*) + max(s.y) AS a, max(f.x) AS m FROM f CROSS JOIN s",
        "SELECT sum(s.y) AS a, max(f.x) AS m FROM f CROSS JOIN s",
        "SELECT s.y AS a, f.x FROM f CROSS JOIN s",
        "SELECT sum(c) AS a, max(x) AS m FROM (SELECT x, 1 AS c FROM f UNION ALL SELECT k, y FROM s)",
        "SELECT c AS a, x AS m FROM (SELECT x, 1 AS c FROM f UNION ALL SELECT k, y FROM s)",
        "SELECT count(*) OVER () + s.y AS a, f.x FROM f CROSS JOIN s",
        "SELECT max(c) AS a, max(x) AS m FROM (SELECT row_number() OVER (ORDER BY y) AS c, x FROM s CROSS JOIN f)",
        "SELECT y + (SELECT first(3) FROM f) AS a, (SELECT max(x) FROM f) AS m FROM s",
        "SELECT y AS a, (SELECT max(x) FROM f) AS m FROM s WHERE EXISTS (SELECT 1 FROM f)",
        "SELECT y + (SELECT count(*) FROM (SELECT 1 FROM f LIMIT 2)) AS a, (SELECT max(x) FROM f) AS m FROM s",
        "WITH c AS (SELECT count(*) AS n FROM f) SELECT y + n AS a, (SELECT min(x) FROM f) AS m FROM s CROSS JOIN c",
        "SELECT y + monotonically_increasing_id() AS a, x AS m FROM s CROSS JOIN f LIMIT 3",
        "SELECT IF(y > 1, 'a', 'b') AS a, x AS m FROM (SELECT x FROM f) LEFT JOIN s ON true",
        "SELECT named_struct('k', y, 'n', (SELECT count(*) FROM f)) AS a, (SELECT max(x) FROM f) AS m FROM s",
    ],
)
def test_what_filters_rows_reaches_columns_that_count_them_and_come_from_elsewhere(
    warehouse: Warehouse, query: str
) -> None:
    warehouse.run(
        "CREATE TABLE s USING parquet AS SELECT flag AS y, flag AS k FROM t",
        "CREATE TABLE z (x INT, z INT) USING parquet",
        "CREATE TABLE f USING parquet AS SELECT x FROM z WHERE z > 1",
        f"CREATE TABLE u USING parquet AS {query}",
        "CREATE VIEW v AS SELECT * FROM u",
    )
    assert {"u.a", "v.a"} <= {name.replace(".n", "") for name in warehouse.reached("z", "z")}


def test_what_filters_rows_reaches_views_and_outputs_beside_others_that_count_them(warehouse: Warehouse) -> None:
    warehouse.run(
        "CREATE TABLE z (x INT, z INT) USING parquet",
        "CREATE TABLE f USING parquet AS SELECT x FROM z WHERE z > 1",
        "CREATE VIEW v AS SELECT count(*) + max(t.flag) AS n FROM f CROSS JOIN t",
        "CREATE VIEW w AS SELECT count(*) AS n FROM f",
        "CREATE TABLE u USING parquet AS SELECT n + (SELECT count(*) FROM w) AS n, (SELECT max(n) FROM w) AS m FROM v",
        "CREATE TABLE out (x INT) USING parquet",
        "CREATE TABLE counts (n BIGINT, flag INT) USING parquet",
        "FROM f CROSS JOIN t INSERT INTO out SELECT x INSERT INTO counts SELECT count(*), max(flag)",
    )
    assert {"v.n", "w.n", "u.n", "u.m", "counts.n", "counts.flag"} <= set(warehouse.reached("z", "z"))


def test_another_definition_and_the_end_of_a_view(warehouse: Warehouse) -> None:
    warehouse.run("CREATE VIEW v AS SELECT name n FROM t", "CREATE TABLE u USING parquet AS SELECT n FROM v")
    warehouse.run("CREATE OR REPLACE VIEW v AS SELECT cast(flag AS STRING) n FROM t")
    assert warehouse.upstream("u", "n") == ["t.flag -> v.n", "v.n -> u.n"]
    warehouse.run("ALTER VIEW v AS SELECT name n FROM t", "INSERT INTO u SELECT n FROM v")
    assert warehouse.upstream("v", "n") == ["t.name -> v.n"]
    warehouse.run("DROP VIEW v")
    assert set(warehouse.upstream("u", "n")) == {"t.name -> v.n", "v.n -> u.n"}
    assert warehouse.captured.last["outputs"][0]["facets"]["lifecycleStateChange"]["lifecycleStateChange"] == "DROP"


@pytest.mark.parametrize(
    "read",
    [
        "INSERT INTO u SELECT n FROM v",
        "INSERT OVERWRITE u SELECT n FROM v",
        "WITH w AS (SELECT n FROM v) INSERT INTO u SELECT n FROM w",
        "INSERT INTO u SELECT l.n FROM v l JOIN v r ON l.n = r.n",
        "INSERT INTO u SELECT n FROM tv",
        "INSERT INTO u SELECT (SELECT max(n) FROM v)",
    ],
)
def test_however_it_is_read(warehouse: Warehouse, read: str) -> None:
    warehouse.run(
        "CREATE VIEW v AS SELECT upper(name) n FROM t",
        "CREATE TABLE u (n STRING) USING parquet",
        "CREATE OR REPLACE TEMPORARY VIEW tv AS SELECT n FROM v",
        read,
    )
    assert warehouse.reached("v", "n") == ["u.n"]
    assert set(warehouse.upstream("u", "n")) - {"v.n -> u.*"} == {"t.name -> v.n", "v.n -> u.n"}


@pytest.mark.parametrize("keep", ["cache", "checkpoint", "localCheckpoint", "rdd", "variable", "foreachBatch"])
def test_through_what_a_session_keeps(warehouse: Warehouse, tmp_path: Path, keep: str) -> None:
    spark, out = warehouse.spark, str(tmp_path / "out")
    warehouse.run("CREATE VIEW v AS SELECT upper(name) n FROM t", "INSERT INTO t VALUES ('x', 1)")
    if keep == "variable":
        if spark.version.startswith("3."):
            pytest.skip("variables came with Spark 4")
        warehouse.run("DECLARE OR REPLACE VARIABLE most STRING", "SET VAR most = (SELECT max(n) FROM v)")
        spark.sql("SELECT most AS n").write.parquet(out)
    elif keep == "foreachBatch":
        _stream_over(spark, tmp_path, lambda _frame, _id: spark.table("v").write.mode("append").parquet(out))
    else:
        frame = spark.table("v")
        if keep == "checkpoint":
            spark.sparkContext.setCheckpointDir(str(tmp_path / "checkpoints"))
        kept = spark.createDataFrame(frame.rdd, frame.schema) if keep == "rdd" else getattr(frame, keep)()
        kept.write.parquet(out)
    warehouse.take()
    reached = warehouse.reached("v", "n")
    assert reached == ["out.n"]
    assert "out.n" in warehouse.reached("t", "name")


def _stream_over(spark: SparkSession, tmp_path: Path, work: Callable[[DataFrame, int], None]) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "one.json").write_text('{"a": 1}\n')
    stream = spark.readStream.schema("a INT").json(str(tmp_path / "in"))
    query = stream.writeStream.foreachBatch(work).trigger(availableNow=True).start()
    query.awaitTermination()


def test_a_table_beside_its_view(warehouse: Warehouse) -> None:
    warehouse.run(
        "CREATE VIEW v AS SELECT upper(name) n FROM t",
        "CREATE TABLE u USING parquet AS SELECT v.n, t.flag FROM v JOIN t ON v.n = t.name",
    )
    assert warehouse.upstream("u", "flag") == ["t.flag -> u.flag", "t.name -> u.*", "t.name -> v.n", "v.n -> u.*"]
    assert warehouse.reached("v", "n") == ["u.flag", "u.n"]
