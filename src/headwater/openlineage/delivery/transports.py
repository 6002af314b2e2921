"""Transports whose `emit` raises if the event has not arrived.

An event may be forgotten only when it has arrived, and openlineage-python's transports differ in that: one hands the
event to a thread of its own, one only logs errors, one retries for half a minute before it raises.
"""

from __future__ import annotations

import errno
from collections.abc import Callable
from typing import Any, cast

from openlineage.client.client import Event
from openlineage.client.serde import Serde
from openlineage.client.transport import (
    AsyncHttpTransport,
    CompositeTransport,
    DatadogTransport,
    HttpConfig,
    HttpTransport,
    KafkaTransport,
    TransformTransport,
    Transport,
)
from openlineage.client.transport.http_common import DEFAULT_RETRY_CONFIG

_KAFKA_SECONDS = 10.0


def acknowledging(transport: Transport) -> Transport:
    """The transport, or a replacement that sends to the same endpoint.

    Call it before the transport is used. HTTP's own retries are disabled unless the user configured them: they would
    hide for half a minute that the endpoint is down.
    """
    match transport:
        case AsyncHttpTransport():
            transport.close(0)
            return acknowledging(_in_the_callers_thread(transport))
        case HttpTransport() if transport.config.retry == DEFAULT_RETRY_CONFIG:
            transport.config.retry = {"total": False}
            return transport
        case DatadogTransport():
            acknowledging(transport.http)
            return transport
        case KafkaTransport():
            return AcknowledgedKafka(transport)
        case CompositeTransport() | TransformTransport():
            return with_inner(transport, acknowledging)
        case _:
            return transport


def with_inner(transport: Transport, change: Callable[[Transport], Transport]) -> Transport:
    """The transport, with `change` applied to each transport inside it."""
    if isinstance(transport, CompositeTransport):
        transport.transports = [change(inner) for inner in transport.transports]
    elif isinstance(transport, TransformTransport):
        transport.transport = change(transport.transport)
    return transport


def _in_the_callers_thread(transport: AsyncHttpTransport) -> HttpTransport:
    shared = ("url", "endpoint", "timeout", "verify", "auth", "compression", "custom_headers", "retry")
    return HttpTransport(HttpConfig(**{name: getattr(transport.config, name) for name in shared}))


class AcknowledgedKafka(Transport):
    """Sends to Kafka and waits for the broker's answer, which `KafkaTransport` only logs."""

    def __init__(self, transport: KafkaTransport) -> None:
        self.kind, self.name, self.priority = transport.kind, transport.name, transport.priority
        self.inner = transport

    def emit(self, event: Event) -> None:
        """Send one event.

        Raises:
            ConnectionError: the brokers did not accept it.
        """
        errors: list[object] = []
        # It is None only inside Airflow, and this is a Spark driver.
        producer = cast("Any", self.inner.producer)
        producer.produce(
            topic=self.inner.topic,
            key=self.inner.message_key or message_key(Serde.to_dict(event)),
            value=Serde.to_json(event).encode(),
            on_delivery=lambda error, _message: errors.append(error) if error else None,
        )
        if producer.flush(_KAFKA_SECONDS):
            # Else it would be sent later, in addition to the retry.
            producer.purge()
            producer.flush(0)
            raise TimeoutError(errno.ETIMEDOUT, "no broker answered in time")
        if errors:
            raise ConnectionError(errno.ECONNABORTED, str(errors[0])) from _Refused(errors[0])

    def close(self, timeout: float = -1) -> bool:
        """Close the producer."""
        return self.inner.close(timeout)


class _Refused(Exception):  # noqa: N818 (a cause, for `failures`)
    """Holds a broker's error for a message."""


def message_key(event: dict[str, Any]) -> str:
    """The key that `KafkaTransport` gives an event: the events of one run stay in one partition, in order.

    >>> job, root = {"namespace": "shop", "name": "daily"}, {"namespace": "airflow", "name": "dag"}
    >>> message_key({"job": job, "run": {}})
    'run:shop/daily'
    >>> message_key({"job": job, "run": {"facets": {"parent": {"job": job, "root": {"job": root}}}}})
    'run:airflow/dag'
    """
    if "dataset" in event:
        kind, named = "dataset", event["dataset"]
    elif "run" not in event:
        kind, named = "job", event["job"]
    else:
        parent = event["run"].get("facets", {}).get("parent", {})
        kind, named = "run", (parent.get("root") or parent).get("job") or event["job"]
    return f"{kind}:{named['namespace']}/{named['name']}"
