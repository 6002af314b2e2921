"""Options for a JVM that is ready sooner. Dozens of tests start a Spark of their own for a few seconds.

`python -m tests.quick_java` runs a small job once and archives the classes that it loaded (Java's class data sharing).
Later JVMs map the archive into memory instead of parsing, verifying and linking 12,000 classes each. A JVM that cannot
use the archive, because Java or a jar is another one, starts without it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pyspark

from headwater.capture.jvm.java import ensure_java

_FOLDER = Path(__file__).parents[1] / ".venv" / "class-archives"
# Short jobs: a compiler that takes its time costs more than it saves.
# With it alone, Java keeps room for 48 MB of compiled code, and throws away what it compiled for Spark.
_QUICK = "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m -XX:+UseSerialGC -Xlog:disable -Xlog:all=error:stderr"
_JOB = """
import sys
import pyspark
from pyspark.sql import SparkSession
import headwater
assert pyspark.__version__ == sys.argv[1]
spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
headwater.track(spark)
spark.sql("SELECT id, id % 3 AS k, named_struct('x', id) AS s FROM range(10)").write.parquet("a")
spark.read.parquet("a").createOrReplaceTempView("a")
spark.sql("SELECT k, sum(s.x) AS x, count(*) OVER (PARTITION BY k) AS n FROM a GROUP BY k, s.x").write.saveAsTable("b")
spark.table("b").join(spark.table("a"), "k").where("x > 1").orderBy("x").write.json("c")
spark.read.json("c").write.csv("d", header=True)
spark.read.csv("d", header=True).collect()
spark.stop()
"""


def options() -> str:
    """The options, for `SPARK_SUBMIT_OPTS`; with the archive if there is one."""
    archive = _archive()
    return f"{_QUICK} -XX:SharedArchiveFile={archive}" if archive.exists() else _QUICK


def make_archive() -> None:
    """Make the archive, unless there is one. A JVM that cannot make it leaves none: tests then take longer."""
    archive = _archive()
    if archive.exists():
        return
    ensure_java()
    _FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=_FOLDER) as folder:
        new = Path(folder, "new.jsa")
        environment = {
            **os.environ,
            "SPARK_SUBMIT_OPTS": f"{_QUICK} -XX:ArchiveClassesAtExit={new}",
            # The job runs in another folder: paths must not depend on this one, or it runs another Spark.
            "PYTHONPATH": os.pathsep.join(str(Path(path).absolute()) for path in _python_path()),
        }
        command = [sys.executable, "-c", _JOB, pyspark.__version__]
        # Ends when the JVM has ended, too, which writes the archive last: it has the same pipes.
        subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
        if new.exists():
            new.rename(archive)


def _python_path() -> list[str]:
    return [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]


def _archive() -> Path:
    java = os.environ.get("JAVA_HOME") or shutil.which("java") or ""
    return _FOLDER / f"spark-{pyspark.__version__}-{hashlib.sha256(java.encode()).hexdigest()[:8]}.jsa"


if __name__ == "__main__":
    make_archive()
