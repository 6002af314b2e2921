"""Files and directories by name, on any file system that Spark knows."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from py4j.protocol import Py4JJavaError
from pyspark.sql import DataFrame, SparkSession

from headwater.lake.failures import PipelineError, explain

NAMES = "*.{json,jsonl,ndjson,json.gz,jsonl.gz,ndjson.gz}"
"""Which files of a directory are read, in Hadoop's syntax."""
_ENDINGS = ".json, .jsonl or .ndjson, plain or .gz"
_GLOB = re.compile(r"([\[\]{}*?\\])")


class Entry(NamedTuple):
    """An existing file or directory."""

    path: str
    is_directory: bool


def find(spark: SparkSession, name: str) -> list[Entry]:
    """The files and directories of a path or pattern.

    Raises:
        PipelineError: nothing matches, or the file system cannot be read.
    """
    jvm: Any = spark.sparkContext._jvm  # noqa: SLF001  Spark's file systems are in the JVM only
    try:
        path = jvm.org.apache.hadoop.fs.Path(absolute(name))
        conf = spark._jsparkSession.sessionState().newHadoopConf()  # noqa: SLF001  as above
        system = path.getFileSystem(conf)
        # An existing name is meant literally, even where it looks like a pattern.
        statuses = [system.getFileStatus(path)] if system.exists(path) else list(system.globStatus(path) or ())
    except Py4JJavaError as error:
        raise PipelineError(f"Cannot read {name}. {explain(str(error))}") from error
    entries = [Entry(str(status.getPath().toString()), bool(status.isDirectory())) for status in statuses]
    if not entries:
        problem = "matches nothing" if _GLOB.search(name) else "does not exist"
        raise PipelineError(f"{name} {problem}: name an existing file, directory or pattern.")
    return entries


def absolute(name: str) -> str:
    """A path that does not depend on the JVM's working directory.

    >>> absolute("s3a://bucket/events")
    's3a://bucket/events'
    """
    return name if urlsplit(name).scheme else str(Path(name).expanduser().absolute())


def literally(path: str) -> str:
    r"""A path for Spark's readers, with wildcards escaped.

    >>> literally("/in/may[1].jsonl")
    '/in/may\\[1\\].jsonl'
    """
    return _GLOB.sub(r"\\\1", path)


def stream_path(name: str, entries: Sequence[Entry]) -> str:
    """The path for a stream to read: a pattern stays one, so that later matches belong to the stream, too.

    >>> stream_path("/in/day*", [Entry("file:/in/day1", True)])
    '/in/day*'
    >>> stream_path("/in/day1", [Entry("file:/in/day1", True)])
    'file:/in/day1'
    """
    last = name.rstrip("/").rpartition("/")[2]
    return literally(entries[0].path) if entries[0].path.endswith(f"/{last}") else absolute(name)


def check_names(entries: Sequence[Entry]) -> None:
    """Refuse files that Spark would silently skip."""
    for path, is_directory in entries:
        name = path.rpartition("/")[2]
        if not is_directory and (name.startswith(".") or (name.startswith("_") and "=" not in name)):
            raise PipelineError(f"Spark ignores files whose names begin with . or _, such as {path}: rename it.")


def check_not_empty(frame: DataFrame, name: str) -> None:
    """Refuse a source without files."""
    if len(frame._jdf.inputFiles()) == 0:  # noqa: SLF001  the names themselves stay in the JVM
        raise PipelineError(f"{name} contains no events: no file ends in {_ENDINGS}.")
