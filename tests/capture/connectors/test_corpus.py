"""The cases of OpenLineage's own tests that need Iceberg, Delta or a database, run for real.

They are compared as in tests/capture/test_corpus.py, and the differences are in the same list.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from tests.capture.conftest import Capture
from tests.capture.event_summary import opaque
from tests.capture.test_corpus import CASES, DIFFERENCES, LAKE, NONE, difference, last_part, top
from tests.postgres import Postgres

from headwater.capture.settings.settings import Settings
from headwater.openlineage.build.options import EventOptions

pytestmark = pytest.mark.lake

# The cases say in words which tables their database has.
TABLES = """
    DROP SCHEMA public CASCADE; CREATE SCHEMA public;
    CREATE TABLE authors (author_id INT, author_name TEXT);
    CREATE TABLE jdbc_source1 (k INT, j1 VARCHAR(5));
    CREATE TABLE jdbc_source2 (k INT, j2 VARCHAR(5));
    CREATE TABLE ol_clients (client_name TEXT, client_category TEXT, client_rating INT);
"""
# Data that has been through Python: nobody can know which column is which.
THROUGH_PYTHON = {"ol-iceberg-int-append-rdd-processing", "ol-iceberg-int-append-rdd-transformations"}


@pytest.fixture
def session(spark: SparkSession, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[SparkSession]:
    """A session without anybody's views, in a database of the test's own: Iceberg's, where the case has such tables."""
    case = CASES[request.node.callspec.params["id_"]]
    own = spark.newSession()
    own.conf.set("spark.sql.catalog.local", "org.apache.iceberg.spark.SparkCatalog")
    own.conf.set("spark.sql.catalog.local.type", "hadoop")
    own.conf.set("spark.sql.catalog.local.warehouse", f"{tmp_path}/local")
    known = {database.name for database in own.catalog.listDatabases()}
    catalog = "lake" if any("USING iceberg" in statement for statement in case["setup"]) else "spark_catalog"
    own.sql(f"CREATE DATABASE {catalog}.corpus")
    own.sql(f"USE {catalog}.corpus")
    yield own
    if catalog == "lake":  # Iceberg's catalog drops no database that has tables
        for row in own.sql("SHOW TABLES IN lake.corpus").where("NOT isTemporary").collect():
            own.sql(f"DROP TABLE lake.corpus.{row.tableName} PURGE")
    own.sql("USE spark_catalog.default")
    own.sql(f"DROP DATABASE {catalog}.corpus CASCADE")
    for name in {database.name for database in own.catalog.listDatabases()} - known:
        own.sql(f"DROP DATABASE {name} CASCADE")


@pytest.mark.parametrize("id_", [id_ for id_, case in CASES.items() if case["runnable"] in LAKE])
def test_case(session: SparkSession, postgres: Postgres, tmp_path: Path, id_: str) -> None:
    case = CASES[id_]
    if case["runnable"] == "needs-jdbc":
        postgres.run(TABLES)
    for statement in case["setup"]:
        if not statement.startswith("--"):
            session.sql(statement.replace("'/data/", f"'{tmp_path}/"))
    # Some of them write nothing, and their lineage is asked for all the same.
    captured = Capture(session, Settings(events=EventOptions(emit_reads=True)))
    _run(session, postgres, tmp_path, case)
    events = captured.events
    captured.tracker.stop()

    wanted = last_part(case["output"]) if "output" in case else None
    (event,) = [
        event
        for event in events
        if event["eventType"] == "COMPLETE"
        and wanted in {last_part(dataset["name"]) for dataset in event["outputs"]} | {None}
    ][-1:]
    assert bool(opaque(event)) == (id_ in THROUGH_PYTHON)
    if case.get("inputs_mode") == "exact":
        assert {last_part(dataset["name"]) for dataset in event["inputs"]} == {
            last_part(name) for name in case["inputs"]
        }
    elif id_ not in THROUGH_PYTHON:
        assert {last_part(name) for name in case.get("inputs", ())} <= {
            last_part(dataset["name"]) for dataset in event["inputs"]
        }
    if event["outputs"]:
        facet = event["outputs"][0]["facets"].get("columnLineage", {"fields": {}})
        edges = [(out, said) for out, found in facet["fields"].items() for said in _said(found["inputFields"])]
        rows = list(_said(facet.get("dataset", ())))
        assert difference(case, facet["fields"], edges, rows) == DIFFERENCES.get(id_, NONE)


def _run(spark: SparkSession, postgres: Postgres, folder: Path, case: Mapping[str, Any]) -> None:
    if "statement" in case:
        statement = case["statement"].replace("'/data/", f"'{folder}/")
        # What only reads would not run at all.
        if "output" in case:
            spark.sql(statement)
        else:
            spark.sql(statement).collect()
        return
    # The cases leave out who logs in, and how.
    code = case["pyspark"].replace("option('url',URL)", "options(**POSTGRES)").replace("/data/", f"{folder}/")
    exec(code, {"spark": spark, "POSTGRES": postgres.options()})  # noqa: S102 (the case's own code)


def _said(fields: Any) -> Iterator[str]:  # noqa: ANN401 (JSON)
    for field in fields:
        for step in field["transformations"]:
            masked = " masked" if step["masking"] else ""
            yield f"{last_part(field['name'])}.{top(field['field'])} {step['subtype']}{masked}"
