"""Where files are, as people write it."""

from urllib.parse import unquote, urlsplit


def readable(place: str) -> str:
    """A place as people write it: Spark gives local files as URIs.

    >>> readable("file:///data/may%201/events.jsonl.gz")
    '/data/may 1/events.jsonl.gz'
    """
    return unquote(urlsplit(place).path) if place.startswith("file:/") else place
