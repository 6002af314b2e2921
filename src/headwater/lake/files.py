"""Files beside the tables, by Hadoop's file systems: whatever Spark can write to, the lake can be on."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from uuid import uuid4

from py4j.protocol import Py4JJavaError
from pyspark.sql import SparkSession

from headwater.lake.errors import LakeError

# Where a file appears as a whole when it is closed, and renaming would copy it.
_OBJECT_STORES = frozenset({"s3", "s3a", "s3n", "gs", "oss", "cosn", "obs"})

_PART = "part-"


class Files:
    """A directory and what is below it; paths are relative to it, with slashes."""

    def __init__(self, spark: SparkSession, root: str) -> None:
        jvm: Any = getattr(spark, "_jvm", None) if hasattr(spark, "_jsparkSession") else None
        if jvm is None:
            raise LakeError("A lake needs Spark in this process: Spark Connect cannot open it.")
        self._jvm = jvm
        with _said_plainly(root):
            self._conf = conf = spark._jsparkSession.sessionState().newHadoopConf()  # noqa: SLF001  py4j has no other way
            if not urlsplit(root).scheme and jvm.org.apache.hadoop.fs.FileSystem.getDefaultUri(conf).getScheme() in (
                "file",
                None,
            ):
                # The JVM's working directory is that of its start.
                root = Path(root).absolute().as_uri()
            path = jvm.org.apache.hadoop.fs.Path(root)
            self._system = path.getFileSystem(conf)
            self.root = str(self._system.makeQualified(path).toString()).rstrip("/")

    def path(self, relative: str = "") -> str:
        """The whole address of a file or directory."""
        return f"{self.root}/{relative}" if relative else self.root

    def _java(self, relative: str) -> Any:  # noqa: ANN401  an object of the JVM
        return self._jvm.org.apache.hadoop.fs.Path(self.path(relative))

    def exists(self, relative: str = "") -> bool:
        """Whether there is something."""
        with _said_plainly(self.path(relative)):
            return bool(self._system.exists(self._java(relative)))

    def is_file(self, relative: str = "") -> bool:
        """Whether it is a file."""
        with _said_plainly(self.path(relative)):
            place = self._java(relative)
            return bool(self._system.exists(place)) and bool(self._system.getFileStatus(place).isFile())

    def names(self, relative: str = "") -> list[str]:
        """What is in a directory, sorted; nothing where it is not there."""
        return sorted(name for name, _ in self.entries(relative))

    def entries(self, relative: str = "") -> list[tuple[str, int]]:
        """What is in a directory, each with when it was changed last, in milliseconds."""
        with _said_plainly(self.path(relative)):
            place = self._java(relative)
            if not self._system.exists(place):
                return []
            return [
                (str(status.getPath().getName()), int(status.getModificationTime()))
                for status in self._system.listStatus(place)
            ]

    def has_rows(self, place: str) -> bool:
        """Whether there is a row in a directory's Parquet files, of a whole address: by their ends, without a job."""
        parquet = self._jvm.org.apache.parquet.hadoop
        with _said_plainly(place):
            for status in self._system.listStatus(self._jvm.org.apache.hadoop.fs.Path(place)):
                if str(status.getPath().getName()).startswith(_PART):
                    opened = parquet.ParquetFileReader.open(parquet.util.HadoopInputFile.fromStatus(status, self._conf))
                    try:
                        if opened.getRecordCount():
                            return True
                    finally:
                        opened.close()
        return False

    def make(self, relative: str = "") -> None:
        """Make a directory, and those above it."""
        with _said_plainly(self.path(relative)):
            self._system.mkdirs(self._java(relative))

    def remove(self, relative: str) -> None:
        """Remove a file, or a directory with all that is in it."""
        with _said_plainly(self.path(relative)):
            self._system.delete(self._java(relative), True)  # noqa: FBT003  py4j has no names for arguments

    def read(self, relative: str) -> str:
        """The text of a file."""
        with _said_plainly(self.path(relative)):
            stream = self._system.open(self._java(relative))
            try:
                return str(self._jvm.org.apache.commons.io.IOUtils.toString(stream, "UTF-8"))
            finally:
                stream.close()

    def create(self, relative: str, text: str) -> bool:
        """Write a file that nobody sees before it is whole; False where it is there already, which then stays."""
        scheme = urlsplit(self.root).scheme
        if scheme in _OBJECT_STORES:
            return self._write(relative, text)
        folder, _, name = relative.rpartition("/")
        draft = f"{folder}/.{name}.{uuid4().hex}"
        self._write(draft, text)
        try:
            if scheme == "file":
                # Hadoop's own rename would replace a local file.
                return _link(self.path(draft), self.path(relative))
            with _said_plainly(self.path(relative)):
                return bool(self._system.rename(self._java(draft), self._java(relative)))
        finally:
            self.remove(draft)

    def _write(self, relative: str, text: str) -> bool:
        with _said_plainly(self.path(relative)):
            try:
                stream = self._system.create(self._java(relative), False)  # noqa: FBT003  as above
            except Py4JJavaError as error:
                if "FileAlreadyExists" in error.java_exception.getClass().getName():
                    return False
                raise
            try:
                stream.write(bytearray(text.encode()))
            finally:
                stream.close()
        return True


def _link(draft: str, wanted: str) -> bool:
    try:
        os.link(_local(draft), _local(wanted))
    except FileExistsError:
        return False
    # What the commit says is on disk before anyone acts on it.
    with suppress(OSError):
        folder = os.open(_local(wanted).parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    return True


def _local(address: str) -> Path:
    return Path(unquote(urlsplit(address).path))


@contextmanager
def _said_plainly(place: str) -> Iterator[None]:
    """Turn errors of Hadoop into one sentence."""
    try:
        yield
    except Py4JJavaError as error:
        said = str(error.java_exception.getMessage() or error.java_exception.getClass().getName()).splitlines()[0]
        raise LakeError(f"Cannot use the lake directory {place}: {said}.") from error
