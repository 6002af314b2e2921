"""Headwater's name in events; not in `facets`, which needs OpenLineage's client."""

from headwater._version import __version__

_PRODUCERS = "urn:headwater:producer:"
PRODUCER = f"{_PRODUCERS}{__version__}"


def is_own(producer: object) -> bool:
    """Whether the `producer` of an event, or the `_producer` of a facet, is Headwater, of any version.

    >>> is_own("urn:headwater:producer:1.2"), is_own("https://github.com/OpenLineage"), is_own(None)
    (True, False, False)
    """
    return isinstance(producer, str) and producer.startswith(_PRODUCERS)
