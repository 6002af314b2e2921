"""A stream on a standalone cluster, by spark-submit, with all that can be killed killed on the way."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.pipeline.cluster import BIN, SECONDS, killed, running_cluster
from tests.pipeline.lakes import history, write_lines
from tests.waiting import wait_for
from typer.testing import CliRunner

import headwater
from headwater.cli import app
from headwater.lake.lake import Lake
from headwater.lake.session.session import zipped
from headwater.pipeline.land.land import land
from headwater.pipeline.run import run_once

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import SparkSession
    from tests.conftest import EventMaker

_CONF = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.executor.memory": "512m",
    "spark.sql.shuffle.partitions": "2",
    "spark.default.parallelism": "2",
    "spark.ui.enabled": "false",
}


def test_what_goes_to_workers_needs_nothing_but_python(tmp_path: Path) -> None:
    check = "from headwater.store import open_store; from headwater.store.ingest.prepared_event import make_ready; "
    check += "import headwater; "
    check += f"open_store({str(tmp_path / 'a.db')!r}).prepare(); print(headwater.__file__)"
    code = f"import sys; sys.path.insert(0, {str(zipped(tmp_path))!r}); {check}"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(tmp_path / "headwater.zip" / "headwater" / "__init__.py")


@pytest.mark.slow
def test_a_stream_killed_twice_and_a_worker_killed_on_the_way_end_as_the_batch_run(
    pipeline_spark: SparkSession, lake_view: Callable[[object], dict[str, Any]], maker: EventMaker, tmp_path: Path
) -> None:
    source, lake, batch = tmp_path / "in", tmp_path / "lake", tmp_path / "batch"
    source.mkdir()
    events = history(maker, 16)

    def feed(number: int) -> None:
        write_lines(source / f"{number}.jsonl", [*events[number * 8 : number * 8 + 8], {"number": number}, events[0]])

    def snapshot(number: int) -> None:
        wait_for(f"snapshot {number}", (lake / "_headwater" / "snapshots" / f"{number:06}.json").exists, SECONDS)

    with running_cluster(tmp_path) as cluster:

        def start(*more: str) -> subprocess.Popen[bytes]:
            conf = [word for name, value in _CONF.items() for word in ("--conf", f"{name}={value}")]
            file = CliRunner().invoke(app, ["pipeline", "path"]).stdout.strip()
            command = [str(BIN / "spark-submit"), "--master", cluster.url, *conf, file, "stream", str(source)]
            command += ["--lake", str(lake), "--checkpoint", str(tmp_path / "checkpoint"), "--max-files", "1"]
            command += ["--every", "1 second", *more]
            # The same Headwater as this test's; the workers have none of their own in this place.
            environment = {**os.environ, "PYTHONPATH": str(Path(headwater.__file__).parents[1])}
            environment |= {"PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable}
            with (tmp_path / "driver.log").open("ab") as log:
                return subprocess.Popen(command, env=environment, stdout=log, stderr=log, start_new_session=True)

        feed(0)
        driver = start()
        try:
            # In the middle of a commit: tables are being written, and no snapshot has them yet.
            wait_for("the first write", (lake / "event").exists, SECONDS)
            killed(driver)
            feed(1)
            driver = start()
            snapshot(1)
            feed(2)
            killed(cluster.workers[0])
            snapshot(2)
            killed(driver)
            feed(3)
            driver = start("--once")
            assert driver.wait(SECONDS) == 0, (tmp_path / "driver.log").read_text(errors="replace")[-5000:]
        finally:
            killed(driver)
    landed = land(pipeline_spark, [str(source)])
    assert run_once(pipeline_spark, Lake.open(pipeline_spark, str(batch)), landed).read == 40
    assert lake_view(lake) == lake_view(batch)
