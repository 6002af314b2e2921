"""A transport for openlineage-python that writes straight into a store.

In `openlineage.yml`:

    transport:
      type: headwater.store.transport.StoreTransport
      store: sqlite:///lineage.db
"""

from __future__ import annotations

from typing import Any

import attr
from openlineage.client.client import Event
from openlineage.client.transport import Config, Transport

from headwater.common.errors import StoreError
from headwater.openlineage.build.fallback import smaller
from headwater.openlineage.build.serialize import to_dict
from headwater.store.db.location import DEFAULT_STORE_URL
from headwater.store.store import open_store


@attr.define
class StoreConfig(Config):
    """Where the store is."""

    store: str = DEFAULT_STORE_URL

    @classmethod
    def from_dict(cls, params: dict[str, Any]) -> StoreConfig:
        """The configuration as openlineage-python reads it from files and the environment."""
        return cls(store=params.get("store", DEFAULT_STORE_URL))


class StoreTransport(Transport):
    """Writes events straight into a store: when `emit` returns, the event is on disk."""

    kind = "headwater"
    config_class = StoreConfig

    def __init__(self, config: StoreConfig) -> None:
        self._store = open_store(config.store)

    def emit(self, event: Event) -> None:
        """Store one event; one that the store refuses without what is known by columns, if it takes that.

        Raises:
            StoreError: the store takes no form of it.
        """
        raw = to_dict(event)
        refused = self._refusal(raw)
        if refused is not None and not any(self._refusal(form) is None for form in smaller(raw, refused)):
            raise StoreError(f"The store refused an event: {refused}.")

    def _refusal(self, event: dict[str, Any]) -> str | None:
        """Why the store does not take an event, or None if it did."""
        return next(map(str, self._store.ingest([event]).rejected), None)

    def close(self, timeout: float = -1) -> bool:  # noqa: ARG002 (nothing waits: every event was stored when it came)
        """Close the store."""
        self._store.close()
        return True
