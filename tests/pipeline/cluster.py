"""A standalone Spark cluster on this machine: a master and workers, each a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pyspark
from tests.postgres import free_port
from tests.waiting import wait_for

from headwater.capture.jvm.java import ensure_java

if TYPE_CHECKING:
    from collections.abc import Iterator

BIN = Path(pyspark.__file__).parent / "bin"
SECONDS = 600


@dataclass(frozen=True)
class Cluster:
    """A cluster that is running."""

    url: str
    workers: tuple[subprocess.Popen[bytes], ...]


@contextmanager
def running_cluster(folder: Path, workers: int = 2) -> Iterator[Cluster]:
    """A master and workers with a core each; they stop at the end."""
    ensure_java()
    # Nothing of this checkout: what workers need of Headwater comes with the job.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_NO_DAEMONIZE": "1"}
    port = free_port()
    url = f"spark://127.0.0.1:{port}"
    with ExitStack() as undo:

        def start(name: str, *words: str) -> subprocess.Popen[bytes]:
            log = undo.enter_context((folder / f"{name}.log").open("wb"))
            command = [str(BIN / "spark-class"), *words, "--host", "127.0.0.1", "--webui-port", "0"]
            process = subprocess.Popen(
                command, env=environment, stdout=log, stderr=log, cwd=folder, start_new_session=True
            )
            undo.callback(killed, process)
            return process

        start("master", "org.apache.spark.deploy.master.Master", "--port", str(port))
        wait_for("the master", lambda: "started at" in _log(folder, "master"), SECONDS)
        started = [
            start(
                f"worker{number}", "org.apache.spark.deploy.worker.Worker", url,
                "--cores", "1", "--memory", "1g", "--work-dir", str(folder / f"work{number}"),
            )
            for number in range(workers)
        ]  # fmt: skip
        names = [f"worker{number}" for number in range(workers)]
        wait_for("the workers", lambda: all("registered with master" in _log(folder, name) for name in names), SECONDS)
        yield Cluster(url, tuple(started))


def _log(folder: Path, name: str) -> str:
    return (folder / f"{name}.log").read_text(encoding="utf-8", errors="replace")


def killed(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and those that it has started."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
