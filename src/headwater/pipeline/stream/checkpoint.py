"""The checkpoint of a stream: Spark's own, and beside it the stream's id and the version of the checkpoint."""

import json
from dataclasses import dataclass
from uuid import uuid4

from pyspark.sql import SparkSession

from headwater.lake.failures import PipelineError
from headwater.lake.files import Files

VERSION = 1
"""The checkpoint version that this Headwater reads and writes."""
_FILE = "headwater.json"
_SPARK = "spark"
_ANEW = (
    "start the stream with a new --checkpoint directory; it reads its input from the beginning and skips the"
    " events that the lake already has"
)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """An open checkpoint.

    Attributes:
        stream: the stream's id in the lake.
        location: the folder of Spark's own checkpoint.
    """

    stream: str
    location: str


def open_checkpoint(spark: SparkSession, place: str, source: str) -> Checkpoint:
    """Open a checkpoint, or create it.

    Raises:
        PipelineError: it belongs to another version of Headwater or another stream.
    """
    files = Files(spark, place)
    if not files.exists(_FILE):
        if files.is_file() or files.names():
            raise PipelineError(f"{place} contains other files and no Headwater checkpoint: {_ANEW}.")
        files.make()
        fields = {"version": VERSION, "stream": str(uuid4()), "source": source}
        files.create(_FILE, json.dumps(fields, indent=1))
    # Read in any case: another process may have been faster.
    try:
        stored = json.loads(files.read(_FILE))
        version, stream, known = int(stored["version"]), str(stored["stream"]), str(stored["source"])
    except (ValueError, TypeError, KeyError):
        raise PipelineError(f"Cannot read the checkpoint {place}: {_ANEW}.") from None
    if version != VERSION:
        age = "an older" if version < VERSION else "a newer"
        raise PipelineError(
            f"The checkpoint {place} was written by {age} Headwater (checkpoint version {version}; this one reads"
            f" {VERSION}): {_ANEW}."
        )
    if known != source:
        raise PipelineError(f"The checkpoint {place} belongs to a stream from {known}, not from {source}: {_ANEW}.")
    return Checkpoint(stream, files.path(_SPARK))
