"""The store: OpenLineage events in, lineage over time out."""

from headwater.store.errors import StoreError
from headwater.store.location import DEFAULT_STORE_URL
from headwater.store.retention import Vacuumed
from headwater.store.session import Given, Session
from headwater.store.stats import Stats
from headwater.store.store import IngestResult, Rejected, Store, open_store

__all__ = [
    "DEFAULT_STORE_URL",
    "Given",
    "IngestResult",
    "Rejected",
    "Session",
    "Stats",
    "Store",
    "StoreError",
    "Vacuumed",
    "open_store",
]
