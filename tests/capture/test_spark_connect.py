"""A Spark Connect session whose server is in its own process, which has a JVM of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pyspark
import pytest

pytestmark = pytest.mark.spark

PACKAGES = Path(__file__).parents[2] / ".venv" / "connect"

JOB = """
import sys
import headwater
from headwater.capture.jvm.java import ensure_java
ensure_java()
from pyspark.sql import SparkSession
settings = {
    "spark.ui.enabled": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.headwater.transport.type": "file",
    "spark.headwater.transport.log_file_path": sys.argv[1] + "/events.jsonl",
    "spark.headwater.transport.append": "true",
}
builder = SparkSession.builder.remote("local[1]")
for key, value in settings.items():
    builder = builder.config(key, value)
spark = builder.getOrCreate()
with headwater.track(spark) as tracker:
    assert tracker.active
    spark.range(3).write.parquet(sys.argv[1] + "/source")
    spark.read.parquet(sys.argv[1] + "/source").selectExpr("id * 2 AS twice").write.parquet(sys.argv[1] + "/target")
spark.stop()
"""


def test_remote_local_is_tracked(tmp_path: Path) -> None:
    if not pyspark.__version__.startswith("4.1."):
        pytest.skip("the packages of Spark Connect are those for Spark 4.1")
    if not PACKAGES.is_dir():
        pytest.skip("needs what Spark Connect is made of: make oracle")
    job = tmp_path / "job.py"
    job.write_text(JOB, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(job), str(tmp_path)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(PACKAGES), os.environ.get("PYTHONPATH", "")])},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    events = [json.loads(line) for line in (tmp_path / "events.jsonl").read_text("utf-8").splitlines()]
    (last,) = [event for event in events if event["eventType"] == "COMPLETE" and event.get("inputs")]
    assert [dataset["name"] for dataset in last["inputs"]] == [str(tmp_path / "source")]
    (output,) = last["outputs"]
    (source,) = output["facets"]["columnLineage"]["fields"]["twice"]["inputFields"]
    assert (output["name"], source["field"]) == (str(tmp_path / "target"), "id")
