"""Requests to one Headwater server: JSON both ways, compressed where that is worth it.

Every request may be sent twice: questions change nothing, nor do events that the server already has.
"""

import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from types import MappingProxyType
from typing import Any

from headwater.client.failures import no_headwater, refusal
from headwater.common.address import Address
from headwater.common.errors import StoreError
from headwater.common.http import HttpClient, Unreachable

_WORTH_COMPRESSING = 2_000


@dataclass(frozen=True, slots=True)
class Reply:
    """The status and the JSON document of a response."""

    status: int
    body: Any


class Server:
    """A server at an address. Threads may share it."""

    def __init__(self, address: Address) -> None:
        self.url = address.url
        self._client = HttpClient(address)

    def __str__(self) -> str:
        return self.url

    def get(self, path: str) -> Reply:
        """GET a path, its query included."""
        return self._send("GET", path)

    def post(self, path: str, document: bytes, *, compress: bool = False) -> Reply:
        """POST a JSON document to a path; `compress` a large one."""
        if compress and len(document) >= _WORTH_COMPRESSING:
            return self._send("POST", path, gzip.compress(document, compresslevel=5), {"Content-Encoding": "gzip"})
        return self._send("POST", path, document)

    def close(self) -> None:
        """Close the connections; a later request opens new ones."""
        self._client.close()

    def _send(
        self, method: str, path: str, document: bytes | None = None, more: Mapping[str, str] = MappingProxyType({})
    ) -> Reply:
        try:
            answer = self._client.send(method, path, document, more)
        except Unreachable as error:
            raise self._unreachable(error) from error
        return self._read(answer.status, answer.body)

    def _read(self, status: int, data: bytes) -> Reply:
        try:
            body = json.loads(data)
        except ValueError:
            if status >= HTTPStatus.BAD_REQUEST:
                raise refusal(status, None, self.url) from None
            raise no_headwater(self.url, "its answer is not JSON") from None
        return Reply(status, body)

    def _unreachable(self, error: Unreachable) -> StoreError:
        if error.kind == "late":
            return StoreError(f"The server {self.url} did not answer in time: try again, or ask for less.")
        if error.kind == "distrusted":
            return StoreError(
                f"Cannot verify the certificate of the server {self.url} ({error}): check it, or set SSL_CERT_FILE"
                " to a file of trusted authorities."
            )
        return StoreError(
            f"Cannot reach the server {self.url}: start it with `headwater serve`, or check the host and port"
            f" ({error})."
        )
