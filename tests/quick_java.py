"""The environment of a JVM that is ready sooner and writes faster. Dozens of tests start a Spark for a few seconds.

`python -m tests.quick_java` runs a small job once and archives the classes that it loaded (Java's class data sharing).
Later JVMs map the archive into memory instead of parsing, verifying and linking 12,000 classes each. A JVM that cannot
use the archive, because Java or a jar is another one, starts without it.

It also compiles PlainLocalFiles.java into a jar, which goes behind Spark's own jars with a setting that has Hadoop use
it: files are made without starting a process for each of them. And Spark's Python workers do not read the lists of
archives again before each task (quick_python).
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pyspark

from headwater.capture.jvm.java import ensure_java

_FOLDER = Path(__file__).parents[1] / ".venv" / "class-archives"
_PYTHON = Path(__file__).with_name("quick_python")
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
_FILES = Path(__file__).with_name("PlainLocalFiles.java")
# Spark brings a compiler.
_COMPILE = """
import sys
from pyspark.java_gateway import launch_gateway
gateway = launch_gateway()
compiler = gateway.jvm.org.codehaus.janino.Compiler()
compiler.setDestinationDirectory(gateway.jvm.java.io.File("."), False)
sources = gateway.new_array(gateway.jvm.java.io.File, 1)
sources[0] = gateway.jvm.java.io.File(sys.argv[1])
compiler.compile(sources)
gateway.shutdown()
"""
_SITE = """\
<configuration>
  <property><name>fs.file.impl</name><value>headwater.tests.PlainLocalFiles</value></property>
</configuration>
"""


def prepare() -> None:
    """Have every Spark that this process starts use what was made; and be quick to call Python."""
    for name, value in _environment().items():
        os.environ.setdefault(name, value)
    path = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    if str(_PYTHON) not in path:
        os.environ["PYTHONPATH"] = os.pathsep.join([str(_PYTHON), *filter(None, path)])


def local_files(*, checked: bool) -> str:
    """The class of Hadoop's local files that starts no process for each; Hadoop's own if it was not made."""
    if _jar().exists():
        return "headwater.tests.PlainLocalFiles" if checked else "headwater.tests.PlainLocalFiles$Raw"
    return f"org.apache.hadoop.fs.{'LocalFileSystem' if checked else 'RawLocalFileSystem'}"


def _environment() -> Mapping[str, str]:
    jar = _jar()
    return {"SPARK_SUBMIT_OPTS": _options()} | ({"SPARK_DIST_CLASSPATH": str(jar)} if jar.exists() else {})


def _options() -> str:
    archive = _archive()
    return f"{_QUICK} -XX:SharedArchiveFile={archive}" if archive.exists() else _QUICK


def make() -> None:
    """Make what is not there yet. A JVM that cannot make it leaves nothing: tests then take longer."""
    ensure_java()
    _FOLDER.mkdir(exist_ok=True)
    if not _jar().exists():
        _make_jar()
    if not _archive().exists():
        _make_archive()


def _make_jar() -> None:
    with tempfile.TemporaryDirectory(dir=_FOLDER) as folder:
        _run(_COMPILE, str(_FILES), folder=folder, options=_QUICK)
        classes = sorted(Path(folder).rglob("*.class"))
        new = Path(folder, "new.jar")
        with zipfile.ZipFile(new, "w") as jar:
            jar.writestr("core-site.xml", _SITE)
            for path in classes:
                jar.write(path, path.relative_to(folder))
        if classes:
            new.rename(_jar())


def _make_archive() -> None:
    with tempfile.TemporaryDirectory(dir=_FOLDER) as folder:
        new = Path(folder, "new.jsa")
        _run(_JOB, pyspark.__version__, folder=folder, options=f"{_QUICK} -XX:ArchiveClassesAtExit={new}")
        if new.exists():
            new.rename(_archive())


def _run(script: str, argument: str, *, folder: str, options: str) -> None:
    environment = {
        **os.environ,
        "SPARK_SUBMIT_OPTS": options,
        # It runs in another folder: paths must not depend on this one, or it runs another Spark.
        "PYTHONPATH": os.pathsep.join(str(Path(path).absolute()) for path in _python_path()),
    }
    # Ends when the JVM has ended, too, which writes an archive last: it has the same pipes.
    command = [sys.executable, "-c", script, argument]
    subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)


def _python_path() -> list[str]:
    return [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]


def _archive() -> Path:
    java = os.environ.get("JAVA_HOME") or shutil.which("java") or ""
    return _FOLDER / f"spark-{pyspark.__version__}-{hashlib.sha256(java.encode()).hexdigest()[:8]}.jsa"


def _jar() -> Path:
    source = _FILES.read_bytes() + _SITE.encode()
    return _FOLDER / f"local-files-{pyspark.__version__}-{hashlib.sha256(source).hexdigest()[:8]}.jar"


if __name__ == "__main__":
    make()
