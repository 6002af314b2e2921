"""Iceberg and Delta tables in events: names, versions, statistics, time travel, branches, paths."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrameWriterV2, SparkSession, functions
from tests.capture.conftest import Capture
from tests.capture.connectors.conftest import VERSION
from tests.capture.event_summary import columns, names

pytestmark = [pytest.mark.spark, pytest.mark.lake]


class Shop:
    """A table `orders` with two versions, the first with two rows, the second with three; and how it is called."""

    def __init__(self, spark: SparkSession, table: str, provider: str) -> None:
        self.spark = spark
        self.table = table
        self.provider = provider
        spark.sql(f"CREATE TABLE {table} USING {provider} AS SELECT id, id * 2 AS amount FROM range(2)")
        spark.sql(f"INSERT INTO {table} SELECT 9, 9")

    @property
    def versions(self) -> list[str]:
        """The versions that are there, the oldest first."""
        if self.provider == "iceberg":
            rows = self.spark.sql(f"SELECT snapshot_id FROM {self.table}.snapshots ORDER BY committed_at").collect()
        else:
            rows = self.spark.sql(f"DESCRIBE HISTORY {self.table}").select("version").orderBy("version").collect()
        return [str(row[0]) for row in rows]


@pytest.fixture(params=["iceberg", "delta"])
def shop(spark: SparkSession, request: pytest.FixtureRequest) -> Iterator[Shop]:
    """The table, in a database of the test's own."""
    catalog = "lake" if request.param == "iceberg" else "spark_catalog"
    spark.sql(f"CREATE NAMESPACE {catalog}.shop")
    made = Shop(spark, f"{catalog}.shop.orders", request.param)
    yield made
    spark.sql(f"DROP TABLE {made.table}")
    spark.sql(f"DROP NAMESPACE {catalog}.shop CASCADE")


def _place(shop: Shop) -> tuple[str, str]:
    """Where the table lies, by the session's settings."""
    conf = shop.spark.conf
    if shop.provider == "iceberg":
        return "file", f"{conf.get('spark.sql.catalog.lake.warehouse')}/shop/orders"
    return "file", str(conf.get("spark.sql.warehouse.dir")).removeprefix("file:") + "/shop.db/orders"


def test_what_is_read(shop: Shop, capture: Callable[[], Capture], tmp_path: Path) -> None:
    captured = capture()

    shop.spark.table(shop.table).write.parquet(f"{tmp_path}/out")

    (read,) = captured.last["inputs"]
    assert names([read]) == {_place(shop)}
    assert [link["name"] for link in read["facets"]["symlinks"]["identifiers"]] == ["shop.orders"]
    assert read["facets"]["version"]["datasetVersion"] == shop.versions[-1]
    assert read["facets"]["storage"]["storageLayer"] == shop.provider
    assert read["inputFacets"]["inputStatistics"]["rowCount"] == 3

    shop.spark.table(shop.table).rdd.map(str).saveAsTextFile(f"{tmp_path}/saved")
    (again,) = captured.last["inputs"]
    assert (names([again]), again["facets"]["version"]) == ({_place(shop)}, read["facets"]["version"])


def test_what_is_written(shop: Shop, capture: Callable[[], Capture]) -> None:
    captured = capture()

    shop.spark.sql(f"INSERT INTO {shop.table} SELECT id, amount FROM {shop.table} WHERE id > 0")

    (written,) = captured.last["outputs"]
    assert names([written]) == {_place(shop)}
    assert [link["name"] for link in written["facets"]["symlinks"]["identifiers"]] == ["shop.orders"]
    if shop.provider == "iceberg":  # Delta says how much it wrote to nobody but its own log
        assert written["outputFacets"]["outputStatistics"]["rowCount"] == 2


MODES: dict[str, tuple[Callable[[DataFrameWriterV2], None], str | None]] = {
    "append": (lambda writer: writer.append(), None),
    "overwrite": (lambda writer: writer.overwrite(functions.expr("true")), "OVERWRITE"),
    "overwrite some": (lambda writer: writer.overwrite(functions.col("id") > 1), None),
    "overwritePartitions": (lambda writer: writer.overwritePartitions(), None),
    "replace": (lambda writer: writer.replace(), "OVERWRITE"),
    "createOrReplace": (lambda writer: writer.createOrReplace(), "OVERWRITE"),
}


