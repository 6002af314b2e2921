"""What goes wrong in a run of the pipeline, in one sentence that names the place and what to do."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from headwater.openlineage.redact import redact
from headwater.pipeline.places import readable
from headwater.store.errors import StoreError

_AGAIN = "Nothing of this run was kept"
_FILE = re.compile(r"(?:while reading file|File does not exist:|File) ((?:[a-z][a-z0-9+.-]*:)?/\S*?)[.:]?\s")
# Parts of what Spark and Hadoop say, and what they mean to the user.
_CUT = "{file} is cut off or damaged: write it again or move it away. {again}; run it again then."
_GONE = "{file} was there when the run began and is gone: keep input in place while it is read. {again}."
_FULL = (
    "A disk is full: free some space at the lake and in Spark's folders (spark.local.dir). {again}; run it again then."
)
_ARROW = (
    "The Python of Spark's workers lacks PyArrow or pandas: install both there (pip install pyarrow pandas), or name in"
    " PYSPARK_PYTHON one that has them."
)
_HEADWATER = (
    "The Python of Spark's workers lacks Headwater: run this with `headwater pipeline`, which takes it along, or"
    " install it there."
)
_VERSIONS = (
    "The Python of Spark's workers is not that of the driver: name the same version in PYSPARK_PYTHON and"
    " PYSPARK_DRIVER_PYTHON."
)
_SCHEME = (
    "Spark has no file system for such a path: add the package for it, such as"
    " --conf spark.jars.packages=org.apache.hadoop:hadoop-aws:<Spark's Hadoop version> for s3a://."
)
_REFUSED = "Access was refused{at}: give this user, or Spark's, the right to read the input and to write the lake."
_WORDS = (
    ("Unexpected end of input stream", _CUT),
    ("ZipException", _CUT),
    ("not a gzip", _CUT),
    ("incorrect header check", _CUT),
    ("incorrect data check", _CUT),
    ("invalid block type", _CUT),
    ("invalid stored block", _CUT),
    ("invalid distance", _CUT),
    ("DataFormatException", _CUT),
    ("No space left on device", _FULL),
    ("Disk quota exceeded", _FULL),
    ("FILE_NOT_EXIST", _GONE),
    ("FileNotFoundException", _GONE),
    ("underlying files have been updated", _GONE),
    ("No module named 'pyarrow'", _ARROW),
    ("No module named 'pandas'", _ARROW),
    ("No module named 'numpy'", _ARROW),
    ("PACKAGE_NOT_INSTALLED", _ARROW),
    ("UNSUPPORTED_PACKAGE_VERSION", _ARROW),
    ("No module named 'headwater", _HEADWATER),
    ("PYTHON_VERSION_MISMATCH", _VERSIONS),
    ("different minor version", _VERSIONS),
    ("No FileSystem for scheme", _SCHEME),
    ("UnsupportedFileSystemException", _SCHEME),
    ("AccessDeniedException", _REFUSED),
    ("Access Denied", _REFUSED),
    ("Permission denied", _REFUSED),
)
_MOST = 400


class PipelineError(StoreError):
    """The pipeline cannot do its work; the message is for the user."""


@contextmanager
def spark_said_plainly() -> Iterator[None]:
    """Turn errors of Spark into `PipelineError`."""
    from py4j.protocol import Py4JError  # noqa: PLC0415  Spark is an option
    from pyspark.errors import PySparkException  # noqa: PLC0415

    try:
        yield
    except (Py4JError, PySparkException) as error:
        raise PipelineError(sentence(str(error))) from error


def sentence(said: str) -> str:
    """Say what an error of Spark means.

    >>> sentence("Encountered error while reading file file:///in/a.gz. Unexpected end of input stream")[:38]
    'The file /in/a.gz is cut off or damage'
    """
    named = _FILE.search(said)
    file = readable(named.group(1)) if named else ""
    for part, words in _WORDS:
        if part in said:
            named_or_not = f"The file {file}" if file else "A file of the input (`gzip -t` finds a broken one)"
            return words.format(file=named_or_not, at=f" at {file}" if file else "", again=_AGAIN)
    return f"Spark failed: {redact(_first(said))} {_AGAIN}."


def _first(said: str) -> str:
    """The innermost cause, which says most; it comes last."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    causes = [line.removeprefix("Caused by: ") for line in lines if line.startswith("Caused by: ")]
    errors = [line for line in lines if re.match(r"\w*(Error|Exception)\b", line)]
    found = (causes[-1:] or errors[-1:] or lines[:1] or ["it gave no reason"])[0][:_MOST]
    return found if found.endswith(".") else f"{found}."
