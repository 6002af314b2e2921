"""What Delta and Iceberg have besides INSERT and MERGE: overwrites of a part, clones, procedures, metadata tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession, functions
from tests.capture.conftest import Capture
from tests.capture.connectors.conftest import VERSION
from tests.capture.event_summary import columns, names, opaque

pytestmark = [pytest.mark.spark, pytest.mark.lake]

COPIED = {name: [f"src.{name} IDENTITY"] for name in ("id", "amount", "dt")}
# Delta 4.1.0 was built for a Spark 4.1 before 4.1.4, and fails there in some commands.
FAILS = {"convert", "altered"} if VERSION == "4.1" else {}


class Lake:
    """A source of files, and a table in each format, with partitions."""

    def __init__(self, spark: SparkSession) -> None:
        self.spark = spark
        spark.sql("CREATE DATABASE part")
        rows = "id INT, amount INT, dt STRING"
        spark.sql(f"CREATE TABLE part.src ({rows}) USING parquet")
        spark.sql("INSERT INTO part.src VALUES (1, 10, 'a'), (2, 20, 'b')")
        no_checkpoints = "TBLPROPERTIES ('delta.checkpointInterval' = '1000')"
        spark.sql(f"CREATE TABLE part.t ({rows}) USING delta PARTITIONED BY (dt) {no_checkpoints}")
        spark.sql(f"CREATE TABLE lake.part.t ({rows}) USING iceberg PARTITIONED BY (dt)")
        for table in ("part.t", "lake.part.t"):
            spark.sql(f"INSERT INTO {table} SELECT * FROM part.src")

    @property
    def source(self) -> DataFrame:
        """The rows to write."""
        return self.spark.table("part.src")

    def snapshots(self) -> list[int]:
        """The Iceberg table's, the oldest first."""
        return [row[0] for row in self.spark.sql(SNAPSHOTS).collect()]


SNAPSHOTS = "SELECT snapshot_id FROM lake.part.t.snapshots ORDER BY committed_at"


@pytest.fixture(scope="module")
def lake(spark: SparkSession) -> Iterator[Lake]:
    """The tables, for all tests: each writes to them, none cares what is in them."""
    yield Lake(spark)
    spark.sql("DROP TABLE lake.part.t")
    spark.sql("DROP DATABASE part CASCADE")


def _lifecycle(output: dict[str, Any]) -> str | None:
    found: str | None = output["facets"].get("lifecycleStateChange", {}).get("lifecycleStateChange")
    return found


def _schema(dataset: dict[str, Any]) -> list[str]:
    return [field["name"] for field in dataset["facets"].get("schema", {}).get("fields", ())]


@pytest.fixture
def dynamic(spark: SparkSession) -> Iterator[None]:
    """A session that overwrites only the partitions that it brings rows for."""
    spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic")
    yield
    spark.conf.unset("spark.sql.sources.partitionOverwriteMode")


@pytest.mark.usefixtures("dynamic")
def test_delta_overwrites_partitions_as_the_session_is_set(
    lake: Lake, capture: Callable[[], Capture], tmp_path: Path
) -> None:
    captured = capture()
    path = f"{tmp_path}/t"

    def by_path() -> None:
        lake.source.write.format("delta").partitionBy("dt").mode("overwrite").save(path)

    for write in (
        lambda: lake.spark.sql("INSERT OVERWRITE part.t SELECT * FROM part.src"),
        lambda: lake.source.write.mode("overwrite").insertInto("part.t"),
        lambda: lake.source.writeTo("part.t").overwritePartitions(),
        by_path,
    ):
        write()
        (written,) = captured.last["outputs"]
        assert columns(written) == COPIED
        assert _lifecycle(written) is None
        assert captured.last["job"]["name"].endswith("t")
        assert not opaque(captured.last)

    lake.spark.conf.unset("spark.sql.sources.partitionOverwriteMode")
    by_path()
    assert _lifecycle(captured.last["outputs"][0]) == "OVERWRITE"