@pytest.mark.parametrize("shop", ["iceberg"], indirect=True)
@pytest.mark.parametrize("mode", MODES)
def test_every_mode_of_the_second_writer(shop: Shop, capture: Callable[[], Capture], mode: str) -> None:
    write, change = MODES[mode]
    captured = capture()

    write(shop.spark.table(shop.table).selectExpr("id", "amount + 1 AS amount").writeTo(shop.table).using("iceberg"))

    (written,) = captured.last["outputs"]
    assert names([written]) == {_place(shop)}
    assert columns(written) == {"id": ["orders.id IDENTITY"], "amount": ["orders.amount TRANSFORMATION"]}
    assert written["facets"].get("lifecycleStateChange", {}).get("lifecycleStateChange") == change


@pytest.mark.parametrize("way", ["sql", "option"])
def test_time_travel_reads_the_version_that_was_asked_for(
    shop: Shop, capture: Callable[[], Capture], tmp_path: Path, way: str
) -> None:
    first = shop.versions[0]
    captured = capture()

    if way == "sql":
        frame = shop.spark.sql(f"SELECT * FROM {shop.table} VERSION AS OF {first}")
    else:
        own = shop.provider == "iceberg" and VERSION == "3.5"  # where Spark's option does nothing for a table
        frame = shop.spark.read.option("snapshot-id" if own else "versionAsOf", first).table(shop.table)
    frame.write.parquet(f"{tmp_path}/out")

    (read,) = captured.last["inputs"]
    assert names([read]) == {_place(shop)}
    assert read["facets"]["version"]["datasetVersion"] == first


@pytest.mark.parametrize("shop", ["iceberg"], indirect=True)
def test_a_branch_is_the_same_table(shop: Shop, capture: Callable[[], Capture], tmp_path: Path) -> None:
    shop.spark.sql(f"ALTER TABLE {shop.table} CREATE BRANCH audit")
    captured = capture()

    shop.spark.sql(f"INSERT INTO {shop.table}.branch_audit SELECT 10, 10")
    written = captured.last
    shop.spark.sql(f"SELECT * FROM {shop.table} VERSION AS OF 'audit'").write.parquet(f"{tmp_path}/out")

    assert names(written["outputs"]) == {_place(shop)}
    assert names(captured.last["inputs"]) == {_place(shop)}


def test_delta_by_its_path(spark: SparkSession, capture: Callable[[], Capture], tmp_path: Path) -> None:
    place = f"{tmp_path}/orders"
    spark.sql("SELECT 1 AS id, 2 AS amount").write.format("delta").save(place)
    captured = capture()

    spark.read.format("delta").load(place).selectExpr("id", "amount + 1 AS more").write.format("delta").save(
        f"{tmp_path}/more"
    )

    (read,), (written,) = captured.last["inputs"], captured.last["outputs"]
    assert names([read]) == {("file", place)}
    assert read["facets"]["version"]["datasetVersion"] == "0"
    assert "symlinks" not in read["facets"]
    assert names([written]) == {("file", f"{tmp_path}/more")}
    assert columns(written) == {"id": ["orders.id IDENTITY"], "more": ["orders.amount TRANSFORMATION"]}


def test_a_stream_between_tables_is_one_run(
    spark: SparkSession, capture: Callable[[], Capture], tmp_path: Path
) -> None:
    source, target = f"{tmp_path}/source", f"{tmp_path}/target"
    spark.sql("SELECT 1 AS id").write.format("delta").save(source)
    captured = capture()

    stream = spark.readStream.format("delta").load(source).selectExpr("id + 1 AS next")
    query = stream.writeStream.format("delta").option("checkpointLocation", f"{tmp_path}/checkpoint").start(target)
    query.processAllAvailable()
    query.stop()

    events: list[Any] = captured.events
    assert len({event["run"]["runId"] for event in events}) == 1
    assert names(events[-1]["inputs"]) == {("file", source)}
    assert names(events[-1]["outputs"]) == {("file", target)}
    assert columns(events[-1]["outputs"][0]) == {"next": ["source.id TRANSFORMATION"]}
