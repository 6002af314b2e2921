"""A real Spark with Iceberg and Delta, in a process of its own: a JVM takes its jars when it starts, and keeps them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pyspark
import pytest
from pyspark.errors import PySparkRuntimeError
from pyspark.sql import SparkSession
from tests.spark.conftest import Capture

from headwater.spark.java import ensure_java
from headwater.spark.settings import Settings

PACKAGES = {
    "3.5": ("org.apache.iceberg:iceberg-spark-runtime-3.5_2.12:1.10.0", "io.delta:delta-spark_2.12:3.3.2"),
    "4.1": ("org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.12.0", "io.delta:delta-spark_4.1_2.13:4.1.0"),
}
# Delta first: on Spark 3.5 Iceberg's rules do not expect another format's tables in an UPDATE.
EXTENSIONS = (
    "io.delta.sql.DeltaSparkSessionExtension",
    "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run nothing here beside tests that want a Spark without these jars."""
    if any(item.get_closest_marker("spark") and not item.get_closest_marker("lake") for item in items):
        apart = pytest.mark.skip(reason="runs in a process of its own: make test, or pytest -m lake")
        for item in items:
            if item.get_closest_marker("lake"):
                item.add_marker(apart)


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A session with an Iceberg catalog, `lake`, and Delta in Spark's own."""
    version = ".".join(pyspark.__version__.split(".")[:2])
    if version not in PACKAGES:
        pytest.skip(f"there is no Iceberg and no Delta for Spark {version} yet")
    ensure_java()
    root = tmp_path_factory.mktemp("lake")
    settings = {
        "spark.jars.packages": ",".join(PACKAGES[version]),
        "spark.sql.extensions": ",".join(EXTENSIONS),
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        "spark.sql.catalog.lake": "org.apache.iceberg.spark.SparkCatalog",
        "spark.sql.catalog.lake.type": "hadoop",
        "spark.sql.catalog.lake.warehouse": str(root / "iceberg"),
        "spark.sql.warehouse.dir": str(root / "warehouse"),
        "spark.sql.catalogImplementation": "in-memory",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        # The rest is for speed: every statement is over a handful of rows.
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.shuffle.partitions": "1",
        "spark.sql.codegen.wholeStage": "false",
        "spark.databricks.delta.snapshotPartitions": "1",
        "spark.databricks.delta.stats.skipping": "false",
    }
    builder = SparkSession.builder.master("local[1]").appName("Headwater Lake Tests")
    for name, value in settings.items():
        builder = builder.config(name, value)
    try:
        session = builder.getOrCreate()
    except PySparkRuntimeError:
        pytest.skip(f"needs Maven Central, or in Ivy's cache {' and '.join(PACKAGES[version])}")
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture
def capture(spark: SparkSession) -> Iterator[Callable[[], Capture]]:
    """Start tracking; the trackers stop with the test."""
    started: list[Capture] = []

    def start() -> Capture:
        started.append(Capture(spark, Settings()))
        return started[-1]

    yield start
    for one in started:
        one.tracker.stop()


@dataclass(frozen=True)
class Format:
    """A way to keep a table.

    Attributes:
        table: the table that tests change, always called `t`.
        clauses: what CREATE TABLE says about the way.
    """

    table: str
    clauses: str

    @property
    def name(self) -> str:
        """The way in one word."""
        return self.table.split(".")[1]


_EACH = ("delete", "update", "merge")
_ON_READ = ", ".join(f"'write.{one}.mode' = 'merge-on-read'" for one in _EACH)
FORMATS = (
    Format("lake.copy_on_write.t", "USING iceberg"),
    Format("lake.merge_on_read.t", f"USING iceberg TBLPROPERTIES ('format-version' = '2', {_ON_READ})"),
    Format("spark_catalog.delta.t", "USING delta"),
)


@pytest.fixture(scope="session")
def tables(spark: SparkSession) -> None:
    """The table `src`, and a table `t` in each way."""
    columns = "id INT, v INT, s STRING, st STRUCT<x INT, y STRING>"
    row = "SELECT 1 AS id, 2 AS v, 'a' AS s, named_struct('x', 1, 'y', 'y') AS st"
    spark.sql(f"CREATE TABLE src ({columns}) USING parquet")
    spark.sql(f"INSERT INTO src {row}")
    for way in FORMATS:
        spark.sql(f"CREATE NAMESPACE IF NOT EXISTS {way.table.rpartition('.')[0]}")
        spark.sql(f"CREATE TABLE {way.table} ({columns}) {way.clauses}")
        spark.sql(f"INSERT INTO {way.table} {row}")
