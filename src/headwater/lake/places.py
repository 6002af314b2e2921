"""Paths of files as people write them, and the names of a run's folders."""

from urllib.parse import unquote, urlsplit
from uuid import uuid4

RUN_FOLDER = r"\d{6,}-[0-9a-f]{32}"
"""The names that `run_folder` gives, as a regular expression for Python and Java."""


def run_folder(snapshot: int) -> str:
    """A unique folder name; those of later snapshots sort later.

    >>> import re
    >>> bool(re.fullmatch(RUN_FOLDER, run_folder(7))), run_folder(7)[:7]
    (True, '000007-')
    """
    return f"{snapshot:06}-{uuid4().hex}"


def readable(place: str) -> str:
    """A path as people write it: Spark writes local files as URIs.

    >>> readable("file:///data/may%201/events.jsonl.gz")
    '/data/may 1/events.jsonl.gz'
    """
    return unquote(urlsplit(place).path) if place.startswith("file:/") else place
