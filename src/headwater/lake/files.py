"""Files beside the tables, through Hadoop's file systems: a lake can be wherever Spark can write."""

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

# Here a file appears as a whole when it is closed, and a rename would copy it.
_OBJECT_STORES = frozenset({"s3", "s3a", "s3n", "gs", "oss", "cosn", "obs"})

_PART = "part-"


class Files:
    """A directory and its content; paths are relative to it, with slashes."""

    def __init__(self, spark: SparkSession, root: str) -> None:
        jvm: Any = getattr(spark, "_jvm", None) if hasattr(spark, "_jsparkSession") else None
        if jvm is None:
            raise LakeError("A lake needs Spark in this process: Spark Connect cannot open it.")
        self._jvm = jvm
        with _plain_errors(root):
            self._conf = conf = spark._jsparkSession.sessionState().newHadoopConf()  # noqa: SLF001  py4j has no other way
            if not urlsplit(root).scheme and jvm.org.apache.hadoop.fs.FileSystem.getDefaultUri(conf).getScheme() in (
                "file",
                None,
            ):
                # The JVM's working directory is the one it started in.
                root = Path(root).absolute().as_uri()
            path = jvm.org.apache.hadoop.fs.Path(root)
            self._system = path.getFileSystem(conf)
            self.root = str(self._system.makeQualified(path).toString()).rstrip("/")

    def path(self, relative: str = "") -> str:
        """The full path of a file or directory."""
        return f"{self.root}/{relative}" if relative else self.root

    def _java(self, relative: str) -> Any:  # noqa: ANN401  an object of the JVM
        return self._jvm.org.apache.hadoop.fs.Path(self.path(relative))

    def local(self, relative: str) -> Path | None:
        """The path of a file or directory on this machine; None where only Hadoop reaches it."""
        return _local(self.path(relative)) if urlsplit(self.root).scheme == "file" else None

    def exists(self, relative: str = "") -> bool:
        """Whether a file or directory exists."""
        with _plain_errors(self.path(relative)):
            return bool(self._system.exists(self._java(relative)))

    def is_file(self, relative: str = "") -> bool:
        """Whether it is a file."""
        with _plain_errors(self.path(relative)):
            place = self._java(relative)
            return bool(self._system.exists(place)) and bool(self._system.getFileStatus(place).isFile())

    def names(self, relative: str = "") -> list[str]:
        """The names in a directory, sorted; empty where it does not exist."""
        return sorted(name for name, _ in self.entries(relative))

    def entries(self, relative: str = "") -> list[tuple[str, int]]:
        """The names in a directory, each with its modification time in milliseconds."""
        with _plain_errors(self.path(relative)):
            place = self._java(relative)
            if not self._system.exists(place):
                return []
            return [
                (str(status.getPath().getName()), int(status.getModificationTime()))
                for status in self._system.listStatus(place)
            ]

    def is_larger(self, size: int) -> bool:
        """Whether all files together have more bytes than this; of many files, only the first are looked at."""
        left = size
        with _plain_errors(self.root):
            listed = self._system.listFiles(self._java(""), True)  # noqa: FBT003  py4j has no names for arguments
            while left >= 0 and listed.hasNext():
                left -= int(listed.next().getLen())
        return left < 0

    def has_rows(self, place: str) -> bool:
        """Whether the Parquet files of a directory (its full path) have a row: by their footers, without a job."""
        parquet = self._jvm.org.apache.parquet.hadoop
        with _plain_errors(place):
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
        """Create a directory and its parents."""
        with _plain_errors(self.path(relative)):
            self._system.mkdirs(self._java(relative))

    def remove(self, relative: str) -> None:
        """Remove a file, or a directory and its content."""
        with _plain_errors(self.path(relative)):
            self._system.delete(self._java(relative), True)  # noqa: FBT003  as above

    def read(self, relative: str) -> str:
        """The text of a file."""
        with _plain_errors(self.path(relative)):
            stream = self._system.open(self._java(relative))
            try:
                return str(self._jvm.org.apache.commons.io.IOUtils.toString(stream, "UTF-8"))
            finally:
                stream.close()

    def create(self, relative: str, text: str) -> bool:
        """Write a file atomically; False where it exists already, which then stays."""
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
            with _plain_errors(self.path(relative)):
                return bool(self._system.rename(self._java(draft), self._java(relative)))
        finally:
            self.remove(draft)

    def _write(self, relative: str, text: str) -> bool:
        with _plain_errors(self.path(relative)):
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


def _link(draft: str, target: str) -> bool:
    try:
        os.link(_local(draft), _local(target))
    except FileExistsError:
        return False
    # The commit is on disk before anyone acts on it.
    with suppress(OSError):
        folder = os.open(_local(target).parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    return True


def _local(address: str) -> Path:
    return Path(unquote(urlsplit(address).path))


@contextmanager
def _plain_errors(place: str) -> Iterator[None]:
    """Turn Hadoop's errors into `LakeError`."""
    try:
        yield
    except Py4JJavaError as error:
        reason = str(error.java_exception.getMessage() or error.java_exception.getClass().getName()).splitlines()[0]
        raise LakeError(f"Cannot use the lake directory {place}: {reason}.") from error
