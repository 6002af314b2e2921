"""A real Spark for the pipeline's tests, one for all of them: starting it is what takes the time."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from tests.pipeline.lakes import view_of
from tests.store.conftest import View, natural_view

from headwater.capture.jvm.java import ensure_java
from headwater.store import Store

__all__ = ["natural_view"]


@pytest.fixture(scope="session")
def pipeline_spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A session on two threads."""
    ensure_java()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    session = (
        SparkSession.builder.master("local[2]")
        .appName("Headwater Pipeline Tests")
        .config("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("warehouse")))
        .config("spark.sql.catalogImplementation", "in-memory")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.python.worker.reuse", "true")
        # Small data and many short queries: what plans and compiles them for large data costs more than it saves.
        .config("spark.sql.adaptive.enabled", "false")
        .config("spark.sql.codegen.wholeStage", "false")
        .config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
        .config("spark.driver.memory", "1g")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture
def unbounded_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a search read all there is of a word, however common it is.

    Otherwise it reads so many rows, the first by key, for that is the order of the index: which ones of very many, is
    up to the store. Any other order would take a wider index, or more time.
    """
    for bound in ("matching._USES", "matching._USES_ALIKE", "lookup._WORDS_OF_A_GRAM", "lookup._COMPARED"):
        monkeypatch.setattr(f"headwater.query.search.{bound}", 1_000_000)


@pytest.fixture
def lake_view(
    pipeline_spark: SparkSession,
    natural_view: Callable[[Store], View],
    tmp_path: Path,
) -> Callable[[object], dict[str, Any]]:
    """A function that reads all of a lake, with names in the place of keys."""
    return lambda lake: view_of(pipeline_spark, natural_view, str(lake), tmp_path)
