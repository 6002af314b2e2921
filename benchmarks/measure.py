"""What the benchmarks share: a Spark, CPU time, memory, and fresh processes."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from headwater.capture.jvm.java import ensure_java
from headwater.capture.settings.client import make_client
from headwater.capture.settings.settings import Settings
from headwater.capture.tracker import Tracker

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_TICKS = os.sysconf("SC_CLK_TCK")
_LISTENER_THREADS = "spark-l"  # spark-listener-group-…, cut short by the kernel


def session(folder: Path, conf: Mapping[str, str] | None = None) -> SparkSession:
    """A local Spark with one core and nothing that would disturb; `conf` is added."""
    ensure_java()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # workers with the same packages
    from pyspark.sql import SparkSession  # noqa: PLC0415 (Java must be found first)

    builder = SparkSession.builder.master("local[1]").appName("bench")
    settings = {
        "spark.driver.memory": "4g",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "1",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        **(conf or {}),
    }
    for key, value in settings.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    return spark


def console() -> Console:
    """Where tables are printed: as wide as the terminal, or wide enough where there is none."""
    terminal = Console()
    return terminal if terminal.is_terminal else Console(width=180)


def jvm_of(spark: SparkSession) -> Any:  # noqa: ANN401 (py4j has no types)
    """The JVM behind a session."""
    gateway: Any = spark.sparkContext._gateway  # noqa: SLF001
    return gateway.jvm


def cpu_seconds(spark: SparkSession) -> float:
    """What the driver's JVM and Python have used so far, in user and system mode, with the children that ended."""
    return _spent(Path(f"/proc/{_pid(spark)}/stat"), 4) + sum(os.times()[:4])


def aside_seconds(spark: SparkSession) -> float:
    """The part of that which the JVM's listener threads and all of Python have used.

    That is where lineage is made; the JVM's compiler and its collector of garbage run elsewhere. What an agent does on
    threads of its own is not in it.
    """
    threads = Path(f"/proc/{_pid(spark)}/task").iterdir()
    listeners = [
        thread for thread in threads if (thread / "comm").read_text(encoding="utf-8").startswith(_LISTENER_THREADS)
    ]
    return sum(_spent(thread / "stat", 2) for thread in listeners) + sum(os.times()[:2])


def _spent(stat: Path, fields: int) -> float:
    values = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
    return sum(map(int, values[11 : 11 + fields])) / _TICKS


@functools.lru_cache(maxsize=1)
def _pid(spark: SparkSession) -> int:
    return int(jvm_of(spark).java.lang.ProcessHandle.current().pid())


def settle(spark: SparkSession) -> None:
    """Wait until every listener has seen everything."""
    context: Any = spark.sparkContext
    context._jsc.sc().listenerBus().waitUntilEmpty(600_000)  # noqa: SLF001 (PySpark has no public way to the bus)


def heap_mb(spark: SparkSession) -> float:
    """What is alive on the driver's heap."""
    lang = jvm_of(spark).java.lang
    for _ in range(3):  # the collector may leave something to the next time
        lang.System.gc()
    runtime = lang.Runtime.getRuntime()
    return float(runtime.totalMemory() - runtime.freeMemory()) / 1e6


def resident_mb() -> float:
    """The memory of this Python."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def tracker_to(spark: SparkSession, events: Path) -> Tracker:
    """Headwater, with its events in a file."""
    transport = {"type": "file", "log_file_path": str(events), "append": True}
    return Tracker(spark, Settings(), make_client(transport, None))


def facets(events: Path, name: str) -> dict[str, Any]:
    """The last column lineage of the dataset whose name ends so, as the events tell it."""
    lineage: dict[str, Any] = {}
    for line in events.read_text(encoding="utf-8").splitlines():
        for output in json.loads(line).get("outputs", ()):
            if output["name"].endswith(name):
                lineage = output.get("facets", {}).get("columnLineage", lineage)
    return lineage


def fresh_process(script: str, arguments: Sequence[str]) -> Any:  # noqa: ANN401 (it is JSON)
    """Run a benchmark's worker in a process of its own; what it prints last is its answer.

    Raises:
        RuntimeError: the process failed; the message is the last line that it wrote about it.
    """
    run = subprocess.run([sys.executable, script, *arguments], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        lines = [line for line in run.stderr.splitlines() if line.strip()]
        raise RuntimeError(lines[-1] if lines else f"exit code {run.returncode}")
    return json.loads(run.stdout.splitlines()[-1])
