"""A job in a process of its own, as its users start it, and OpenLineage's own agent for it."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pyspark
import pytest

import headwater

if TYPE_CHECKING:
    from collections.abc import Mapping

AGENT = {
    "3.5": "io.openlineage:openlineage-spark_2.12:1.53.0",
    "4.1": "io.openlineage:openlineage-spark_2.13:1.53.0",
}
LISTENER = "io.openlineage.spark.agent.OpenLineageSparkListener"
SECONDS = 400
_SESSION = ".getOrCreate()\n"
_THE_LINE = "__import__('headwater').track(spark)\n"


def tracked(source: str) -> str:
    """A job with the one line that Headwater needs."""
    return source.replace(_SESSION, _SESSION + _THE_LINE)


def run_job(folder: Path, source: str, settings: Mapping[str, str], *arguments: str) -> None:
    """Run a job to its end, in a folder, with settings of Spark; skip where its packages cannot be had."""
    job = folder / "job.py"
    job.write_text(source, encoding="utf-8")
    chosen = {"spark.master": "local[1]", **settings}
    packages = (str(Path(module.__file__ or "").parents[1]) for module in (headwater, pyspark))
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(packages),
        "PYSPARK_SUBMIT_ARGS": shlex.join(
            [*(part for key, value in chosen.items() for part in ("--conf", f"{key}={value}")), "pyspark-shell"]
        ),
    }
    done = subprocess.run(
        [sys.executable, str(job), *arguments],
        env=environment, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    if "JAVA_GATEWAY_EXITED" in done.stderr:
        pytest.skip(f"needs Maven Central, or in Ivy's cache {chosen.get('spark.jars.packages', '')}")
    assert done.returncode == 0, done.stderr[-5000:]
