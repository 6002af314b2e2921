"""The Spark session of the pipeline: the active one, or a new one."""

import logging
import os
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from importlib.resources import as_file, files
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headwater.lake.failures import PipelineError, plain_spark_errors
from headwater.lake.places import RUN_FOLDER
from headwater.lake.session.packages import CLASSES, package_for, settings_for

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

APPLICATION = "headwater pipeline"
_LOCAL = "local[*]"
_STORE = "spark.headwater.store"
# A run writes to folders of its own: without their names, a table of the lake is one dataset across runs, and so is a
# materialized frame. A pattern of the user's replaces this one.
_REMOVE_PATH = "dataset.removePath.pattern"
_NAMED_BY_RUN = f"(?<remove>/{RUN_FOLDER})"
# Of little use to a run that reports on itself; the user's settings win.
_QUIET = {"spark.ui.showConsoleProgress": "false", "spark.ui.enabled": "false"}
_PARTS_PER_CORE = 4
LOCAL = {"spark.sql.sources.parallelPartitionDiscovery.threshold": "10000"}
"""On one machine, this process lists directories: tasks would cost more."""
SETTINGS = {"spark.sql.codegen.cache.maxEntries": "5000"}
"""A run has hundreds of small plans; with Spark's default of 100, it would compile them all again."""
_JAVA_OPTIONS = "spark.driver.extraJavaOptions"


@dataclass(frozen=True)
class SessionOptions:
    """Options of the session.

    Attributes:
        master: Spark's master; None leaves it to spark-submit or Spark's settings, and is local otherwise.
        conf: Spark settings.
        needs: kinds of tables and topics to read or write: iceberg, delta, kafka.
        track: the store that receives the lineage of the pipeline's own jobs, if any.
    """

    master: str | None = None
    conf: Mapping[str, str] = field(default_factory=dict)
    needs: Sequence[str] = ()
    track: str | None = None


@contextmanager
def pipeline_session(options: SessionOptions) -> "Iterator[SparkSession]":
    """A session, stopped at the end if it was started here.

    Raises:
        PipelineError: PySpark or Java is missing, or Spark does not start.
    """
    if find_spec("pyspark") is None:
        raise PipelineError("The pipeline needs Spark, which is not installed: pip install 'headwater[spark]'.")
    if find_spec("pyarrow") is None:
        raise PipelineError("The pipeline needs PyArrow, which is not installed: pip install pyarrow pandas.")
    from pyspark.sql import SparkSession  # noqa: PLC0415  an option

    with ExitStack() as undo:
        spark = SparkSession.getActiveSession()
        if spark is None:
            spark = _start(options, undo)
            undo.callback(spark.stop)
        _check_needs(spark, options.needs)
        _ship(spark, undo)
        if options.track:
            _track(spark, options.track, undo)
        yield spark


def _track(spark: "SparkSession", store: str, undo: ExitStack) -> None:
    """Send the session's own lineage to a store."""
    from headwater.capture.tracker import track  # noqa: PLC0415  only now: it loads what reads plans

    settings = {_STORE: store}
    if not any(spark.conf.get(f"spark.{prefix}.{_REMOVE_PATH}", None) for prefix in ("headwater", "openlineage")):
        settings[f"spark.headwater.{_REMOVE_PATH}"] = _NAMED_BY_RUN
    for name, value in settings.items():
        spark.conf.set(name, value)
        undo.callback(spark.conf.unset, name)
    undo.enter_context(track(spark))


def _start(options: SessionOptions, undo: ExitStack) -> "SparkSession":
    import pyspark  # noqa: PLC0415  an option
    from pyspark.sql import SparkSession  # noqa: PLC0415

    builder = SparkSession.builder.appName(APPLICATION)
    settings = dict(options.conf)
    # spark-submit has started the JVM: its settings apply.
    if "PYSPARK_GATEWAY_PORT" not in os.environ:
        _find_java()
        master = options.master or settings.get("spark.master") or os.environ.get("MASTER") or _LOCAL
        if master.startswith("local"):
            # Workers with the same packages as this process; on a cluster its paths mean nothing.
            os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
            # Spark's usual 200 are for clusters.
            parts = str(_PARTS_PER_CORE * (os.cpu_count() or 1))
            settings = {**LOCAL, "spark.sql.shuffle.partitions": parts, **settings}
        quiet = undo.enter_context(as_file(files("headwater.capture") / "log4j2.properties"))
        java = f"-Dlog4j2.configurationFile={quiet.as_uri()} {settings.get(_JAVA_OPTIONS, '')}".strip()
        settings = {**_QUIET, **SETTINGS, **settings, _JAVA_OPTIONS: java}
        settings |= settings_for(options.needs, pyspark.__version__, settings)
        _quiet_python()
        builder = builder.master(master)
    elif options.master:
        builder = builder.master(options.master)
    for name, value in settings.items():
        builder = builder.config(name, value)
    try:
        with plain_spark_errors():
            return builder.getOrCreate()
    except RuntimeError as error:
        if isinstance(error, PipelineError):
            raise
        packages = settings.get("spark.jars.packages")
        hint = (
            f": check that {packages} can be downloaded from Maven Central."
            if packages
            else "; see its messages above."
        )
        raise PipelineError(f"Spark does not start{hint}") from error


def _quiet_python() -> None:
    """Keep PySpark from printing exceptions that we report ourselves; only Spark 4 does."""
    if find_spec("pyspark.logger") is not None:
        from pyspark.logger import PySparkLogger  # noqa: PLC0415  not in Spark 3.5

        for name in ("DataFrameQueryContextLogger", "SQLQueryContextLogger"):
            PySparkLogger.getLogger(name).setLevel(logging.CRITICAL)


def _find_java() -> None:
    from headwater.capture.jvm.java import NoJava, ensure_java  # noqa: PLC0415  loads what only starting needs

    try:
        ensure_java()
    except NoJava as error:
        raise PipelineError(str(error)) from error


def _check_needs(spark: "SparkSession", needs: Sequence[str]) -> None:
    """Check that Spark has what is needed; a running one takes no more packages."""
    jvm: Any = spark.sparkContext._jvm  # noqa: SLF001  only the JVM knows its classes
    for kind in needs:
        try:
            jvm.org.apache.spark.util.Utils.classForName(CLASSES[kind], True, False)  # noqa: FBT003  py4j's way
        except Exception as error:  # noqa: PERF203  three kinds at most
            package = package_for(kind, spark.version)
            hint = f"start it with --packages {package}" if package else f"no package exists for Spark {spark.version}"
            raise PipelineError(f"Spark cannot read and write {kind}: {hint}.") from error


def _ship(spark: "SparkSession", undo: ExitStack) -> None:
    """Ship this package to workers on other machines, in the same version."""
    context = spark.sparkContext
    if not (context.master or "").startswith("local"):
        folder = undo.enter_context(tempfile.TemporaryDirectory(prefix="headwater-", ignore_cleanup_errors=True))
        context.addPyFile(str(zipped(Path(folder))))


def zipped(folder: Path) -> Path:
    """The package as a zip in a folder."""
    home, target = Path(__file__).parents[2], folder / "headwater.zip"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(home.rglob("*")):
            if file.suffix in {".py", ".sql"} and "__pycache__" not in file.parts:
                archive.write(file, Path("headwater") / file.relative_to(home))
    return target
