"""Transports to other machines, which deliver by way of the spool, and their counts."""

from __future__ import annotations

import time
from collections.abc import Iterator

from openlineage.client.transport import CompositeTransport, TransformTransport, Transport

from headwater.openlineage.delivery.delivery import Counts, Delivery
from headwater.openlineage.delivery.spool import SpoolSettings
from headwater.openlineage.delivery.transports import acknowledging, with_inner

# Local transports: when `emit` returns, the event has arrived. The last one is our store.
_LOCAL = frozenset({"console", "file", "noop", "headwater"})


def delivered(transport: Transport, settings: SpoolSettings) -> Transport:
    """The transport, with every remote endpoint behind a `Delivery`.

    A composite that sends everything to all of its endpoints gets one `Delivery` for each, so that an endpoint that is
    down does not hold up the others. A composite that stops at the first success or failure gets one for the whole.
    """
    if transport.kind in _LOCAL:
        return transport
    to_all = isinstance(transport, CompositeTransport) and (
        transport.config.continue_on_success and transport.config.continue_on_failure
    )
    if to_all or isinstance(transport, TransformTransport):
        return with_inner(transport, lambda inner: delivered(inner, settings))
    return Delivery(acknowledging(transport), settings)


def deliveries(transport: Transport) -> Iterator[Delivery]:
    """The deliveries in a transport; none for a local one."""
    if isinstance(transport, Delivery):
        yield transport
    elif isinstance(transport, CompositeTransport):
        for inner in transport.transports:
            yield from deliveries(inner)
    elif isinstance(transport, TransformTransport):
        yield from deliveries(transport.transport)


def delivery_counts(transport: Transport) -> Counts:
    """The outcome for the events of all deliveries."""
    return sum((delivery.counts() for delivery in deliveries(transport)), Counts())


def wait_for_delivery(transport: Transport, timeout: float) -> bool:
    """Wait until all events so far have arrived; False on a timeout, or if an endpoint is down."""
    until = time.monotonic() + timeout
    arrived = True
    for delivery in deliveries(transport):
        arrived &= delivery.wait_for_completion(max(0.0, until - time.monotonic()))
    return arrived
