"""Files and directories by their names, on any file system that Spark knows."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from py4j.protocol import Py4JJavaError
from pyspark.sql import DataFrame, SparkSession

from headwater.lake.failures import PipelineError, sentence

NAMES = "*.{json,jsonl,ndjson,json.gz,jsonl.gz,ndjson.gz}"
"""Which files of a directory are read, as Hadoop writes it."""
_ENDINGS = ".json, .jsonl or .ndjson, plain or .gz"
_GLOB = re.compile(r"([\[\]{}*?\\])")


class Found(NamedTuple):
    """A file or a directory that is there."""

    path: str
    is_directory: bool


def find(spark: SparkSession, name: str) -> list[Found]:
    """What a path or a pattern names.

    Raises:
        PipelineError: there is nothing of that name, or it cannot be looked for.
    """
    jvm: Any = spark.sparkContext._jvm  # noqa: SLF001  Spark's file systems are in the JVM only
    try:
        path = jvm.org.apache.hadoop.fs.Path(absolute(name))
        conf = spark._jsparkSession.sessionState().newHadoopConf()  # noqa: SLF001  as above
        system = path.getFileSystem(conf)
        # A name that is there is meant, even where it looks like a pattern.
        statuses = [system.getFileStatus(path)] if system.exists(path) else list(system.globStatus(path) or ())
    except Py4JJavaError as error:
        raise PipelineError(f"Cannot read {name}. {sentence(str(error))}") from error
    found = [Found(str(status.getPath().toString()), bool(status.isDirectory())) for status in statuses]
    if not found:
        what = "matches nothing" if _GLOB.search(name) else "does not exist"
        raise PipelineError(f"{name} {what}: name an existing file, directory or pattern.")
    return found


def absolute(name: str) -> str:
    """A path that means the same to the JVM, whose working directory is that of its start.

    >>> absolute("s3a://bucket/events")
    's3a://bucket/events'
    """
    return name if urlsplit(name).scheme else str(Path(name).expanduser().absolute())


def literally(path: str) -> str:
    r"""A path as Spark's readers take it: no character of it stands for others.

    >>> literally("/in/may[1].jsonl")
    '/in/may\\[1\\].jsonl'
    """
    return _GLOB.sub(r"\\\1", path)


def to_follow(name: str, found: Sequence[Found]) -> str:
    """What a stream is to read: a pattern stays one, so that what matches it later belongs to the stream, too.

    >>> to_follow("/in/day*", [Found("file:/in/day1", True)])
    '/in/day*'
    >>> to_follow("/in/day1", [Found("file:/in/day1", True)])
    'file:/in/day1'
    """
    last = name.rstrip("/").rpartition("/")[2]
    return literally(found[0].path) if found[0].path.endswith(f"/{last}") else absolute(name)


def check_names(found: Sequence[Found]) -> None:
    """Refuse files that Spark would pass over in silence."""
    for path, is_directory in found:
        name = path.rpartition("/")[2]
        if not is_directory and (name.startswith(".") or (name.startswith("_") and "=" not in name)):
            raise PipelineError(f"Spark ignores files whose names begin with . or _, such as {path}: rename it.")


def check_some(frame: DataFrame, name: str) -> None:
    """Refuse a source without files."""
    if len(frame._jdf.inputFiles()) == 0:  # noqa: SLF001  the names themselves stay in the JVM
        raise PipelineError(f"{name} contains no events: no file ends in {_ENDINGS}.")
