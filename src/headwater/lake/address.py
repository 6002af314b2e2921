"""URLs of lakes: `lake:` and a path or address."""

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
    """The path of the lake.

    >>> lake_path("lake:s3a://bucket/lineage")
    's3a://bucket/lineage'
    """
    return url.removeprefix(_PREFIX)


def lake_format(path: str) -> str | None:
    """The format of a lake on a local disk, without Spark; None where it cannot be told."""
    parts = urlsplit(path)
    if parts.scheme not in ("", "file"):
        return None
    folder = Path(unquote(parts.path) if parts.scheme else path) / "_headwater" / "snapshots"
    newest = max(folder.glob("[0-9]*.json"), default=None, key=lambda file: int(file.stem))
    if newest is None:
        return None
    try:
        return str(json.loads(newest.read_text(encoding="utf-8"))["format"])
    except (ValueError, KeyError, OSError):
        return None  # opening the lake says what is wrong


def lake_needs(path: str) -> list[str]:
    """The packages that Spark needs to read a lake, as far as can be told without Spark."""
    return needs_of_format(lake_format(path))


def needs_of_format(table_format: str | None) -> list[str]:
    """The packages that Spark needs for a format.

    >>> needs_of_format("delta"), needs_of_format("parquet"), needs_of_format(None)
    (['delta'], [], [])
    """
    return [] if table_format in (None, "parquet") else [str(table_format)]