def test_delta_overwrites_what_a_condition_chooses(lake: Lake, capture: Callable[[], Capture], tmp_path: Path) -> None:
    captured = capture()
    some = lake.source.where("dt = 'a'")
    path = f"{tmp_path}/t"
    lake.source.write.format("delta").save(path)

    for write in (
        lambda: some.write.format("delta").mode("overwrite").option("replaceWhere", "dt = 'a'").save(path),
        lambda: lake.spark.sql("INSERT INTO part.t REPLACE WHERE dt = 'a' SELECT * FROM part.src WHERE dt = 'a'"),
        lambda: some.writeTo("part.t").overwrite(functions.col("dt") == "a"),
        lambda: lake.spark.sql("INSERT OVERWRITE part.t PARTITION (dt = 'a') SELECT id, amount FROM part.src"),
    ):
        write()
        assert _lifecycle(captured.last["outputs"][0]) is None


@pytest.mark.parametrize("change", ["clone", "restore", "convert", "altered"])
def test_delta_without_queries(lake: Lake, capture: Callable[[], Capture], tmp_path: Path, change: str) -> None:
    if change in FAILS:
        pytest.skip("Delta 4.1.0 does not run it on Spark 4.1.4")
    spark, path = lake.spark, f"{tmp_path}/files"
    lake.source.write.parquet(path)
    spark.sql(f"CREATE OR REPLACE TABLE part.{change} (id INT) USING delta")
    spark.sql(f"INSERT INTO part.{change} SELECT 1")
    captured = capture()
    itself = {"id": [f"{change}.id IDENTITY"]}

    if change == "clone":
        spark.sql("CREATE TABLE part.cloned SHALLOW CLONE part.clone VERSION AS OF 1")
        ((read,), (written,)) = captured.last["inputs"], captured.last["outputs"]
        assert (columns(written), _lifecycle(written)) == (itself, "CREATE")
        assert read["facets"]["version"]["datasetVersion"] == "1"
    elif change == "restore":
        change_first = "INSERT INTO part.restore SELECT 2" if FAILS else "ALTER TABLE part.restore ADD COLUMN more INT"
        spark.sql(change_first)
        spark.sql("RESTORE TABLE part.restore TO VERSION AS OF 1")
        ((read,), (written,)) = captured.last["inputs"], captured.last["outputs"]
        assert (columns(written), _lifecycle(written)) == (itself, None)
        assert read["facets"]["version"]["datasetVersion"] == "1"
    elif change == "convert":
        spark.sql(f"CONVERT TO DELTA parquet.`{path}`")
        assert names(captured.last["inputs"]) == names(captured.last["outputs"]) == {("file", path)}
        assert captured.last["outputs"][0]["facets"]["storage"]["storageLayer"] == "delta"
    else:
        spark.sql("ALTER TABLE part.altered ADD COLUMNS (first STRING FIRST, s STRUCT<x: INT> AFTER id)")
        assert _schema(captured.last["outputs"][0]) == ["first", "id", "s"]
        spark.sql("OPTIMIZE part.altered")
        spark.sql("VACUUM part.altered")
        assert captured.last["job"]["name"].endswith("add_columns.part_altered")


def test_delta_change_feed(lake: Lake, capture: Callable[[], Capture], tmp_path: Path) -> None:
    spark = lake.spark
    spark.sql("CREATE TABLE part.feed (id INT) USING delta TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true')")
    spark.sql("INSERT INTO part.feed SELECT 1")
    place = str(spark.conf.get("spark.sql.warehouse.dir")).removeprefix("file:") + "/part.db/feed"
    options = {"readChangeFeed": "true", "startingVersion": "0"}
    captured = capture()

    for number, frame in enumerate(
        (
            spark.read.options(**options).table("part.feed"),
            spark.read.format("delta").options(**options).load(place),
            spark.sql("SELECT * FROM table_changes('part.feed', 0)"),
        )
    ):
        frame.write.parquet(f"{tmp_path}/{number}")
        (read,) = captured.last["inputs"]
        assert names([read]) == {("file", place)}
        assert _schema(read) == ["id"]
        assert columns(captured.last["outputs"][0])["_change_type"] == ["feed.id CONDITIONAL"]

    stream = spark.readStream.format("delta").options(**options).table("part.feed").writeStream.format("delta")
    query = stream.option("checkpointLocation", f"{tmp_path}/c").trigger(availableNow=True).start(f"{tmp_path}/copy")
    query.awaitTermination()
    (read,) = captured.last["inputs"]
    assert names([read]) == {("file", place)}
    assert _schema(read) == ["id"]


