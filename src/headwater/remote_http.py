"""Requests to one server: kept connections, compressed both ways, tried again where that helps.

Every request may be sent twice without harm: a question changes nothing, and events that a server has change nothing.
"""

import gzip
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from types import MappingProxyType
from typing import Any
from urllib.parse import SplitResult, urlsplit
from urllib.request import getproxies, proxy_bypass

import urllib3
from urllib3.exceptions import HTTPError, InvalidHeader, NewConnectionError, ProtocolError, SSLError
from urllib3.exceptions import TimeoutError as TookTooLong

from headwater._version import __version__
from headwater.remote_address import Address
from headwater.remote_failures import no_headwater, refusal
from headwater.store.errors import StoreError

_CONNECT_SECONDS, _READ_SECONDS = 10.0, 300.0
_CONNECTIONS = 8
_TIMES = 4
_LONGEST_WAIT = 60.0
_WAIT = 1.0
_WORTH_COMPRESSING = 2_000
_AGAIN = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE})


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back: the status, and the JSON document."""

    status: int
    body: Any


class Server:
    """A server by its address. Threads may share it."""

    def __init__(self, address: Address) -> None:
        self.url = address.url
        self._headers = {
            "Accept": "application/json",
            "Accept-Encoding": "gzip",
            "User-Agent": f"headwater/{__version__}",
            **({"Authorization": f"Bearer {address.token}"} if address.token else {}),
        }
        self._pool = _pool(urlsplit(address.url))

    def __str__(self) -> str:
        return self.url

    def get(self, path: str) -> Reply:
        """Ask for what is at a path, its query included."""
        return self._send("GET", path)

    def post(self, path: str, document: bytes, *, compress: bool = False) -> Reply:
        """Send a JSON document to a path; `compress` it where that is understood, and worth it."""
        if compress and len(document) >= _WORTH_COMPRESSING:
            return self._send("POST", path, gzip.compress(document, compresslevel=5), {"Content-Encoding": "gzip"})
        return self._send("POST", path, document)

    def close(self) -> None:
        """Close the connections; a later request opens new ones."""
        self._pool.clear()

    def _send(
        self, method: str, path: str, document: bytes | None = None, more: Mapping[str, str] = MappingProxyType({})
    ) -> Reply:
        kind = {} if document is None else {"Content-Type": "application/json"}
        headers = {**self._headers, **kind, **more}
        for attempt in range(1, _TIMES + 1):
            try:
                response = self._pool.request(
                    method, self.url + path, body=document, headers=headers, retries=False, redirect=False
                )
            except ProtocolError as error:
                # A kept connection that the server closed just now, most likely.
                if attempt == _TIMES:
                    raise self._unreachable(error) from error
                continue
            except HTTPError as error:
                raise self._unreachable(error) from error
            if response.status not in _AGAIN or attempt == _TIMES:
                break
            time.sleep(_wait(response.headers.get("Retry-After")))
        return self._read(response.status, response.data)

    def _read(self, status: int, data: bytes) -> Reply:
        try:
            body = json.loads(data)
        except ValueError:
            if status >= HTTPStatus.BAD_REQUEST:
                raise refusal(status, None, self.url) from None
            raise no_headwater(self.url, "its answer is no JSON") from None
        return Reply(status, body)

    def _unreachable(self, error: HTTPError) -> StoreError:
        if isinstance(error, TookTooLong) and not isinstance(error, NewConnectionError):
            return StoreError(f"The server {self.url} does not answer in time: try again, or ask for less.")
        if isinstance(error, SSLError):
            return StoreError(
                f"The server {self.url} cannot be trusted ({_reason(error)}): check its certificate; SSL_CERT_FILE"
                " names a file of authorities to trust."
            )
        return StoreError(
            f"The server {self.url} cannot be reached: start it with `headwater serve`, or check the host and the port"
            f" ({_reason(error)})."
        )


def _pool(parts: SplitResult) -> urllib3.PoolManager:
    settings: dict[str, Any] = {
        "timeout": urllib3.Timeout(connect=_CONNECT_SECONDS, read=_READ_SECONDS),
        "maxsize": _CONNECTIONS,
    }
    proxy = getproxies().get(parts.scheme.lower())
    if proxy and not proxy_bypass(parts.hostname or ""):
        return urllib3.ProxyManager(proxy, **settings)
    return urllib3.PoolManager(**settings)


def _wait(asked: str | None) -> float:
    """How many seconds to wait before the next attempt.

    >>> _wait("3"), _wait("86400"), _wait(None), _wait("soon")
    (3.0, 60.0, 1.0, 1.0)
    """
    try:
        seconds = urllib3.Retry().parse_retry_after(asked) if asked else _WAIT
    except InvalidHeader:
        seconds = _WAIT
    return float(min(seconds, _LONGEST_WAIT))


def _reason(error: BaseException) -> str:
    """The innermost reason, without addresses of objects."""
    inner = error
    while isinstance(found := inner.__cause__ or inner.__context__, BaseException):
        inner = found
    if isinstance(inner, OSError) and inner.strerror:
        return inner.strerror
    return str(inner).rpartition(": ")[2]
