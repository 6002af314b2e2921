"""A real Spark for the tests, one for all of them: starting it is what takes the time."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from openlineage.client import OpenLineageClient
from openlineage.client.client import Event
from openlineage.client.serde import Serde
from openlineage.client.transport import Transport
from pyspark.sql import SparkSession

from headwater.capture.jvm.java import ensure_java
from headwater.capture.settings.settings import Settings
from headwater.capture.tracker import Tracker


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A session with a warehouse of its own."""
    ensure_java()
    warehouse = tmp_path_factory.mktemp("warehouse")
    session = (
        SparkSession.builder.master("local[1]")
        .appName("Headwater Tests")
        .config("spark.sql.warehouse.dir", str(warehouse))
        .config("spark.sql.catalogImplementation", "in-memory")
        .config("spark.sql.shuffle.partitions", "1")
        # Many short queries: a compiler that takes its time costs more than it saves.
        .config("spark.sql.codegen.wholeStage", "false")
        .config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


class Kept(Transport):
    """A transport that keeps events in a list, as the JSON that would be sent."""

    kind = "kept"

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []

    def emit(self, event: Event) -> None:
        self.events.append(Serde.to_dict(event))


class Capture:
    """A tracker over the test's Spark, and the events that it has sent."""

    def __init__(self, spark: SparkSession, settings: Settings, transport: Transport | None = None) -> None:
        self.kept = Kept()
        self.tracker = Tracker(spark, settings, OpenLineageClient(transport=transport or self.kept))

    @property
    def all(self) -> list[dict[str, Any]]:
        """Every event so far, the application's own included."""
        assert self.tracker.flush()
        return list(self.kept.events)

    @property
    def events(self) -> list[dict[str, Any]]:
        """The events of statements so far."""
        return [event for event in self.all if "parent" in event.get("run", {}).get("facets", {})]

    @property
    def last(self) -> dict[str, Any]:
        """The last event of a statement."""
        return self.events[-1]


@pytest.fixture
def capture(
    spark: SparkSession, hold_to_spec: Callable[[Iterable[Mapping[str, Any]]], None]
) -> Iterator[Callable[..., Capture]]:
    """Start tracking; the trackers stop with the test, and every event is held to OpenLineage's schemas."""
    started: list[Capture] = []

    def start(settings: Settings | None = None, transport: Transport | None = None) -> Capture:
        started.append(Capture(spark, settings or Settings(), transport))
        return started[-1]

    yield start
    for one in started:
        one.tracker.stop()
        hold_to_spec(one.kept.events)


@pytest.fixture
def fresh_database(spark: SparkSession, request: pytest.FixtureRequest) -> Iterator[str]:
    """A database of the test's own, in use during the test."""
    name = "db_" + str(abs(hash(request.node.nodeid)))
    spark.sql(f"CREATE DATABASE {name}")
    spark.catalog.setCurrentDatabase(name)
    yield name
    spark.catalog.setCurrentDatabase("default")
    spark.sql(f"DROP DATABASE {name} CASCADE")


@pytest.fixture
def warnings_said(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """What Headwater logs as a warning."""
    caplog.set_level(logging.WARNING, logger="headwater")
    return caplog


@pytest.fixture
def users(spark: SparkSession, tmp_path: Path) -> str:
    """A small table in files, under the name `users`; returns its place."""
    place = str(tmp_path / "users")
    rows = [(1, "Ann", 30, "active"), (2, "Bob", 40, "gone")]
    spark.createDataFrame(rows, "id INT, name STRING, age INT, status STRING").write.parquet(place)
    spark.read.parquet(place).createOrReplaceTempView("users")
    return place
