"""What Headwater calls itself in events; apart from the facets, which need OpenLineage's client."""

from headwater._version import __version__

PRODUCER = f"urn:headwater:producer:{__version__}"
