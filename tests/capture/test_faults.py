"""What may go wrong around a job: it ends as it would have without Headwater, and nothing that was seen is lost."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

START = """
import os, sys, threading
import headwater
from headwater.capture.jvm.java import ensure_java
ensure_java()
from pyspark.sql import SparkSession
out = sys.argv[1]
spark = (SparkSession.builder.master("local[1]").appName("faults")
    .config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
    .config("spark.sql.warehouse.dir", out + "/warehouse")
    .config("spark.headwater.spool.directory", out + "/spool")
    .config("spark.headwater.transport.type", "http")
    .config("spark.headwater.transport.url", "http://127.0.0.1:9")  # nobody listens there
    .config("spark.headwater.transport.auth.type", "api_key")
    .config("spark.headwater.transport.auth.apiKey", "hunter2")
    .getOrCreate())
tracker = headwater.track(spark)
assert tracker.active
"""


@pytest.fixture
def run(tmp_path: Path) -> Callable[[str], subprocess.CompletedProcess[str]]:
    """Run a job in a process of its own, with an endpoint that is dead."""

    def start(script: str) -> subprocess.CompletedProcess[str]:
        job = tmp_path / "job.py"
        job.write_text(START + textwrap.dedent(script), encoding="utf-8")
        return subprocess.run(
            [sys.executable, str(job), str(tmp_path)], capture_output=True, text=True, check=False, timeout=300
        )

    return start


def _spooled(folder: Path) -> list[str]:
    """The names of the outputs in the spool's COMPLETE events."""
    lines = [line for file in (folder / "spool").rglob("*.jsonl") for line in file.read_text("utf-8").splitlines()]
    events = [json.loads(line) for line in lines if line.startswith("{")]
    return sorted(
        Path(output["name"]).name
        for event in events
        if event["eventType"] == "COMPLETE"
        for output in event.get("outputs", ())
    )


def test_a_dead_endpoint_two_sessions_and_two_threads(
    run: Callable[[str], subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    done = run("""
        def work(session, name):
            session.range(3).write.parquet(f"{out}/{name}")
        threads = [threading.Thread(target=work, args=(s, n)) for s, n in ((spark, "one"), (spark.newSession(), "two"))]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        spark.stop()
        print("done")
    """)
    assert (done.returncode, done.stdout.splitlines()[-1:]) == (0, ["done"]), done.stderr[-2000:]
    assert _spooled(tmp_path) == ["one", "two"]
    everything = done.stderr + "".join(file.read_text("utf-8") for file in (tmp_path / "spool").rglob("*.json*"))
    assert "hunter2" not in everything


def test_what_waits_is_stored_by_a_command(
    run: Callable[[str], subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    assert run("spark.range(3).write.parquet(out + '/one')").returncode == 0
    store = f"sqlite:///{tmp_path / 'lineage.db'}"
    command = [sys.executable, "-m", "headwater", "ingest", "--spool", str(tmp_path / "spool"), "--store", store]
    first = subprocess.run(command, capture_output=True, text=True, check=False)
    assert first.returncode == 0, first.stderr
    assert (tmp_path / "lineage.db").exists()
    assert _spooled(tmp_path) == []


def test_a_forked_process_leaves_the_tracker_alone(
    run: Callable[[str], subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    done = run("""
        child = os.fork()
        if child == 0:
            tracker.flush()
            tracker.stop()
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        spark.range(3).write.parquet(f"{out}/after")
        spark.stop()
        print("done")
    """)
    assert (done.returncode, done.stdout.splitlines()[-1:]) == (0, ["done"]), done.stderr[-2000:]
    assert _spooled(tmp_path) == ["after"]


def test_spark_stops_while_events_are_on_their_way(
    run: Callable[[str], subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    done = run("""
        for number in range(10):
            spark.range(3).write.mode("overwrite").parquet(f"{out}/n{number}")
        flushing = threading.Thread(target=tracker.flush)
        flushing.start()
        spark.stop()
        flushing.join()
        tracker.stop()
        print("done")
    """)
    assert (done.returncode, done.stdout.splitlines()[-1:]) == (0, ["done"]), done.stderr[-2000:]
    assert _spooled(tmp_path) == [f"n{number}" for number in range(10)]
