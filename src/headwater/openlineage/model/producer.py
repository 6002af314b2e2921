"""Headwater's name in events; not in `facets`, which needs OpenLineage's client."""

from headwater._version import __version__

PRODUCER = f"urn:headwater:producer:{__version__}"
