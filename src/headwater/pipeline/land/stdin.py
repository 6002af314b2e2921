"""Standard input as a file: executors cannot read it, and a failed task reads its input again."""

import shutil
import sys
import tempfile
from pathlib import Path
from typing import IO, Any

from pyspark.sql import SparkSession

from headwater.lake.failures import PipelineError, plain_spark_errors

_GZIP = b"\x1f\x8b"


def spooled_input(spark: SparkSession, folder: str, stream: IO[bytes] | None = None) -> str:
    """Copy standard input to a file in a folder on any file system; returns its path.

    Raises:
        PipelineError: it cannot be written.
    """
    source = sys.stdin.buffer if stream is None else stream
    try:
        with tempfile.TemporaryDirectory(prefix="headwater-") as place:
            draft = Path(place) / "input"
            start = source.read(len(_GZIP))
            with draft.open("wb") as file:
                file.write(start)
                shutil.copyfileobj(source, file, 1 << 20)
            # Spark tells by the name whether a file is compressed.
            target = f"{folder}/input.jsonl{'.gz' if start == _GZIP else ''}"
            with plain_spark_errors():
                _move(spark, str(draft), target)
    except OSError as error:
        raise PipelineError(
            f"Cannot buffer standard input in {tempfile.gettempdir()} ({error.strerror}): free some space, or set"
            " TMPDIR to another folder."
        ) from error
    return target


def _move(spark: SparkSession, draft: str, target: str) -> None:
    jvm: Any = spark.sparkContext._jvm  # noqa: SLF001  Spark's file systems are in the JVM only
    path = jvm.org.apache.hadoop.fs.Path(target)
    conf = spark._jsparkSession.sessionState().newHadoopConf()  # noqa: SLF001  as above
    path.getFileSystem(conf).moveFromLocalFile(jvm.org.apache.hadoop.fs.Path(draft), path)