def test_iceberg_metadata_and_changes(lake: Lake, capture: Callable[[], Capture], tmp_path: Path) -> None:
    place = f"{lake.spark.conf.get('spark.sql.catalog.lake.warehouse')}/part/t"
    captured = capture()

    for number, frame in enumerate(
        (
            lake.spark.table("lake.part.t.snapshots").select("snapshot_id"),
            lake.spark.read.format("iceberg").load(f"{place}#files").select("file_path"),
        )
    ):
        frame.write.parquet(f"{tmp_path}/{number}")
        (read,), (written,) = captured.last["inputs"], captured.last["outputs"]
        assert names([read]) == {("file", place)}
        assert _schema(read) == []
        assert columns(written) == {
            frame.columns[0]: [],
            "rows": [f"t.{name} FILTER" for name in ("amount", "dt", "id")],
        }

    lake.spark.table("lake.part.t.changes").select("id", "_change_type").write.parquet(f"{tmp_path}/changes")
    (read,) = captured.last["inputs"]
    assert names([read]) == {("file", place)}
    assert _schema(read) == ["id", "amount", "dt"]


def test_iceberg_procedures(lake: Lake, capture: Callable[[], Capture], tmp_path: Path) -> None:
    spark, call = lake.spark, "CALL lake.system."
    spark.sql("CREATE TABLE lake.part.added (id INT, amount INT, dt STRING) USING iceberg")
    lake.source.write.parquet(f"{tmp_path}/src")
    spark.sql("INSERT INTO lake.part.t SELECT * FROM part.src")
    first = lake.snapshots()[0]
    captured = capture()

    spark.sql(f"{call}add_files(table => 'part.added', source_table => '`parquet`.`{tmp_path}/src`')")
    event = captured.last
    assert names(event["inputs"]) == {("file", f"{tmp_path}/src")}
    assert columns(event["outputs"][0]) == COPIED
    assert event["outputs"][0]["name"].endswith("/part/added")
    assert (event["eventType"], event["job"]["name"].split(".", 1)[1]) == ("COMPLETE", "add_files_procedure.part_added")

    spark.sql(
        f"{call}add_files(source_table => 'part.src', table => 'part.added', check_duplicate_files => false)"
    ).collect()
    assert columns(captured.last["outputs"][0]) == COPIED
    assert [link["name"] for link in captured.last["inputs"][0]["facets"]["symlinks"]["identifiers"]] == ["part.src"]

    spark.sql(f"{call}rollback_to_snapshot('part.t', {first})")
    (read,), (written,) = captured.last["inputs"], captured.last["outputs"]
    assert read["facets"]["version"]["datasetVersion"] == str(first)
    assert columns(written) == {name: [f"t.{name} IDENTITY"] for name in COPIED}
    assert _lifecycle(written) is None

    before = len(captured.events)
    spark.sql(f"{call}rewrite_data_files(table => 'part.t', options => map('rewrite-all', 'true'))")
    spark.sql(f"{call}expire_snapshots('part.t')")
    assert len(captured.events) == before

    with pytest.raises(Exception, match="nowhere"):
        spark.sql(f"{call}add_files('part.nowhere', 'part.src')")
    assert captured.last["eventType"] == "FAIL"


