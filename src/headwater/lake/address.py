"""How a lake is named where a store could be: `lake:` and its path or address."""

import json
from pathlib import Path
from urllib.parse import unquote, urlsplit

_PREFIX = "lake:"


def is_lake(url: str) -> bool:
    """Whether a URL names a lake.

    >>> is_lake("lake:/data/lineage"), is_lake("lake:s3a://bucket/lineage"), is_lake("lake.db")
    (True, True, False)
    """
    return url.startswith(_PREFIX)


def lake_path(url: str) -> str:
    """Where the lake is.

    >>> lake_path("lake:s3a://bucket/lineage")
    's3a://bucket/lineage'
    """
    return url.removeprefix(_PREFIX)


def lake_format(path: str) -> str | None:
    """How a lake on this machine's disk keeps its tables, found without Spark; None where that cannot be seen."""
    parts = urlsplit(path)
    if parts.scheme not in ("", "file"):
        return None
    folder = Path(unquote(parts.path) if parts.scheme else path) / "_headwater" / "snapshots"
    newest = max(folder.glob("[0-9]*.json"), default=None, key=lambda found: int(found.stem))
    if newest is None:
        return None
    try:
        found = json.loads(newest.read_text(encoding="utf-8"))["format"]
    except (ValueError, KeyError, OSError):
        return None  # opening the lake says what is wrong
    return str(found)


def lake_needs(path: str) -> list[str]:
    """What Spark needs to read a lake beside what it has by itself, as far as that can be seen without Spark."""
    return needs_of_format(lake_format(path))


def needs_of_format(kept_as: str | None) -> list[str]:
    """What Spark needs for a format.

    >>> needs_of_format("delta"), needs_of_format("parquet"), needs_of_format(None)
    (['delta'], [], [])
    """
    return [] if kept_as in (None, "parquet") else [str(kept_as)]
