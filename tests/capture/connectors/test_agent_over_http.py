"""OpenLineage's own agent and Headwater watch one Spark beside each other, each sending to a server of its own.

The servers then tell the same of the job's tables: the same datasets, the same ways between them and their columns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import httpx
import pytest
from tests.capture.connectors.conftest import VERSION, plain_settings
from tests.capture.connectors.job_process import AGENT, LISTENER, run_job, tracked
from tests.capture.connectors.test_agent import JOBS, command
from tests.server.conftest import Served

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


pytestmark = pytest.mark.lake

JOB = """
import sys
from pyspark.sql import SparkSession

folder = sys.argv[1]
spark = SparkSession.builder.appName("Nightly Bills").getOrCreate()
spark.range(4).selectExpr("id", "concat('user ', id) AS name").write.saveAsTable("users")
orders = spark.range(8).selectExpr("id", "id % 4 AS user_id", "id * 10 AS amount", "id % 2 = 0 AS paid")
orders.write.parquet(f"{folder}/orders")
spark.read.parquet(f"{folder}/orders").createTempView("orders")
spark.sql(
    "CREATE TABLE bills USING parquet AS SELECT u.name, upper(u.name) AS shown, o.amount FROM users u"
    " JOIN orders o ON o.user_id = u.id WHERE NOT o.paid"
)
spark.sql("SELECT name, sum(amount) AS total FROM bills GROUP BY name").write.parquet(f"{folder}/totals")
spark.stop()
"""


class Server:
    """What a server tells of the job's tables, which are named by their places in the job's folder."""

    def __init__(self, client: httpx.Client, folder: Path) -> None:
        self._client, self._folder = client, folder

    def tables(self) -> set[str]:
        """All that it knows."""
        answer = self._client.get("/api/v1/namespaces/file/datasets").json()
        return {self._short(dataset["name"]) for dataset in answer["datasets"]}

    def ways(self) -> set[tuple[str, str]]:
        """From which table to which a job leads."""
        jobs = self._jobs()
        return {(origin, end) for reads, writes in jobs.values() for origin in reads for end in writes}

    def writers(self) -> dict[str, set[str]]:
        """The jobs that write a table."""
        jobs = self._jobs()
        return {table: {job for job, (_, writes) in jobs.items() if table in writes} for table in self.tables()}

    def steps(self) -> set[tuple[tuple[str, str], str]]:
        """From which column to which, and the subtype of what is done on the way."""
        columns = [
            node["data"] for table in self.tables() for node in self._graph("column-lineage", table, withRows="true")
        ]
        return {
            ((self._column(source), self._column(column)), step["subtype"])
            for column in columns
            for source in column["inputFields"]
            for step in source["transformations"]
        }

    def _jobs(self) -> dict[str, tuple[set[str], set[str]]]:
        """What the jobs around the last table read and write."""
        nodes = [node for node in self._graph("lineage", "totals") if node["type"] == "JOB"]
        return {
            node["data"]["name"]: (
                {self._short(dataset["name"]) for dataset in node["data"]["inputs"]},
                {self._short(dataset["name"]) for dataset in node["data"]["outputs"]},
            )
            for node in nodes
        }

    def _graph(self, path: str, table: str, **more: str) -> list[dict[str, Any]]:
        node = {"nodeId": f"dataset:file:{self._folder / table}"}
        answer = self._client.get(f"/api/v1/{path}", params=node | more)
        assert answer.status_code == httpx.codes.OK, answer.text
        found: list[dict[str, Any]] = answer.json()["graph"]
        return found

    def _column(self, field: dict[str, Any]) -> str:
        return f"{self._short(field['dataset'])}.{field['field']}"

    def _short(self, name: str) -> str:
        return name.removeprefix(f"{self._folder}/")


Both = tuple[Server, Server]


@pytest.fixture(scope="module")
def servers(java: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    """The agent's server and Headwater's, after the job."""
    assert java.exists()
    folder = tmp_path_factory.mktemp("job")
    both = [Served(["--store", f"sqlite:///{folder}/{name}.db"], folder, {}, "") for name in ("agent", "headwater")]
    try:
        theirs, ours = (server.wait() for server in both)
        settings = {
            **plain_settings(folder),
            "spark.jars.packages": AGENT[VERSION],
            "spark.extraListeners": LISTENER,
            "spark.openlineage.namespace": "nightly",
            "spark.openlineage.transport.type": "http",
            "spark.openlineage.transport.url": theirs.url,
            "spark.headwater.transport.type": "http",
            "spark.headwater.transport.url": ours.url,
        }
        run_job(folder, tracked(JOB), settings, str(folder))
        with theirs.client() as one, ours.client() as other:
            yield Server(one, folder), Server(other, folder)
    finally:
        for server in both:
            server.kill()


def test_the_same_tables_from_the_same_tables(servers: Both) -> None:
    theirs, ours = servers

    assert ours.tables() == theirs.tables() == {"orders", "totals", "warehouse/bills", "warehouse/users"}
    assert ours.ways() == theirs.ways() == {
        ("orders", "warehouse/bills"),
        ("warehouse/users", "warehouse/bills"),
        ("warehouse/bills", "totals"),
    }  # fmt: skip


def test_the_same_columns_from_the_same_columns(servers: Both) -> None:
    theirs, ours = (server.steps() for server in servers)

    assert {way for way, _ in ours} == {way for way, _ in theirs}
    assert (("warehouse/bills.amount", "totals.total"), "AGGREGATION") in ours
    # The agent reads the optimized plan, where keys of a join are also filtered for NULL.
    keys = {"orders.user_id", "warehouse/users.id"}
    assert ours <= theirs
    assert {(origin, subtype) for (origin, _), subtype in theirs - ours} == {(key, "FILTER") for key in keys}


def test_the_jobs_have_names_alike(servers: Both) -> None:
    theirs, ours = (server.writers() for server in servers)

    assert ours.keys() == theirs.keys()
    for table, jobs in ours.items():
        (job,) = jobs
        assert JOBS[command(job)] & {command(other) for other in theirs[table]}
