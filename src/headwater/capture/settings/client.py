"""The client that sends events: to where openlineage-python is configured to send them, else to the embedded store.

Events for another machine go by way of the spool.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from openlineage.client import OpenLineageClient
from openlineage.client.transport import get_default_factory

from headwater.common.address import Address, is_server
from headwater.openlineage.delivery.remote import delivered
from headwater.openlineage.delivery.spool import SpoolSettings

# By name, as openlineage-python allows for any transport: code in a driver does not import the store.
_STORE_TRANSPORT = "headwater.store.transport.StoreTransport"


def make_client(
    transport: Mapping[str, Any] | None, store: str | None, spool: SpoolSettings | None = None
) -> OpenLineageClient:
    """A client for the events.

    Args:
        transport: a transport's settings, if the application has its own.
        store: the URL of a store or a server, if one is set.
        spool: where events wait for an endpoint that does not accept them; None is the default spool.

    The order: the application's transport, the store that is set, openlineage-python's configuration
    (`openlineage.yml`, `OPENLINEAGE__…`, `OPENLINEAGE_URL`), the embedded store in the working directory.
    """
    client = _configured(transport, store)
    client.transport = delivered(client.transport, spool or SpoolSettings())
    return client


def _configured(transport: Mapping[str, Any] | None, store: str | None) -> OpenLineageClient:
    # A git remote's URL may contain a token, and openlineage-python would put it into every event.
    config: dict[str, Any] = {"facets": {"source_code_location": {"disabled": True}}}
    if not transport and store and is_server(store):
        transport = _server_transport(store)
    if transport:
        return OpenLineageClient(config={**config, "transport": dict(transport)})
    into_store = {"type": _STORE_TRANSPORT, **({"store": store} if store else {})}
    client = OpenLineageClient(config=config, transport=get_default_factory().create(into_store))
    configured = (client.config.transport or {}).get("type") or os.environ.get("OPENLINEAGE_URL")
    return OpenLineageClient(config=config) if configured and store is None else client


def _server_transport(url: str) -> dict[str, Any]:
    """The settings of openlineage-python's transport to a Headwater server."""
    address = Address.read(url)
    auth = {"auth": {"type": "api_key", "apiKey": address.token}} if address.token else {}
    # Without the slash, the last part of a base path would be lost.
    return {"type": "http", "url": f"{address.url}/", **auth}
