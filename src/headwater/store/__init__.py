"""The embedded store: OpenLineage events in, lineage over time out."""

from headwater.store.errors import StoreError
from headwater.store.location import DEFAULT_STORE_URL
from headwater.store.store import IngestResult, Rejected, Store, open_store

__all__ = ["DEFAULT_STORE_URL", "IngestResult", "Rejected", "Store", "StoreError", "open_store"]