def test_iceberg_alter_sends_the_schema_afterwards(lake: Lake, capture: Callable[[], Capture]) -> None:
    spark = lake.spark
    spark.sql("CREATE TABLE lake.part.altered (id INT, s STRUCT<x: INT, y: INT>) USING iceberg")
    captured = capture()

    renamed: dict[str, Any] = {}
    for change, expected in (
        ("ADD COLUMNS (b INT AFTER id, s.z INT FIRST)", ["id", "b", "s"]),
        ("RENAME COLUMN b TO c", ["id", "c", "s"]),
        ("ALTER COLUMN c FIRST", ["c", "id", "s"]),
        ("DROP COLUMNS (id, s.x)", ["c", "s"]),
    ):
        spark.sql(f"ALTER TABLE lake.part.altered {change}")
        assert _schema(captured.last["outputs"][0]) == expected == spark.table("lake.part.altered").columns
        renamed = captured.last if change.startswith("RENAME") else renamed
    assert columns(renamed["outputs"][0]) == {"c": ["altered.b IDENTITY"]}
    assert renamed["job"]["name"].endswith("rename_column.part_altered.c")
    inside = captured.last["outputs"][0]["facets"]["schema"]["fields"][1]["fields"]
    assert [field["name"] for field in inside] == ["z", "y"]


def test_iceberg_views_and_renames(lake: Lake, capture: Callable[[], Capture], tmp_path: Path) -> None:
    spark = lake.spark
    spark.conf.set("spark.sql.catalog.mem", "org.apache.iceberg.spark.SparkCatalog")
    spark.conf.set("spark.sql.catalog.mem.catalog-impl", "org.apache.iceberg.inmemory.InMemoryCatalog")
    spark.conf.set("spark.sql.catalog.mem.warehouse", f"{tmp_path}/mem")
    spark.sql("CREATE NAMESPACE mem.db")
    for table in ("s", "t"):
        spark.sql(f"CREATE TABLE mem.db.{table} (id INT, v INT) USING iceberg")
    captured = capture()

    spark.sql("ALTER TABLE mem.db.s RENAME TO db.u")
    (written,) = captured.last["outputs"]
    assert names([written]) == {("file", f"{tmp_path}/mem/db/s")}
    assert [link["name"] for link in written["facets"]["symlinks"]["identifiers"]] == ["db.u"]
    spark.sql("REPLACE TABLE mem.db.u (z INT) USING iceberg")
    assert (_schema(captured.last["outputs"][0]), _lifecycle(captured.last["outputs"][0])) == (["z"], "OVERWRITE")

    spark.sql("CREATE VIEW mem.db.v (key, w) AS SELECT id, v + 1 FROM mem.db.t WHERE v > 0")
    view = next(event["dataset"] for event in captured.all if "dataset" in event)
    assert names([view]) == {("file", f"{tmp_path}/mem/db/v")}
    assert view["facets"]["datasetType"]["datasetType"] == "VIEW"
    assert columns(view) == {"key": ["t.id IDENTITY"], "w": ["t.v TRANSFORMATION"], "rows": ["t.v FILTER"]}

    spark.sql("CREATE TABLE mem.db.r USING iceberg AS SELECT w FROM mem.db.v")
    (output,), (source,) = captured.last["outputs"], captured.last["inputs"]
    assert columns(output) == {"w": ["t.v TRANSFORMATION"], "rows": ["t.v FILTER"]}
    facet = output["facets"]["headwater_views"]
    assert facet["views"] == source["inputFacets"]["headwater_behindViews"]["views"]
    assert names(facet["views"]) == names([view])
    assert [field["field"] for field in facet["fields"]["w"]["inputFields"]] == ["w"]
    assert facet["dataset"] == []
    assert [event["dataset"]["name"] for event in captured.all if "dataset" in event] == [view["name"]]

    spark.sql("ALTER VIEW mem.db.v RENAME TO mem.db.w")
    (written,) = captured.last["outputs"]
    assert (written["name"], _lifecycle(written)) == (f"{tmp_path}/mem/db/w", "RENAME")
    spark.sql("DROP VIEW mem.db.w")
    (written,) = captured.last["outputs"]
    assert (written["name"], _lifecycle(written)) == (f"{tmp_path}/mem/db/w", "DROP")


@pytest.mark.parametrize("table", ["part.once", "lake.part.once"])
def test_what_is_there_already_is_not_made(lake: Lake, capture: Callable[[], Capture], table: str) -> None:
    spark, form = lake.spark, "iceberg" if table.startswith("lake") else "delta"
    captured = capture()

    for expected in (2, 0):  # START and COMPLETE, and the second time nothing
        spark.sql(f"CREATE TABLE IF NOT EXISTS {table} USING {form} AS SELECT id FROM part.src")
        assert len(captured.events) == expected
        captured.kept.events.clear()


