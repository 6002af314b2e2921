"""PostgreSQL behind JDBC, for real: tables, queries, writing, a catalog of its own, and ways into other systems."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from tests.capture.conftest import Capture
from tests.capture.event_summary import columns, names, opaque
from tests.postgres import Postgres

import headwater
from headwater.capture.tracker import Tracker

pytestmark = [pytest.mark.spark, pytest.mark.lake]

TABLES = """
    DROP SCHEMA IF EXISTS sales CASCADE; DROP SCHEMA public CASCADE; CREATE SCHEMA public; CREATE SCHEMA sales;
    CREATE TABLE users (id INT, name TEXT, age INT);
    INSERT INTO users VALUES (1, 'Ann', 30), (2, 'Bob', 40);
    CREATE TABLE sales.orders (id INT, user_id INT, amount NUMERIC(10, 2));
    INSERT INTO sales.orders VALUES (7, 1, 10.50);
"""


class Shop:
    """The database, and the ways to it."""

    def __init__(self, spark: SparkSession, server: Postgres) -> None:
        self.spark = spark
        self.server = server

    def read(self, **options: str) -> DataFrame:
        return self.spark.read.format("jdbc").options(**self.server.options(), **options).load()

    def write(self, frame: DataFrame, table: str, mode: str = "append") -> None:
        frame.write.format("jdbc").options(**self.server.options(), dbtable=table).mode(mode).save()

    def name(self, table: str) -> tuple[str, str]:
        """What a table is called in events."""
        return self.server.namespace, f"shop.{table}"


@pytest.fixture
def shop(spark: SparkSession, postgres: Postgres) -> Shop:
    """Fresh tables."""
    postgres.run(TABLES)
    return Shop(spark, postgres)


def test_an_rdd_over_a_table_and_a_query(shop: Shop, capture: Callable[[], Capture], tmp_path: Path) -> None:
    captured = capture()
    orders = shop.read(query="SELECT user_id AS id, amount FROM sales.orders")

    joined = shop.read(dbtable="users").join(orders, "id").rdd
    joined.map(lambda row: (row[1],)).toDF("name STRING").write.parquet(f"{tmp_path}/out")

    assert names(captured.last["inputs"]) == {shop.name("users"), shop.name("sales.orders")}
    assert "users.name TRANSFORMATION" in columns(captured.last["outputs"][0])["name"]
    assert opaque(captured.last) == {"LogicalRDD": 1}


@pytest.mark.parametrize(
    ("table", "name"),
    [
        pytest.param("users", "users", id="as it is written"),
        pytest.param("public.users", "public.users", id="with its schema"),
        pytest.param('"public"."users"', "public.users", id="in quotes"),
        pytest.param("users u", "users", id="under another name"),
        pytest.param("ONLY users", "users", id="without the tables that inherit from it"),
        pytest.param('public . "users" AS u', "public.users", id="under another name with AS"),
    ],
)
def test_reads_a_table(shop: Shop, capture: Callable[[], Capture], tmp_path: Path, table: str, name: str) -> None:
    captured = capture()

    shop.read(dbtable=table).where("age > 20").selectExpr("id", "upper(name) AS big").write.parquet(f"{tmp_path}/out")

    assert names(captured.last["inputs"]) == {shop.name(name)}
    assert names(captured.last["outputs"]) == {("file", f"{tmp_path}/out")}
    assert columns(captured.last["outputs"][0]) == {
        "id": ["users.id IDENTITY"],
        "big": ["users.name TRANSFORMATION"],
        "rows": ["users.age FILTER"],
    }
    assert [field["name"] for field in captured.last["inputs"][0]["facets"]["schema"]["fields"]] == [
        "id",
        "name",
        "age",
    ]
    assert captured.last["inputs"][0]["inputFacets"]["inputStatistics"]["rowCount"] == 2


def test_a_read_in_partitions_is_one_dataset(shop: Shop, capture: Callable[[], Capture], tmp_path: Path) -> None:
    captured = capture()

    parts = {"partitionColumn": "id", "lowerBound": "0", "upperBound": "4", "numPartitions": "2"}
    shop.read(dbtable="users", **parts).write.parquet(f"{tmp_path}/out")

    assert names(captured.last["inputs"]) == {shop.name("users")}
    assert columns(captured.last["outputs"][0])["age"] == ["users.age IDENTITY"]


def test_predicates_are_filters(shop: Shop, capture: Callable[[], Capture], tmp_path: Path) -> None:
    captured = capture()

    def read(table: str, *predicates: str) -> dict[str, list[str]]:
        options = shop.server.options()
        url = options.pop("url")
        frame = shop.spark.read.jdbc(url, table, predicates=list(predicates), properties=options)
        frame.write.mode("overwrite").parquet(f"{tmp_path}/out")
        return columns(captured.last["outputs"][0])

    copies = {name: [f"users.{name} IDENTITY"] for name in ("id", "name", "age")}
    assert read("users", "age < 35", "age >= 35 AND name <> 'x'") == {
        **copies, "rows": ["users.age FILTER", "users.name FILTER"],
    }  # fmt: skip
    assert names(captured.last["inputs"]) == {shop.name("users")}
    assert captured.last["inputs"][0]["facets"]["schema"]["fields"][0]["type"] == "integer"

    assert read('"users" u', "u.id IN (SELECT user_id FROM sales.orders)") == {
        **copies, "rows": ["orders.user_id FILTER", "users.id FILTER"],
    }  # fmt: skip
    assert names(captured.last["inputs"]) == {shop.name("users"), shop.name("sales.orders")}

    assert read("(SELECT id, age * 2 AS twice FROM users) q", "twice > 60") == {
        "id": ["users.id IDENTITY"], "twice": ["users.age TRANSFORMATION"], "rows": ["users.age FILTER"],
    }  # fmt: skip
    assert opaque(captured.last) == {}

    assert read("users", "1 = 1") == copies


def test_predicates_over_what_runs_before(shop: Shop, capture: Callable[[], Capture], tmp_path: Path) -> None:
    captured = capture()
    options = {**shop.server.options(), "prepareQuery": "WITH grown AS (SELECT id, name FROM users WHERE age > 20)"}

    frame = shop.spark.read.jdbc(options.pop("url"), "grown g", predicates=["g.id < 2 -- half"], properties=options)
    frame.write.parquet(f"{tmp_path}/out")

    assert names(captured.last["inputs"]) == {shop.name("users")}
    assert columns(captured.last["outputs"][0]) == {
        "id": ["users.id IDENTITY"],
        "name": ["users.name IDENTITY"],
        "rows": ["users.age FILTER", "users.id FILTER"],
    }
    assert opaque(captured.last) == {}


def test_what_runs_before_a_query_belongs_to_it(shop: Shop, capture: Callable[[], Capture], tmp_path: Path) -> None:
    captured = capture()
    before = "WITH grown AS (SELECT id, upper(name) AS big FROM users WHERE age > 20)"

    for option in ({"query": "SELECT big FROM grown WHERE id < 9"}, {"dbtable": "grown"}):
        shop.read(prepareQuery=before, **option).select("big").write.mode("overwrite").parquet(f"{tmp_path}/out")

        assert names(captured.last["inputs"]) == {shop.name("users")}
        sources = columns(captured.last["outputs"][0])
        assert sources["big"] == ["users.name TRANSFORMATION"]
        assert sources["rows"] == ["users.age FILTER", "users.id FILTER"][: 2 if "query" in option else 1]
        assert opaque(captured.last) == {}


def test_a_table_of_sparks_own_catalog_is_the_one_behind_it(shop: Shop, capture: Callable[[], Capture]) -> None:
    said = ", ".join(f"{key} '{value}'" for key, value in shop.server.options().items())
    shop.spark.sql(f"CREATE TABLE behind USING jdbc OPTIONS ({said}, dbtable 'public.users u')")
    shop.spark.sql(f"CREATE TABLE target USING jdbc OPTIONS ({said}, dbtable 'sales.orders')")
    captured = capture()

    shop.spark.sql("INSERT INTO target SELECT id, age, 1 FROM behind")

    assert names(captured.last["inputs"]) == {shop.name("public.users")}
    assert names(captured.last["outputs"]) == {shop.name("sales.orders")}
    shop.spark.sql("DROP TABLE behind")
    shop.spark.sql("DROP TABLE target")


JOIN = """
    SELECT u.name, o.amount * 2 AS twice FROM users u JOIN sales.orders o ON o.user_id = u.id WHERE u.age > 20
