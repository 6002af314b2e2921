"""The endpoint of a transport, without secrets: it names the spool's folder, and appears in messages."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from openlineage.client.transport import (
    AmazonDataZoneTransport,
    CompositeTransport,
    DatadogTransport,
    GCPLineageTransport,
    HttpTransport,
    KafkaTransport,
    Transport,
)

from headwater.common.redaction.text import redact
from headwater.openlineage.delivery.transports import AcknowledgedKafka


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where events go.

    Attributes:
        kind: the transport's kind, else its class.
        address: distinguishes it from others of its kind; None for an unknown transport.
    """

    kind: str
    address: str | None

    @property
    def key(self) -> str:
        """The name of its folder.

        >>> Endpoint("http", "http://lineage:5000/api/v1/lineage").key
        'http-418815e43cb5'
        """
        digest = hashlib.sha256(f"{self.kind} {self.address or ''}".encode()).hexdigest()
        return f"{re.sub(r'[^A-Za-z0-9_]+', '_', self.kind)}-{digest[:12]}"

    def __str__(self) -> str:
        return self.address or self.kind


def endpoint_of(transport: Transport) -> Endpoint:
    """The endpoint of a transport.

    >>> from openlineage.client.transport import HttpConfig
    >>> str(endpoint_of(HttpTransport(HttpConfig(url="https://me:hunter2@lineage/base/", endpoint="v1?key=hunter2"))))
    'https://lineage/base/v1'
    """
    return Endpoint(transport.kind or type(transport).__qualname__, _address(transport))


def _address(transport: Transport) -> str | None:  # noqa: PLR0911 (a table)
    match transport:
        case HttpTransport():
            return _without_secrets(urljoin(transport.url, transport.endpoint))
        case DatadogTransport():
            return _address(transport.http)
        case AcknowledgedKafka():
            return _address(transport.inner)
        case KafkaTransport():
            return f"{transport.kafka_config.config.get('bootstrap.servers', '')}/{transport.topic}"
        case GCPLineageTransport():
            return transport.parent
        case AmazonDataZoneTransport():
            place = transport.config.endpoint_override or transport.config.region or ""
            return f"{_without_secrets(place)}/{transport.config.domain_id}"
        case CompositeTransport():
            addresses = [_address(inner) for inner in transport.transports]
            return None if None in addresses else " ".join(map(str, addresses))
        case _:
            return None


def _without_secrets(url: str) -> str:
    """The URL without user, password, query and fragment."""
    parts = urlsplit(url)
    return redact(parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl())
