"""Errors of the pipeline, in one sentence that names the place and what to do."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from headwater.common.errors import StoreError
from headwater.common.redaction.text import redact
from headwater.lake.places import readable

_AGAIN = "Nothing from this run was saved"
_FILE = re.compile(r"(?:while reading file|File does not exist:|File) ((?:[a-z][a-z0-9+.-]*:)?/\S*?)[.:]?\s")
# Parts of Spark's and Hadoop's messages, and what they mean to the user.
_CUT = "{file} is truncated or damaged: replace it or move it away. {again}: run it again afterwards."
_GONE = "{file} disappeared during the run: leave input in place while it is read. {again}."
_FULL = (
    "A disk is full: free some space for the lake and for Spark's folders (spark.local.dir). {again}: run it"
    " again afterwards."
)
_ARROW = (
    "Python on Spark's workers lacks PyArrow or pandas: install both there (pip install pyarrow pandas), or set"
    " PYSPARK_PYTHON to a Python that has them."
)
_HEADWATER = "Python on Spark's workers lacks Headwater: use `headwater pipeline`, which ships it, or install it there."
_VERSIONS = (
    "Spark's workers and driver use different Python versions: set PYSPARK_PYTHON and PYSPARK_DRIVER_PYTHON to"
    " the same version."
)
_SCHEME = (
    "Spark has no file system for this path: add its package, such as --conf"
    " spark.jars.packages=org.apache.hadoop:hadoop-aws:<Spark's Hadoop version> for s3a://."
)
_REFUSED = "Access denied{at}: allow this user, or Spark's, to read the input and write the lake."
_EXPLANATIONS = (
    ("Unexpected end of input stream|ZipException|not a gzip|incorrect (header|data) check", _CUT),
    ("invalid (block type|stored block|distance)|DataFormatException", _CUT),
    ("No space left on device|Disk quota exceeded", _FULL),
    ("FILE_NOT_EXIST|FileNotFoundException|underlying files have been updated", _GONE),
    ("No module named '(pyarrow|pandas|numpy)'|PACKAGE_NOT_INSTALLED|UNSUPPORTED_PACKAGE_VERSION", _ARROW),
    ("No module named 'headwater", _HEADWATER),
    ("PYTHON_VERSION_MISMATCH|different minor version", _VERSIONS),
    ("No FileSystem for scheme|UnsupportedFileSystemException", _SCHEME),
    ("AccessDeniedException|Access Denied|Permission denied", _REFUSED),
)
_MOST = 400


class PipelineError(StoreError):
    """The pipeline failed; the message is for the user."""


@contextmanager
def plain_spark_errors() -> Iterator[None]:
    """Turn Spark's errors into `PipelineError`."""
    from py4j.protocol import Py4JError  # noqa: PLC0415  Spark is an option
    from pyspark.errors import PySparkException  # noqa: PLC0415

    try:
        yield
    except (Py4JError, PySparkException) as error:
        raise PipelineError(explain(str(error))) from error


@contextmanager
def plain_os_errors() -> Iterator[None]:
    """Turn what this process cannot write into `PipelineError`."""
    try:
        yield
    except OSError as error:
        raise PipelineError(explain(str(error))) from error


def explain(text: str) -> str:
    """Explain a message of Spark.

    >>> explain("Encountered error while reading file file:///in/a.gz. Unexpected end of input stream")[:38]
    'The file /in/a.gz is truncated or dama'
    """
    named = _FILE.search(text)
    file = readable(named.group(1)) if named else ""
    for pattern, words in _EXPLANATIONS:
        if re.search(pattern, text):
            file_name = f"The file {file}" if file else "An input file (find it with `gzip -t`)"
            return words.format(file=file_name, at=f" at {file}" if file else "", again=_AGAIN)
    return f"Spark failed: {redact(_innermost_cause(text))} {_AGAIN}."


def _innermost_cause(text: str) -> str:
    """The innermost cause, which comes last and says most."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    causes = [line.removeprefix("Caused by: ") for line in lines if line.startswith("Caused by: ")]
    errors = [line for line in lines if re.match(r"\w*(Error|Exception)\b", line)]
    cause = (causes[-1:] or errors[-1:] or lines[:1] or ["no reason given"])[0][:_MOST]
    return cause if cause.endswith(".") else f"{cause}."
