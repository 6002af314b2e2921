"""DataHub's server (GMS), to which proposals are sent.

They go to Rest.li's `ingestProposalBatch`, which takes aspects of all kinds of entities in one request and in order,
custom ones included. OpenAPI has an address for each kind of entity.
"""

import json
import math
import time
from collections.abc import Mapping, Sequence
from http import HTTPStatus

from headwater.common.address import Address
from headwater.common.backoff import Pace
from headwater.common.errors import StoreError
from headwater.common.http import HttpAnswer, HttpClient, Patience, Unreachable
from headwater.datahub.aspects.rest_proposals import Proposal, batch_document
from headwater.fields.errors import DataHubError
from headwater.openlineage.delivery.failures import shortened

TOKEN_VARIABLE = "DATAHUB_GMS_TOKEN"  # noqa: S105  the name of it
_CONFIG = "/config"
_BATCH = "/aspects?action=ingestProposalBatch"
_RESTLI = {"X-RestLi-Protocol-Version": "2.0.0"}
_NO_END = 1_000_000
_PASSING = (
    HTTPStatus.REQUEST_TIMEOUT,
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.BAD_GATEWAY,
    HTTPStatus.SERVICE_UNAVAILABLE,
    HTTPStatus.GATEWAY_TIMEOUT,
)
# An internal error may pass, or mean that the server cannot take this aspect.
_PATIENCE = Patience(
    statuses={**dict.fromkeys(_PASSING, _NO_END), HTTPStatus.INTERNAL_SERVER_ERROR: 4},
    broken=math.inf,
    away=math.inf,
    pace=Pace(0.5, 30),
)
# These are about the address or the token, not about what is sent.
_NOT_ABOUT_ASPECTS = frozenset(
    {
        HTTPStatus.UNAUTHORIZED,
        HTTPStatus.NOT_FOUND,
        HTTPStatus.METHOD_NOT_ALLOWED,
        HTTPStatus.PROXY_AUTHENTICATION_REQUIRED,
        *_PASSING,
    }
)


class NotSent(DataHubError):  # noqa: N818  it says what happened
    """The server takes nothing; the message says why and what to do."""


def gms_address(url: str) -> Address:
    """Where a DataHub is, with the token of the environment.

    Raises:
        NotSent: it is no address.
    """
    if not url.lower().startswith(("http://", "https://")):
        raise NotSent(f"{url.rpartition('@')[2]!r} is not a DataHub address: write http://host:8080.")
    try:
        return Address.read(url, variable=TOKEN_VARIABLE)
    except StoreError as error:
        raise NotSent(str(error).replace(":5000", ":8080")) from error


class Gms:
    """A server to send to; sending fails when it has taken nothing for `seconds`."""

    def __init__(self, address: Address, seconds: float, patience: Patience = _PATIENCE) -> None:
        self._address = address
        self._seconds = seconds
        self._client = HttpClient(address, patience)
        self._until = time.monotonic() + seconds

    def __str__(self) -> str:
        return self._address.url

    def check(self) -> None:
        """Check that it is a DataHub, and not the web server in front of it.

        Raises:
            NotSent: it is not, or does not answer.
        """
        answer = self._send("GET", _CONFIG)
        config = _document(answer)
        if answer.status != HTTPStatus.OK or not isinstance(config, Mapping) or config.get("noCode") != "true":
            raise self._refused_all(answer.status)

    def ingest(self, batch: Sequence[Proposal]) -> str | None:
        """Send proposals; None where all are taken, else why not, which may be because of one of them.

        Raises:
            NotSent: none can be taken now.
        """
        answer = self._send("POST", _BATCH, batch_document(batch))
        document = _document(answer)
        if answer.status < HTTPStatus.BAD_REQUEST:
            if answer.status >= HTTPStatus.MULTIPLE_CHOICES or not isinstance(document, Mapping):
                raise self._refused_all(answer.status)
            self._until = time.monotonic() + self._seconds
            return None
        if answer.status in _NOT_ABOUT_ASPECTS or (
            answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR and time.monotonic() >= self._until
        ):
            raise self._refused_all(answer.status)
        message = document.get("message") if isinstance(document, Mapping) else None
        words = message if isinstance(message, str) and message else answer.body.decode(errors="replace")
        return f"{answer.status}: {self._address.hidden(shortened(words))}".removesuffix(": ")

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _send(self, method: str, path: str, document: bytes | None = None) -> HttpAnswer:
        try:
            return self._client.send(method, path, document, _RESTLI, until=self._until)
        except Unreachable as error:
            if error.kind == "distrusted":
                raise NotSent(
                    f"Cannot verify the certificate of {self} ({error}): check it, or set SSL_CERT_FILE to a file"
                    " of trusted authorities."
                ) from error
            why = "did not answer in time" if error.kind == "late" else f"cannot be reached ({error})"
            raise NotSent(f"{self} {why}: check the host and port, or raise --timeout.") from error

    def _refused_all(self, status: int) -> NotSent:
        if status == HTTPStatus.UNAUTHORIZED:
            return NotSent(f"{self} rejected the token, or none was sent: set a valid one in {TOKEN_VARIABLE}.")
        if status in _PASSING or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return NotSent(f"{self} is not accepting changes (status {status}): try again later.")
        return NotSent(
            f"No DataHub answers at {self} (status {status}): use the address of its GMS, such as"
            " http://host:8080, or of the web server's proxy, such as http://host:9002/api/gms."
        )


def _document(answer: HttpAnswer) -> object:
    try:
        document: object = json.loads(answer.body)
    except ValueError:
        return None
    return document