def test_what_is_not_there_is_not_dropped(lake: Lake, capture: Callable[[], Capture]) -> None:
    captured = capture()

    for what in ("TABLE IF EXISTS part.never", "DATABASE IF EXISTS never CASCADE"):
        lake.spark.sql(f"DROP {what}")
    assert captured.events == []
    lake.spark.sql("CREATE TABLE IF NOT EXISTS part.gone (id INT) USING delta")
    lake.spark.sql("CREATE TABLE IF NOT EXISTS part.gone (other INT) USING delta")
    lake.spark.sql("DROP TABLE IF EXISTS part.gone")
    assert [(_lifecycle(event["outputs"][0]), _schema(event["outputs"][0])) for event in captured.events[1::2]] == [
        ("CREATE", ["id"]), ("DROP", []),
    ]  # fmt: skip


def test_a_delta_table_that_is_made_at_a_path_is_named_by_it(
    lake: Lake, capture: Callable[[], Capture], tmp_path: Path
) -> None:
    captured = capture()

    for sql in (
        f"CREATE TABLE delta.`{tmp_path}/t` USING delta AS SELECT id FROM part.src",
        f"CREATE OR REPLACE TABLE delta.`{tmp_path}/t` (id INT) USING delta",
    ):
        lake.spark.sql(sql)
        assert names(captured.last["outputs"]) == {("file", f"{tmp_path}/t")}


def test_iceberg_keeps_apart_what_is_to_be_published(lake: Lake, capture: Callable[[], Capture]) -> None:
    spark = lake.spark
    for table, more in (("audited", "TBLPROPERTIES ('write.wap.enabled' = 'true')"), ("open", "")):
        spark.sql(f"CREATE TABLE lake.part.{table} (id INT, amount INT, dt STRING) USING iceberg {more}")
    captured = capture()

    for table, setting, expected in (
        ("audited", "spark.wap.id", None),
        ("audited", "spark.wap.branch", None),
        ("open", "spark.wap.id", "OVERWRITE"),
    ):
        spark.conf.set(setting, "nightly")
        spark.sql(f"INSERT OVERWRITE lake.part.{table} SELECT * FROM part.src")
        spark.conf.unset(setting)
        assert _lifecycle(captured.last["outputs"][0]) == expected
    spark.sql("INSERT OVERWRITE lake.part.audited SELECT * FROM part.src")
    assert _lifecycle(captured.last["outputs"][0]) == "OVERWRITE"


def test_a_call_is_about_the_namespace_that_the_session_was_in(lake: Lake, capture: Callable[[], Capture]) -> None:
    spark = lake.spark
    first = lake.snapshots()[0]
    captured = capture()

    spark.sql("USE lake.part")
    try:
        spark.sql(f"CALL system.rollback_to_snapshot('t', {first})")
    finally:
        spark.sql("USE spark_catalog.default")
    assert captured.last["outputs"][0]["name"].endswith("/iceberg/part/t")


def test_a_merge_and_a_delete_are_two_jobs(lake: Lake, capture: Callable[[], Capture]) -> None:
    spark = lake.spark
    spark.sql("CREATE TABLE lake.part.changed (id INT, amount INT, dt STRING) USING iceberg")
    captured = capture()

    clauses = "WHEN MATCHED THEN UPDATE SET amount = s.amount WHEN NOT MATCHED THEN INSERT *"
    for sql, command in (
        (f"MERGE INTO lake.part.changed t USING part.src s ON t.id = s.id {clauses}", "merge_into_table"),
        ("UPDATE lake.part.changed SET amount = 0 WHERE id = 1", "update_table"),
        ("DELETE FROM lake.part.changed WHERE id = 1 AND amount = 0", "delete_from_table"),
    ):
        spark.sql(sql)
        assert captured.last["job"]["name"].split(".")[1:] == [command, "part_changed"]
