"""The store: OpenLineage events in, lineage over time out."""

from headwater.common.errors import StoreError
from headwater.store.db.location import DEFAULT_STORE_URL
from headwater.store.db.session import Given, Session
from headwater.store.store import IngestResult, Rejected, Store, open_store
from headwater.store.upkeep.retention import Vacuumed
from headwater.store.upkeep.stats import Stats

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