"""


@pytest.mark.parametrize("option", [{"query": JOIN}, {"dbtable": f"({JOIN}) AS joined"}], ids=["query", "dbtable"])
def test_reads_what_a_query_in_the_database_gives(
    shop: Shop, capture: Callable[[], Capture], tmp_path: Path, option: dict[str, str]
) -> None:
    captured = capture()

    shop.read(**option).write.parquet(f"{tmp_path}/out")

    assert names(captured.last["inputs"]) == {shop.name("users"), shop.name("sales.orders")}
    sources = columns(captured.last["outputs"][0])
    assert sources["name"] == ["users.name IDENTITY"]
    assert sources["twice"] == ["orders.amount TRANSFORMATION"]
    assert sources["rows"] == ["orders.user_id JOIN", "users.age FILTER", "users.id JOIN"]
    assert opaque(captured.last) == {}


def test_a_query_that_nobody_can_read_says_so(shop: Shop, capture: Callable[[], Capture], tmp_path: Path) -> None:
    shop.server.run("CREATE FUNCTION made() RETURNS SETOF users LANGUAGE SQL AS 'SELECT * FROM users'")
    captured = capture()

    shop.read(query="SELECT name FROM made()").write.parquet(f"{tmp_path}/out")

    assert opaque(captured.last)


@pytest.mark.parametrize(
    ("mode", "change"), [("append", None), ("overwrite", "OVERWRITE"), ("ignore", None), ("error", None)]
)
def test_writes_a_table(shop: Shop, capture: Callable[[], Capture], mode: str, change: str | None) -> None:
    if mode != "error":
        shop.server.run("CREATE TABLE copies (id INT, older INT)")
    captured = capture()

    shop.write(shop.read(dbtable="users").selectExpr("id", "age + 1 AS older"), "copies", mode)

    assert names(captured.last["inputs"]) == {shop.name("users")}
    assert names(captured.last["outputs"]) == {shop.name("copies")}
    output = captured.last["outputs"][0]
    assert columns(output) == {"id": ["users.id IDENTITY"], "older": ["users.age TRANSFORMATION"]}
    assert output["facets"].get("lifecycleStateChange", {}).get("lifecycleStateChange") == change
    runs = {event["run"]["runId"] for event in captured.events}
    assert len(runs) == 1, "the execution inside the command is no run of its own"


@pytest.fixture
def catalog(shop: Shop) -> Iterator[str]:
    """The database as a catalog of the second data source API."""
    conf = shop.spark.conf
    settings = {
        "spark.sql.catalog.pg": "org.apache.spark.sql.execution.datasources.v2.jdbc.JDBCTableCatalog",
        **{f"spark.sql.catalog.pg.{key}": value for key, value in shop.server.options().items()},
    }
    for key, value in settings.items():
        conf.set(key, value)
    yield "pg"
    for key in settings:
        conf.unset(key)


@pytest.mark.usefixtures("catalog")
def test_a_catalog_over_jdbc_has_the_names_of_the_tables_behind_it(shop: Shop, capture: Callable[[], Capture]) -> None:
    captured = capture()

    shop.spark.sql("CREATE TABLE pg.sales.adults AS SELECT id, upper(name) AS big FROM pg.public.users WHERE age > 20")
    created = captured.last
    shop.spark.sql("INSERT INTO pg.sales.adults SELECT id, 'order' FROM pg.sales.orders")
    inserted = captured.last
    shop.spark.sql("DROP TABLE pg.sales.adults")
    dropped = captured.last

    adults = {shop.name("sales.adults")}
    assert [names(event["outputs"]) for event in (created, inserted, dropped)] == [adults] * 3
    assert [names(event["inputs"]) for event in (created, inserted)] == [
        {shop.name("public.users")},
        {shop.name("sales.orders")},
    ]
    assert columns(created["outputs"][0]) == {
        "id": ["users.id IDENTITY"],
        "big": ["users.name TRANSFORMATION"],
        "rows": ["users.age FILTER"],
    }
    assert columns(inserted["outputs"][0]) == {"id": ["orders.id IDENTITY"], "big": []}


# --- from the first data source API into the second ------------------------------------------------------------------


def _into_iceberg(frame: DataFrame, table: str) -> None:
    frame.writeTo(f"lake.mixed.{table}").using("iceberg").createOrReplace()


def _into_delta(frame: DataFrame, table: str) -> None:
    frame.write.format("delta").saveAsTable(table)


def _appended(frame: DataFrame, table: str) -> None:
    frame.sparkSession.sql(f"CREATE OR REPLACE TABLE lake.mixed.{table} (id INT, adjusted INT) USING iceberg")
    frame.writeTo(f"lake.mixed.{table}").append()


SINKS = {"iceberg": _into_iceberg, "delta": _into_delta, "append": _appended}


@pytest.mark.parametrize("sink", SINKS)
@pytest.mark.parametrize("source", ["jdbc", "csv"])
def test_columns_are_followed_from_v1_sources_into_v2_sinks(
    shop: Shop, capture: Callable[[], Capture], tmp_path: Path, source: str, sink: str
) -> None:
    if source == "jdbc":
        frame = shop.read(dbtable="users")
        name = shop.name("users")
    else:
        (tmp_path / "users").mkdir()
        (tmp_path / "users" / "part.csv").write_text("id,name,age\n1,Ann,30\n", encoding="utf-8")
        frame = shop.spark.read.csv(f"{tmp_path}/users", header=True, schema="id INT, name STRING, age INT")
        name = ("file", f"{tmp_path}/users")
    captured = capture()

    SINKS[sink](frame.where("name <> 'Bob'").selectExpr("id", "age + 10 AS adjusted"), f"from_{source}_{sink}")

    assert names(captured.last["inputs"]) == {name}
    assert columns(captured.last["outputs"][0]) == {
        "id": ["users.id IDENTITY"],
        "adjusted": ["users.age TRANSFORMATION"],
        "rows": ["users.name FILTER"],
    }
    assert opaque(captured.last) == {}


# --- secrets ---------------------------------------------------------------------------------------------------------


def test_a_password_is_in_no_event_and_in_no_log(
    shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The spool takes the events, since nothing listens at the address; then its bytes are searched."""
    for name in ("headwater", "openlineage", "urllib3"):
        caplog.set_level(logging.DEBUG, logger=name)
    spark, server = shop.spark, shop.server
    settings = {
        "spark.headwater.transport.type": "composite",
        "spark.headwater.transport.transports.dead.type": "http",
        "spark.headwater.transport.transports.dead.url": "http://127.0.0.1:9",
        "spark.headwater.transport.transports.dead.timeoutInMillis": "200",
        "spark.headwater.transport.transports.kept.type": "file",
        "spark.headwater.transport.transports.kept.location": f"{tmp_path}/events.jsonl",
        "spark.headwater.spool.directory": f"{tmp_path}/spool",
    }
    for key, value in settings.items():
        spark.conf.set(key, value)
    monkeypatch.chdir(tmp_path)
    url = f"{server.url()}?user={server.user}&password={server.password}"
    driver = "org.postgresql.Driver"

    with headwater.track(spark) as tracker:
        assert isinstance(tracker, Tracker)
        shop.read(dbtable="users").write.parquet(f"{tmp_path}/by_option")
        spark.read.jdbc(url, "users", properties={"driver": driver}).write.parquet(f"{tmp_path}/by_url")
        spark.read.format("jdbc").option("driver", driver).option("url", url).option(
            "query", f"SELECT id, '{server.password}' AS secret FROM users"
        ).load().drop("secret").write.parquet(f"{tmp_path}/by_query")
        spark.sql(
            f"CREATE TABLE by_sql USING jdbc OPTIONS (url '{url}', dbtable 'users', driver '{driver}',"
            f" user '{server.user}', password '{server.password}')"
        )
        spark.sql("INSERT INTO by_sql SELECT id, name, age FROM by_sql WHERE false")
        with pytest.raises(Exception, match="does not exist"):
            spark.read.jdbc(url, "nowhere", properties={"driver": driver}).write.parquet(f"{tmp_path}/no")
        shop.write(shop.read(dbtable="users"), "copies")
        spark.sql("DROP TABLE by_sql")
    for key in settings:
        spark.conf.unset(key)

    written = [file for file in tmp_path.rglob("*") if file.is_file() and file.suffix != ".parquet"]
    lines = (tmp_path / "events.jsonl").read_text(encoding="utf-8").splitlines()
    outputs: list[Any] = [name for line in lines for _, name in names(json.loads(line).get("outputs", ()))]
    assert {"shop.copies", f"{tmp_path}/by_url", f"{tmp_path}/by_query"} <= set(outputs)
    assert any("spool" in file.parts for file in written)
    secret = server.password.encode()
    assert [str(file) for file in written if secret in file.read_bytes()] == []
    assert server.password not in caplog.text
