"""A real Spark with Iceberg, Delta, PostgreSQL's driver and Kafka's connector, and the servers behind them.

It runs in a process of its own: a JVM takes its jars when it starts, and keeps them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyspark
import pytest
from pyspark.errors import PySparkRuntimeError
from pyspark.sql import SparkSession
from tests.capture.conftest import Capture
from tests.capture.connectors.kafka import Jars, Kafka, NoKafka, fetch_jars, running_kafka
from tests.postgres import NoPostgres, Postgres, running_postgres

from headwater.capture.jvm.java import ensure_java
from headwater.capture.settings.settings import Settings

VERSION = pyspark.__version__.rpartition(".")[0]
ICEBERG_AND_DELTA = {
    "3.5": ("org.apache.iceberg:iceberg-spark-runtime-3.5_2.12:1.10.0", "io.delta:delta-spark_2.12:3.3.2"),
    "4.1": ("org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.12.0", "io.delta:delta-spark_4.1_2.13:4.1.0"),
}
PACKAGES = {version: (*two, "org.postgresql:postgresql:42.7.8") for version, two in ICEBERG_AND_DELTA.items()}
# Delta first: on Spark 3.5 Iceberg's rules do not expect another format's tables in an UPDATE.
EXTENSIONS = (
    "io.delta.sql.DeltaSparkSessionExtension",
    "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
)


def plain_settings(root: Path) -> dict[str, str]:
    """Spark by itself, its tables in a folder."""
    return {
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
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        # Delta's VACUUM starts as many tasks to list folders, however few there are.
        "spark.sql.sources.parallelPartitionDiscovery.parallelism": "1",
    }


def lake_settings(root: Path) -> dict[str, str]:
    """An Iceberg catalog, `lake`, and Delta in Spark's own; all their places in a folder."""
    return {
        **plain_settings(root),
        "spark.jars.packages": ",".join(PACKAGES[VERSION]),
        "spark.sql.extensions": ",".join(EXTENSIONS),
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        "spark.sql.catalog.lake": "org.apache.iceberg.spark.SparkCatalog",
        "spark.sql.catalog.lake.type": "hadoop",
        "spark.sql.catalog.lake.warehouse": str(root / "iceberg"),
        "spark.databricks.delta.snapshotPartitions": "1",
        "spark.databricks.delta.stats.skipping": "false",
    }


@pytest.fixture(scope="session")
def java() -> Path:
    """The Java that Spark runs on, if there are jars for this Spark."""
    if VERSION not in PACKAGES:
        pytest.skip(f"there is no Iceberg and no Delta for Spark {VERSION} yet")
    return ensure_java()


@pytest.fixture(scope="session")
def kafka_jars(java: Path, tmp_path_factory: pytest.TempPathFactory) -> Jars | str:
    """Kafka's jars, or why there are none: Spark starts without them, too."""
    try:
        return fetch_jars(java, tmp_path_factory.mktemp("kafka-jars"))
    except NoKafka as error:
        return str(error)


@pytest.fixture(scope="session")
def spark(kafka_jars: Jars | str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A session with all that there is."""
    settings = lake_settings(tmp_path_factory.mktemp("lake"))
    if isinstance(kafka_jars, Jars):
        settings["spark.jars"] = ",".join(str(jar) for jar in kafka_jars.connector)
    # Workers with the packages of this process.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master("local[1]").appName("Headwater Lake Tests")
    for name, value in settings.items():
        builder = builder.config(name, value)
    try:
        session = builder.getOrCreate()
    except PySparkRuntimeError:
        pytest.skip(f"needs Maven Central, or in Ivy's cache {', '.join(PACKAGES[VERSION])}")
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL of the tests' own."""
    try:
        with running_postgres() as server:
            yield server
    except NoPostgres as error:
        pytest.skip(f"needs {error}")


@pytest.fixture(scope="session")
def kafka(java: Path, kafka_jars: Jars | str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kafka]:
    """A Kafka of the tests' own."""
    if isinstance(kafka_jars, str):
        pytest.skip(f"needs {kafka_jars}")
    with running_kafka(java, kafka_jars, tmp_path_factory.mktemp("kafka")) as broker:
        yield broker


@pytest.fixture
def capture(
    spark: SparkSession, hold_to_spec: Callable[[Iterable[Mapping[str, Any]]], None]
) -> Iterator[Callable[[], Capture]]:
    """Start tracking; the trackers stop with the test, and every event is held to OpenLineage's schemas."""
    started: list[Capture] = []

    def start() -> Capture:
        started.append(Capture(spark, Settings()))
        return started[-1]

    yield start
    for one in started:
        one.tracker.stop()
        hold_to_spec(one.kept.events)


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
# Delta 4.1.0 was built for a Spark 4.1 before 4.1.4: it cannot read its own checkpoints there, so it makes none.
_NO_CHECKPOINTS = "'delta.checkpointInterval' = '1000'"
FORMATS = (
    Format("lake.copy_on_write.t", "USING iceberg"),
    Format("lake.merge_on_read.t", f"USING iceberg TBLPROPERTIES ('format-version' = '2', {_ON_READ})"),
    Format("spark_catalog.delta.t", f"USING delta TBLPROPERTIES ({_NO_CHECKPOINTS})"),
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
