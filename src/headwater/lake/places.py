"""Where files are: as people write it, and what a run calls folders of its own."""

from urllib.parse import unquote, urlsplit
from uuid import uuid4

RUN_FOLDER = r"\d{6,}-[0-9a-f]{32}"
"""What `run_folder` gives, as a regular expression of Python and of Java."""


def run_folder(snapshot: int) -> str:
    """A name that no other run gives a folder; runs of later snapshots come later.

    >>> import re
    >>> bool(re.fullmatch(RUN_FOLDER, run_folder(7))), run_folder(7)[:7]
    (True, '000007-')
    """
    return f"{snapshot:06}-{uuid4().hex}"


def readable(place: str) -> str:
    """A place as people write it: Spark gives local files as URIs.

    >>> readable("file:///data/may%201/events.jsonl.gz")
    '/data/may 1/events.jsonl.gz'
    """
    return unquote(urlsplit(place).path) if place.startswith("file:/") else place
